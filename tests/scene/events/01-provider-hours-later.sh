# The consumer's Application alone; the provider's is applied seven minutes later. On a stage that is `installed`.
. "$EVENTS/words"
with_kubeconfig; commit=$(commit "Peering of consumer and provider")
zero; $A apply -f $F/application-consumer.yaml; HEALTH= wait_synced 120 "$commit" $CA
sleep 420; say "alone:"; apps $CA; doctor
argocd app get $CA --refresh --output tree=detailed | cut -c1-200
zero; $A apply -f $F/application-provider.yaml; wait_synced 300 "$commit" $CA $PA
until_ "the tunnel is Connected on both" 900 connected; doctor
until_ "the slice is Accepted twice" 1200 accepted; until_ "the virtual node is Ready" 1200 node_ready
pod; doctor
