# `state: Drained`, and reverted; then the same while the drain hangs. docs/howto/take-down.md.
. "$EVENTS/words"
drain() { sed -i '0,/^spec:/s//spec:\n  state: Drained/' $F/peering.yaml; commit=$(commit "$1"); zero; refresh; }
slice() { $C -n liqo-tenant-provider "$@"; }
pod; drain "Drain the peering"; wait_synced 400 "$commit" $CA $PA; doctor
commit=$(revert); zero; refresh; wait_synced 400 "$commit" $CA $PA; until_ "it is whole" 600 whole; pod; doctor
echo "== the drain hangs by a finalizer, and is reverted"
slice patch resourceslices.authentication.liqo.io provider --type=json -p '[{"op":"add","path":"/metadata/finalizers/-","value":"example.org/wait"}]'
drain "Drain the peering again"; sleep 40; doctor
argocd app terminate-op $CA; commit=$(revert); refresh; sleep 5; apps
others=$(slice get resourceslices.authentication.liqo.io provider -o json | jq -c '[.metadata.finalizers[] | select(. != "example.org/wait")]')
slice patch resourceslices.authentication.liqo.io provider --type=merge -p "{\"metadata\":{\"finalizers\":$others}}"
zero; argocd app sync $CA >/dev/null; wait_synced 400 "$commit" $CA $PA; until_ "it is whole" 600 whole; doctor
