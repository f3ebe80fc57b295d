# The provider's API server does not answer for two minutes, and nobody commits; then the consumer's, where Argo CD is at home too.
. "$EVENTS/words"
commit=$(git rev-parse HEAD) before=$(written)
swallow provider; sleep 45; say "Argo CD:"; apps; timeout 60 true; say "the consumer has $($C get connections.networking.liqo.io -A -o jsonpath='{.items[*].status.value}'), node $($C get node provider -o jsonpath='{.status.conditions[?(@.type=="Ready")].status}'), pod $($C -n demo get pod offloaded -o jsonpath='{.status.phase}')"
until_ "a ping crosses the tunnel" 30 ping_; doctor; sleep $((120 - $(printf '%.0f' "$(since "$T0")") > 0 ? 120 - $(printf '%.0f' "$(since "$T0")") : 0))
apps; answer provider; until_ "it is whole" 300 whole; wait_synced 300 "$commit" $CA $PA; wrote "$before"; pod_runs && say "the pod runs"; doctor
echo "== the consumer's"
swallow consumer; sleep 60; until_ "a ping crosses the tunnel" 30 ping_; doctor; sleep 45
answer consumer; until_ "it is whole" 300 whole; wait_synced 300 "$commit" $CA $PA; wrote "$before"; pod_runs && say "the pod runs"; doctor
