# As 01, three minutes late, and then Liqo's replicator is restarted. On a stage that is `installed`. src/object/live/checks/slice.md.
. "$EVENTS/words"
with_kubeconfig; commit=$(commit "Peering of consumer and provider")
zero; $A apply -f $F/application-consumer.yaml; HEALTH= wait_synced 120 "$commit" $CA; sleep 180
zero; $A apply -f $F/application-provider.yaml; until_ "the tunnel is Connected on both" 300 connected; doctor
zero; $C -n liqo rollout restart deployment liqo-crd-replicator; until_ "the slice is Accepted twice" 300 accepted
wait_synced 300 "$commit" $CA $PA; until_ "the virtual node is Ready" 300 node_ready; pod; doctor
