# A second direction comes to a peering, with exchanged keys, and is removed again in two commits while the first one runs. On a peering with
# exchanged keys. docs/teardown.md.
. "$EVENTS/words"
. "$EVENTS/both-ways"
pod; of_pod=$($C -n demo get pod offloaded -o jsonpath='{.metadata.uid}')
both_ways; one_way; pod_runs && [ "$($C -n demo get pod offloaded -o jsonpath='{.metadata.uid}')" = "$of_pod" ] && say "its pod runs on"; doctor
for cluster in consumer provider; do kubectl --context $cluster get identities.authentication.liqo.io,tenants.authentication.liqo.io,resourceslices.authentication.liqo.io,virtualnodes.offloading.liqo.io,namespaceoffloadings.offloading.liqo.io -A -o name --ignore-not-found | sed "s/^/      $cluster /"; kubectl --context $cluster get nodes,namespaces -o name | grep -E 'node/|demo|web|tenant' | xargs | sed "s/^/      $cluster /"; done
