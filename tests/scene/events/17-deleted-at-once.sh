# Both Applications are deleted in the foreground, which is the UI's default, without a drain; then the consumer's is confirmed first.
. "$EVENTS/words"
pod; argocd app delete $PA --yes; argocd app delete $CA --yes; sleep 15; apps; doctor; whole >/dev/null && say "nothing happened"
zero; argocd app confirm-deletion $CA
until_ "$CA is gone by itself" 300 is_gone $CA || {
    doctor
    zero; $C -n liqo-tenant-provider delete configurations.networking.liqo.io provider --cascade=background --wait=false
    until_ "$CA is gone" 300 is_gone $CA
}
zero; argocd app confirm-deletion $PA; until_ "$PA is gone" 600 is_gone $PA || doctor
