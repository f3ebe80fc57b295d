-- pkg/liqo-controller-manager/networking/external-network/server-operator/server_controller.go copies this status from
-- the WgGatewayServer, which has no conditions.
if obj.metadata.deletionTimestamp ~= nil then
  local releases = {
    foregroundDeletion = "waits until its InternalFabric is gone. If it stays: is liqo-controller-manager running?",
  }
  local waits = { "The gateway is being deleted." }
  for _, finalizer in ipairs(obj.metadata.finalizers or {}) do
    table.insert(waits, finalizer .. ": " .. (releases[finalizer] or "still present."))
  end
  return { status = "Progressing", deletionMessage = table.concat(waits, " ") }
end

local function progressing(message)
  return { status = "Progressing", message = message }
end

local status = obj.status or {}
local name = "gw-" .. obj.metadata.name
if status.serverRef == nil then
  return progressing("Waiting for Liqo: is there the template of spec.serverTemplateRef, and is liqo-controller-manager running?")
end
if status.secretRef == nil or (status.secretRef.name or "") == "" then
  return progressing("Waiting for the key: look at spec.secretRef, and for the Secret that it names in this namespace")
end
local endpoint = status.endpoint or {}
local address = (endpoint.addresses or {})[1] or ""
if address == "" then
  return progressing("Waiting for an address: look at the Service " .. name .. ", its type, and a node port that is already taken")
end
if (status.internalEndpoint or {}).ip == nil then
  return progressing("Waiting for the gateway's pod: look at the Deployment " .. name)
end
local port = endpoint.port or (endpoint.ports or {})[1]
return {
  status = "Healthy",
  message = "The gateway listens at " .. address .. ":" .. tostring(port) .. "; its Connection says whether the tunnel is up",
}
