# A commit that cannot be synced, and the commit that takes it back while the sync is retried: without `retry.refresh`.
. "$EVENTS/words"
. "$EVENTS/two-commits"
refreshes null; play
argocd app terminate-op $CA; zero; wait_synced 200 "$commit" $CA; hard $CA; sleep 10; say "after a hard refresh:"; apps $CA; doctor
argocd app sync $CA >/dev/null; zero; wait_synced 60 "$commit" $CA
refreshes true
