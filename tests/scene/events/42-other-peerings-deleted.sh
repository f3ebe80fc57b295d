# Both Applications are deleted, the provider's first: of a peering with a kubeconfig, of one without slices, and of a tunnel alone.
. "$EVENTS/words"
. "$EVENTS/removal"
both_deleted() { delete_ $PA; confirm_ $PA; delete_ $CA; confirm_ $CA; gone 120; }
both_gone || { both_deleted; without_summaries; }
shape() { # NAME: the document's
    case $1 in
    kubeconfig) grep -q kubeconfig.age $F/peering.yaml || with_kubeconfig ;;
    'without slices') sed -i '/^  offloading:/,$d' $F/peering.yaml ;;
    'a tunnel alone') sed -i '/^  authentication:/,$d' $F/peering.yaml ;;
    esac
}
for name in kubeconfig 'without slices' 'a tunnel alone'; do
    echo "== $name"; shape "$name"; argocd-peering validate $F | tail -3; commit "$name" >/dev/null || true
    zero; $A apply -f $F/application-consumer.yaml -f $F/application-provider.yaml >/dev/null; wait_synced 240 "$(git rev-parse HEAD)" $CA $PA; until_ "the tunnel is up" 100 connected
    [ "$name" != kubeconfig ] || { until_ "it is whole" 100 whole; pod; }
    zero; both_deleted; left; without_summaries; sleep 6; left
done
