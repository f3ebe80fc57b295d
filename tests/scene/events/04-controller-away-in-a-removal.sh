# The application-controller is killed two seconds after `state: Drained` was read, and comes back after a minute. docs/howto/take-down.md.
. "$EVENTS/words"
pod; sed -i '0,/^spec:/s//spec:\n  state: Drained/' $F/peering.yaml; commit=$(commit "Drain the peering"); zero
refresh $CA; sleep 2; away application-controller; sleep 60; say "without the controller:"; apps; doctor
$C get resourceslices.authentication.liqo.io,virtualnodes.offloading.liqo.io,namespaceoffloadings.offloading.liqo.io -A --no-headers | awk '{ print "     ", $1, $2 }'
zero; back application-controller; refresh; wait_synced 400 "$commit" $CA $PA; doctor
commit=$(revert); zero; refresh; wait_synced 400 "$commit" $CA $PA; until_ "it is whole" 300 whole; pod
