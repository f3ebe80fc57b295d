-- pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go (Reconcile). There are no conditions.
if obj.metadata.deletionTimestamp ~= nil then
  local releases = {
    ["tenant.liqo.io/finalizer"] = "waits until the consumer's ClusterRoleBinding is gone. If it stays: is Liqo's webhook running, and does the namespace still have the label liqo.io/tenant-namespace? Removed by hand, the binding stays.",
  }
  local waits = { "The tenant is being deleted." }
  for _, finalizer in ipairs(obj.metadata.finalizers or {}) do
    table.insert(waits, finalizer .. ": " .. (releases[finalizer] or "still present."))
  end
  return { status = "Progressing", deletionMessage = table.concat(waits, " ") }
end

local spec = obj.spec or {}
local status = obj.status or {}
if spec.tenantCondition == "Cordoned" then
  return { status = "Suspended", message = "Cordoned: the consumer keeps what it has and gets nothing new" }
end
if spec.tenantCondition == "Drained" then
  return { status = "Suspended", message = "Drained: the consumer has nothing here any more, and setting Active does not bring it back" }
end
if spec.authzPolicy ~= "TolerateNoHandshake" and status.authParams == nil then
  return { status = "Progressing", message = "Waiting for the consumer's handshake, because authzPolicy is KeysExchange: look at the Tenant's events" }
end
if (status.tenantNamespace or "") == "" then
  return { status = "Progressing", message = "Waiting for Liqo to find the tenant namespace: look at the Tenant's events" }
end
return { status = "Healthy", message = "The consumer is let in, with the namespace " .. status.tenantNamespace }
