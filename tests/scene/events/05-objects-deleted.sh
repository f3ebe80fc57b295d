# Someone deletes each object of both streams with kubectl, one after the other; 13 has the namespaces.
. "$EVENTS/words"
uid() { kubectl --context "$1" -n "$3" get "$2" "$4" -o jsonpath='{.metadata.uid}' 2>/dev/null; } # CLUSTER KIND NAMESPACE NAME
is_another() { # CLUSTER KIND NAMESPACE NAME UID
    local now; now=$(uid "$@") && [ -n "$now" ] && [ "$now" != "$5" ]
}
free() { # Liqo's replicator holds a deleted credential for ever: docs/howto/exchange-keys.md
    local secret; for secret in $($C -n liqo-tenant-provider get secrets -o json | jq -r '.items[] | select(.metadata.deletionTimestamp) | .metadata.name'); do
        say "the Secret $secret is freed"; $C -n liqo-tenant-provider patch secret "$secret" --type=merge -p '{"metadata":{"finalizers":null}}' >/dev/null
    done
}
is_whole() { whole && is_synced "$(git rev-parse HEAD)" $CA $PA; }
full() { case $1 in ResourceSlice) echo resourceslices.authentication.liqo.io ;; *) echo "$1" ;; esac; } # Kubernetes has one of this name as well
{ written | grep -v -e ' Namespace ' -e kubeconfig -e ' Identity '; written | grep -e kubeconfig -e ' Identity '; } >/srv/objects # the credential last: Liqo needs it for what the others do
while read -r -u 3 cluster kind object _; do
    namespace=${object%/*} name=${object##*/}
    argocd app sync "consumer-provider-$cluster" >/dev/null 2>&1 # else a self-heal waits longer each time
    pod >/dev/null; was=$(uid "$cluster" "$(full "$kind")" "${namespace#-}" "$name"); zero; kubectl --context "$cluster" -n "${namespace#-}" delete "$(full "$kind")" "$name" --wait=false >/dev/null; echo "== $cluster: $kind $name"
    until_ "there is another" 100 is_another "$cluster" "$(full "$kind")" "${namespace#-}" "$name" "$was" || { doctor; zero; free; }
    connected || say "$(connections)"
    until_ "it is whole" 100 is_whole || { doctor; apps; zero; free; until_ "it is whole" 200 is_whole; }
    pod_runs && say "the Pod runs" || say "the Pod does not: $($C -n demo get pod offloaded -o jsonpath='{.status.phase} {.status.reason}')"
done 3</srv/objects
doctor
