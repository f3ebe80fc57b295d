-- The provider writes the status (pkg/liqo-controller-manager/offloading/namespacemap-controller/enforcement.go), and
-- liqo-crd-replicator brings it back to the consumer.
if obj.metadata.deletionTimestamp ~= nil then
  local releases = {
    ["crdreplicator.liqo.io/resource"] = "waits until the provider has deleted its copy. If it stays: does the consumer's credential work, does the provider have its RoleBinding and its Tenant, and can its API server be reached? Removed by hand, the copy and the remote namespaces stay at the provider.",
    ["namespacemap-controller.liqo.io/finalizer"] = "waits until the namespaces that it maps are gone. If it stays: is one of them Terminating? Removed by hand, they stay.",
  }
  local waits = { "The namespace map is being deleted." }
  for _, finalizer in ipairs(obj.metadata.finalizers or {}) do
    table.insert(waits, finalizer .. ": " .. (releases[finalizer] or "still present."))
  end
  return { status = "Progressing", deletionMessage = table.concat(waits, " ") }
end

local current = (obj.status or {}).currentMapping or {}
local failed, waiting = {}, {}
for namespace, remote in pairs((obj.spec or {}).desiredMapping or {}) do
  local phase = (current[namespace] or {}).phase
  if phase == "CreationLoopBackOff" then
    table.insert(failed, remote)
  elseif phase ~= "Accepted" then
    table.insert(waiting, remote)
  end
end
table.sort(failed)
table.sort(waiting)
if #failed > 0 then
  return {
    status = "Degraded",
    message = "The provider cannot make " .. table.concat(failed, ", ") .. ": does a namespace of this name already exist there?",
  }
end
if #waiting > 0 then
  return { status = "Progressing", message = "Waiting for the provider to make " .. table.concat(waiting, ", ") }
end
return { status = "Healthy", message = "All namespaces are at the provider" }
