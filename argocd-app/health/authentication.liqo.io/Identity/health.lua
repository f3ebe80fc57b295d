-- pkg/liqo-controller-manager/authentication/identity-controller/identity_controller.go (handleIdentityStatus)
if obj.metadata.deletionTimestamp ~= nil then
  local releases = {
    foregroundDeletion = "waits for the Secret with its kubeconfig, whose finalizer crdreplicator.liqo.io/operator waits for the ResourceSlices and the NamespaceMap.",
  }
  local waits = { "The identity is being deleted." }
  for _, finalizer in ipairs(obj.metadata.finalizers or {}) do
    table.insert(waits, finalizer .. ": " .. (releases[finalizer] or "still present."))
  end
  return { status = "Progressing", deletionMessage = table.concat(waits, " ") }
end

local secret = ((obj.status or {}).kubeconfigSecretRef or {}).name or ""
if secret == "" then
  return { status = "Progressing", message = "Waiting for Liqo to make the kubeconfig: look at the Identity's events" }
end
return { status = "Healthy", message = "The kubeconfig is in the Secret " .. secret }
