# The consumer cannot reach the provider's API server for longer than its certificate lives. After 31, whose certificates live for three
# minutes. docs/howto/exchange-keys.md, "When something changes".
. "$EVENTS/words"
refuse; say "identity $(certificate identity)"
sleep 60; doctor
sleep 150; say "$(date +%T) identity $(certificate identity), tenant $(certificate tenant), slice $(certificate slice)"; apps; doctor; pod_runs && say "the pod runs"
accept; sleep 60; say "$(date +%T) identity $(certificate identity), tenant $(certificate tenant)"; apps; doctor
echo "== the lines of the page"
argocd-peering explain liqo-certificate | sed -n '/^crt=/,/^```/p' | sed '/^```/d; s/liqo-tenant-rome/liqo-tenant-consumer/g; s/liqo-tenant-milan/liqo-tenant-provider/g; s/--context milan/--context provider/; s/--context rome/--context consumer/; s/tenant rome/tenant consumer/; s/controlplane-milan/controlplane-provider/' >~/lines
cat ~/lines; zero; bash ~/lines
reached() { accepted && node_ready && is_health Healthy $CA $PA && [ "$(certificate identity)" = "$(certificate tenant)" ] && $C get foreignclusters.core.liqo.io provider -o json | jq -e '[.status.conditions[] | select(.type == "APIServerStatus")][0].status == "Established"'; }
until_ "the API server is reached, and both are Healthy" 120 reached; pod_runs && say "the pod runs"; wait_synced 60 "$(git rev-parse HEAD)" $CA $PA; doctor
sleep 60; say "$(date +%T) identity $(certificate identity), tenant $(certificate tenant), slice $(certificate slice)"
$C -n demo delete pod offloaded --wait=true >/dev/null; pod; doctor
