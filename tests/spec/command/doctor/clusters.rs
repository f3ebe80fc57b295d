//! The quickstart's two clusters and their Argo CD as a recorded `kubectl` shows them: the golden streams, with what Liqo 1.2
//! and Argo CD write beside them.

use crate::harness::objects::documents;
use crate::harness::run::{Outcome, Run};
use crate::harness::{committed, peer, root};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use tempfile::TempDir;
use x509_cert::der::DateTime;

/// Answers from files: `CONTEXT/RESOURCE`, with a `+` for several resources; from `CONTEXT/RESOURCE.err` it fails.
const KUBECTL: &str = r#"#!/bin/sh
for word in "$@"; do
  case $word in
    --context=*) context=${word#--context=} ;;
    --* | get) ;;
    *) [ -n "$what" ] || what=$word ;;
  esac
done
file=${0%/*}/../$context/${what%%[./,]*}
case $what in *,*) file=$file+ ;; esac
if [ -f "$file.err" ]; then /bin/cat "$file.err" >&2; exit 1; fi
echo "Warning: v1 Something is deprecated" >&2
[ ! -f "$file" ] || /bin/cat "$file"
"#;

/// A certificate (Ed25519, signed by itself) that ends on 1 January 2021.
const CERTIFICATE: &str = "MIH+MIGxAhRMwt29JfdqZJpl7b6R1LY7+zV6uDAFBgMrZXAwIjENMAsGA1UECgwEcm9tZTERMA8GA1UEAwwIcHJvdmlkZXIwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAiMQ0wCwYDVQQKDARyb21lMREwDwYDVQQDDAhwcm92aWRlcjAqMAUGAytlcAMhAMVwe0yTffQyVxl9HW9DCTp54L2hFbH655debOpzRKjxMAUGAytlcANBABhkwv3viPkiklc6C+jNAEbA6cKS7Y4W4BrXkrzq9i1aOIH+iNGYq+HiMj7Ihq4P65koWeAO+P/WiAb0rrGFwQE=";

/// A certificate as Liqo has it in `signedCRT`, with another end (a `UTCTime` of RFC 5280). No one checks its signature.
pub(super) fn signed(end: &str) -> String {
    let mut der = STANDARD.decode(CERTIFICATE).expect("base64");
    let old = b"210101000000Z";
    let at = der.windows(old.len()).position(|window| window == old).expect("its end");
    der[at..at + old.len()].copy_from_slice(end.as_bytes());
    let pem = format!(
        "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
        wrapped(&STANDARD.encode(der))
    );
    STANDARD.encode(pem)
}

fn wrapped(text: &str) -> String {
    text.as_bytes()
        .chunks(64)
        .map(|line| std::str::from_utf8(line).expect("ASCII"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A time so many seconds from now.
pub(super) fn time(seconds: i64) -> DateTime {
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_secs();
    let then = now.checked_add_signed(seconds).expect("a time");
    DateTime::from_unix_duration(std::time::Duration::from_secs(then)).expect("a date")
}

/// What a cluster has, by context.
pub(super) struct Clusters {
    pub(super) consumer: Vec<Value>,
    pub(super) provider: Vec<Value>,
    pub(super) argocd: Vec<Value>,
    /// In place of an answer: the context, the resource, and what `kubectl` says.
    pub(super) refused: Vec<(&'static str, &'static str, &'static str)>,
    pub(super) arguments: Vec<&'static str>,
}

impl Clusters {
    /// Everything works.
    pub(super) fn healthy() -> Self {
        Self {
            consumer: cluster("consumer"),
            provider: cluster("provider"),
            argocd: argo_cd(),
            refused: Vec::new(),
            arguments: vec![
                "--consumer-context=consumer",
                "--provider-context=provider",
                "--argocd-context=argocd",
            ],
        }
    }

    pub(super) fn of(&mut self, context: &str) -> &mut Vec<Value> {
        match context {
            "consumer" => &mut self.consumer,
            "provider" => &mut self.provider,
            _ => &mut self.argocd,
        }
    }

    /// The first object of a kind that has a name with this in it.
    pub(super) fn object(&mut self, context: &str, kind: &str, name: &str) -> &mut Value {
        let is_it = |it: &&mut Value| {
            it["kind"] == kind && it["metadata"]["name"].as_str().is_some_and(|it| it.contains(name))
        };
        self.of(context).iter_mut().find(is_it).unwrap_or_else(|| panic!("{context} has no {kind} {name}"))
    }

    pub(super) fn without(&mut self, context: &str, kind: &str) {
        let objects = self.of(context);
        let before = objects.len();
        objects.retain(|it| it["kind"] != kind);
        assert!(objects.len() < before, "{context} has no {kind}");
    }

    /// A second object like one that is there, under another name.
    pub(super) fn twin(&mut self, context: &str, kind: &str, name: &str) {
        let mut twin = self.object(context, kind, name).clone();
        twin["metadata"]["name"] = json!("another");
        self.of(context).push(twin);
    }

    /// `doctor` for the quickstart, with a recorded `kubectl`.
    pub(super) fn doctor(&self) -> Outcome {
        self.run_in(&tempfile::tempdir().expect("a folder"), "peerings/consumer-provider")
    }

    pub(super) fn run_in(&self, temp: &TempDir, folder: &str) -> Outcome {
        let checkout = temp.path().join(folder);
        fs::create_dir_all(&checkout).expect("a folder");
        fs::copy(root().join("examples/quickstart/peering.yaml"), checkout.join("peering.yaml"))
            .expect("a copy");
        let bin = temp.path().join("bin");
        fs::create_dir_all(&bin).expect("a folder");
        fs::write(bin.join("kubectl"), KUBECTL).expect("written");
        fs::set_permissions(bin.join("kubectl"), fs::Permissions::from_mode(0o755)).expect("a mode");
        for (context, objects) in
            [("consumer", &self.consumer), ("provider", &self.provider), ("argocd", &self.argocd)]
        {
            record(&temp.path().join(context), objects);
        }
        for (context, resource, words) in &self.refused {
            fs::write(temp.path().join(context).join(format!("{resource}.err")), words).expect("written");
        }
        let run = Run::new(["doctor".into(), checkout.into_os_string()]).args(self.arguments.iter().copied());
        run.env("PATH", bin).run()
    }
}

/// The file of a kind's resource.
fn resource(kind: &str) -> String {
    match kind {
        "PublicKey" => "publickeies".to_owned(),
        "Identity" => "identities".to_owned(),
        kind => format!("{}s", kind.to_lowercase()),
    }
}

/// The answers of one context.
fn record(folder: &Path, objects: &[Value]) {
    fs::create_dir_all(folder).expect("a folder");
    let write = |name: &str, kinds: &dyn Fn(&str) -> bool| {
        let items: Vec<_> = objects.iter().filter(|it| kinds(it["kind"].as_str().expect("a kind"))).collect();
        fs::write(folder.join(name), json!({ "kind": "List", "items": items }).to_string()).expect("written");
    };
    let liqo = |kind: &str| {
        objects.iter().any(|it| it["kind"] == kind && it["apiVersion"].to_string().contains("liqo.io"))
    };
    write("namespaces+", &|kind| kind == "Namespace" || liqo(kind));
    write("rolebindings", &|kind| kind == "RoleBinding");
    write("applications+", &|kind| matches!(kind, "Application" | "Deployment"));
    let kinds: BTreeSet<_> = objects.iter().map(|it| it["kind"].as_str().expect("a kind")).collect();
    for kind in kinds.into_iter().filter(|kind| *kind == "Namespace" || *kind == "Node" || liqo(kind)) {
        write(&resource(kind), &|it| it == kind);
    }
    // one object by its name is not a list, and one that is not there is nothing
    for (kind, name) in [("ConfigMap", "configmap"), ("Deployment", "deployment")] {
        let one = objects.iter().find(|it| it["kind"] == kind);
        fs::write(folder.join(name), one.map(Value::to_string).unwrap_or_default()).expect("written");
    }
    write("secrets", &|kind| kind == "Secret");
}

/// A cluster whose Application is synced, and whose Liqo works.
fn cluster(role: &str) -> Vec<Value> {
    let other = peer(role);
    let tenant = format!("liqo-tenant-{other}");
    let ours = json!({ "liqo.io/remote-cluster-id": other });
    let mut objects = documents(&committed(&format!("tests/golden/quickstart/{role}.yaml")));
    for object in &mut objects {
        live(object, &tenant);
    }
    let networking = "networking.liqo.io/v1beta1";
    // (liqo deployments/liqo/templates/liqo-ipam-networks.yaml)
    let network = |name: &str, cidr: &str| {
        json!({
            "apiVersion": "ipam.liqo.io/v1alpha1",
            "kind": "Network",
            "metadata": { "name": name, "namespace": "liqo", "labels": { "ipam.liqo.io/network-type": name } },
            "spec": { "cidr": cidr },
            "status": { "cidr": cidr },
        })
    };
    objects.extend([
        json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": { "name": "liqo-clusterid-configmap", "namespace": "liqo" },
            "data": { "CLUSTER_ID": role },
        }),
        deployment("liqo-controller-manager", "ghcr.io/liqotech/liqo-controller-manager:v1.2.0"),
        network("pod-cidr", "10.42.0.0/16"),
        network("external-cidr", "10.70.0.0/16"),
        network("internal-cidr", "10.80.0.0/16"),
        // (liqo apis/networking/v1beta1/connection_types.go, ConnectionStatus)
        json!({
            "apiVersion": networking,
            "kind": "Connection",
            "metadata": { "name": format!("gw-{other}"), "namespace": tenant, "labels": ours },
            "status": { "value": "Connected", "latency": { "value": "4ms", "timestamp": "2026-11-22T06:00:00Z" } },
        }),
        // (liqo apis/core/v1beta1/foreigncluster_types.go, ForeignClusterStatus)
        json!({
            "apiVersion": "core.liqo.io/v1beta1",
            "kind": "ForeignCluster",
            "metadata": { "name": other, "labels": ours, "finalizers": ["api-server-checker.liqo.io/finalizer"] },
            "status": {
                "conditions": [{ "type": "APIServerStatus", "status": "Established" }],
                "modules": { "networking": { "conditions": [{ "type": "NetworkConnectionStatus", "status": "Established" }] } },
            },
        }),
    ]);
    if role == "consumer" {
        // (liqo apis/offloading/v1beta1/virtualnode_types.go, VirtualNodeStatus)
        objects.push(json!({
            "apiVersion": "offloading.liqo.io/v1beta1",
            "kind": "VirtualNode",
            "metadata": { "name": other, "namespace": tenant, "labels": ours },
            "spec": { "clusterID": other, "createNode": true },
            "status": { "conditions": [
                { "type": "VirtualKubelet", "status": "Running" },
                { "type": "Node", "status": "Running" },
            ] },
        }));
        objects.push(json!({
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": { "name": other, "labels": ours },
            "status": { "conditions": [{ "type": "Ready", "status": "True" }] },
        }));
    }
    objects
}

/// What Liqo writes into an object of a stream.
fn live(object: &mut Value, tenant: &str) {
    let pod = json!({ "ip": "10.42.0.7", "node": "node-1" });
    match object["kind"].as_str().expect("a kind") {
        // (liqo apis/networking/v1beta1/configuration_types.go: spec.local is filled in, a condition since 1.2)
        "Configuration" => {
            object["spec"]["local"] =
                json!({ "cidr": { "pod": ["10.42.0.0/16"], "external": ["10.70.0.0/16"] } });
            object["status"] = json!({
                "remote": { "cidr": { "pod": ["10.71.0.0/16"], "external": ["10.72.0.0/16"] } },
                "conditions": [{ "type": "NetworkCIDRsConfigured", "status": "True", "reason": "NetworkCIDRsConfigured" }],
            });
        }
        // (liqo apis/networking/v1beta1/gatewayserver_types.go, GatewayServerStatus; gatewayclient_types.go)
        "GatewayServer" => {
            object["status"] = json!({
                "endpoint": { "addresses": ["172.16.183.16"], "port": 32750, "protocol": "UDP" },
                "internalEndpoint": pod,
            });
        }
        "GatewayClient" => object["status"] = json!({ "internalEndpoint": pod }),
        // (liqo apis/authentication/v1beta1/tenant_types.go, TenantStatus)
        "Tenant" => {
            object["metadata"]["finalizers"] = json!(["tenant.liqo.io/finalizer"]);
            object["status"] = json!({ "tenantNamespace": tenant });
        }
        // (liqo apis/authentication/v1beta1/resourceslice_types.go, ResourceSliceStatus)
        "ResourceSlice" => {
            object["metadata"]["finalizers"] = json!(["crdreplicator.liqo.io/resource"]);
            object["spec"]["csr"] = json!("LS0t");
            object["spec"]["consumerClusterID"] = json!("consumer");
            object["status"] = json!({
                "conditions": [
                    { "type": "Authentication", "status": "Accepted" },
                    { "type": "Resources", "status": "Accepted" },
                ],
                "authParams": { "apiServer": "https://192.0.2.1:6443", "signedCRT": signed("491231235959Z") },
            });
        }
        // (liqo apis/offloading/v1beta1/namespaceoffloading_types.go, NamespaceOffloadingStatus)
        "NamespaceOffloading" => {
            object["status"] = json!({ "offloadingPhase": "Ready", "observedGeneration": 1 });
        }
        _ => {}
    }
}

pub(super) fn deployment(name: &str, image: &str) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": name, "namespace": "liqo" },
        "spec": { "template": { "spec": { "containers": [{ "image": image }] } } },
    })
}

/// The two Applications of argocd-app, synced (argo-cd `pkg/apis/application/v1alpha1/types.go`, ApplicationStatus).
fn argo_cd() -> Vec<Value> {
    let mut objects: Vec<_> = ["consumer", "provider"]
        .into_iter()
        .map(|role| {
            let mut application = documents(&committed(&format!("argocd-app/{role}.yaml"))).remove(0);
            application["status"] = json!({
                "sync": { "status": "Synced" },
                "health": { "status": "Healthy" },
                "operationState": { "phase": "Succeeded", "message": "successfully synced" },
            });
            application
        })
        .collect();
    objects.push(deployment("argocd-repo-server", "quay.io/argoproj/argocd:v3.5.1@sha256:00"));
    objects
}
