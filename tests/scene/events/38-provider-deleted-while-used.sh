# The provider's Application alone is deleted and confirmed while the consumer uses it: what waits, and what doctor and Argo CD say. A
# hard refresh, a sync and a change by hand beside it. Then the deletion is taken back. docs/teardown.md.
. "$EVENTS/words"
. "$EVENTS/removal"
begin; $A get application $PA -o jsonpath='{.metadata.finalizers}{"\n"}'
zero; delete_ $PA; confirm_ $PA; sleep 20; quota; apps $PA; tree $PA; doctor; whole >/dev/null && say "it is whole"; pod_runs && say "the Pod runs"
echo "== a hard refresh, a sync, a change by hand"
hard $PA; argocd app sync $PA 2>&1 | tail -1; $P -n liqo-tenant-consumer annotate tenants.authentication.liqo.io consumer by=hand; $P -n liqo-tenant-consumer delete rolebinding liqo-binding-liqo-remote-controlplane
sleep 30; apps $PA; quota; $P -n liqo-tenant-consumer get rolebindings -o name
echo "== taken back"
zero; $A patch application $PA --type=merge -p '{"metadata":{"finalizers":null}}' >/dev/null; until_ "$PA is gone" 30 is_gone $PA
$A apply -f $F/application-provider.yaml; wait_synced 200 "$(git rev-parse HEAD)" $CA $PA; until_ "it is whole" 120 whole; quota; apps $PA; doctor
$P -n liqo-tenant-consumer delete resourcequota in-use --ignore-not-found
