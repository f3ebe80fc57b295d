//! Whether the stream's objects are on the cluster as the document describes them, and none of them twice.

use super::finding::Finding;
use super::live::{Object, resource};
use super::{Side, quoted};
use crate::object::PLACEHOLDER;
use crate::peering::names;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// So many fields of an object are named.
const SHOWN: usize = 4;

/// Not in a comparison: what a Kubernetes object is, and what a Secret holds.
const NOT_COMPARED: [&str; 5] = ["apiVersion", "kind", "metadata", "data", "status"];

/// What Liqo changes by itself: the authentication that it renews (liqo
/// `authentication/localrenewer-controller/localrenewer_controller.go`), and the label of a namespace that is offloaded
/// (`namespaceoffloading_controller.go`).
const LIQOS: [&str; 2] = ["spec.authParams", "metadata.labels.liqo.io/scheduling-enabled"];

/// Lists that Liqo's webhook adds to (liqo `pkg/webhooks/virtualnode/mutate.go`).
const APPENDED: [&str; 2] = ["annotationsNotReflected", "labelsNotReflected"];

/// Liqo's gateway pods are privileged (liqo `deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml`).
const POD_SECURITY: &str = "pod-security.kubernetes.io/";

impl Object {
    /// Whether two objects of a kind have one name. A Secret that is named after a key that was not opened is found by the
    /// label that Liqo goes by.
    pub(super) fn is_named_as(&self, live: &Self) -> bool {
        let is_it = if is_placeholder(self.name()) {
            live.label(GATEWAY).is_some()
                && live.label(names::REMOTE_CLUSTER_ID) == self.label(names::REMOTE_CLUSTER_ID)
        } else {
            self.name() == live.name()
        };
        is_it && self.namespace() == live.namespace()
    }
}

const GATEWAY: &str = "networking.liqo.io/gateway-resource";

/// What stands for a value that nobody knows without an identity.
fn is_placeholder(text: &str) -> bool {
    text == names::key_secret(None) || text == STANDARD.encode(PLACEHOLDER)
}

pub(super) fn check(side: &Side<'_>) -> Vec<Finding> {
    let sync = format!(
        "sync the Application `{}-{}`; if it is Synced, it is another revision or folder",
        &*side.peering.name, side.role
    );
    let mut findings = Vec::new();
    let mut missing = Vec::new();
    for planned in &side.plan {
        let live = side.live.of_kind(planned.kind()).find(|live| planned.is_named_as(live));
        match live {
            Some(live) => findings.extend(different(planned, live).map(|it| it.at(planned).help(&sync))),
            None if side.live.has_read(planned.kind()) => missing.push(planned),
            None => findings.extend(unknown_kind(side, planned)),
        }
    }
    if missing.len() > 1 && missing.len() == side.plan.len() {
        let message = format!("none of the stream's {} objects is on the cluster", missing.len());
        return vec![Finding::error("missing", message).help(sync)];
    }
    findings.extend(
        missing.into_iter().map(|it| Finding::error("missing", "it is not there").at(it).help(&sync)),
    );
    findings.extend(pod_security(side));
    findings
}

/// A kind that the stream needs, and the cluster does not have.
fn unknown_kind(side: &Side<'_>, planned: &Object) -> Option<Finding> {
    let resource = resource(planned.kind())?;
    side.live.unread.iter().find(|(unread, problem)| *unread == resource && problem.is_unknown_kind())?;
    Some(
        Finding::error("unknown-kind", format!("the cluster has no kind {}", quoted(planned.kind())))
            .at(planned)
            .help("install the CRDs: Liqo's, or those of sealed-secrets or external-secrets"),
    )
}

/// How a live object differs in what the stream sets. What is beside it was added by defaults, webhooks or controllers.
fn different(planned: &Object, live: &Object) -> Option<Finding> {
    let mut found = Vec::new();
    for (key, value) in planned.0.as_object()?.iter().filter(|(key, _)| !NOT_COMPARED.contains(&key.as_str()))
    {
        // of a Secret nothing but its name and labels was read
        if planned.kind() != "Secret" {
            compare(key, value, live.0.get(key), &mut found);
        }
    }
    for (key, value) in planned.0.pointer("/metadata/labels").and_then(Value::as_object).into_iter().flatten()
    {
        if !key.starts_with(POD_SECURITY) {
            let label = live.label(key).map(Value::from);
            compare(&format!("metadata.labels.{key}"), value, label.as_ref(), &mut found);
        }
    }
    let (first, more) =
        (found.iter().take(SHOWN).cloned().collect::<Vec<_>>(), found.len().saturating_sub(SHOWN));
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    (!found.is_empty()).then(|| Finding::error("different", first.join("; ") + &more))
}

fn compare(path: &str, planned: &Value, live: Option<&Value>, found: &mut Vec<String>) {
    if LIQOS.contains(&path) {
        return;
    }
    match (planned, live) {
        (Value::String(text), _) if is_placeholder(text) => {}
        (Value::Object(planned), Some(Value::Object(live))) => {
            for (key, value) in planned {
                compare(&format!("{path}.{key}"), value, live.get(key), found);
            }
        }
        (Value::Array(planned), Some(Value::Array(live))) if APPENDED.iter().any(|it| path.ends_with(it)) => {
            if !planned.iter().all(|item| live.contains(item)) {
                found.push(format!("`{path}` lacks an item of the document"));
            }
        }
        (Value::Array(planned), Some(Value::Array(live))) if planned.len() == live.len() => {
            for (index, (planned, live)) in planned.iter().zip(live).enumerate() {
                compare(&format!("{path}[{index}]"), planned, Some(live), found);
            }
        }
        (Value::Array(planned), None) if planned.is_empty() => {}
        (planned, Some(live)) if planned == live => {}
        (planned, live) => {
            found.push(format!(
                "`{path}` is {}, and the document gives {}",
                shown(live),
                shown(Some(planned))
            ));
        }
    }
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "missing".to_owned(),
        Some(Value::String(text)) => quoted(text),
        Some(Value::Array(items)) => format!("a list of {}", items.len()),
        Some(Value::Object(_)) => "a map".to_owned(),
        Some(scalar) => format!("`{scalar}`"),
    }
}

fn pod_security(side: &Side<'_>) -> Option<Finding> {
    side.peering.networking.as_ref()?;
    let namespace = side.live.named("Namespace", side.tenant_namespace())?;
    let enforce = format!("{POD_SECURITY}enforce");
    let finding = match namespace.label(&enforce) {
        Some("privileged") => return None,
        Some(other) => Finding::error("pod-security", format!("`{enforce}` is {}", quoted(other))),
        None => Finding::warning("pod-security", format!("it has no label `{enforce}`")),
    };
    Some(finding.at(namespace).help(
        "Liqo's gateway pods are privileged: set it to `privileged`, as the stream does, or they are refused where the cluster's default is stricter",
    ))
}

/// What Liqo finds by its label, and must find once. A second one stops it.
pub(super) fn several(side: &Side<'_>) -> Vec<Finding> {
    let tenant = |object: &Object| object.label("liqo.io/tenant-namespace").is_some();
    let here = |object: &Object| object.namespace() == side.tenant_namespace();
    let any = |_: &Object| true;
    type Is<'i> = &'i dyn Fn(&Object) -> bool;
    // (liqo `pkg/tenantNamespace/namespaceManager.go`, `pkg/utils/getters/k8sGetters.go`,
    // `networking/external-network/route/k8s.go`, `external-network/wireguard/utils.go`)
    let unique: [(&str, &[&str], Is<'_>); 7] = [
        ("tenant namespaces", &["Namespace"], &tenant),
        ("Configurations", &["Configuration"], &any),
        ("gateways", &["GatewayServer", "GatewayClient"], &any),
        ("PublicKeys", &["PublicKey"], &here),
        ("Tenants", &["Tenant"], &any),
        ("key Secrets", &["Secret"], &|secret| secret.label(GATEWAY).is_some()),
        ("identity Secrets", &["Secret"], &|secret| {
            secret.label("liqo.io/identity-type") == Some("ControlPlane")
        }),
    ];
    let mut findings = Vec::new();
    for (what, kinds, is_one) in unique {
        let found = kinds.iter().flat_map(|kind| side.live.of_kind(kind));
        let found: Vec<_> = found.filter(|it| side.is_labelled(it) && is_one(it)).collect();
        let [first, .., last] = found.as_slice() else { continue };
        let count = found.len();
        let message = format!(
            "{count} {what} have the label of `{}`, and Liqo stops at more than one",
            &*side.peer().id
        );
        let help = format!("keep the one of the document, and delete the others: {first}, {last}");
        findings.push(Finding::error("several", message).at(first).help(help));
    }
    findings
}
