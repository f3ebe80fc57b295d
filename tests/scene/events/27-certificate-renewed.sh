# The renewal of an exchanged certificate, forced at the provider: no commit, and both Applications stay Synced. After 26.
. "$EVENTS/words"
crt() { $C -n liqo-tenant-provider get identities.authentication.liqo.io -o jsonpath='{.items[0].spec.authParams.signedCRT}' | sha256sum; }
is_other() { [ "$(crt)" != "$before" ]; }
before=$(crt); commit=$(git rev-parse HEAD)
zero; $P -n liqo-tenant-consumer delete secret liqo-remote-certificate; $P -n liqo-tenant-consumer annotate tenants.authentication.liqo.io consumer again=1 --overwrite
until_ "the consumer has another certificate" 120 is_other
refresh; sleep 20; wait_synced 60 "$commit" $CA $PA; accepted && node_ready >/dev/null && say "accepted, and the node is Ready"; is_other && say "the new certificate stays"; pod; doctor
