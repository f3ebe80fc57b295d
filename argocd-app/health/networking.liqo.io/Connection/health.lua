-- pkg/gateway/connection/connections_controller.go (ForgeUpdateConnectionCallback), after each ping through the tunnel.
local status = obj.status or {}
if status.value == "Connected" then
  local latency = (status.latency or {}).value
  return { status = "Healthy", message = "The tunnel is up" .. (latency and ", latency " .. latency or "") }
end
if status.value == "Error" then
  return {
    status = "Degraded",
    message = "The tunnel does not answer: is the gateway of the other cluster running, is its UDP port reachable, and do both have the other's PublicKey?",
  }
end
return { status = "Progressing", message = "Waiting for the gateway of the other cluster to answer" }
