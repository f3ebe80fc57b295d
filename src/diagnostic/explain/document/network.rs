//! Networks, ports and addresses.

use super::Explanation;

pub(super) const CIDR: Explanation = Explanation {
    code: "cidr",
    rule: "A network is IPv4 in CIDR notation, without loopback, link-local and multicast addresses, and a cluster has at least \
           one for its pods.",
    reason: "The API server checks only that it parses. Liqo's IPAM keeps a tree of networks of four bytes, in which an IPv6 \
             network has no place. At the addresses of `0.0.0.0/8`, `127.0.0.0/8`, `169.254.0.0/16` and `224.0.0.0/4` no pod \
             is reached, so a network with them in it is not the cluster's.",
    source: "RFC 4632; RFC 6890; k8s.io/kubernetes pkg/apis/core/validation/validation.go (ValidateEndpointIP); liqo apis/networking/v1beta1/configuration_types.go, pkg/ipam/core/net.go",
    example: "podCIDRs: [10.42.0.0]",
    fix: "podCIDRs: [10.42.0.0/16]",
};

pub(super) const CIDR_HOST_BITS: Explanation = Explanation {
    code: "cidr-host-bits",
    rule: "A network has no bits set behind its prefix.",
    reason: "Kubernetes takes such a network. Liqo's IPAM finds it nowhere in its tree and remaps it without a word, so pods \
             are reached at addresses that nobody expects.",
    source: "liqo pkg/ipam/core/node.go",
    example: "podCIDRs: [10.42.3.0/16]",
    fix: "podCIDRs: [10.42.0.0/16]",
};

pub(super) const CIDR_OVERLAP: Explanation = Explanation {
    code: "cidr-overlap",
    rule: "The networks of one cluster do not overlap each other.",
    reason: "One address cannot be a pod's and an external one at once, and Liqo's IPAM gives a range once. The networks of \
             the two clusters may overlap: Liqo remaps them.",
    source: "liqo pkg/ipam/networks.go, pkg/ipam/ipam.go",
    example: "\
podCIDRs: [10.42.0.0/16]
externalCIDR: 10.42.128.0/17",
    fix: "\
podCIDRs: [10.42.0.0/16]
externalCIDR: 10.70.0.0/16",
};

pub(super) const PORT: Explanation = Explanation {
    code: "port",
    rule: "A port is 1 to 65535, a node port 30000 to 32767, and the client's port is known.",
    reason: "The API server refuses any other, and a node port outside of its range. Where Kubernetes chooses the node port, \
             nothing in Git knows what the client must dial. On a cluster with another range it is left to Kubernetes, and \
             `port` is said at the client.",
    source: "Kubernetes kube-apiserver --service-node-port-range; liqo \
             pkg/liqo-controller-manager/networking/external-network/wireguard/wggatewayserver_controller.go, where a \
             NodePort server answers at its node port",
    example: "endpoint: { serviceType: NodePort, nodePort: 51840 }",
    fix: "endpoint: { serviceType: NodePort, port: 51840, nodePort: 30742 }",
};

pub(super) const MTU: Explanation = Explanation {
    code: "mtu",
    rule: "The tunnel's MTU is 576 to 8920.",
    reason: "576 bytes are what every IPv4 host takes; 8920 is a jumbo frame of 9000 less the 80 bytes that WireGuard needs \
             over IPv6. Liqo passes on any number, and leaves a missing one to each side's kernel.",
    source: "RFC 791, section 3.1; liqo deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml, \
             pkg/liqo-controller-manager/networking/forge/common.go (1340, the default)",
    example: "mtu: 9000",
    fix: "mtu: 1340",
};

pub(super) const SERVICE_TYPE: Explanation = Explanation {
    code: "service-type",
    rule: "`nodePort` belongs to a NodePort Service, `loadBalancerIP` to a LoadBalancer.",
    reason: "Liqo renders what is said for every type, and the API server refuses a ClusterIP Service with a node port. What \
             would be taken and do nothing hides a mistake: the client dials a load balancer at `port`.",
    source: "liqo deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml, \
             pkg/liqo-controller-manager/networking/external-network/wireguard/wggatewayserver_controller.go",
    example: "endpoint: { serviceType: LoadBalancer, nodePort: 30742 }",
    fix: "endpoint: { serviceType: NodePort, nodePort: 30742 }",
};
