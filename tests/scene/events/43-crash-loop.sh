# The gateway's container of the provider exits as it starts: what the Application and doctor say first. docs/troubleshooting.md.
. "$EVENTS/words"
T=wggatewayservertemplates.networking.liqo.io/wireguard-server
loops() { $P get pods -A -o json | jq -e '[.items[].status.containerStatuses[]? | select(.state.waiting.reason == "CrashLoopBackOff")] != []'; }
remake() { $P delete wggatewayservers.networking.liqo.io --all -A >/dev/null; } # Liqo looks at a template only then
before=$($P -n liqo get $T -o json | jq -c '.spec.template.spec.deployment.spec.template.spec.containers')
zero; $P -n liqo patch $T --type=merge -p "$(jq -cn --argjson all "$before" '{spec: {template: {spec: {deployment: {spec: {template: {spec: {containers: ($all | map(if .name == "wireguard" then .args += ["--no-such-flag"] else . end))}}}}}}}}')" >/dev/null
remake; until_ "a container of the provider's gateway is in CrashLoopBackOff" 120 loops
sleep 20; refresh; apps; doctor
$P get pods -A -o wide | grep -E 'NAME|gw-'
zero; $P -n liqo patch $T --type=merge -p "$(jq -cn --argjson all "$before" '{spec: {template: {spec: {deployment: {spec: {template: {spec: {containers: $all}}}}}}}}')" >/dev/null
remake; until_ "the tunnel is Connected on both" 180 connected; wait_synced 120 "$(git rev-parse HEAD)" $CA $PA; doctor
