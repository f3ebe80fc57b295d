# Certificates that live for three minutes, so that Liqo renews them again and again: nobody does anything for more than three lifetimes.
# After 26. docs/howto/exchange-keys.md.
. "$EVENTS/words"
pod; of_pod() { $C -n demo get pod offloaded -o jsonpath='{.metadata.uid} {.status.startTime} {.status.containerStatuses[0].restartCount}'; }
was=$(of_pod) before=$(written)
short_certificates provider 3m; sleep 5
# the first ones are a year's: the last that a person does
$P -n liqo-tenant-consumer delete secrets liqo-remote-certificate liqo-remote-certificate-provider
$P -n liqo-tenant-consumer annotate tenants.authentication.liqo.io consumer short=1 --overwrite >/dev/null
sleep 10; zero; last= count=0 down=0 end=$(($(date +%s) + 660))
while [ "$(date +%s)" -lt $end ]; do
    now="tenant $(certificate tenant), identity $(certificate identity), slice $(certificate slice)"
    if [ "$now" != "$last" ]; then say "$(date +%T) $now"; last=$now count=$((count + 1)); fi
    { connected && accepted && node_ready >/dev/null && pod_runs && is_health Healthy $CA $PA; } || { down=$((down + 1)); say "not whole: $(connections)"; apps; }
    sleep 4
done
say "$count changes of a certificate; not whole $down times"
[ "$(of_pod)" = "$was" ] && say "the pod is the same"
is_synced "$(git rev-parse HEAD)" $CA $PA && say "both are Synced"
say "what Argo CD wrote:"; wrote "$before"
$C -n demo delete pod offloaded --wait=true >/dev/null; pod; doctor
