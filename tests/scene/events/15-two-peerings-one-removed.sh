# A consumer has two providers, of one ApplicationSet; the peering with one of them is removed. On a stage that is `fleet`.
# docs/howto/take-down.md, docs/howto/add-a-cluster.md.
. "$EVENTS/words"
F=peerings/consumer/third CA=consumer-third-consumer PA=consumer-third-provider OTHERS="consumer-provider-consumer consumer-provider-provider"
written_of_others() { local a=$CA b=$PA; CA=${OTHERS% *} PA=${OTHERS#* }; written; CA=$a PA=$b; }
other_whole() { $C get node provider -o json | jq -e '.status.conditions[] | select(.type == "Ready") | .status == "True"' && $P -n demo-consumer get pod at-provider -o json | jq -e '.status.phase == "Running"' && $P -n liqo-tenant-consumer get connections.networking.liqo.io -o json | jq -e '.items[0].status.value == "Connected"'; }
before=$(written_of_others); uid=$($P -n demo-consumer get pod at-provider -o jsonpath='{.metadata.uid}')
doctor_() { argocd-peering doctor $F --consumer-context consumer --provider-context third --argocd-context argocd "$@" >/srv/doctor 2>/srv/doctor.error; say "doctor: exit $?: $(head -1 /srv/doctor)"; grep -E '^(error|warning)' /srv/doctor | cut -c1-230 | sed 's/^/      /'; }
doctor_
drained; commit=$(commit "Drain the peering with third"); zero; refresh $CA $PA $OTHERS; sleep 10; apps $CA $PA; other_whole >/dev/null && say "the other peering is whole"
wait_synced 300 "$commit" $CA $PA; doctor_ --wait 5m
$C get namespaceoffloadings.offloading.liqo.io -A; $C -n demo get pods -o wide
git rm -r --quiet $F; argocd-peering validate peerings | tail -3
commit=$(commit "Without third"); zero; refresh $CA $PA $OTHERS
$A annotate applicationset peerings argocd.argoproj.io/application-set-refresh=true --overwrite >/dev/null; sleep 10; apps $CA $PA $OTHERS
for app in $CA $PA; do zero; argocd app delete $app --propagation-policy background --yes; argocd app confirm-deletion $app >/dev/null 2>&1; until_ "$app is gone" 300 is_gone $app || apps $app; done
$C delete foreignclusters.core.liqo.io third; kubectl --context third delete foreignclusters.core.liqo.io consumer
$C get namespaces -o name | grep -E 'demo|liqo-tenant' | xargs; kubectl --context third get namespaces -o name | grep -E 'demo|liqo-tenant' | xargs
# shellcheck disable=SC2086
wait_synced 120 "$commit" $OTHERS; other_whole >/dev/null && say "the other peering is whole"
[ "$($P -n demo-consumer get pod at-provider -o jsonpath='{.metadata.uid}')" = "$uid" ] && say "its pod is the same"
say "written to the other peering: $(comm -3 <(echo "$before") <(written_of_others) | awk '{ print $1, $2, $3 }' | sort -u | paste -sd,)"
