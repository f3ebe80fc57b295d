-- pkg/liqo-controller-manager/offloading/namespaceoffloading-controller/status.go (setNamespaceOffloadingStatus)
if obj.metadata.deletionTimestamp ~= nil then
  local releases = {
    ["namespaceoffloading-controller.liqo.io/finalizer"] = "waits until the provider has deleted its namespaces. If it stays: can the provider be reached, does the consumer's credential work, and is a namespace there Terminating? Removed by hand, they may stay at the provider.",
  }
  local waits = { "The namespace offloading is being deleted." }
  for _, finalizer in ipairs(obj.metadata.finalizers or {}) do
    table.insert(waits, finalizer .. ": " .. (releases[finalizer] or "still present."))
  end
  return { status = "Progressing", deletionMessage = table.concat(waits, " ") }
end

local status = obj.status or {}
local phase = status.offloadingPhase or ""
-- the clusters whose namespace is not ready, in a fixed order
local missing = {}
for cluster, conditions in pairs(status.remoteNamespacesConditions or {}) do
  for _, condition in ipairs(conditions) do
    if condition.type == "Ready" and condition.status ~= "True" then
      table.insert(missing, cluster .. " (" .. (condition.reason or "") .. ")")
    end
  end
end
table.sort(missing)
local where = table.concat(missing, ", ")

if status.observedGeneration ~= nil and status.observedGeneration < (obj.metadata.generation or 0) then
  return { status = "Progressing", message = "Waiting for Liqo to read the changed NamespaceOffloading" }
end
if phase == "Ready" then
  return { status = "Healthy", message = "The namespace is at the providers, as " .. (status.remoteNamespaceName or "") }
end
if phase == "SomeFailed" or phase == "AllFailed" then
  return {
    status = "Degraded",
    message = phase .. ": " .. where .. ". Does a namespace of this name already exist at the provider?",
  }
end
if phase == "NoClusterSelected" then
  return { status = "Suspended", message = "No virtual node matches: look at clusterSelector, the ResourceSlices, and the VirtualNodes" }
end
if phase == "InProgress" then
  return { status = "Progressing", message = "The provider is making its namespace: " .. where }
end
return { status = "Progressing", message = "Waiting for Liqo: is liqo-controller-manager running?" }
