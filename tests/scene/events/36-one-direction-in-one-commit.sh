# As 34, and the direction is removed in one commit, which is confirmed on both sides; that hangs, and is reverted. Then in two commits.
. "$EVENTS/words"
. "$EVENTS/both-ways"
pod; both_ways
echo "== one commit"
sed -i '/^  reverse:/,$d' $F/peering.yaml; argocd-peering diff $F --identity-file ~/.config/argocd-peering/identity.txt 2>/dev/null | head -30
commit=$(commit "One direction"); zero; refresh; sleep 10; apps; doctor
for app in $CA $PA; do argocd app confirm-deletion $app 2>&1 | tail -1; done
wait_synced 180 "$commit" $CA $PA; doctor
echo "== reverted"
argocd app terminate-op $PA; commit=$(revert); zero; refresh; wait_synced 300 "$commit" $CA $PA; until_ "the other direction is whole" 100 reverse_whole; whole >/dev/null && say "the first direction is whole"; doctor
one_way
