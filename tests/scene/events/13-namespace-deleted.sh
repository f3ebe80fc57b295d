# Someone deletes the consumer's tenant namespace with kubectl.
. "$EVENTS/words"
is_deleted() { ! $C get namespace liqo-tenant-provider; }
pod; zero; $C delete namespace liqo-tenant-provider --wait=false; sleep 30; apps $CA; doctor
until_ "the namespace is gone by itself" 600 is_deleted
$C -n demo delete pod offloaded --force; until_ "the namespace is gone" 120 is_deleted; apps $CA
zero; argocd app sync $CA >/dev/null; wait_synced 120 "$(git rev-parse HEAD)" $CA $PA; until_ "it is whole" 600 whole; pod; doctor
