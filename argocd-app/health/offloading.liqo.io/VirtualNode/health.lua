-- pkg/liqo-controller-manager/offloading/virtualnode-controller/. A type can be listed twice; the first one is Liqo's
-- (condition.go, ForgeCondition and GetCondition).
if obj.metadata.deletionTimestamp ~= nil then
  local releases = {
    ["virtualnode-controller.liqo.io/finalizer"] = "waits until the node is drained and the virtual kubelet is gone. If it stays: does a PodDisruptionBudget hold an offloaded pod, and can the provider be reached? Removed by hand, node, virtual kubelet and pods can stay.",
  }
  local waits = { "The virtual node is being deleted." }
  for _, finalizer in ipairs(obj.metadata.finalizers or {}) do
    table.insert(waits, finalizer .. ": " .. (releases[finalizer] or "still present."))
  end
  return { status = "Progressing", deletionMessage = table.concat(waits, " ") }
end

local found = {}
for _, condition in ipairs((obj.status or {}).conditions or {}) do
  found[condition.type] = found[condition.type] or condition.status
end
if found.VirtualKubelet ~= "Running" then
  return {
    status = "Progressing",
    message = "The virtual kubelet is " .. (found.VirtualKubelet or "None") .. ": look at the pods of this namespace, and at the kubeconfig Secret of the slice",
  }
end
if (obj.spec or {}).createNode == false then
  return { status = "Healthy", message = "The virtual kubelet is running; it makes no node" }
end
if found.Node ~= "Running" then
  return {
    status = "Progressing",
    message = "The node is " .. (found.Node or "None") .. ": look at the log of the virtual kubelet, and at whether the Connection is Connected",
  }
end
return { status = "Healthy", message = "The node is running" }
