# The consumer never releases anything: its replicator does not run. The provider's Application is deleted and confirmed, and waits. The way
# out of docs/teardown.md.
. "$EVENTS/words"
. "$EVENTS/removal"
begin
$C -n liqo scale deployment liqo-crd-replicator --replicas 0
zero; delete_ $PA; confirm_ $PA; sleep 20; quota; apps $PA
echo "== its copies are deleted at the provider"
zero; for kind in resourceslices.authentication.liqo.io namespacemaps.offloading.liqo.io; do $P -n liqo-tenant-consumer delete $kind --all --wait=false; done
until_ "$PA is gone" 120 is_gone $PA || { quota; apps $PA; $P -n liqo-tenant-consumer get resourceslices.authentication.liqo.io,namespacemaps.offloading.liqo.io -o jsonpath='{range .items[*]}{.kind} {.metadata.finalizers}{"\n"}{end}'; }
$C -n liqo scale deployment liqo-crd-replicator --replicas 1; left
echo "== the consumer is back, and its Application is deleted: the provider went first"
zero; delete_ $CA; confirm_ $CA; sleep 30; $A apply -f $F/application-provider.yaml; HEALTH= wait_synced 100 "$(git rev-parse HEAD)" $PA
$C -n liqo rollout restart deployment liqo-crd-replicator; until_ "$CA is gone" 100 is_gone $CA || apps
