//! The quickstart's two clusters and their Argo CD as a recorded `kubectl` shows them: the golden streams, with what Liqo 1.2
//! and Argo CD write beside them.

use crate::harness::{
    Outcome, Run, committed, decoded, documents, encoded, library, machine, peer, put,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
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
[ ! -f "$file" ] || exec /bin/cat "$file"
"#;

/// A certificate (Ed25519, signed by itself) that ends on 1 January 2021.
const CERTIFICATE: &str = "MIH+MIGxAhRMwt29JfdqZJpl7b6R1LY7+zV6uDAFBgMrZXAwIjENMAsGA1UECgwEcm9tZTERMA8GA1UEAwwIcHJvdmlkZXIwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAiMQ0wCwYDVQQKDARyb21lMREwDwYDVQQDDAhwcm92aWRlcjAqMAUGAytlcAMhAMVwe0yTffQyVxl9HW9DCTp54L2hFbH655debOpzRKjxMAUGAytlcANBABhkwv3viPkiklc6C+jNAEbA6cKS7Y4W4BrXkrzq9i1aOIH+iNGYq+HiMj7Ihq4P65koWeAO+P/WiAb0rrGFwQE=";

/// A certificate as Liqo has it in `signedCRT`, with another end (a `UTCTime` of RFC 5280). No one checks its signature.
pub(crate) fn signed(end: &str) -> String {
    let mut der = decoded(CERTIFICATE);
    let old = b"210101000000Z";
    let at = der
        .windows(old.len())
        .position(|window| window == old)
        .expect("its end");
    der[at..at + old.len()].copy_from_slice(end.as_bytes());
    let pem = format!(
        "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
        wrapped(&encoded(der))
    );
    encoded(pem)
}

fn wrapped(text: &str) -> String {
    text.as_bytes()
        .chunks(64)
        .map(|line| std::str::from_utf8(line).expect("ASCII"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A time so many seconds from now.
pub(crate) fn time(seconds: i64) -> DateTime {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("after 1970")
        .as_secs();
    let then = now.checked_add_signed(seconds).expect("a time");
    DateTime::from_unix_duration(std::time::Duration::from_secs(then)).expect("a date")
}

/// What a cluster has, by context.
pub(crate) struct Clusters {
    pub(crate) consumer: Vec<Value>,
    pub(crate) provider: Vec<Value>,
    pub(crate) argocd: Vec<Value>,
    /// In place of an answer: the context, the resource, and what `kubectl` says.
    pub(crate) refused: Vec<(&'static str, &'static str, &'static str)>,
    pub(crate) arguments: Vec<&'static str>,
    pub(crate) document: String,
}

impl Clusters {
    /// Everything works.
    pub(crate) fn healthy() -> Self {
        let (consumer, mut provider) = (cluster("consumer"), cluster("provider"));
        replicate(&consumer, &mut provider);
        Self {
            consumer,
            provider,
            argocd: argo_cd(),
            refused: Vec::new(),
            document: committed("examples/quickstart/peering.yaml"),
            arguments: vec![
                "--consumer-context=consumer",
                "--provider-context=provider",
                "--argocd-context=argocd",
            ],
        }
    }

    /// With a document that says something else in place of a line.
    pub(crate) fn with_document(line: &str, other: &str) -> Self {
        let quickstart = committed("examples/quickstart/peering.yaml");
        let document = quickstart.replacen(line, other, 1);
        assert_ne!(quickstart, document, "{line}");
        Self::of_document(&document)
    }

    /// With the streams of another document.
    pub(crate) fn of_document(document: &str) -> Self {
        let [consumer, provider] =
            library::streams(document).unwrap_or_else(|error| panic!("{}", error.brief()));
        let (consumer, mut provider) = (
            cluster_with("consumer", documents(&consumer)),
            cluster_with("provider", documents(&provider)),
        );
        replicate(&consumer, &mut provider);
        Self {
            consumer,
            provider,
            document: document.to_owned(),
            ..Self::healthy()
        }
    }

    pub(crate) fn of(&mut self, context: &str) -> &mut Vec<Value> {
        match context {
            "consumer" => &mut self.consumer,
            "provider" => &mut self.provider,
            _ => &mut self.argocd,
        }
    }

    /// The first object of a kind that has a name with this in it.
    pub(crate) fn object(&mut self, context: &str, kind: &str, name: &str) -> &mut Value {
        let is_it = |it: &&mut Value| {
            it["kind"] == kind
                && it["metadata"]["name"]
                    .as_str()
                    .is_some_and(|it| it.contains(name))
        };
        self.of(context)
            .iter_mut()
            .find(is_it)
            .unwrap_or_else(|| panic!("{context} has no {kind} {name}"))
    }

    pub(crate) fn without(&mut self, context: &str, kind: &str) {
        let objects = self.of(context);
        let before = objects.len();
        objects.retain(|it| it["kind"] != kind);
        assert!(objects.len() < before, "{context} has no {kind}");
    }

    /// A second object like one that is there, under another name.
    pub(crate) fn twin(&mut self, context: &str, kind: &str, name: &str) {
        let mut twin = self.object(context, kind, name).clone();
        twin["metadata"]["name"] = json!("another");
        self.of(context).push(twin);
    }

    /// `doctor` for the quickstart, with a recorded `kubectl`.
    pub(crate) fn doctor(&self) -> Outcome {
        self.run_in(
            &crate::harness::machine::folder(),
            "peerings/consumer-provider",
        )
    }

    /// The same with more flags.
    pub(crate) fn doctor_with(&mut self, flags: &[&str]) -> Outcome {
        let before = self.arguments.len();
        self.arguments.extend(flags.iter().map(|flag| kept(flag)));
        let outcome = self.doctor();
        self.arguments.truncate(before);
        outcome
    }

    pub(crate) fn run_in(&self, temp: &TempDir, folder: &str) -> Outcome {
        let checkout = temp.path().join(folder);
        put(checkout.join("peering.yaml"), &self.document);
        // a checkout's own kubectl would not be run
        let stage = crate::harness::machine::folder();
        let bin = stage.path().join("bin");
        fs::create_dir_all(&bin).expect("a folder");
        machine::script(&bin.join("kubectl"), KUBECTL);
        for (context, objects) in [
            ("consumer", &self.consumer),
            ("provider", &self.provider),
            ("argocd", &self.argocd),
        ] {
            record(&stage.path().join(context), objects);
        }
        for (context, resource, words) in &self.refused {
            put(
                stage.path().join(context).join(format!("{resource}.err")),
                words,
            );
        }
        let run = Run::new(["doctor".into(), checkout.into_os_string()])
            .args(self.arguments.iter().copied());
        // git is not the checkout's own, which would not be run
        let git = machine::tool("git");
        let path = std::env::join_paths([bin.as_path(), git.parent().expect("a folder")]);
        run.env("PATH", path.expect("a PATH")).run()
    }
}

/// A change is written in the tests; one of a script lives as long as they do.
pub(crate) fn kept(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// The file of a kind's resource.
fn resource(kind: &str) -> String {
    match kind {
        "PublicKey" => "publickeies".to_owned(),
        "Identity" => "identities".to_owned(),
        kind => format!("{}s", kind.to_lowercase()),
    }
}

/// The answers to a question for kinds in all namespaces.
const OF_KINDS: [(&str, &str); 9] = [
    ("rolebindings", "RoleBinding"),
    ("rolebindings+", "RoleBinding ResourceQuota"),
    ("applications", "Application"),
    ("applications+", "Application Deployment StatefulSet"),
    ("sealedsecrets", "SealedSecret"),
    ("externalsecrets", "ExternalSecret"),
    ("configmaps", "ConfigMap"),
    ("secrets", "Secret"),
    ("events", "Event"),
];

/// The answers for kinds in Liqo's namespace, or in the others.
const OF_NAMESPACES: [(&str, &str, bool); 3] = [
    ("deployments+", "Deployment DaemonSet Pod", true),
    ("pods+", "Pod NetworkPolicy", false),
    ("pods", "Pod", false),
];

/// The answers of one context.
fn record(folder: &Path, objects: &[Value]) {
    let write = |name: &str, is_asked: &dyn Fn(&Value) -> bool| {
        let items: Vec<_> = objects.iter().filter(|it| is_asked(it)).collect();
        let list = json!({ "kind": "List", "items": items });
        put(folder.join(name), list.to_string());
    };
    let is_kind = |object: &Value, kinds: &str| kinds.split(' ').any(|it| object["kind"] == it);
    for (name, kinds) in OF_KINDS {
        write(name, &|it| is_kind(it, kinds));
    }
    for (name, kinds, of_liqo) in OF_NAMESPACES {
        let is_here = |it: &Value| (it["metadata"]["namespace"] == "liqo") == of_liqo;
        write(name, &|it| is_kind(it, kinds) && is_here(it));
    }
    let kind = |it: &Value| it["kind"].as_str().expect("a kind").to_owned();
    let of_liqo = objects
        .iter()
        .filter(|it| it["apiVersion"].to_string().contains("liqo.io"));
    let mut kinds: BTreeSet<_> = of_liqo.map(kind).chain(["Namespace".to_owned()]).collect();
    write("namespaces+", &|it| kinds.contains(&kind(it)));
    kinds.insert("Node".to_owned());
    kinds.retain(|it| objects.iter().any(|object| kind(object) == *it));
    for kind in &kinds {
        write(&resource(kind), &|it| it["kind"] == kind.as_str());
    }
    // one object by its name is not a list, and one that is not there is nothing
    let one = objects
        .iter()
        .find(|item| item["kind"] == "ConfigMap" && item["metadata"]["namespace"] == "liqo");
    let one = one.map(Value::to_string).unwrap_or_default();
    put(folder.join("configmap"), one);
}

/// A cluster whose Application is synced, and whose Liqo works.
fn cluster(role: &str) -> Vec<Value> {
    cluster_with(
        role,
        documents(&committed(&format!("tests/golden/quickstart/{role}.yaml"))),
    )
}

/// One that has this stream.
fn cluster_with(role: &str, mut objects: Vec<Value>) -> Vec<Value> {
    let other = peer(role);
    let tenant = format!("liqo-tenant-{other}");
    let written = documents(&include_str!("written.yaml").replace("TENANT", &tenant));
    // Argo CD makes a hook only when it deletes
    objects.retain(|it| it["kind"] != "ResourceQuota");
    for object in &mut objects {
        if let Some(written) = written.iter().find(|it| it["kind"] == object["kind"]) {
            merge(object, written);
        }
        if object["kind"] == "GatewayServer" {
            let endpoint = &object["spec"]["endpoint"];
            let port = endpoint
                .get("nodePort")
                .unwrap_or(&endpoint["port"])
                .clone();
            object["status"]["endpoint"]["port"] = port;
        }
        if object["kind"] == "ResourceSlice" {
            object["status"]["authParams"]["signedCRT"] = json!(signed("491231235959Z"));
        }
    }
    objects.extend([
        deployment(
            "liqo-controller-manager",
            "ghcr.io/liqotech/liqo-controller-manager:v1.2.0",
        ),
        deployment("liqo-webhook", "ghcr.io/liqotech/webhook:v1.2.0"),
        deployment(
            "liqo-crd-replicator",
            "ghcr.io/liqotech/crd-replicator:v1.2.0",
        ),
        deployment("liqo-ipam", "ghcr.io/liqotech/ipam:v1.2.0"),
        deployment("liqo-proxy", "envoyproxy/envoy:v1.21.0"),
    ]);
    let beside = include_str!("cluster.yaml")
        .replace("ROLE", role)
        .replace("OTHER", other);
    let is_here = |it: &Value| {
        role == "consumer" || !matches!(it["kind"].as_str(), Some("VirtualNode" | "Node"))
    };
    objects.extend(
        documents(&beside.replace("TENANT", &tenant))
            .into_iter()
            .filter(is_here),
    );
    objects
}

/// The provider's copies of the slices (liqo `internal/crdReplicator/reflection/handler.go`, createRemoteObject).
fn replicate(consumer: &[Value], provider: &mut Vec<Value>) {
    for slice in consumer.iter().filter(|it| it["kind"] == "ResourceSlice") {
        let mut copy = slice.clone();
        copy["metadata"]["namespace"] = json!("liqo-tenant-consumer");
        copy["metadata"]["finalizers"] = json!([]);
        let labels = &mut copy["metadata"]["labels"];
        labels["liqo.io/replication"] = json!("false");
        labels["liqo.io/replicated"] = json!("true");
        labels["liqo.io/originID"] = json!("consumer");
        labels["liqo.io/remote-cluster-id"] = json!("consumer");
        provider.push(copy);
    }
}

fn merge(into: &mut Value, from: &Value) {
    match from.as_object() {
        Some(fields) => fields
            .iter()
            .for_each(|(name, value)| merge(&mut into[name], value)),
        None => *into = from.clone(),
    }
}

pub(crate) fn deployment(name: &str, image: &str) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": name, "namespace": "liqo" },
        "spec": {
            "replicas": 1,
            "template": { "spec": { "containers": [{ "image": image, "env": [{ "name": "A", "value": "b" }] }] } },
        },
        "status": { "replicas": 1, "availableReplicas": 1 },
    })
}

/// The two Applications of argocd-app, synced (argo-cd `pkg/apis/application/v1alpha1/types.go`, ApplicationStatus).
fn argo_cd() -> Vec<Value> {
    let mut objects: Vec<_> = ["consumer", "provider"]
        .into_iter()
        .map(|role| {
            let mut application =
                documents(&committed(&format!("argocd-app/{role}.yaml"))).remove(0);
            application["status"] = json!({
                "sync": { "status": "Synced" },
                "health": { "status": "Healthy" },
                "operationState": { "phase": "Succeeded", "message": "successfully synced" },
            });
            application
        })
        .collect();
    objects.extend(documents(&committed(
        "argocd-app/install/health/argocd-cm.yaml",
    )));
    objects.push(deployment(
        "argocd-repo-server",
        "quay.io/argoproj/argocd:v3.5.4@sha256:00",
    ));
    objects
}
