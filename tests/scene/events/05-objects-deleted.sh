# Someone deletes each object of both streams with kubectl, one after the other; 13 has the namespaces.
. "$EVENTS/words"
is_another() { # CLUSTER KIND NAMESPACE NAME UID
    local uid; uid=$(kubectl --context "$1" -n "$3" get "$2" "$4" -o jsonpath='{.metadata.uid}' 2>/dev/null) && [ -n "$uid" ] && [ "$uid" != "$5" ]
}
is_whole() { whole && is_synced "$(git rev-parse HEAD)" $CA $PA; }
full() { case $1 in ResourceSlice) echo resourceslices.authentication.liqo.io ;; *) echo "$1" ;; esac; } # Kubernetes has one of this name as well
{ written | grep -v -e ' Namespace ' -e kubeconfig; written | grep kubeconfig; } >/srv/objects # the credential last: Liqo needs it for what the others do
while read -r -u 3 cluster kind object uid _; do
    namespace=${object%/*} name=${object##*/}
    argocd app sync "consumer-provider-$cluster" >/dev/null 2>&1 # else a self-heal waits longer each time
    pod >/dev/null; zero; kubectl --context "$cluster" -n "${namespace#-}" delete "$(full "$kind")" "$name" --wait=false >/dev/null; echo "== $cluster: $kind $name"
    until_ "there is another" 120 is_another "$cluster" "$(full "$kind")" "${namespace#-}" "$name" "$uid" || doctor
    connected || say "$(connections)"
    until_ "it is whole" 300 is_whole || { doctor; apps; }
    pod_runs && say "the Pod runs" || say "the Pod does not: $($C -n demo get pod offloaded -o jsonpath='{.status.phase} {.status.reason}')"
done 3</srv/objects
doctor
