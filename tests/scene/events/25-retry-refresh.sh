# As 23-fix-during-retries, with `retry.refresh: true`, and no one ends the sync.
. "$EVENTS/words"
. "$EVENTS/two-commits"
refreshes true; play; wait_synced 400 "$commit" $CA; doctor
