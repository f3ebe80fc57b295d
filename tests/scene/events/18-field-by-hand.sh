# Someone sets a field that Git does not have, and one that it has. docs/doctor.md.
. "$EVENTS/words"
server() { $P -n liqo-tenant-consumer "$1" gatewayservers.networking.liqo.io wg-consumer "${@:2}"; }
mtu() { [ "$(server get -o jsonpath='{.spec.mtu}')" = 1340 ]; }
zero; server patch --type=merge -p '{"spec":{"endpoint":{"loadBalancerIP":"192.0.2.7"}}}'; hard $PA; sleep 10; apps $PA; doctor
say "it is still there: $(server get -o jsonpath='{.spec.endpoint.loadBalancerIP}')"; server patch --type=json -p '[{"op":"remove","path":"/spec/endpoint/loadBalancerIP"}]'
zero; server patch --type=merge -p '{"spec":{"mtu":1400}}'; until_ "the MTU is Git's again" 60 mtu; wait_synced 120 "$(git rev-parse HEAD)" $CA $PA; doctor
