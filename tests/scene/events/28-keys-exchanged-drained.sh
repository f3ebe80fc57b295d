# A peering with exchanged keys, drained and removed. After 26.
. "$EVENTS/words"
sed -i 's/^spec:/spec:\n  state: Drained/' $F/peering.yaml
commit=$(commit "Drained")
zero; refresh; until_ "waits for a confirmation" 60 sh -c "argocd app get $CA -o json | jq -e '.status.operationState.message | test(\"confirm\")'"
argocd app confirm-deletion $CA >/dev/null 2>&1; argocd app confirm-deletion $PA >/dev/null 2>&1
wait_synced 200 "$commit" $CA $PA; doctor
$C get identities.authentication.liqo.io,resourceslices.authentication.liqo.io,secrets -n liqo-tenant-provider -o name; $P get secrets,tenants.authentication.liqo.io -n liqo-tenant-consumer -o name
