-- pkg/liqo-controller-manager/networking/network-controller/network_controller.go
if obj.metadata.deletionTimestamp ~= nil then
  local releases = {
    ["network.ipam.liqo.io/finalizer"] = "waits until the IPAM has released the CIDR. If it stays: is liqo-ipam running? Removed by hand, the CIDR stays reserved.",
  }
  local waits = { "The network is being deleted." }
  for _, finalizer in ipairs(obj.metadata.finalizers or {}) do
    table.insert(waits, finalizer .. ": " .. (releases[finalizer] or "still present."))
  end
  return { status = "Progressing", deletionMessage = table.concat(waits, " ") }
end

local cidr = (obj.status or {}).cidr or ""
if cidr == "" then
  return { status = "Progressing", message = "Waiting for the IPAM to map " .. obj.spec.cidr .. ": look at liqo-ipam" }
end
if cidr ~= obj.spec.cidr then
  return { status = "Healthy", message = obj.spec.cidr .. " is mapped to " .. cidr }
end
return { status = "Healthy", message = cidr .. " is used as it is" }
