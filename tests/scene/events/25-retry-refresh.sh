# As 23-fix-during-retries, with `retry.refresh: true`, and no one ends the sync.
. "$EVENTS/words"
. "$EVENTS/two-commits"
refreshes true; play; wait_synced 700 "$commit" $CA; doctor
