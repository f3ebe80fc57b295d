# UDP between the gateways is dropped for two minutes. argocd-app/README.md, "Health".
. "$EVENTS/words"
either_degraded() { is_health Degraded $CA || is_health Degraded $PA; }
before=$(written); cut_tunnel
until_ "one Application is Degraded" 60 either_degraded; until_ "both are" 60 is_health Degraded $CA $PA; apps; doctor
sleep $((120 - $(printf '%.0f' "$(since "$T0")"))); wrote "$before"
mend_tunnel; until_ "the tunnel is Connected on both" 120 connected; wait_synced 120 "$(git rev-parse HEAD)" $CA $PA; wrote "$before"; doctor
