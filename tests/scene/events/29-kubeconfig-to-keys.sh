# A live peering with a sealed kubeconfig moves over to exchanged keys. After 28.
. "$EVENTS/words"
sed -i '/^  state: Drained/d' $F/peering.yaml; with_kubeconfig
commit=$(commit "Back, with the kubeconfig")
zero; refresh; wait_synced 200 "$commit" $CA $PA; until_ "the slice is Accepted twice" 120 accepted; until_ "the virtual node is Ready" 120 node_ready; pod
uid() { $C -n liqo-tenant-provider get secrets -o json | jq -c '[.items[] | select(.metadata.name | startswith("kubeconfig")) | [.metadata.name, .metadata.uid[0:8], (.metadata.ownerReferences // [] | length), .metadata.deletionTimestamp]]'; }
uid
argocd-peering authenticate consumer $F --from-context consumer --yes 2>&1 | tail -2
commit=$(commit "The keys"); zero; refresh; wait_synced 120 "$commit" $CA $PA; apps; accepted && say "still accepted"; uid
argocd-peering authenticate provider $F --from-context provider --yes 2>&1 | tail -2
commit=$(commit "The first certificate"); zero; refresh; wait_synced 120 "$commit" $CA $PA; apps; uid; accepted && node_ready >/dev/null && pod_runs && say "accepted, Ready, and the pod runs"; doctor
