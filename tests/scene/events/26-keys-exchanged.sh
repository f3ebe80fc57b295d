# Liqo's exchange of keys in place of a kubeconfig, from `credential: pending` to a pod. On a stage that is `installed`.
. "$EVENTS/words"
argocd-peering authenticate consumer $F --from-context consumer --yes
argocd-peering validate $F
commit=$(commit "Peering of consumer and provider: the keys")
zero; $A apply -f $F/application-consumer.yaml -f $F/application-provider.yaml; HEALTH= wait_synced 120 "$commit" $PA $CA
until_ "the tunnel is Connected on both" 120 connected
is_signed() { [ -n "$($P -n liqo-tenant-consumer get tenants.authentication.liqo.io -o jsonpath='{.items[0].status.authParams.signedCRT}')" ]; }
until_ "the provider has signed" 120 is_signed
argocd-peering authenticate provider $F --from-context provider --yes; argocd-peering validate $F
signed=$(commit "The first certificate")
zero; refresh; wait_synced 240 "$signed" $CA $PA
until_ "the slice is Accepted twice" 240 accepted; until_ "the virtual node is Ready" 240 node_ready
pod; doctor; apps
