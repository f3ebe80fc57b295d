# Argo CD's application-controller is killed as a rotation is pushed, and comes back after five minutes. docs/howto/rotate-a-key.md.
. "$EVENTS/words"
before=$(written); away application-controller; commit=$(rotate provider)
zero; refresh & sleep 300; kill $!; say "without the controller:"; apps; connected && say "the tunnel is up with the old key"; wrote "$before"; doctor
zero; back application-controller; wait_synced 300 "$commit" $CA $PA; until_ "it is whole" 300 whole; wrote "$before"; doctor
