-- Liqo >= 1.2.0 sets a condition (pkg/liqo-controller-manager/networking/external-network/configuration/
-- configuration_controller.go, setConfigurationConditions); older ones fill status.remote when all is remapped.
if obj.metadata.deletionTimestamp ~= nil then
  local releases = {
    foregroundDeletion = "waits until its Networks (ipam.liqo.io) are gone. Liqo makes them again meanwhile, so this can take minutes; deleting in the background does not wait.",
  }
  local waits = { "The configuration is being deleted." }
  for _, finalizer in ipairs(obj.metadata.finalizers or {}) do
    table.insert(waits, finalizer .. ": " .. (releases[finalizer] or "still present."))
  end
  return { status = "Progressing", deletionMessage = table.concat(waits, " ") }
end

local healthy = { status = "Healthy", message = "The CIDRs of the other cluster are mapped" }
local waiting = {
  status = "Progressing",
  message = "Waiting for Liqo to map the CIDRs of the other cluster: look at the Networks (ipam.liqo.io) of this namespace, and at liqo-ipam",
}
local status = obj.status or {}
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "NetworkCIDRsConfigured" then
    if condition.observedGeneration ~= nil and condition.observedGeneration ~= obj.metadata.generation then
      return { status = "Progressing", message = "Waiting for Liqo to read the changed CIDRs" }
    end
    if condition.status == "True" then
      return healthy
    end
    return waiting
  end
end

local cidr = (status.remote or {}).cidr or {}
for _, list in ipairs({ cidr.pod or {}, cidr.external or {} }) do
  if list[1] == nil or list[1] == "" then
    return waiting
  end
end
return healthy
