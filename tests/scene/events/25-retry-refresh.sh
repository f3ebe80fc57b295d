# As 23-fix-during-retries, with `retry.refresh: true`, and no one ends the sync. Before Argo CD 3.2 there is no such field, and all retries are waited for.
. "$EVENTS/words"
. "$EVENTS/two-commits"
refreshes true; play; wait_synced 700 "$commit" $CA; doctor
