# shellcheck shell=bash disable=SC2034,SC2154 # variables of who sources this
# Clusters without containers, for tests/scene/run and tests/scene/liqo/try, which source this file. They set
#   programs   what tests/scene/build made
#   work       a new folder for everything else
# and call `stop` in the end, whatever happened.
#
# Each cluster is one network namespace, which is its node. All nodes are in 172.16.183.0/24, the network that the
# examples' addresses are of, whose router is the namespace `wan`: the world outside. Two runs do not see each other.
wan=172.16.183
net=scene$$

scene=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
started=() # process ids, in the order of their start

say() { printf '%4d s  %s\n' "$SECONDS" "$*"; }

fail() {
    echo "$(basename "$0"): $1" >&2
    exit 1
}

# wait_for SECONDS WHAT COMMAND...: until the command succeeds
wait_for() {
    local end=$((SECONDS + $1)) what=$2 pid
    shift 2
    until "$@" >/dev/null 2>&1; do
        for pid in "${started[@]}"; do
            kill -0 "$pid" 2>/dev/null || fail "$what did not come about: a part ended, see $work/*.log"
        done
        [ $SECONDS -lt $end ] || fail "$what did not come about; last: $("$@" 2>&1 | tail -n 3)"
        sleep 0.5
    done
    say "$what"
}

# says PATTERN COMMAND...: the command succeeds and its output has the pattern
says() {
    local pattern=$1
    shift
    "$@" | grep -E -- "$pattern"
}

# background LOG NAME COMMAND...: a program in that namespace until the end, with its output in $work/LOG.log
background() {
    local log=$1 name=$2
    shift 2
    ip netns exec "$net-$name" "$@" >"$work/$log.log" 2>&1 &
    started+=($!)
}

in_namespace() {
    local name=$1
    shift
    ip netns exec "$net-$name" "$@"
}

# wan_start: the router between the nodes
wan_start() {
    ip netns add "$net-wan"
    ip -n "$net-wan" link add wan type bridge
    ip -n "$net-wan" address add $wan.1/24 dev wan
    ip -n "$net-wan" link set wan up
    ip -n "$net-wan" link set lo up
    in_namespace wan sysctl -qw net.ipv4.ip_forward=1
}

# join NAME ADDRESS: a namespace in that network, for a node or for anything else
join() {
    ip netns add "$net-$1"
    ip -n "$net-$1" link add wan type veth peer name "$1" netns "$net-wan"
    ip -n "$net-wan" link set "$1" master wan up
    ip -n "$net-$1" address add "$2/24" dev wan
    ip -n "$net-$1" link set wan up
    ip -n "$net-$1" link set lo up
    ip -n "$net-$1" route add default via $wan.1
    in_namespace "$1" sysctl -qw net.ipv4.ip_forward=1
}

# cluster_start NAME ADDRESS PODS: the control plane and the node; cluster_ready NAME waits for it
cluster_start() {
    join "$1" "$2"
    mkdir -p "$work/$1"
    background "$1-cluster" "$1" "$programs/cluster" run --name "$1" --address "$2" --data "$work/$1/cluster"
    # shellcheck disable=SC2016 # the inner shell's
    background "$1-node" "$1" unshare --mount sh -c \
        'until [ -e "$1" ]; do sleep 0.2; done; shift; exec "$@"' - "$work/$1/cluster/admin.kubeconfig" \
        "$programs/node" --name "$1-node" --address "$2" --pods "$3" --kubeconfig "$work/$1/cluster/admin.kubeconfig" \
        --programs "$programs/liqo" --data "$work/$1/node"
}

cluster_ready() {
    wait_for 120 "$1: the node is ready" kube "$1" wait node "$1-node" --for=condition=Ready --timeout=1s
}

# kube NAME ARGUMENT...: kubectl as the cluster's administrator
kube() {
    local name=$1
    shift
    in_namespace wan kubectl --kubeconfig="$work/$name/cluster/admin.kubeconfig" "$@"
}

# certificate NAME ADDRESS USER: prints a kubeconfig of that user
certificate() {
    "$programs/cluster" sign --name "$1" --address "$2" --data "$work/$1/cluster" --user "$3"
}

# stop: everything that was started, last first, and whatever it left
stop() {
    local i
    for ((i = ${#started[@]} - 1; i >= 0; i--)); do
        kill "${started[i]}" 2>/dev/null || true
    done
    for ((i = ${#started[@]} - 1; i >= 0; i--)); do
        wait "${started[i]}" 2>/dev/null || true
    done
    ip netns list | grep -o "^$net-[^ ]*" | xargs -r -n 1 ip netns delete
}

# needs_commands: a missing one is installed, or it ends the run
needs_commands() {
    [ "$(id -u)" = 0 ] || fail "not root, who may make network namespaces"
    [ -c /dev/net/tun ] || fail "this machine has no /dev/net/tun, which WireGuard needs"
    command -v go >/dev/null || fail "there is no go"
    local name package
    while read -r name package; do
        command -v "$name" >/dev/null && continue
        command -v apt-get >/dev/null || fail "there is no $name (the Debian package $package)"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >/dev/null
        command -v "$name" >/dev/null || fail "the Debian package $package gives no $name"
    done <<'END'
git git
kubectl kubernetes-client
ip iproute2
nft nftables
conntrack conntrack
ping iputils-ping
nsenter util-linux
sysctl procps
END
}
