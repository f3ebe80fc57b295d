# The provider's Application alone; the consumer's is applied seven minutes later. On a stage that is `installed`.
. "$EVENTS/words"
with_kubeconfig; commit=$(commit "Peering of consumer and provider")
zero; $A apply -f $F/application-provider.yaml; HEALTH= wait_synced 120 "$commit" $PA
sleep 420; say "alone:"; apps $PA; doctor
zero; $A apply -f $F/application-consumer.yaml; wait_synced 300 "$commit" $CA $PA
until_ "the tunnel is Connected on both" 900 connected; until_ "the slice is Accepted twice" 1200 accepted; until_ "the virtual node is Ready" 1200 node_ready
pod; doctor
