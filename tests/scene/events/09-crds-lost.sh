# Liqo's CRDs are deleted on the consumer, with all objects of them; its chart is applied again, and Liqo restarted.
. "$EVENTS/words"
left() { $C get crds -o name | grep 'liqo.io' | sed 's/.*crd.*\///' | xargs; }
is_empty() { [ -z "$(left)" ]; }
pod; zero; $C get crds -o name | grep 'liqo.io' | xargs $C delete --wait=false | wc -l; sleep 30; apps; say "Terminating: $(left)"; doctor
until_ "no CRD of Liqo is left" 180 is_empty || say "Terminating: $(left)"
for kind in $(left); do $C get "$kind" -A -o json | jq -r --arg kind "$kind" '.items[] | "\($kind) \(.metadata.namespace // "-")/\(.metadata.name) \(.metadata.finalizers)"'; done
apps; $C get namespaces -o name | grep -E 'demo|liqo' | xargs; $C get nodes -o name | xargs; $C -n demo get pods
echo "== the chart again"
zero; $C apply --server-side --force-conflicts -f /srv/consumer/liqo/crds.yaml >/dev/null; $C wait --for=condition=Established --timeout=60s -f /srv/consumer/liqo/crds.yaml >/dev/null; $C apply --server-side --force-conflicts -n liqo -f /srv/consumer/liqo/objects.yaml >/dev/null
refresh; sleep 40; apps; doctor
$C -n liqo rollout restart deployment >/dev/null; sleep 10; zero; refresh; fabric
until_ "it is whole" 200 whole || { apps; doctor; zero; argocd app sync $CA >/dev/null 2>&1; until_ "it is whole" 200 whole; }
wait_synced 120 "$(git rev-parse HEAD)" $CA $PA; pod; doctor
