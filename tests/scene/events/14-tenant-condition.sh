# Cordoned and back; Drained with its confirmation; the way back. docs/teardown.md.
. "$EVENTS/words"
condition() {
    sed -i '/tenantCondition/d' $F/peering.yaml
    [ "$1" = Active ] || sed -i "s/^  authentication:.*/&\n    tenantCondition: $1/" $F/peering.yaml
    commit=$(commit "tenantCondition $1"); zero; refresh
}
has_slice() { $P -n liqo-tenant-consumer get resourceslices.authentication.liqo.io provider; }
is_expelled() { ! $P get namespace demo-consumer; }
pod; condition Cordoned; wait_synced 300 "$commit" $CA $PA; sleep 10; pod_runs && say "the Pod still runs"; doctor
condition Active; wait_synced 300 "$commit" $CA $PA; until_ "it is whole" 100 whole
condition Drained; sleep 60; say "not confirmed:"; apps $PA; doctor; pod_runs && say "the Pod still runs"
zero; argocd app confirm-deletion $PA; until_ "the provider has expelled it" 200 is_expelled; wait_synced 300 "$commit" $CA $PA; doctor
condition Active; wait_synced 300 "$commit" $CA $PA; sleep 90; doctor
echo "== the way back: Liqo's replicator is restarted"
$C -n liqo rollout restart deployment liqo-crd-replicator; zero; until_ "the provider has the slice" 60 has_slice; until_ "it is whole" 60 whole; pod; doctor
echo "== the other way: the consumer is drained, and Active again"
sed -i '0,/^spec:/s//spec:\n  state: Drained/' $F/peering.yaml; commit=$(commit "Drain the peering"); zero; refresh; wait_synced 500 "$commit" $CA $PA
sed -i '/^  state: Drained/d' $F/peering.yaml; commit=$(commit "Active"); zero; refresh; wait_synced 500 "$commit" $CA $PA; until_ "it is whole" 400 whole; pod; doctor
