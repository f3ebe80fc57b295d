# As 34, and the direction is removed in one commit, which is confirmed on both sides; that hangs, and is reverted. In place of 34's end.
. "$EVENTS/words"
reverse_whole() { [ "$($P -n liqo-tenant-consumer get resourceslices.authentication.liqo.io consumer -o jsonpath='{.status.conditions[*].status}')" = "Accepted Accepted" ] && $P get node consumer -o json | jq -e '.status.conditions[] | select(.type == "Ready") | .status == "True"'; }
sed -i '/^  reverse:/,$d' $F/peering.yaml; argocd-peering diff $F --identity-file ~/.config/argocd-peering/identity.txt 2>/dev/null | head -30
commit=$(commit "One direction"); zero; refresh; sleep 10; apps; doctor
for app in $CA $PA; do argocd app confirm-deletion $app 2>&1 | tail -1; done
wait_synced 180 "$commit" $CA $PA; doctor
echo "== reverted"
argocd app terminate-op $PA; commit=$(revert); zero; refresh; wait_synced 300 "$commit" $CA $PA; until_ "the other direction is whole" 100 reverse_whole; whole >/dev/null && say "the first direction is whole"; doctor
