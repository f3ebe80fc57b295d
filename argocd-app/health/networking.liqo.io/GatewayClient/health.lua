-- pkg/liqo-controller-manager/networking/external-network/client-operator/client_controller.go copies this status from
-- the WgGatewayClient, which has no conditions.
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
