-- pkg/liqo-controller-manager/authentication/identity-controller/identity_controller.go (handleIdentityStatus)
local secret = ((obj.status or {}).kubeconfigSecretRef or {}).name or ""
if secret == "" then
  return { status = "Progressing", message = "Waiting for Liqo to make the kubeconfig: look at the Identity's events" }
end
return { status = "Healthy", message = "The kubeconfig is in the Secret " .. secret }
