-- pkg/liqo-controller-manager/networking/external-network/client-operator/client_controller.go copies this status from
-- the WgGatewayClient, which has no conditions.
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
if status.clientRef == nil then
  return progressing("Waiting for Liqo: is there the template of spec.clientTemplateRef, and is liqo-controller-manager running?")
end
if status.secretRef == nil or (status.secretRef.name or "") == "" then
  return progressing("Waiting for the key: look at spec.secretRef, and for the Secret that it names in this namespace")
end
if (status.internalEndpoint or {}).ip == nil then
  return progressing("Waiting for the gateway's pod: look at the Deployment gw-" .. obj.metadata.name)
end
return { status = "Healthy", message = "The gateway runs; its Connection says whether the tunnel is up" }
