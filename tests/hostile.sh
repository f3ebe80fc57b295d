#!/usr/bin/env bash
# Runs that need more than the operating system's limits: another clock, and a user without rights.
#
# Usage: tests/hostile.sh PATH_OF_ARGOCD_PEERING
# The program must not be static, or faketime cannot reach it. Needs faketime and openssl (the Debian packages of these names),
# setpriv and root.
set -euo pipefail

fail() {
    printf 'hostile: %s\n' "$*" >&2
    exit 1
}

[ $# -eq 1 ] || fail "usage: $0 PATH_OF_ARGOCD_PEERING"
[ -x "$1" ] || fail "$1 is not a program"
for tool in faketime setpriv openssl; do
    command -v "$tool" >/dev/null || fail "$tool is not installed"
done
root=$(cd "$(dirname "$0")/.." && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
install -m 755 "$1" "$work/program"
cp -R "$root/examples" "$work/examples"
chmod -R u=rwX,go=rX "$work/examples"
cd "$work"

is_as_committed() { # ROLE COMMAND…
    local role=$1
    shift
    "$@" ./program generate examples/quickstart --local --role "$role" \
        --identity-file examples/identities/demo-identity.txt >stream 2>messages || fail "$*: $(cat messages)"
    cmp stream "$root/tests/golden/quickstart/$role.yaml" || fail "$*: another stream"
    "$@" ./program validate examples/quickstart >stream 2>messages || fail "$*: $(cat messages)"
}

# The clock that a program sees is the one that was asked for.
for year in 1970 2100; do
    clock=(faketime "$year-01-02 00:00:00")
    [ "$("${clock[@]}" date -u +%Y)" = "$year" ] || fail "faketime has no effect"
    for role in consumer provider; do
        is_as_committed "$role" "${clock[@]}"
    done
done

# A certificate that is good until 2036, seen by a clock that is far off.
openssl req -x509 -newkey ed25519 -nodes -keyout key.pem -out crt.pem -subj /CN=rome -days 3650 2>/dev/null
cat >kubeconfig <<END
apiVersion: v1
kind: Config
current-context: c
clusters: [{name: k, cluster: {server: 'https://192.0.2.1:6443'}}]
contexts: [{name: c, context: {cluster: k, user: u}}]
users: [{name: u, user: {client-certificate-data: $(base64 -w0 crt.pem), client-key-data: $(base64 -w0 key.pem)}}]
END
recipient=$(sed -n 's/# public key: //p' examples/identities/demo-identity.txt)
seal() { # DAY FLAG…
    rm -f sealed.age
    faketime "$1 00:00:00" ./program seal kubeconfig kubeconfig -o sealed.age --clusters consumer,provider \
        --recipient "$recipient" "${@:2}" >/dev/null 2>messages
}
! seal 1970-01-02 || fail "1970: a credential that does not count yet is sealed"
seal 1970-01-02 --allow-expired || fail "1970: $(cat messages)"
! grep -q 'warning: it expire' messages || fail "1970: $(cat messages)"
seal "$(date -u -d '+3630 days' +%F)" || fail "in its last month: $(cat messages)"
grep -q 'warning: it expires on ' messages || fail "in its last month: $(cat messages)"
! seal 2100-01-02 || fail "2100: an expired credential is sealed"
grep -q 'its credential expired on ' messages || fail "2100: $(cat messages)"
[ ! -e sealed.age ] || fail "2100: a file is left of an expired credential"
seal 2100-01-02 --allow-expired || fail "2100: $(cat messages)"

# As the sidecar's user: nothing to inherit, nothing to gain.
nobody=(setpriv --reuid 999 --regid 999 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs)
[ "$("${nobody[@]}" sed -n 's/^CapBnd:\t0*\|^CapEff:\t0*\|^NoNewPrivs:\t//p' /proc/self/status | tr -d '\n')" = 1 ] ||
    fail "setpriv left rights"
for role in consumer provider; do
    is_as_committed "$role" "${nobody[@]}"
done

echo "hostile: all is well in 1970 and 2100, and as user 999 without capabilities"
