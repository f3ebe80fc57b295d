-- Argo CD's controller/hook.go: while this is Progressing, nothing of the Application is deleted
if obj.metadata.deletionTimestamp ~= nil then
  return { status = "Progressing", deletionMessage = "The resource quota is being deleted." }
end

local user = (obj.metadata.labels or {})["liqo.io/remote-cluster-id"]
local hook = (obj.metadata.annotations or {})["argocd.argoproj.io/hook"]
if user == nil or hook ~= "PreDelete" then
  return { status = "Healthy", message = "Not judged" }
end

local counted = { "resourceslices.authentication.liqo.io", "namespacemaps.offloading.liqo.io" }
local used, left = (obj.status or {}).used or {}, {}
for _, resource in ipairs(counted) do
  local count = used["count/" .. resource]
  if count == nil then
    return { status = "Progressing", message = "Waiting for Kubernetes to count what the cluster " .. user .. " uses: is kube-controller-manager running?" }
  end
  if count ~= "0" then
    table.insert(left, count .. " " .. resource)
  end
end
if #left > 0 then
  return { status = "Progressing", message = "Waiting until the cluster " .. user .. " has released " .. table.concat(left, " and ") .. ": delete and confirm the Application of its side" }
end
return { status = "Healthy", message = "The cluster " .. user .. " has released everything" }
