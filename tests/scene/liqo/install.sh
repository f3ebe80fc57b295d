# shellcheck shell=bash disable=SC2034,SC2154 # variables of who sources this
# Liqo on a cluster of ../clusters.sh, and what a peering has to look like. Sourced, too.

# liqo_install NAME PODS EXTERNAL: the chart; liqo_ready NAME waits for its parts and adds the webhooks
liqo_install() {
    local out=$work/$1/liqo
    mkdir -p "$out"
    "$programs/chart" --chart "$programs/liqo.chart/" --values "$scene/liqo/values.yaml" --out "$out" \
        "discovery.config.clusterID=$1" "ipam.podCIDRs={$2}" "ipam.externalCIDR=$3" "ipam.reservedSubnets={$wan.0/24}"
    kube "$1" create namespace liqo
    kube "$1" apply --server-side -f "$out/crds.yaml"
    kube "$1" wait --for=condition=Established --timeout=60s -f "$out/crds.yaml"
    kube "$1" apply --server-side -n liqo -f "$out/objects.yaml"
} >>"$work/$1-liqo.log" 2>&1

liqo_ready() {
    wait_for 180 "$1: Liqo runs" kube "$1" wait deployment --all -n liqo --for=condition=Available --timeout=1s
    # Liqo's webhook writes its CA into these whenever its Secret changes.
    kube "$1" apply --server-side -n liqo -f "$work/$1/liqo/webhooks.yaml" >>"$work/$1-liqo.log"
    kube "$1" annotate secret -n liqo liqo-webhook-certs tests/scene=webhooks-are-there >>"$work/$1-liqo.log"
    wait_for 60 "$1: Liqo's webhooks are called" says . kube "$1" get validatingwebhookconfigurations liqo-webhook \
        -o 'jsonpath={.webhooks[0].clientConfig.caBundle}'
}

# in_gateway NAME COMMAND...: in the network namespace of the cluster's gateway
in_gateway() {
    local pid
    pid=$(cat "$work/$1"/node/pods/liqo-tenant-*.gw-*.wireguard.pid)
    shift
    nsenter --net --target "$pid" "$@"
}
