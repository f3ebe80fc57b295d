# Without the plugin: `generate --without-secrets`, and two Applications with plain directory sources, from a push to a ping and a pod; then a rotation, and a
# removal. Sealed by sealed-secrets, with exchanged keys. The sidecar is dead. On a stage that is `installed`. docs/without-the-plugin.md.
. "$EVENTS/words"
FLAGS= # doctor's Argo CD is one with the plugin
IDENTITY=~/.config/argocd-peering/identity.txt
kill -KILL "$(pgrep --full argocd-cmp-server)"; rm -f /srv/argocd/plugins/*.sock; say "there is no sidecar"
render() {
    for role in consumer provider; do
        side=rendered/consumer-provider/$role; mkdir -p $side
        argocd-peering generate $F --local --without-secrets --role $role --identity-file $IDENTITY >$side/new && mv $side/new $side/manifests.yaml || return
    done
    argocd-peering validate .
}
one() { grep -c "^kind: \"*$2\"*$" rendered/consumer-provider/"$1"/manifests.yaml; }
application() { # ROLE: that of `init`, with the source of the page
    sed -e '/^    plugin:/,/^  destination:/{/^  destination:/!d}' -e "s#^    path: .*#    path: rendered/consumer-provider/$1#" "$F/application-$1.yaml"
}
for cluster in consumer provider; do
    chart $cluster sealed-secrets kube-system fullnameOverride=sealed-secrets-controller image.tag=0.40.0
    kubeseal --context $cluster --fetch-cert >~/$cluster.crt
    sed -i "s/^    clusterID: $cluster\$/&\n    delivery: SealedSecret/" $F/peering.yaml
done
reseal() { argocd-peering reseal $F/peering.seed.age --identity-file $IDENTITY --recipient "$(age-keygen -y $IDENTITY)" --certificate consumer="$HOME/consumer.crt" --certificate provider="$HOME/provider.crt" --delivery SealedSecret "$@"; }
reseal 2>&1 </dev/null | tail -3; reseal --expect "$(reseal 2>&1 </dev/null | grep -oE 'sha256:[0-9a-f]+' | tail -1)" 2>&1 | tail -3
argocd-peering authenticate consumer $F --from-context consumer --yes 2>&1 | tail -2
render; say "SealedSecrets: $(one consumer SealedSecret) and $(one provider SealedSecret); Secrets: $(one consumer Secret) and $(one provider Secret)"
for role in consumer provider; do application $role >~/$role.yaml; done
commit=$(commit "The peering, rendered")
zero; $A apply -f ~/consumer.yaml -f ~/provider.yaml; HEALTH= wait_synced 200 "$commit" $CA $PA; until_ "the tunnel is Connected on both" 120 connected
is_signed() { [ -n "$($P -n liqo-tenant-consumer get tenants.authentication.liqo.io -o jsonpath='{.items[0].status.authParams.signedCRT}')" ]; }
until_ "the provider has signed" 120 is_signed
argocd-peering authenticate provider $F --from-context provider --yes 2>&1 | tail -2; argocd-peering validate .; render
commit=$(commit "The first certificate, rendered")
zero; refresh; wait_synced 240 "$commit" $CA $PA; until_ "the slice is Accepted twice" 240 accepted; until_ "the virtual node is Ready" 240 node_ready; pod; until_ "a ping crosses the tunnel" 60 ping_; doctor

echo "== a rotation"
argocd-peering seed rotate $F --role provider --identity-file $IDENTITY 2>&1 | tail -4; render
commit=$(commit "A new key for the provider, rendered")
zero; refresh; wait_synced 240 "$commit" $CA $PA; until_ "a ping crosses the tunnel" 120 ping_; pod_runs && say "the pod runs on"; doctor

echo "== a removal"
drained; argocd-peering validate .; render; commit=$(commit "Drained, rendered")
zero; refresh; sleep 5; apps; argocd app confirm-deletion $CA >/dev/null 2>&1; wait_synced 200 "$commit" $CA $PA; FLAGS="--wait 5m" doctor
git rm -r --quiet $F rendered/consumer-provider; commit=$(commit "Removed"); refresh; sleep 5; apps
for app in $CA $PA; do
    zero; argocd app delete $app --propagation-policy background --yes; argocd app confirm-deletion $app >/dev/null 2>&1; until_ "$app is gone" 300 is_gone $app || apps
done
$C delete foreignclusters.core.liqo.io provider; $P delete foreignclusters.core.liqo.io consumer
for cluster in consumer provider; do say "$cluster: $(kubectl --context $cluster get namespaces -o name | grep -E 'demo|liqo-tenant' | xargs)"; done
