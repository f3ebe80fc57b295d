//! `doctor` through the real program, with a recorded `kubectl`: a pair of clusters where nothing is wrong, and one scenario
//! for each finding.

mod brought;
pub(crate) mod clusters;
mod made;
mod record;
mod sound;

use self::clusters::{Clusters, deployment, signed, time};
use crate::harness::run::{Outcome, Run};
use crate::harness::{committed, replaced, root};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use x509_cert::der::DateTime;

/// A change of the healthy clusters, and the finding that it must give: its severity and check, and words of it.
struct Scenario {
    change: fn(&mut Clusters),
    line: &'static str,
    words: &'static str,
}

const fn finds(line: &'static str, words: &'static str, change: fn(&mut Clusters)) -> Scenario {
    Scenario { change, line, words }
}

const SCENARIOS: &[Scenario] = &[
    finds("error[not-liqo]: consumer: ", "no ConfigMap `liqo-clusterid-configmap`", |it| {
        it.without("consumer", "ConfigMap");
    }),
    finds(
        "error[another-cluster]: consumer: the cluster's ID is `oslo`",
        "correct `spec.consumer.clusterID`",
        |it| {
            it.object("consumer", "ConfigMap", "")["data"]["CLUSTER_ID"] = json!("oslo");
        },
    ),
    finds("error[another-cluster]: provider: ", "the two contexts are swapped", |it| {
        it.object("provider", "ConfigMap", "")["data"]["CLUSTER_ID"] = json!("consumer");
    }),
    finds(
        "error[networks]: consumer: Network liqo/pod-cidr: Liqo has `10.99.0.0/16`, and the document's `podCIDRs` is `10.42.0.0/16`",
        "correct `spec.consumer.podCIDRs`",
        |it| it.object("consumer", "Network", "pod-cidr")["status"]["cidr"] = json!("10.99.0.0/16"),
    ),
    // two pod CIDRs: the names exist only with `ipam.podCIDRs`
    finds("error[networks]: provider: ", "Liqo has `10.42.0.0/16`, `10.43.0.0/16`", |it| {
        let first = it.object("provider", "Network", "pod-cidr");
        first["metadata"]["name"] = json!("pod-cidr-10-42-0-0-16");
        let mut second = first.clone();
        second["metadata"]["name"] = json!("pod-cidr-10-43-0-0-16");
        second["status"]["cidr"] = json!("10.43.0.0/16");
        it.provider.push(second);
    }),
    finds("error[networks]: provider: ", "the document's `externalCIDR` is `10.70.0.0/16`", |it| {
        it.object("provider", "Network", "external-cidr")["status"]["cidr"] = json!("10.73.0.0/16");
    }),
    finds(
        "error[liqo-namespace]: consumer: Liqo is in `liqo-system` on this cluster, and the document has it in `liqo`",
        "set `spec.consumer.liqoNamespace: liqo-system`",
        |it| {
            for object in &mut it.consumer {
                if object["metadata"]["namespace"] == "liqo" {
                    object["metadata"]["namespace"] = json!("liqo-system");
                }
            }
        },
    ),
    finds(
        "warning[other-owner]: provider: the Helm release `liqo/peering` has 1 object of the peering too: Tenant",
        "`helm.sh/resource-policy: keep`",
        |it| {
            it.object("provider", "Tenant", "")["metadata"]["annotations"] = json!({
                "meta.helm.sh/release-name": "peering", "meta.helm.sh/release-namespace": "liqo"
            });
        },
    ),
    finds(
        "warning[other-owner]: consumer: the Flux Kustomization `flux-system/peers` has 1 object",
        "kustomize.toolkit.fluxcd.io/prune: disabled",
        |it| {
            let labels = &mut it.object("consumer", "Configuration", "")["metadata"]["labels"];
            labels["kustomize.toolkit.fluxcd.io/name"] = json!("peers");
            labels["kustomize.toolkit.fluxcd.io/namespace"] = json!("flux-system");
        },
    ),
    finds("error[old-liqo]: consumer: Deployment ", "Liqo is `v0.10.3`", |it| {
        *it.object("consumer", "Deployment", "liqo") =
            deployment("liqo-controller-manager", "registry:5000/liqo:v0.10.3");
    }),
    finds("note[new-liqo]: consumer: ", "newer than this program knows", |it| {
        *it.object("consumer", "Deployment", "liqo") = deployment("liqo-controller-manager", "liqo:v1.9.0");
    }),
    finds("note[new-liqo]: consumer: ", "not known: its tag is `latest`", |it| {
        *it.object("consumer", "Deployment", "liqo") =
            deployment("liqo-controller-manager", "liqo:latest@sha256:1");
    }),
    finds(
        "warning[liqo-skew]: Liqo is `v1.1.2` on the consumer and `v1.2.0`",
        "the same minor version",
        |it| {
            *it.object("consumer", "Deployment", "liqo") =
                deployment("liqo-controller-manager", "liqo:v1.1.2");
        },
    ),
    finds(
        "error[missing]: provider: Tenant liqo-tenant-consumer/consumer: ",
        "`consumer-provider-provider`",
        |it| {
            it.without("provider", "Tenant");
        },
    ),
    finds(
        "error[missing]: consumer: none of the stream's 9 objects is on the cluster",
        "sync the Application",
        |it| {
            it.consumer.retain(|it| it["metadata"]["namespace"] == "liqo" || it["kind"] == "InternalNode");
        },
    ),
    finds(
        "error[missing]: consumer: Secret liqo-tenant-provider/gw-keys-placeholder",
        "it is not there",
        |it| {
            it.consumer.retain(|it| !it["metadata"]["name"].to_string().contains("gw-keys"));
        },
    ),
    finds(
        "error[different]: consumer: GatewayClient liqo-tenant-provider/wg-provider: `spec.endpoint.port` is `31000`, and the document gives `32750`; `spec.mtu` is missing",
        "help: sync the Application",
        |it| {
            let client = it.object("consumer", "GatewayClient", "");
            client["spec"]["endpoint"]["port"] = json!(31000);
            client["spec"].as_object_mut().expect("a map").remove("mtu");
        },
    ),
    finds("error[different]: provider: RoleBinding ", "`subjects[0].name` is `mallory`", |it| {
        it.object("provider", "RoleBinding", "")["subjects"][0]["name"] = json!("mallory");
    }),
    finds(
        "error[different]: consumer: ResourceSlice ",
        "`metadata.labels[liqo.io/replication]` is missing",
        |it| {
            it.object("consumer", "ResourceSlice", "")["metadata"]["labels"]["liqo.io/replication"] =
                Value::Null;
        },
    ),
    finds("error[released]: released: no, ", "wait: half a minute is usual", drained),
    finds("note[released]: released: yes, remove the folder", "the removal of the folder", |it| {
        drained(it);
        released(it);
    }),
    finds(
        "error[released]: released: no, 1 of Liqo's objects are left, such as the provider's Namespace demo-consumer",
        "docs/teardown.md",
        |it| {
            drained(it);
            let left = it.object("provider", "Namespace", "demo-consumer").clone();
            released(it);
            it.provider.push(left);
        },
    ),
    finds(
        "error[namespace-deleted]: consumer: Namespace liqo-tenant-provider: the tenant namespace is being deleted",
        "`argocd app sync` of the consumer's Application",
        namespace_deleted,
    ),
    finds("error[pod-security]: provider: Namespace liqo-tenant-consumer: ", "is `restricted`", |it| {
        let labels = &mut it.object("provider", "Namespace", "liqo-tenant")["metadata"]["labels"];
        labels["pod-security.kubernetes.io/enforce"] = json!("restricted");
    }),
    finds("warning[pod-security]: provider: ", "it has no label", |it| {
        let labels = &mut it.object("provider", "Namespace", "liqo-tenant")["metadata"]["labels"];
        labels["pod-security.kubernetes.io/enforce"] = Value::Null;
    }),
    finds("error[several]: consumer: Secret ", "2 key Secrets have the label of `provider`", |it| {
        it.twin("consumer", "Secret", "gw-keys");
    }),
    finds("error[several]: consumer: Secret ", "2 identity Secrets have the label", |it| {
        it.twin("consumer", "Secret", "kubeconfig");
    }),
    finds("error[several]: provider: Namespace ", "2 tenant namespaces have the label", |it| {
        it.twin("provider", "Namespace", "liqo-tenant");
    }),
    finds("error[several]: provider: GatewayServer ", "liqo-tenant-consumer/another", |it| {
        it.twin("provider", "GatewayServer", "");
    }),
    finds("error[keys]: provider: the gateway's key Secret is ", "sync both Applications", |it| {
        it.object("consumer", "PublicKey", "")["spec"]["publicKey"] =
            json!("ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=");
    }),
    finds(
        "error[connection]: consumer: Connection liqo-tenant-provider/gw-provider: ",
        "not up: `Connecting`; the client dials UDP 172.16.183.16:32750 from consumer",
        |it| {
            it.object("consumer", "Connection", "")["status"]["value"] = json!("Connecting");
        },
    ),
    finds(
        "error[connection]: both gateways run with the keys of each other, and no answer comes: what the client sends (UDP 172.16.183.16:32750 from consumer)",
        "run one line at each cluster",
        silent,
    ),
    finds("error[connection]: provider: GatewayServer ", "has not made a Connection", |it| {
        it.without("provider", "Connection");
    }),
    finds("error[server-address]: provider: GatewayServer ", "it has no address yet", |it| {
        it.object("provider", "GatewayServer", "")["status"]["endpoint"]["addresses"] = json!([""]);
    }),
    finds("error[server-address]: provider: GatewayServer ", "it answers at port 32000", |it| {
        it.object("provider", "GatewayServer", "")["status"]["endpoint"]["port"] = json!(32000);
    }),
    finds("error[gateway-pod]: consumer: GatewayClient ", "it has no running pod", |it| {
        it.object("consumer", "GatewayClient", "")["status"] = json!({});
    }),
    finds("warning[server-address]: provider: GatewayServer ", "its load balancer has `192.0.2.9`", |it| {
        let server = it.object("provider", "GatewayServer", "");
        server["spec"]["endpoint"]["serviceType"] = json!("LoadBalancer");
        server["status"]["endpoint"]["addresses"] = json!(["192.0.2.9"]);
    }),
    finds("error[configuration]: consumer: Configuration ", "has not configured", |it| {
        it.object("consumer", "Configuration", "")["status"]["conditions"][0]["status"] = json!("False");
    }),
    finds("error[configuration]: consumer: Configuration ", "has not configured", |it| {
        it.object("consumer", "Configuration", "")["status"] = json!({});
    }),
    finds("error[tenant]: provider: Tenant ", "Liqo has not accepted it: its namespace is ``", |it| {
        it.object("provider", "Tenant", "")["status"] = json!({});
    }),
    finds("note[tenant]: provider: Tenant ", "it is `Cordoned`", |it| {
        it.object("provider", "Tenant", "")["spec"]["tenantCondition"] = json!("Cordoned");
    }),
    finds("error[liqo-identity]: consumer: Identity ", "has not made its Secret", |it| {
        it.consumer.push(json!({
            "apiVersion": "authentication.liqo.io/v1beta1",
            "kind": "Identity",
            "metadata": { "name": "controlplane-provider", "namespace": "liqo-tenant-provider" },
        }));
    }),
    finds("error[slice]: consumer: ResourceSlice ", "Resources is `Denied`: no such class", |it| {
        let condition = &mut it.object("consumer", "ResourceSlice", "")["status"]["conditions"][1];
        *condition = json!({ "type": "Resources", "status": "Denied", "message": "no such class" });
    }),
    finds("error[slice]: consumer: ResourceSlice ", "the provider has not answered", |it| {
        it.object("consumer", "ResourceSlice", "")["status"] = json!({});
    }),
    finds(
        "error[slice]: consumer: ResourceSlice liqo-tenant-provider/provider: it has not reached the provider; Liqo tries again no later than about ",
        "rollout restart deployment liqo-crd-replicator",
        |it| {
            let slice = it.object("consumer", "ResourceSlice", "");
            slice["status"] = json!({});
            slice["metadata"]["creationTimestamp"] = json!(time(-429).to_string());
            it.without("provider", "ResourceSlice");
        },
    ),
    finds(
        "error[withdrawn]: consumer: ResourceSlice liqo-tenant-provider/provider: the provider has answered it, and no longer has it",
        "commit `state: Drained`, and `Active` when",
        |it| it.without("provider", "ResourceSlice"),
    ),
    finds("error[slice]: consumer: ResourceSlice ", "has not made its VirtualNode", |it| {
        it.without("consumer", "VirtualNode");
    }),
    finds("warning[virtual-node]: consumer: VirtualNode ", "`VirtualKubelet` is `Creating`", |it| {
        it.object("consumer", "VirtualNode", "")["status"]["conditions"][0]["status"] = json!("Creating");
    }),
    finds("error[virtual-node]: consumer: VirtualNode ", "it has no Node", |it| {
        it.without("consumer", "Node");
    }),
    finds("error[node]: consumer: Node provider: ", "Ready is `Unknown`: Kubelet stopped", |it| {
        let condition = json!({ "type": "Ready", "status": "Unknown", "message": "Kubelet stopped" });
        it.object("consumer", "Node", "")["status"]["conditions"][0] = condition;
    }),
    finds("warning[node]: consumer: Node ", "it is cordoned", |it| {
        it.object("consumer", "Node", "")["spec"] = json!({ "unschedulable": true });
    }),
    finds(
        "error[offloading]: consumer: NamespaceOffloading demo/offloading: ",
        "`AllFailed`; `provider`: it exists",
        |it| {
            it.object("consumer", "NamespaceOffloading", "")["status"] = json!({
                "offloadingPhase": "AllFailed",
                "remoteNamespacesConditions": { "provider": [{ "type": "Ready", "status": "False", "message": "it exists" }] },
            });
        },
    ),
    finds("warning[offloading]: consumer: NamespaceOffloading ", "no virtual node matches", |it| {
        it.object("consumer", "NamespaceOffloading", "")["status"]["offloadingPhase"] =
            json!("NoClusterSelected");
    }),
    finds(
        "warning[foreign-cluster]: provider: ForeignCluster consumer: ",
        "`APIServerStatus` is `Error`",
        |it| {
            it.object("provider", "ForeignCluster", "")["status"]["conditions"][0]["status"] = json!("Error");
        },
    ),
    finds("error[liqo-certificate]: consumer: ResourceSlice ", "expired on 2021-01-01", |it| {
        let status = &mut it.object("consumer", "ResourceSlice", "")["status"];
        status["authParams"]["signedCRT"] = json!(signed("210101000000Z"));
    }),
    finds("warning[liqo-certificate]: consumer: ResourceSlice ", "should have been renewed", |it| {
        // it began in 2020
        let end = time(10 * 24 * 3600);
        let end = format!("{:02}{:02}{:02}000000Z", end.year() - 2000, end.month(), end.day());
        let status = &mut it.object("consumer", "ResourceSlice", "")["status"];
        status["authParams"]["signedCRT"] = json!(signed(&end));
    }),
    finds(
        "error[liqo-certificate]: consumer: Identity liqo-tenant-provider/mine: ",
        "no one renews it",
        |it| {
            it.consumer.push(json!({
                "apiVersion": "authentication.liqo.io/v1beta1",
                "kind": "Identity",
                "metadata": { "name": "mine", "namespace": "liqo-tenant-provider" },
                "spec": { "type": "ControlPlane", "authParams": { "signedCRT": signed("210101000000Z") } },
                "status": { "kubeconfigSecretRef": { "name": "mine" } },
            }));
        },
    ),
    finds(
        "error[liqo-down]: provider: Deployment liqo/liqo-webhook: 0 of 1 pods",
        "refuses Liqo's objects",
        |it| {
            it.object("provider", "Deployment", "webhook")["status"] = json!({ "replicas": 1 });
        },
    ),
    finds(
        "error[liqo-down]: consumer: `liqo` has no Deployment `liqo-crd-replicator`",
        "installed in part",
        |it| {
            it.consumer.retain(|it| it["metadata"]["name"] != "liqo-crd-replicator");
        },
    ),
    finds(
        "error[liqo-down]: consumer: DaemonSet liqo/liqo-fabric: 1 of 2 pods",
        "`kubectl describe`",
        |it| {
            it.object("consumer", "DaemonSet", "")["status"]["numberUnavailable"] = json!(1);
        },
    ),
    finds("warning[liqo-down]: consumer: Deployment liqo/liqo-proxy: ", "through the tunnel", |it| {
        it.object("consumer", "Deployment", "proxy")["status"] = json!({});
    }),
    finds(
        "error[gateway-pod]: provider: GatewayServer ",
        "pod gw-wg-1: container `wireguard` waits: `ImagePullBackOff`: Back-off",
        |it| {
            it.object("provider", "GatewayServer", "")["status"]["internalEndpoint"] = Value::Null;
            let waiting = json!({ "reason": "ImagePullBackOff", "message": "Back-off pulling image" });
            it.object("provider", "Pod", "gw-")["status"] =
                json!({ "containerStatuses": [{ "name": "wireguard", "state": { "waiting": waiting } }] });
        },
    ),
    finds("error[gateway-pod]: provider: GatewayServer ", "pod gw-wg-1: no node takes it: 0/2 nodes", |it| {
        it.object("provider", "GatewayServer", "")["status"]["internalEndpoint"] = Value::Null;
        let condition =
            json!({ "type": "PodScheduled", "status": "False", "message": "0/2 nodes are available" });
        it.object("provider", "Pod", "gw-")["status"] = json!({ "conditions": [condition] });
    }),
    finds(
        "error[internal-node]: consumer: InternalNode node-2: ",
        "`status.nodeIP.remote` is missing",
        |it| {
            it.object("consumer", "InternalNode", "node-2")["status"]["nodeIP"] =
                json!({ "local": "192.0.2.7" });
        },
    ),
    finds(
        "error[internal-node]: consumer: InternalNode node-1: ",
        "`status.nodeIP.local` is missing",
        |it| {
            it.object("consumer", "InternalNode", "node-1")["status"] = json!({});
        },
    ),
    finds("error[route]: consumer: RouteConfiguration ", "not applied on wg-provider", |it| {
        it.object("consumer", "RouteConfiguration", "")["status"]["conditions"][0]["status"] = json!("False");
    }),
    finds("error[firewall]: provider: FirewallConfiguration ", "not applied on liqo-fabric-a", |it| {
        it.object("provider", "FirewallConfiguration", "")["status"]["conditions"][1]["status"] =
            json!("False");
    }),
    finds("error[namespace-map]: provider: NamespaceMap ", "cannot create `demo-consumer`", |it| {
        it.object("provider", "NamespaceMap", "")["status"]["currentMapping"]["demo"]["phase"] =
            json!("CreationLoopBackOff");
    }),
    finds(
        "warning[network-policy]: provider: NetworkPolicy ",
        "the client's packets to UDP port 51840",
        |it| {
            it.provider.push(policy(
                "liqo-tenant-consumer",
                &json!([{ "ports": [{ "port": 6091, "protocol": "UDP" }] }]),
            ));
        },
    ),
    finds("warning[network-policy]: consumer: NetworkPolicy ", "the nodes' packets to UDP port 6091", |it| {
        it.consumer.push(policy("liqo-tenant-provider", &json!([{ "from": [{ "podSelector": {} }] }])));
    }),
    finds("note[remapped]: consumer: Configuration ", "pods here reach the other ones", |_| ()),
    finds("error[different]: consumer: GatewayClient ", "`spec.mtu` is `1400`", |it| {
        it.object("consumer", "GatewayClient", "")["spec"]["mtu"] = json!(1400);
    }),
    finds(
        "warning[deletion]: consumer: ResourceSlice ",
        "`crdreplicator.liqo.io/resource` goes when",
        |it| {
            it.object("consumer", "ResourceSlice", "")["metadata"]["deletionTimestamp"] =
                json!(time(-90).to_string());
        },
    ),
    finds(
        "error[deletion]: provider: Tenant ",
        "for 60 minutes, and waits for `tenant.liqo.io/finalizer`",
        |it| {
            it.object("provider", "Tenant", "")["metadata"]["deletionTimestamp"] =
                json!(time(-3600).to_string());
        },
    ),
    finds("error[deletion]: consumer: Secret ", "`crdreplicator.liqo.io/operator`", |it| {
        let metadata = &mut it.object("consumer", "Secret", "kubeconfig")["metadata"];
        metadata["deletionTimestamp"] = json!(time(-3600).to_string());
        metadata["finalizers"] = json!(["crdreplicator.liqo.io/operator"]);
    }),
    finds("error[deletion]: consumer: Namespace demo: ", "waits for Some content is left", |it| {
        let namespace = it.object("consumer", "Namespace", "demo");
        namespace["metadata"]["deletionTimestamp"] = json!(time(-3600).to_string());
        let condition = json!({ "type": "NamespaceContentRemaining", "status": "True", "message": "Some content is left" });
        namespace["status"] = json!({ "conditions": [condition] });
    }),
    finds("error[argocd-version]: Deployment ", "Argo CD is `v2.14.1`", |it| {
        *it.object("argocd", "Deployment", "repo-server") =
            deployment("argocd-repo-server", "quay.io/argoproj/argocd:v2.14.1");
    }),
    finds(
        "warning[applications]: no Application has this folder and the role `provider`",
        "argocd-app/README.md",
        |it| {
            it.argocd.retain(|it| !it["metadata"]["name"].to_string().contains("provider-provider"));
        },
    ),
    finds("error[applications]: Application ", "has the role `consumer` too", |it| {
        it.twin("argocd", "Application", "consumer-provider-consumer");
    }),
    finds("error[applications]: Application ", "the consumer of the document is `consumer`", |it| {
        it.object("argocd", "Application", "-consumer")["spec"]["destination"]["name"] = json!("in-cluster");
    }),
    finds("error[applications]: Application ", "and so is that of the other role", |it| {
        let one = it.object("argocd", "Application", "provider-consumer")["spec"]["destination"].clone();
        it.object("argocd", "Application", "provider-provider")["spec"]["destination"] = one;
    }),
    finds(
        "error[applications]: Application ",
        "the plugin parameter `role` is `both`, which is not a role",
        |it| {
            let parameters = &mut it.object("argocd", "Application", "provider-consumer")["spec"]["source"]["plugin"]
                ["parameters"];
            parameters[0]["string"] = json!("both");
        },
    ),
    finds("warning[sync-options]: Application ", "it does not prune", |it| {
        it.object("argocd", "Application", "provider-consumer")["spec"]["syncPolicy"]["automated"]["prune"] =
            json!(false);
    }),
    finds("note[sync-options]: Application ", "it is synced by hand", |it| {
        it.object("argocd", "Application", "provider-consumer")["spec"]["syncPolicy"]["automated"] =
            Value::Null;
    }),
    finds("warning[sync-options]: Application ", "`allowEmpty` is set", |it| {
        it.object("argocd", "Application", "provider-consumer")["spec"]["syncPolicy"]["automated"]["allowEmpty"] =
            json!(true);
    }),
    finds("warning[sync-options]: Application ", "`Replace=true` is set", |it| {
        it.object("argocd", "Application", "provider-consumer")["spec"]["syncPolicy"]["syncOptions"] =
            json!(["Replace=true"]);
    }),
    finds("warning[sync-options]: Application ", "it does not prune in the background", |it| {
        it.object("argocd", "Application", "provider-consumer")["spec"]["syncPolicy"]["syncOptions"] =
            json!(["PrunePropagationPolicy=orphan"]);
    }),
    finds("warning[sync]: Application ", "its state is `OutOfSync`", |it| {
        it.object("argocd", "Application", "provider-consumer")["status"]["sync"]["status"] =
            json!("OutOfSync");
    }),
    finds("warning[health]: Application ", "its health is `Degraded`", |it| {
        it.object("argocd", "Application", "provider-consumer")["status"]["health"]["status"] =
            json!("Degraded");
    }),
    finds("error[sync]: Application ", "is `Failed`: one or more objects failed", |it| {
        let state = json!({ "phase": "Failed", "message": "one or more objects\nfailed" });
        it.object("argocd", "Application", "provider-consumer")["status"]["operationState"] = state;
    }),
    finds(
        "error[sync]: Application argocd/consumer-provider-consumer: its last operation is `Failed`: Operation terminated",
        "then `argocd app sync consumer-provider-consumer`",
        |it| {
            let state = json!({ "phase": "Failed", "message": "Operation terminated (retried 1 times)." });
            it.object("argocd", "Application", "provider-consumer")["status"]["operationState"] = state;
        },
    ),
    finds(
        "error[sync]: Application argocd/consumer-provider-consumer: `SyncError`: Failed last sync attempt to [433bcef6]: Operation terminated",
        "then `argocd app sync consumer-provider-consumer`: Argo CD does not try by itself again",
        |it| {
            it.condition("Failed last sync attempt to [433bcef6c6d5db9b4036ac7463e0974c566edc17]: Operation terminated");
        },
    ),
    finds(
        "error[sync]: Application argocd/consumer-provider-consumer: `SyncError`: Failed last sync attempt to [433bcef6 a94664cf]: no",
        "then `argocd app sync",
        |it| {
            it.condition("Failed last sync attempt to [433bcef6c6d5db9b4036ac7463e0974c566edc17 a94664cf3d1b2b71f0a0a5f0f7d9c0e5b1c2d3e4]: no");
        },
    ),
    // before 3.2
    finds(
        "error[sync]: Application argocd/consumer-provider-consumer: `SyncError`: Failed sync attempt to 433bcef6: no",
        "then `argocd app sync",
        |it| {
            it.condition("Failed sync attempt to 433bcef6c6d5db9b4036ac7463e0974c566edc17: no");
        },
    ),
    finds(
        "error[confirmation]: Application argocd/consumer-provider-consumer: its sync waits for a person: waiting for pruning confirmation of /Namespace/shop",
        "to delete these, `argocd app confirm-deletion consumer-provider-consumer`; to keep them, `argocd app terminate-op",
        |it| {
            let state = json!({ "phase": "Running", "message": "waiting for pruning confirmation of /Namespace/shop" });
            let status = &mut it.object("argocd", "Application", "provider-consumer")["status"];
            status["operationState"] = state;
            status["sync"]["status"] = json!("OutOfSync");
        },
    ),
    finds("error[sync]: Application ", "`ComparisonError`: error[denied]", |it| {
        let conditions = json!([{ "type": "ComparisonError", "message": "error[denied]: no" }]);
        it.object("argocd", "Application", "provider-consumer")["status"]["conditions"] = conditions;
    }),
    finds(
        "warning[unread]: consumer: could not be checked: you may not read `secrets`",
        "ask for a ClusterRole with `get` and `list`",
        |it| {
            it.refused = vec![("consumer", "secrets", FORBIDDEN)];
        },
    ),
    finds("warning[unread]: consumer: ", "you may not read `tenants.authentication.liqo.io`", |it| {
        it.refused = vec![("consumer", "namespaces+", FORBIDDEN), ("consumer", "tenants", FORBIDDEN)];
    }),
    finds("error[unknown-kind]: provider: Tenant ", "the cluster has no kind `Tenant`", |it| {
        it.refused = vec![("provider", "namespaces+", UNKNOWN), ("provider", "tenants", UNKNOWN)];
    }),
];

/// Some seconds after `kubectl delete namespace`: much of it is gone, and the sync of the rest has failed.
/// The first commit of a removal is synced, and Liqo has done nothing yet.
fn drained(it: &mut Clusters) {
    it.document = replaced(&it.document, "\nspec:\n", "\nspec:\n  state: Drained\n");
    it.provider.push(json!({
        "apiVersion": "v1", "kind": "Namespace",
        "metadata": { "name": "demo-consumer", "labels": { "liqo.io/remote-cluster-id": "consumer" } },
    }));
}

/// Liqo has released what the consumer used.
fn released(it: &mut Clusters) {
    const USED: [&str; 5] = ["NamespaceOffloading", "VirtualNode", "ResourceSlice", "NamespaceMap", "Node"];
    let is_left = |it: &Value| {
        let name = it["metadata"]["name"].as_str().unwrap_or_default();
        let is_used = USED.iter().any(|kind| it["kind"] == **kind);
        !is_used && name != "demo-consumer" && !name.starts_with("kubeconfig-controlplane")
    };
    it.consumer.retain(is_left);
    it.provider.retain(is_left);
}

fn namespace_deleted(it: &mut Clusters) {
    it.consumer
        .retain(|it| !matches!(it["kind"].as_str(), Some("Configuration" | "GatewayClient" | "Connection")));
    let metadata = &mut it.object("consumer", "Namespace", "liqo-tenant")["metadata"];
    metadata["deletionTimestamp"] = json!(time(-30).to_string());
    let status = &mut it.object("argocd", "Application", "provider-consumer")["status"];
    status["sync"]["status"] = json!("OutOfSync");
    let message = "configurations.networking.liqo.io \"provider\" is forbidden: unable to create new content";
    status["operationState"] = json!({ "phase": "Failed", "message": message });
}

/// Both sides have the keys of each other, and no ping is answered.
fn silent(it: &mut Clusters) {
    for role in ["consumer", "provider"] {
        it.object(role, "Connection", "")["status"]["value"] = json!("Error");
    }
}

/// Checks whose scenarios need another document.
const BROUGHT: [&str; 4] = ["secret", "sealed-secret", "external-secret", "mtu-differs"];

fn policy(namespace: &str, ingress: &Value) -> Value {
    json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": { "name": "deny", "namespace": namespace },
        "spec": { "podSelector": {}, "policyTypes": ["Ingress"], "ingress": ingress },
    })
}

const FORBIDDEN: &str = "Error from server (Forbidden): x is forbidden: User \"anna\" cannot list resource \"x\" in API group \"\" at the cluster scope\n";
const UNKNOWN: &str = "error: the server doesn't have a resource type \"tenants\"\n";

#[track_caller]
fn ends(outcome: &Outcome, code: i32) -> &str {
    assert_eq!(outcome.code, Some(code), "{outcome}\n{}", outcome.stdout);
    &outcome.stdout
}

#[test]
fn nothing_is_wrong_with_a_healthy_pair() {
    let outcome = Clusters::healthy().doctor();
    let shown = ends(&outcome, 0);
    assert!(!shown.contains("error[") && !shown.contains("warning["), "{shown}");
    assert!(shown.contains("help: Liqo measured a latency of 4ms"), "{shown}");
    assert!(shown.contains("pod: `10.42.0.0/16` is `10.71.0.0/16` here"), "{shown}");
    assert!(shown.ends_with("\n0 errors, 0 warnings, 4 notes\n"), "{shown}");
    // each command is shown, under its cluster, and what kubectl warns of is not taken for JSON
    let order = [
        "consumer: consumer\n+ kubectl --context=consumer get configmap/",
        "provider: provider\n",
        "Argo CD: argocd\n",
    ];
    let places: Vec<_> =
        order.iter().map(|it| outcome.stderr.find(it).unwrap_or_else(|| panic!("{it}: {outcome}"))).collect();
    assert!(places.is_sorted(), "{outcome}");
    // it only reads, and of Secrets no values
    let commands: Vec<_> = outcome.stderr.lines().filter(|it| it.starts_with("+ ")).collect();
    assert!(commands.iter().all(|it| it.contains(" get ")), "{outcome}");
    let of_secrets: Vec<_> = commands.iter().filter(|it| it.contains("secrets")).collect();
    assert_eq!(of_secrets.len(), 2, "{outcome}");
    assert!(of_secrets.iter().all(|it| it.ends_with(" -o go-template=…")), "{outcome}");
}

#[test]
fn each_finding_is_found_and_says_what_to_do() {
    for Scenario { change, line, words } in SCENARIOS {
        let mut clusters = Clusters::healthy();
        change(&mut clusters);
        finds_first(&clusters, line, words);
    }
}

/// The finding with its help, and as the headline if it is an error: what else was found can follow from it.
#[track_caller]
fn finds_first(clusters: &Clusters, line: &str, words: &str) {
    let outcome = clusters.doctor();
    let shown = ends(&outcome, i32::from(outcome.stdout.contains("error[")));
    let lines: Vec<_> = shown.split_inclusive('\n').collect();
    let finding = lines.windows(2).any(|it| it[0].starts_with(line) && it.concat().contains(words));
    assert!(finding, "{line}…{words} is not in:\n{shown}{outcome}");
    let severity = |word: &str| lines.iter().filter(|it| it.trim_start().starts_with(word)).count();
    let counts = [severity("error["), severity("warning["), severity("note[")];
    assert!(shown.contains(&sum(counts)), "{counts:?}\n{shown}");
    let check = line.split(['[', ']']).nth(1).expect("a check");
    if line.starts_with("error[") {
        assert!(shown.starts_with("consumer-provider stops at "), "{shown}");
        assert!(shown.contains(&format!("\n`argocd-peering explain {check}` says more\n")), "{shown}");
        assert!(lines[2].starts_with(line), "{line} is not the first finding:\n{shown}");
    }
}

fn sum([errors, warnings, notes]: [usize; 3]) -> String {
    let s = |count: usize| if count == 1 { "" } else { "s" };
    format!("\n{errors} error{}, {warnings} warning{}, {notes} note{}\n", s(errors), s(warnings), s(notes))
}

/// Twice its age, and 1000 seconds at most from now.
#[test]
fn the_next_try_of_a_slice_is_bounded() {
    for (age, next) in [(60, 60), (429, 429), (7200, 1000)] {
        let mut clusters = Clusters::healthy();
        clusters.without("provider", "ResourceSlice");
        let slice = clusters.object("consumer", "ResourceSlice", "");
        slice["status"] = json!({});
        slice["metadata"]["creationTimestamp"] = json!(time(-age).to_string());
        let first = time(next);
        let outcome = clusters.doctor();
        let shown = ends(&outcome, 1);
        let (_, rest) = shown.split_once("no later than about ").expect("a time");
        let at: DateTime = rest.lines().next().expect("a line").parse().expect("a time");
        // an age grows while the program runs
        let least = first.unix_duration();
        assert!((least..=least + Duration::from_secs(60)).contains(&at.unix_duration()), "{first}\n{shown}");
    }
}

/// What is not known of the other cluster is not missing there.
#[test]
fn a_slice_without_the_other_cluster_is_not_withdrawn() {
    let changes: [fn(&mut Clusters); 4] = [
        |it| it.arguments.retain(|it| !it.starts_with("--provider")),
        |it| it.object("provider", "ConfigMap", "")["data"]["CLUSTER_ID"] = json!("oslo"),
        |it| {
            it.refused =
                vec![("provider", "namespaces+", FORBIDDEN), ("provider", "resourceslices", FORBIDDEN)];
        },
        |it| {
            let metadata = &mut it.object("consumer", "ResourceSlice", "")["metadata"];
            metadata["deletionTimestamp"] = json!(time(-9).to_string());
        },
    ];
    for change in changes {
        let mut clusters = Clusters::healthy();
        clusters.without("provider", "ResourceSlice");
        change(&mut clusters);
        let outcome = clusters.doctor();
        assert!(!outcome.stdout.contains("error[withdrawn]"), "{outcome}\n{}", outcome.stdout);
    }
}

/// A sync that fails explains what is missing, and here Liqo's webhook explains the sync.
#[test]
fn what_comes_first_follows_from_nothing_that_was_found() {
    let mut clusters = Clusters::healthy();
    clusters.without("provider", "Tenant");
    clusters.object("provider", "Deployment", "webhook")["status"] = json!({ "replicas": 1 });
    let status = &mut clusters.object("argocd", "Application", "provider-provider")["status"];
    status["sync"]["status"] = json!("OutOfSync");
    status["operationState"] = json!({ "phase": "Failed", "message": "failed calling webhook" });
    let outcome = clusters.doctor();
    let shown = ends(&outcome, 1);
    assert!(
        shown.starts_with(
            "consumer-provider stops at Liqo: a program of Liqo does not run\n\nerror[liqo-down]"
        ),
        "{shown}"
    );
    let (_, following) = shown.split_once("these can follow from it").expect("what follows");
    assert!(following.contains("error[sync]") && following.contains("error[missing]"), "{shown}");
}

/// A packet is lost on the way only where nothing else is known to keep the answer back.
#[test]
fn what_else_explains_the_silence_is_no_lost_packet() {
    let changes: [fn(&mut Clusters); 6] = [
        |it| it.object("consumer", "Connection", "")["status"]["value"] = json!("Connected"),
        |it| it.without("provider", "Connection"),
        |it| it.object("provider", "GatewayServer", "")["status"]["internalEndpoint"] = Value::Null,
        |it| {
            it.object("consumer", "PublicKey", "")["spec"]["publicKey"] =
                json!("ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=");
        },
        |it| it.twin("consumer", "Secret", "gw-keys"),
        |it| it.arguments.retain(|it| !it.starts_with("--provider")),
    ];
    for change in changes {
        let mut clusters = Clusters::healthy();
        silent(&mut clusters);
        change(&mut clusters);
        let outcome = clusters.doctor();
        assert!(!ends(&outcome, 1).contains("kubectl debug"), "{}", outcome.stdout);
    }
}

/// A cluster writes the node's name, and a person copies the line.
#[test]
fn a_capture_is_a_line_for_each_side_and_a_node_is_no_command_of_a_shell() {
    let mut clusters = Clusters::healthy();
    silent(&mut clusters);
    let outcome = clusters.doctor();
    let capture = |role| {
        format!(
            "\n    {role}: kubectl debug node/node-1 -it --profile=netadmin --image=nicolaka/netshoot -- tcpdump -ni any udp port 32750 or udp port 51840\n"
        )
    };
    let shown = ends(&outcome, 1);
    assert!(shown.contains(&capture("consumer")) && shown.contains(&capture("provider")), "{shown}");
    clusters.object("provider", "GatewayServer", "")["status"]["internalEndpoint"]["node"] =
        json!("x;reboot");
    let outcome = clusters.doctor();
    let shown = ends(&outcome, 1);
    assert!(shown.contains("provider: kubectl debug node/NODE -it"), "{shown}");
    assert!(!shown.lines().any(|line| line.contains("kubectl debug") && line.contains("reboot")), "{shown}");
}

/// A sound pair has no finding of it, so each check is seen red and green.
#[test]
fn each_check_has_a_scenario() {
    let check = |line: &str| line.split(['[', ']']).nth(1).expect("a check").to_owned();
    let mut found: BTreeSet<_> = SCENARIOS.iter().map(|it| check(it.line)).collect();
    found.extend(BROUGHT.map(ToOwned::to_owned));
    let listed = Run::new(["doctor", "--list"]).run();
    let listed = listed.done().lines().filter_map(|it| it.strip_prefix("  ")?.split_whitespace().next());
    assert_eq!(listed.map(ToOwned::to_owned).collect::<BTreeSet<_>>(), found);
}

/// The other organisation's cluster is often out of reach.
#[test]
fn one_side_alone_is_checked() {
    for role in ["consumer", "provider"] {
        let mut clusters = Clusters::healthy();
        clusters.arguments.retain(|argument| argument.starts_with(&format!("--{role}")));
        let outcome = clusters.doctor();
        assert!(!ends(&outcome, 0).contains("warning["), "{}", outcome.stdout);
        assert!(!outcome.stderr.contains(&format!("--context={}", crate::harness::peer(role))), "{outcome}");
    }
    let mut clusters = Clusters::healthy();
    clusters.arguments.clear();
    assert_eq!(clusters.doctor().code, Some(2));
}

#[test]
fn the_report_for_programs() {
    let mut clusters = Clusters::healthy();
    clusters.arguments.push("--format=json");
    let report = |clusters: &Clusters, code| -> Value {
        serde_json::from_str(ends(&clusters.doctor(), code)).expect("JSON")
    };
    let healthy = report(&clusters, 0);
    assert_eq!(
        (&healthy["version"], &healthy["peerings"], &healthy["more"], healthy.get("headline")),
        (&json!(1), &json!(1), &json!(0), None)
    );
    assert!(
        healthy["findings"].as_array().expect("a list").iter().all(|it| it["level"] == "note"),
        "{healthy:#}"
    );
    clusters.without("provider", "Tenant");
    let finding = report(&clusters, 1)["findings"][0].take();
    let help = finding["help"].as_str().expect("help");
    assert!(help.starts_with("sync the Application `consumer-provider-provider`"), "{help}");
    let expected = json!({
        "level": "error",
        "code": "missing",
        "role": "provider",
        "object": "Tenant liqo-tenant-consumer/consumer",
        "message": "it is not there",
        "help": help,
    });
    assert_eq!(finding, expected);
    let schema: Value = serde_json::from_str(&committed("docs/report.schema.json")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for report in [&healthy, &report(&clusters, 1)] {
        let refused: Vec<String> = validator.iter_errors(report).map(|error| error.to_string()).collect();
        assert!(refused.is_empty(), "{refused:?}\n{report:#}");
    }
}

/// What code hosts show: a check has a page as a code of a document has one, and an object no line.
#[test]
fn code_hosts_get_what_was_found_and_what_was_not_judged() {
    let report = |format: &'static str| {
        let mut clusters = Clusters::healthy();
        clusters.arguments.retain(|it| !it.starts_with("--argocd"));
        clusters.arguments.push(format);
        clusters.without("provider", "Tenant");
        ends(&clusters.doctor(), 1).to_owned()
    };
    let missing = "provider: Tenant liqo-tenant-consumer/consumer: it is not there";
    let github = report("--format=github");
    assert!(github.starts_with(&format!("::error title=missing::{missing}%0Ahelp: sync the")), "{github}");
    let last = "::notice title=not-judged::2 clusters judged; not Argo CD: its context is not named\n";
    assert!(github.ends_with(last), "{github}");
    let sarif: Value = serde_json::from_str(&report("--format=sarif")).expect("JSON");
    let run = &sarif["runs"][0];
    let result = &run["results"][0];
    assert!(result["message"]["text"].as_str().is_some_and(|text| text.starts_with(missing)), "{result}");
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("missing"), &json!("error")));
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let rule = rules.iter().find(|it| it["id"] == "missing").expect("a rule");
    assert!(rule["help"]["markdown"].as_str().is_some_and(|page| page.starts_with("# missing: ")), "{rule}");
    let notification = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(notification, "not judged: Argo CD: its context is not named");
    let gitlab: Value = serde_json::from_str(&report("--format=gitlab")).expect("JSON");
    let found = &gitlab[0];
    assert_eq!((&found["check_name"], &found["severity"]), (&json!("missing"), &json!("critical")));
}

/// A side that is another cluster's was to be judged, and was not.
#[test]
fn the_last_line_has_what_was_not_judged() {
    let mut clusters = Clusters::healthy();
    clusters.arguments.retain(|it| !it.starts_with("--argocd"));
    clusters.object("consumer", "ConfigMap", "")["data"]["CLUSTER_ID"] = json!("oslo");
    let outcome = clusters.doctor();
    let last = "1 of 2 clusters judged; not the consumer: its context leads to another cluster; not Argo CD: its context is not named\n";
    assert!(ends(&outcome, 1).ends_with(last), "{outcome}");
}

/// Whoever writes to a cluster writes neither to the terminal nor much.
#[test]
fn what_a_cluster_says_is_masked_and_bounded() {
    let key = "uNBl5E0sIXKLSZ7n/LRCoDBM+NPJzD9Q46TfAhwx7EE=";
    let mut clusters = Clusters::healthy();
    let long = format!("\u{1b}[2J\nerror[forged]: {key} {}", "x".repeat(100_000));
    for number in 0..300 {
        let mut slice = clusters.object("consumer", "ResourceSlice", "").clone();
        slice["metadata"]["name"] = json!(format!("slice-{number}"));
        clusters.consumer.push(slice);
    }
    let status = &mut clusters.object("consumer", "ResourceSlice", "")["status"]["conditions"][1];
    *status = json!({ "type": "Resources", "status": "Denied", "message": long });
    clusters.object("consumer", "GatewayClient", "")["spec"]["endpoint"]["protocol"] = json!(key);
    for format in ["--format=text", "--format=json"] {
        clusters.arguments.push(format);
        let outcome = clusters.doctor();
        clusters.arguments.pop();
        let shown = ends(&outcome, 1);
        assert!(
            !shown.contains(key) && !shown.contains('\u{1b}') && !shown.contains("\nerror[forged]"),
            "{shown}"
        );
        assert!(shown.len() < 100_000, "{}", shown.len());
        assert!(shown.contains("more findings\n") || shown.contains("\"more\": 2"), "{shown}");
    }
}

/// The other cluster chooses how many slices there are; without a VirtualNode, each is looked for among all of them.
#[test]
fn many_objects_take_no_time() {
    let mut clusters = Clusters::healthy();
    clusters.without("consumer", "VirtualNode");
    for number in 0..20_000 {
        let name = format!("slice-{number}");
        let metadata = json!({ "name": name, "namespace": "liqo-tenant-provider" });
        let kinds = [
            ("authentication.liqo.io/v1beta1", "ResourceSlice"),
            ("networking.liqo.io/v1beta1", "GatewayClient"),
        ];
        for (version, kind) in kinds {
            clusters.consumer.push(json!({ "apiVersion": version, "kind": kind, "metadata": metadata }));
        }
    }
    let outcome = clusters.doctor();
    assert!(ends(&outcome, 1).contains("more findings\n"), "{outcome}");
}

/// Objects of no form that Kubernetes would give.
#[test]
fn odd_objects_are_no_panic() {
    for odd in [
        json!(null),
        json!(7),
        json!([]),
        json!({ "kind": "Tenant", "metadata": 7 }),
        json!({ "kind": ["x"] }),
    ] {
        let mut clusters = Clusters::healthy();
        for context in ["consumer", "provider", "argocd"] {
            for object in clusters.of(context) {
                for field in ["spec", "status"] {
                    if object["kind"] != "ConfigMap" {
                        object[field] = odd.clone();
                    }
                }
            }
        }
        ends(&clusters.doctor(), 1);
    }
}

#[test]
fn a_kubectl_that_gives_no_answer_is_3() {
    for (words, shown) in [
        ("error: context \"consumer\" does not exist\n", "context \"consumer\" does not exist"),
        ("Unable to connect to the server: dial tcp 192.0.2.1:6443: i/o timeout\n", "i/o timeout"),
    ] {
        let mut clusters = Clusters::healthy();
        clusters.refused = vec![("consumer", "configmap", words)];
        clusters.doctor().fails(3, "program").says(shown);
    }
    let missing = Run::new(["doctor", "examples/quickstart", "--consumer-context=a"]).within(root());
    missing.env("PATH", "bin:").run().fails(3, "program").says("kubectl: it is not in a folder of PATH");
    let mut clusters = Clusters::healthy();
    clusters.refused =
        vec![("provider", "namespaces+", "error: the server is currently unable to handle the request\n")];
    clusters.doctor().fails(3, "program").says("unable to handle");
}
