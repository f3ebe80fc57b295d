# The provider's Application alone is deleted without its objects, while the consumer uses it: by `--cascade=false` and by kubectl. Then it is
# applied again. docs/teardown.md.
. "$EVENTS/words"
. "$EVENTS/removal"
begin
for command in "argocd app delete $PA --cascade=false --yes" "$A delete application $PA --wait=false"; do
    echo "== $command"
    $A get application $PA -o jsonpath='{.metadata.finalizers}{"\n"}'; before=$(written); zero; $command; sleep 20; apps $PA; quota; $A get application $PA -o jsonpath='{.metadata.finalizers}{"\n"}' --ignore-not-found
    whole >/dev/null && say "it is whole"
    $A patch application $PA --type=merge -p '{"metadata":{"finalizers":null}}' >/dev/null; until_ "$PA is gone" 30 is_gone $PA
    zero; $A apply -f $F/application-provider.yaml; wait_synced 200 "$(git rev-parse HEAD)" $CA $PA; until_ "it is whole" 120 whole; wrote "$before"; quota; apps $PA
done
