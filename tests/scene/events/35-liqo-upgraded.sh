# Liqo 1.1.2 is upgraded to 1.2.0 under a running peering, first on the provider, then on the consumer; then the document says so. On a stage
# that is `installed`, with `--liqo 1.1.2`, and after `LIQO=1.2.0 tests/scene/build target/scene liqo`.
. "$EVENTS/words"
with_kubeconfig; sed -i 's/liqoVersion: .*/liqoVersion: "1.1"/' $F/peering.yaml
commit=$(commit "Peering of consumer and provider, Liqo 1.1"); zero; $A apply -f $F/application-consumer.yaml -f $F/application-provider.yaml
wait_synced 200 "$commit" $CA $PA; until_ "it is whole" 300 whole; pod; doctor
version() { kubectl --context "$1" -n liqo get deployments -o jsonpath='{.items[*].spec.template.spec.containers[*].image}' | tr ' ' '\n' | sed 's/.*://' | sort | uniq -c | xargs; }
say "consumer: $(version consumer); provider: $(version provider)"
watch_ping() { while :; do ping_ >/dev/null 2>&1 && echo "$(date +%s.%N) up" || echo "$(date +%s.%N) down"; sleep 1; done >/srv/pings; }
longest() { awk '$2 == "up" { last = $1; next } { if ($1 - last > most) most = $1 - last } END { printf "%.0f", most }' /srv/pings; }
upgrade() { # CLUSTER: what `helm upgrade` does
    local on="kubectl --context $1" out=/srv/$1/liqo-new
    mkdir -p "$out"
    "$PROGRAMS/chart" --chart "$PROGRAMS/liqo-1.2.0.chart/" --release liqo --namespace liqo --values ~/argocd-peering/tests/scene/liqo/values.yaml --out "$out" tag=v1.2.0 discovery.config.clusterID="$1" \
        "ipam.podCIDRs={10.42.0.0/16}" ipam.externalCIDR=10.70.0.0/16 "ipam.reservedSubnets={172.16.183.0/24}"
    zero; $on apply --server-side --force-conflicts -f "$out/crds.yaml" >/dev/null; $on apply --server-side --force-conflicts -n liqo -f "$out/objects.yaml" >/dev/null; $on apply --server-side --force-conflicts -n liqo -f "$out/webhooks.yaml" >/dev/null
    # what the release does not have any more
    comm -23 <($on -n liqo get -f "/srv/$1/liqo/objects.yaml" -o name --ignore-not-found | sort) <($on -n liqo get -f "$out/objects.yaml" -o name --ignore-not-found | sort) | xargs --no-run-if-empty $on -n liqo delete --wait=false
    $on annotate secret -n liqo liqo-webhook-certs "tests/scene=upgraded" --overwrite >/dev/null
    $on -n liqo wait deployment --all --for=condition=Available --timeout=180s >/dev/null; for deployment in $($on -n liqo get deployments -o name); do $on -n liqo rollout status "$deployment" --timeout=120s >/dev/null; done
    say "Liqo of the $1 is upgraded: $(version "$1")"
}
for cluster in provider consumer; do
    before=$(written); watch_ping & watch=$!
    upgrade $cluster; fabric; sleep 60; say "gateway: $(kubectl --context $cluster get deployments -A -o json | jq -r '.items[] | select(.metadata.name | startswith("gw-")) | .spec.template.spec.containers[0].image')"; refresh; apps; doctor
    until_ "it is whole" 300 whole; sleep 10; kill $watch; say "no ping for at most $(longest) s"; pod_runs && say "the pod runs"; wrote "$before"
done
sed -i 's/liqoVersion: .*/liqoVersion: "1.2"/' $F/peering.yaml; argocd-peering diff $F --identity-file ~/.config/argocd-peering/identity.txt 2>/dev/null | head -20
before=$(written) commit=$(commit "Liqo 1.2"); zero; refresh; wait_synced 200 "$commit" $CA $PA; until_ "it is whole" 120 whole; wrote "$before"; pod_runs && say "the pod runs"; doctor
$C -n demo delete pod offloaded --wait=true >/dev/null; pod
