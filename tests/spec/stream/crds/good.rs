//! One object of each kind we emit, with every field we may fill in: all releases accept them.

use serde_json::{Value, json};

/// All of them.
pub(crate) fn all() -> Vec<Value> {
    let networking = [configuration(), public_key(), gateway_server(), gateway_client()];
    let authentication = [tenant(), identity(), resource_slice()];
    let offloading = [virtual_node(), namespace_offloading(), vk_options_template()];
    [&networking[..], &authentication, &offloading].concat()
}

pub(crate) fn configuration() -> Value {
    let spec = json!({
        "local": { "cidr": { "pod": ["10.42.0.0/16"], "external": ["10.70.0.0/16"] } },
        "remote": { "cidr": { "pod": ["10.43.0.0/16", "10.44.0.0/16"], "external": ["10.71.0.0/16"] } },
    });
    object("networking", "Configuration", &spec)
}

fn public_key() -> Value {
    let spec = json!({ "publicKey": "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=" });
    object("networking", "PublicKey", &spec)
}

pub(crate) fn gateway_server() -> Value {
    let spec = json!({
        "mtu": 1340,
        "endpoint": {
            "port": 51840, "serviceType": "NodePort", "nodePort": 30742, "loadBalancerIP": "172.16.0.1",
        },
        "secretRef": { "name": "gw-keys-0123456789" },
        "serverTemplateRef": template("WgGatewayServerTemplate", "wireguard-server"),
    });
    object("networking", "GatewayServer", &spec)
}

pub(crate) fn gateway_client() -> Value {
    let spec = json!({
        "mtu": 1340,
        "endpoint": { "addresses": ["172.16.183.16"], "port": 30742, "protocol": "UDP" },
        "secretRef": { "name": "gw-keys-0123456789" },
        "clientTemplateRef": template("WgGatewayClientTemplate", "wireguard-client"),
    });
    object("networking", "GatewayClient", &spec)
}

fn template(kind: &str, name: &str) -> Value {
    let api_version = "networking.liqo.io/v1beta1";
    json!({ "apiVersion": api_version, "kind": kind, "name": name, "namespace": "liqo" })
}

pub(crate) fn tenant() -> Value {
    let spec = json!({
        "clusterID": "milan", "authzPolicy": "TolerateNoHandshake", "tenantCondition": "Active",
    });
    object("authentication", "Tenant", &spec)
}

fn identity() -> Value {
    let spec = json!({
        "clusterID": "milan",
        "namespace": "liqo-tenant-rome",
        "type": "ControlPlane",
        "authParams": { "apiServer": "https://172.16.0.1:6443", "ca": "AAAA", "signedCRT": "AAAA" },
    });
    object("authentication", "Identity", &spec)
}

pub(crate) fn resource_slice() -> Value {
    let spec = json!({
        "class": "default",
        "consumerClusterID": "rome",
        "providerClusterID": "milan",
        "resources": { "cpu": "20", "memory": "128Gi", "nvidia.com/gpu": 2 },
    });
    object("authentication", "ResourceSlice", &spec)
}

fn virtual_node() -> Value {
    let spec = json!({
        "clusterID": "milan",
        "createNode": true,
        "disableNetworkCheck": false,
        "kubeconfigSecretRef": { "name": "kubeconfig-resourceslice-milan" },
        "labels": { "topology.kubernetes.io/zone": "milan" },
        "annotations": { "example.com/note": "yes" },
        "offloadingPatch": {
            "nodeSelector": { "disk": "ssd" },
            "tolerations": [{ "key": "a", "operator": "Exists", "tolerationSeconds": 60 }],
            "labelsNotReflected": ["a"],
            "annotationsNotReflected": ["b"],
            "runtimeClassName": "liqo",
        },
        "resourceQuota": { "hard": { "cpu": "20", "memory": "128Gi" } },
        "storageClasses": [{ "storageClassName": "liqo", "default": true }],
        "taints": [{ "key": "virtual-node.liqo.io/not-allowed", "value": "true", "effect": "NoExecute" }],
        "vkOptionsTemplateRef": { "kind": "VkOptionsTemplate", "name": "default", "namespace": "liqo" },
    });
    object("offloading", "VirtualNode", &spec)
}

pub(crate) fn namespace_offloading() -> Value {
    let here = json!({ "key": "liqo.io/remote-cluster-id", "operator": "In", "values": ["milan"] });
    let spec = json!({
        "clusterSelector": { "nodeSelectorTerms": [{ "matchExpressions": [here] }] },
        "namespaceMappingStrategy": "DefaultName",
        "podOffloadingStrategy": "LocalAndRemote",
        "remoteNamespaceName": "demo-rome",
    });
    object("offloading", "NamespaceOffloading", &spec)
}

fn vk_options_template() -> Value {
    let spec = json!({
        "containerImage": "ghcr.io/liqotech/virtual-kubelet:v1.0.0",
        "createNode": true,
        "disableNetworkCheck": false,
        "metricsEnabled": false,
        "extraArgs": ["--v=2"],
        "reflectorsConfig": { "pod": { "workers": 10 }, "ingress": { "workers": 3, "type": "DenyList" } },
        "replicas": 1,
        "resources": { "limits": { "cpu": 1, "memory": "1Gi" }, "claims": [{ "name": "a" }] },
    });
    object("offloading", "VkOptionsTemplate", &spec)
}

fn object(group: &str, kind: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("{group}.liqo.io/v1beta1"),
        "kind": kind,
        "metadata": {
            "name": "milan",
            "namespace": "liqo-tenant-milan",
            "labels": { "liqo.io/remote-cluster-id": "milan" },
            "annotations": { "argocd.argoproj.io/sync-wave": "1" },
        },
        "spec": spec,
    })
}
