#!/usr/bin/env bash
# The program and the real `age` open each other's files.
#
# Usage: tests/age-cli.sh PATH_OF_ARGOCD_PEERING
# Needs age and age-keygen: of the Debian package `age`, and, as .ci/run does, of the newest release.
set -euo pipefail

fail() {
    printf 'age-cli: %s\n' "$*" >&2
    exit 1
}

[ $# -eq 1 ] || fail "usage: $0 PATH_OF_ARGOCD_PEERING"
[ -x "$1" ] || fail "$1 is not a program"
for tool in age age-keygen; do
    command -v "$tool" >/dev/null || fail "$tool is not installed (Debian: apt-get install age)"
done
program=$(realpath "$1")
quickstart=$(cd "$(dirname "$0")/../examples/quickstart" && pwd)

umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir folder
cp "$quickstart/peering.yaml" folder/

# What Argo CD says, and nothing else.
plugin() {
    env -i ARGOCD_APP_PROJECT_NAME="peering-$1" \
        ARGOCD_APP_SOURCE_REPO_URL=https://git.example.org/net/peerings.git \
        ARGOCD_APP_SOURCE_PATH=peerings/consumer-provider KUBE_VERSION=1.35.0 \
        ARGOCD_APP_PARAMETERS="[{\"name\":\"role\",\"string\":\"$1\"}]" \
        "$program" generate folder --identity-file "${2:-identity.txt}"
}

# refused WHAT WORDS COMMAND…: exit code 3, nothing on stdout, the words on stderr.
refused() {
    local what=$1 words=$2 code=0
    shift 2
    "$@" >out 2>err || code=$?
    [ "$code" -eq 3 ] || fail "$what: exit code $code, not 3: $(cat err)"
    [ ! -s out ] || fail "$what: something was printed"
    grep -qF -- "$words" err || fail "$what: \"$words\" is not in: $(cat err)"
    echo "ok: $what is refused"
}

# same WHAT: both roles give the streams that were kept.
same() {
    local role
    for role in consumer provider; do
        plugin "$role" "${2:-identity.txt}" >out 2>err || fail "$1, $role: $(cat err)"
        cmp -s out "kept-$role" || fail "$1, $role: another stream"
    done
    echo "ok: $1"
}

age-keygen -o identity.txt 2>/dev/null
age-keygen -o other.txt 2>/dev/null
recipient=$(age-keygen -y identity.txt)
cat >kubeconfig.yaml <<'KUBECONFIG'
apiVersion: v1
kind: Config
current-context: c
clusters: [{name: k, cluster: {server: "https://192.0.2.1:6443"}}]
contexts: [{name: c, context: {cluster: k, user: u}}]
users: [{name: u, user: {token: t}}]
KUBECONFIG

# 1. What the program seals, age opens.
terms=(--clusters "consumer,provider" --project peering-consumer --project peering-provider
    --repo https://git.example.org/net/peerings.git --path peerings/consumer-provider --recipient "$recipient")
env -i "$program" seed new folder/peering.seed.age "${terms[@]}" 2>/dev/null
env -i "$program" seal kubeconfig kubeconfig.yaml -o folder/kubeconfig.age "${terms[@]}" 2>/dev/null
age -d -i identity.txt folder/peering.seed.age >seed.json || fail "age does not open a new seed"
age -d -i identity.txt folder/kubeconfig.age >kubeconfig.json || fail "age does not open a sealed kubeconfig"
seed=$(sed -nE 's/^\{"v":1,"type":"seed","seed":"(ARGOCD-PEERING-SEED-1[A-Z0-9]{58})","bind":\{.*\}\}$/\1/p' seed.json)
[ -n "$seed" ] || fail "a new seed's payload has another form"
grep -q '"type":"kubeconfig"' kubeconfig.json || fail "a sealed kubeconfig's payload has another form"
for role in consumer provider; do
    plugin "$role" >"kept-$role" 2>err || fail "the program does not open its own files: $(cat err)"
    grep -q '^kind: ' "kept-$role" || fail "$role: no manifests"
done
echo "ok: age opens what the program seals"

# 2. What age seals, the program opens.
age -a -r "$recipient" -o folder/peering.seed.age seed.json
age -a -r "$recipient" -o folder/kubeconfig.age kubeconfig.json
same "files that age sealed, armored"
age -r "$recipient" -o folder/peering.seed.age seed.json
age -r "$recipient" -o folder/kubeconfig.age kubeconfig.json
same "files that age sealed, binary"
{
    echo "# the other Argo CD"
    age-keygen -y other.txt
    echo "# this one"
    echo "$recipient"
} >recipients.txt
age -a -R recipients.txt -o folder/peering.seed.age seed.json
same "a seed for two recipients" identity.txt
age -a -R recipients.txt -o folder/kubeconfig.age kubeconfig.json
same "the same with the other identity" other.txt
cat other.txt identity.txt >both.txt
age -a -i identity.txt -e -o folder/peering.seed.age seed.json
same "a seed sealed with the identity, opened with two" both.txt

# 3. What must not open.
refused "another identity" "none of the identities" plugin provider other.txt
printf '%s\n' "$seed" | age -a -r "$recipient" -o folder/peering.seed.age
refused "a bare seed" "no terms" plugin provider
env -i "$program" generate folder --local --role provider --identity-file identity.txt >out 2>err ||
    fail "a bare seed does not open for a local run: $(cat err)"
cmp -s out kept-provider || fail "a bare seed gives another stream"
echo "ok: a bare seed opens for a local run"
sed 's/"peering-provider=/"peering-other=/g' seed.json | age -a -r "$recipient" -o folder/peering.seed.age
refused "another project" 'do not allow the clusters consumer/provider for project="peering-provider"' plugin provider
rm folder/peering.seed.age
ssh_key='ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsKLqeplhpW+uObz5dvMgjz1OxfM/XXUB+VHtZ6isGN test'
age -a -r "$ssh_key" -o folder/peering.seed.age seed.json
refused "a file for an SSH key" "sealed to SSH keys only" plugin provider
# from age 1.3 on
if age-keygen -pq -o post-quantum.txt 2>/dev/null; then
    age -a -r "$(age-keygen -y post-quantum.txt)" -o folder/peering.seed.age seed.json
    refused "a post-quantum file" "sealed to post-quantum recipients only" plugin provider
    refused "a post-quantum identity" "an unsupported post-quantum identity" \
        plugin provider post-quantum.txt
fi

echo "age-cli: all is well ($(age --version 2>/dev/null || echo 'age of unknown version'))"
