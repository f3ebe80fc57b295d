-- The provider writes both conditions (pkg/liqo-controller-manager/authentication/remoteresourceslice-controller/
-- remoteresourceslice_controller.go), and liqo-crd-replicator brings them back to the consumer.
if obj.metadata.deletionTimestamp ~= nil then
  local releases = {
    ["crdreplicator.liqo.io/resource"] = "waits until the provider has deleted its copy. If it stays: does the consumer's credential work, does the provider have its RoleBinding and its Tenant, and can its API server be reached? Removed by hand, the copy stays at the provider.",
    foregroundDeletion = "waits for the VirtualNode that was made of it, which is drained first.",
  }
  local waits = { "The resource slice is being deleted." }
  for _, finalizer in ipairs(obj.metadata.finalizers or {}) do
    table.insert(waits, finalizer .. ": " .. (releases[finalizer] or "still present."))
  end
  return { status = "Progressing", deletionMessage = table.concat(waits, " ") }
end

local accepted = {}
for _, condition in ipairs((obj.status or {}).conditions or {}) do
  if condition.status == "Denied" then
    return {
      status = "Degraded",
      message = "The provider denies it: " .. (condition.message or condition.type) .. ". Look at the Tenant and the ResourceSlice at the provider",
    }
  end
  accepted[condition.type] = condition.status == "Accepted"
end
if accepted.Authentication and accepted.Resources then
  return { status = "Healthy", message = "The provider accepts it" }
end
if accepted.Authentication then
  return { status = "Progressing", message = "The provider knows the consumer; waiting for its answer about the resources" }
end
return {
  status = "Progressing",
  message = "Waiting for the provider's answer: is there its Tenant, does the consumer's credential work, and is liqo-crd-replicator running? If the provider was synced later, Liqo tries again within 17 minutes, or when liqo-crd-replicator restarts",
}
