# A second direction comes to a peering, with exchanged keys, and is removed again in two commits while the first one runs. After 26.
# docs/teardown.md, "One of two directions".
. "$EVENTS/words"
reverse_whole() { [ "$($P -n liqo-tenant-consumer get resourceslices.authentication.liqo.io consumer -o jsonpath='{.status.conditions[*].status}')" = "Accepted Accepted" ] && $P get node consumer -o json | jq -e '.status.conditions[] | select(.type == "Ready") | .status == "True"' && [ "$($P -n web get pod reverse -o jsonpath='{.status.phase} {.spec.nodeName}')" = "Running consumer" ]; }
pod; of_pod=$($C -n demo get pod offloaded -o jsonpath='{.metadata.uid}')
sed -i '/^  reverse:/,$d' $F/peering.yaml; cat >>$F/peering.yaml <<'YAML'
  reverse:
    authentication:
      subject: { kind: User, name: provider }
      credential: pending
    offloading:
      resourceSlices:
        - { name: consumer, resources: { cpu: 500m, memory: 256Mi } }
      namespaces:
        - { name: web, create: true, clusters: thisPeer }
YAML
argocd-peering authenticate consumer $F --reverse --from-context provider --yes 2>&1 | tail -2
argocd-peering validate $F | grep -vE '^ |^$'
argocd-peering rights peerings --repo https://git.example.org/net/peerings.git 2>&1 | kubectl --context argocd apply --server-side --force-conflicts -f - | grep -E 'project|error'
commit=$(commit "Both ways: the keys"); zero; refresh; HEALTH= wait_synced 200 "$commit" $CA $PA
is_signed() { [ -n "$($C -n liqo-tenant-provider get tenants.authentication.liqo.io -o jsonpath='{.items[0].status.authParams.signedCRT}')" ]; }
until_ "the consumer has signed" 120 is_signed
argocd-peering authenticate provider $F --reverse --from-context consumer --yes 2>&1 | tail -2
commit=$(commit "Both ways: the certificate"); zero; refresh; wait_synced 200 "$commit" $CA $PA
sed 's/name: offloaded/name: reverse/; s/namespace: demo/namespace: web/' ~/argocd-peering/tests/scene/liqo/pod.yaml | $P apply -f -
until_ "a Pod of the provider runs at the consumer" 200 reverse_whole; whole >/dev/null && say "the first direction is whole"; doctor

released() { [ -z "$($P get virtualnodes.offloading.liqo.io -n liqo-tenant-consumer -o name)$($P get node consumer -o name --ignore-not-found)" ]; }
confirm() { local app; for app in $CA $PA; do argocd app confirm-deletion $app >/dev/null 2>&1; done; }
echo "== two commits: first what the direction uses"
sed -i '/^  reverse:/,$ { /^    offloading:/,$d }' $F/peering.yaml; argocd-peering validate $F | grep -vE '^ |^$'
commit=$(commit "The other direction uses nothing"); zero; refresh; sleep 8; apps; confirm
wait_synced 200 "$commit" $CA $PA; until_ "the other direction has released everything" 200 released; doctor
echo "== then the direction"
sed -i '/^  reverse:/,$d' $F/peering.yaml; commit=$(commit "One direction"); zero; refresh; sleep 8; apps; doctor; confirm
wait_synced 200 "$commit" $CA $PA; until_ "the first direction is whole" 120 whole; pod_runs && [ "$($C -n demo get pod offloaded -o jsonpath='{.metadata.uid}')" = "$of_pod" ] && say "its pod runs on"; doctor
for cluster in consumer provider; do kubectl --context $cluster get identities.authentication.liqo.io,tenants.authentication.liqo.io,resourceslices.authentication.liqo.io,virtualnodes.offloading.liqo.io,namespaceoffloadings.offloading.liqo.io -A -o name --ignore-not-found | sed "s/^/      $cluster /"; kubectl --context $cluster get nodes,namespaces -o name | grep -E 'node/|demo|web|tenant' | xargs | sed "s/^/      $cluster /"; done
