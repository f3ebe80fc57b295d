# Someone deletes the provider's copy of the slice with kubectl. src/object/live/checks/withdrawn.md.
. "$EVENTS/words"
copy() { $P -n liqo-tenant-consumer get resourceslices.authentication.liqo.io provider; }
delete_copy() { $P -n liqo-tenant-consumer delete resourceslices.authentication.liqo.io provider --wait=false; }
pod; zero; delete_copy; sleep 1; until_ "the provider has a copy again" 120 copy; until_ "it is whole" 120 whole; pod_runs && say "the Pod runs"; apps; doctor
echo "== while the provider does not admit the consumer"
for app in $CA $PA; do argocd app set $app --sync-policy none; done
$P -n liqo-tenant-consumer delete rolebinding liqo-binding-liqo-remote-controlplane; zero; delete_copy; sleep 30
argocd app sync $PA >/dev/null; say "the provider admits it again"; sleep 60; copy || say "the provider has no copy"; apps; doctor
$C -n liqo rollout restart deployment liqo-crd-replicator; zero; until_ "the provider has a copy again" 120 copy; until_ "it is whole" 120 whole; doctor
for app in $CA $PA; do argocd app set $app --sync-policy automated --auto-prune --self-heal; done
pod
