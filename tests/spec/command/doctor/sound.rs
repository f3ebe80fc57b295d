//! The other half of each finding: what looks like it and is in order, and where a number begins to count.

use super::clusters::{Clusters, deployment, signed, time};
use super::{ends, finds_first};
use serde_json::{Value, json};

/// What is in order, and the change of the healthy pair that makes it so.
type Sound = (&'static str, fn(&mut Clusters));

/// After none of these anything more is found than of the healthy pair.
const SOUND: &[Sound] = &[
    ("a stream's kind in the version that the cluster prefers", |it| {
        it.object("consumer", "GatewayClient", "")["apiVersion"] = json!("networking.liqo.io/v1beta2");
    }),
    // gateways are looked for in all namespaces, public keys in the tenant's
    ("a public key with the label in another namespace", |it| {
        let mut twin = it.object("provider", "PublicKey", "").clone();
        twin["metadata"]["name"] = json!("another");
        twin["metadata"]["namespace"] = json!("elsewhere");
        it.provider.push(twin);
    }),
    ("a gateway of another peer", |it| {
        let mut twin = it.object("provider", "GatewayServer", "").clone();
        twin["metadata"]["name"] = json!("another");
        twin["metadata"]["labels"]["liqo.io/remote-cluster-id"] = json!("turin");
        it.provider.push(twin);
    }),
    ("a Network of another Liqo", |it| {
        let mut other = it.object("consumer", "Network", "pod-cidr").clone();
        other["metadata"]["namespace"] = json!("elsewhere");
        other["status"]["cidr"] = json!("10.99.0.0/16");
        it.consumer.push(other);
    }),
    ("a virtual node that is to have no Node", |it| {
        it.object("consumer", "VirtualNode", "")["spec"]["createNode"] = json!(false);
        let none =
            json!([{ "type": "VirtualKubelet", "status": "None" }, { "type": "Node", "status": "None" }]);
        it.object("consumer", "VirtualNode", "")["status"]["conditions"] = none;
        it.without("consumer", "Node");
    }),
    ("a policy that admits the way to the server's address", |it| {
        it.consumer.push(egress("172.16.183.16/32", &json!([])));
    }),
    ("a policy whose block has the address outside of what it excepts", |it| {
        it.consumer.push(egress("172.16.0.0/12", &json!(["172.16.184.0/24"])));
    }),
    ("a policy that selects other pods", |it| {
        let mut other = egress("192.0.2.0/24", &json!([]));
        other["spec"]["podSelector"] = json!({ "matchLabels": { "app": "other" } });
        it.consumer.push(other);
    }),
    ("a policy of another namespace", |it| {
        let mut other = egress("192.0.2.0/24", &json!([]));
        other["metadata"]["namespace"] = json!("demo");
        it.consumer.push(other);
    }),
    ("a policy beside one that admits", |it| {
        let mut other = egress("192.0.2.0/24", &json!([]));
        other["metadata"]["name"] = json!("other");
        it.consumer.extend([other, egress("172.16.183.16/32", &json!([]))]);
    }),
    ("a certificate that Liqo has a quarter of its life for", |it| {
        certificate(it, elapsed() / 3 + 5);
    }),
    ("an Identity's certificate that ends in 40 days", |it| it.consumer.push(identity(40))),
    ("a program with a pod less than it is to have", |it| {
        let webhook = it.object("provider", "Deployment", "webhook");
        webhook["spec"]["replicas"] = json!(2);
        webhook["status"] = json!({ "replicas": 2, "availableReplicas": 1 });
    }),
    ("a container that waits in a pod while the gateway works", |it| {
        it.object("provider", "Pod", "gw-")["status"]["initContainerStatuses"] = json!([
            { "name": "init", "state": { "waiting": { "reason": "PodInitializing" } } }
        ]);
    }),
    ("a namespace that is being mapped", |it| {
        it.object("provider", "NamespaceMap", "")["status"]["currentMapping"]["demo"]["phase"] =
            json!("Accepted");
    }),
    ("a summary of a module that is not used", |it| {
        it.object("provider", "ForeignCluster", "")["status"]["modules"]["offloading"] =
            json!({ "conditions": [{ "type": "OffloadingStatus", "status": "None" }] });
    }),
    ("labels, annotations and fields that a stream does not set", |it| {
        for object in it.consumer.iter_mut().chain(&mut it.provider) {
            object["metadata"]["annotations"]["example.org/note"] = json!("x");
            object["metadata"]["labels"]["example.org/team"] = json!("net");
        }
        it.object("consumer", "GatewayClient", "")["spec"]["replicas"] = json!(1);
    }),
];

/// The least change after which something is found: the finding, words of it, and the change.
type Found = (&'static str, &'static str, fn(&mut Clusters));

const FOUND: &[Found] = &[
    ("error[several]: provider: GatewayServer ", "GatewayServer elsewhere/another", |it| {
        it.twin("provider", "GatewayServer", "");
        it.object("provider", "GatewayServer", "another")["metadata"]["namespace"] = json!("elsewhere");
    }),
    ("error[several]: provider: PublicKey ", "2 PublicKeys have the label", |it| {
        it.twin("provider", "PublicKey", "");
    }),
    (
        "warning[network-policy]: consumer: NetworkPolicy liqo-tenant-provider/egress: ",
        "its packets to the server's UDP port 32750",
        |it| it.consumer.push(egress("172.16.183.17/32", &json!([]))),
    ),
    (
        "warning[network-policy]: consumer: NetworkPolicy ",
        "its packets to the server's UDP port 32750",
        |it| it.consumer.push(egress("172.16.0.0/12", &json!(["172.16.183.0/24"]))),
    ),
    (
        "warning[liqo-certificate]: consumer: ResourceSlice ",
        "Liqo renews it at two thirds of its life, and has not",
        |it| certificate(it, elapsed() / 3 - 5),
    ),
    // the oldest that renews is 1.2 itself
    (
        "warning[liqo-certificate]: consumer: ResourceSlice ",
        "this Liqo does not renew it (1.2 is the first)",
        |it| {
            for role in ["consumer", "provider"] {
                *it.object(role, "Deployment", "liqo") = deployment("liqo-controller-manager", "liqo:v1.1.9");
            }
            certificate(it, 25);
        },
    ),
    ("warning[liqo-certificate]: consumer: Identity liqo-tenant-provider/mine: ", "no one renews it", |it| {
        it.consumer.push(identity(25));
    }),
    ("error[liqo-down]: consumer: DaemonSet liqo/liqo-fabric: 0 of 0 pods", "`kubectl describe`", |it| {
        it.object("consumer", "DaemonSet", "")["status"] = json!({ "desiredNumberScheduled": 0 });
    }),
    ("error[liqo-down]: provider: Deployment liqo/liqo-webhook: 0 of 2 pods", "`kubectl describe`", |it| {
        let webhook = it.object("provider", "Deployment", "webhook");
        webhook["spec"]["replicas"] = json!(2);
        webhook["status"] = json!({ "replicas": 2, "availableReplicas": 0 });
    }),
    (
        "error[gateway-pod]: provider: GatewayServer ",
        "pod gw-wg-1: container `init` waits: `ImagePullBackOff`",
        |it| {
            it.object("provider", "GatewayServer", "")["status"]["internalEndpoint"] = Value::Null;
            it.object("provider", "Pod", "gw-")["status"] = json!({ "initContainerStatuses": [
                { "name": "init", "state": { "waiting": { "reason": "ImagePullBackOff" } } }
            ] });
        },
    ),
    // a copy in another namespace is of another peering
    ("error[withdrawn]: consumer: ResourceSlice ", "no longer has it", |it| {
        it.object("provider", "ResourceSlice", "")["metadata"]["namespace"] = json!("elsewhere");
    }),
    (
        "error[offloading]: consumer: NamespaceOffloading demo/offloading: ",
        "its phase is `SomeFailed`",
        |it| {
            it.object("consumer", "NamespaceOffloading", "")["status"]["offloadingPhase"] =
                json!("SomeFailed");
        },
    ),
    (
        "warning[offloading]: consumer: NamespaceOffloading demo/offloading: ",
        "its phase is `InProgress`",
        |it| {
            it.object("consumer", "NamespaceOffloading", "")["status"]["offloadingPhase"] =
                json!("InProgress");
        },
    ),
];

fn egress(block: &str, except: &Value) -> Value {
    json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": { "name": "egress", "namespace": "liqo-tenant-provider" },
        "spec": { "podSelector": {}, "policyTypes": ["Egress"], "egress": [{
            "ports": [{ "port": 32750, "protocol": "UDP" }],
            "to": [{ "ipBlock": { "cidr": block, "except": except } }],
        }] },
    })
}

/// Days since 2020 began, which is when the certificates of these tests begin.
fn elapsed() -> i64 {
    let seconds = time(0).unix_duration().as_secs() - 1_577_836_800;
    i64::try_from(seconds).expect("a time") / 86_400
}

/// The certificate of a kind, which ends in so many days.
fn ending(days: i64) -> Value {
    let end = time(days * 86_400);
    json!(signed(&format!("{:02}{:02}{:02}000000Z", end.year() - 2000, end.month(), end.day())))
}

fn certificate(clusters: &mut Clusters, days: i64) {
    clusters.object("consumer", "ResourceSlice", "")["status"]["authParams"]["signedCRT"] = ending(days);
}

fn identity(days: i64) -> Value {
    json!({
        "apiVersion": "authentication.liqo.io/v1beta1",
        "kind": "Identity",
        "metadata": { "name": "mine", "namespace": "liqo-tenant-provider" },
        "spec": { "type": "ControlPlane", "authParams": { "signedCRT": ending(days) } },
        "status": { "kubeconfigSecretRef": { "name": "mine" } },
    })
}

/// The findings, without what a certificate's day or a latency is.
#[test]
fn what_is_in_order_is_not_found() {
    let healthy = Clusters::healthy().doctor();
    for (what, change) in SOUND {
        let mut clusters = Clusters::healthy();
        change(&mut clusters);
        let outcome = clusters.doctor();
        assert_eq!(ends(&outcome, 0), healthy.stdout, "{what}");
    }
}

#[test]
fn the_least_that_counts_is_found() {
    for (line, words, change) in FOUND {
        let mut clusters = Clusters::healthy();
        change(&mut clusters);
        finds_first(&clusters, line, words);
    }
}

/// What must not be read is not known to be missing.
#[test]
fn a_cluster_whose_answer_is_refused_is_not_said_to_have_no_liqo() {
    let mut clusters = Clusters::healthy();
    clusters.without("consumer", "ConfigMap");
    clusters.refused.push(("consumer", "configmap", super::FORBIDDEN));
    let outcome = clusters.doctor();
    assert!(!outcome.stdout.contains("[not-liqo]"), "{}", outcome.stdout);
}

/// `none of the stream's objects` is of several: of one, its name is shorter and says more.
#[test]
fn the_only_object_of_a_stream_is_named() {
    let mut clusters = Clusters::of_document(
        "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: { name: consumer-provider }\nspec:\n  \
         consumer: { clusterID: consumer }\n  provider: { clusterID: provider }\n  authentication:\n    \
         subject: { kind: User, name: myuser }\n    credential: pending\n",
    );
    clusters.without("consumer", "Namespace");
    let outcome = clusters.doctor();
    let shown = ends(&outcome, 1);
    assert!(
        shown.contains("error[missing]: consumer: Namespace liqo-tenant-provider: it is not there"),
        "{shown}"
    );
}

const LIST: &str = "/spec/offloadingPatch/labelsNotReflected";

/// Liqo's webhook adds to these lists of a virtual node, and an empty list of a stream is none in a cluster (liqo
/// `pkg/webhooks/virtualnode/mutate.go`; Kubernetes drops empty lists of `omitempty`).
#[test]
fn what_liqo_appends_is_no_difference() {
    let document = crate::harness::committed("examples/quickstart/peering.yaml").replacen(
        "      - { name: provider, class: default, resources: { cpu: \"1\", memory: 1Gi } }\n",
        "      - { name: provider, createVirtualNode: false, resources: { cpu: \"1\", memory: 1Gi, pods: \"110\" } }\n    virtualNodes:\n      \
         - { resourceSlice: provider, name: provider, offloadingPatch: { labelsNotReflected: [a.example.org/x] } }\n",
        1,
    );
    let document = document.replacen("clusters: thisPeer", "clusters: all", 1);
    let of = |change: fn(&mut Clusters)| {
        let mut clusters = Clusters::of_document(&document);
        // Liqo's own beside the document's
        let is_liqos = |it: &Value| {
            it["kind"] == "VirtualNode"
                && it["spec"]["createNode"] == true
                && it["metadata"]["annotations"].is_null()
        };
        clusters.consumer.retain(|it| !is_liqos(it));
        change(&mut clusters);
        clusters.doctor().stdout
    };
    let sound = of(|it| {
        let node = it.object("consumer", "VirtualNode", "");
        node.pointer_mut(LIST).and_then(Value::as_array_mut).expect("a list").push(json!("liqo.io/x"));
        let selector = &mut it.object("consumer", "NamespaceOffloading", "")["spec"]["clusterSelector"];
        assert_eq!(selector["nodeSelectorTerms"], json!([]));
        *selector = json!({});
    });
    assert!(!sound.contains("[different]"), "{sound}");
    let wrong = of(|it| {
        *it.object("consumer", "VirtualNode", "").pointer_mut(LIST).expect("a list") = json!(["liqo.io/x"]);
    });
    assert!(
        wrong.contains("error[different]: consumer: VirtualNode ") && wrong.contains("labelsNotReflected"),
        "{wrong}"
    );
}
