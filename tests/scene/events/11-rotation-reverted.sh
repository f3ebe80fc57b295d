# A key is rotated, and the commit is reverted. docs/howto/rotate-a-key.md.
. "$EVENTS/words"
before=$(written); commit=$(rotate consumer); zero; refresh; wait_synced 120 "$commit" $CA $PA; until_ "the tunnel is Connected on both" 120 connected; wrote "$before"
before=$(written); commit=$(revert); zero; refresh; wait_synced 120 "$commit" $CA $PA; until_ "it is whole" 120 whole; wrote "$before"; doctor
