-- pkg/liqo-controller-manager/core/foreigncluster-controller/status.go
if obj.metadata.deletionTimestamp ~= nil then
  local releases = {
    ["api-server-checker.liqo.io/finalizer"] = "waits until Liqo no longer checks the API server of that cluster. If it stays: is liqo-controller-manager running?",
  }
  local waits = { "The foreign cluster is being deleted." }
  for _, finalizer in ipairs(obj.metadata.finalizers or {}) do
    table.insert(waits, finalizer .. ": " .. (releases[finalizer] or "still present."))
  end
  return { status = "Progressing", deletionMessage = table.concat(waits, " ") }
end

local status = obj.status or {}
if status.modules == nil then
  return { status = "Progressing", message = "Waiting for Liqo to look at the peering" }
end

-- conditions.go: NotReady because an object is not there yet, and not because something is wrong with one
local missing = { GatewayMissing = true, ConnectionMissing = true, NetworkConfigurationMissing = true }
local worst, notes, enabled = "Healthy", {}, false
local function read(conditions)
  for _, condition in ipairs(conditions or {}) do
    local is = condition.status
    local health = "Progressing"
    if is == "Ready" or is == "Established" then
      health = "Healthy"
    elseif missing[condition.reason] then
      health = "Progressing"
    elseif is == "Error" or is == "NotReady" or is == "SomeNotReady" then
      health = "Degraded"
    end
    if health ~= "Healthy" then
      table.insert(notes, condition.type .. " is " .. is .. ": " .. (condition.message or ""))
    end
    if health == "Degraded" or worst == "Healthy" then
      worst = health
    end
  end
end
for _, module in ipairs({ "networking", "authentication", "offloading" }) do
  local it = status.modules[module] or {}
  if it.enabled then
    enabled = true
    read(it.conditions)
  end
end
if not enabled then
  return { status = "Suspended", message = "Nothing is peered with this cluster; Liqo leaves it to its user to delete this object" }
end
read(status.conditions)
if worst == "Healthy" then
  return { status = "Healthy", message = "The other cluster is a " .. status.role }
end
return { status = worst, message = table.concat(notes, "; ") }
