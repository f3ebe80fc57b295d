//! Whether the stream's objects are on the cluster as the document describes them, and none of them twice.

use super::finding::{Finding, error, warning};
use super::live::{Object, resource};
use super::{Side, quoted};
use crate::object::PLACEHOLDER;
use crate::peering::names;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// So many fields of an object are named.
const SHOWN: usize = 4;

/// Not in a comparison: what [`pod_security`] looks at, what Argo CD goes by, and what Liqo changes by itself: an
/// authentication that it renews (liqo `authentication/localrenewer-controller/localrenewer_controller.go`), and the label
/// of a namespace that is offloaded (`namespaceoffloading_controller.go`).
const NOT_COMPARED: [&str; 4] =
    [POD_SECURITY, "argocd.argoproj.io/", "authParams", "liqo.io/scheduling-enabled"];

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
            Some(live) => findings
                .extend(different(planned, live).map(|what| error("different", what, &sync).at(planned))),
            None if side.live.has_read(planned.kind()) => missing.push(planned),
            None => findings.extend(unknown_kind(side, planned)),
        }
    }
    if missing.len() > 1 && missing.len() == side.plan.len() {
        let message = format!("none of the stream's {} objects is on the cluster", missing.len());
        return vec![error("missing", message, sync)];
    }
    findings.extend(missing.into_iter().map(|it| error("missing", "it is not there", &sync).at(it)));
    findings.extend(pod_security(side));
    findings
}

/// A kind that the stream needs, and the cluster does not have.
fn unknown_kind(side: &Side<'_>, planned: &Object) -> Option<Finding> {
    let resource = resource(planned.kind())?;
    side.live.unread.iter().find(|(unread, problem)| *unread == resource && problem.is_unknown_kind())?;
    let message = format!("the cluster has no kind {}", quoted(planned.kind()));
    let help = "install the CRDs: Liqo's, or those of sealed-secrets or external-secrets";
    Some(error("unknown-kind", message, help).at(planned))
}

/// How a live object differs in what the stream sets. What is beside it was added by defaults, webhooks or controllers.
fn different(planned: &Object, live: &Object) -> Option<String> {
    // of a Secret nothing but its name and labels was read
    let parts: &[&str] = match planned.kind() {
        "Secret" => &["/metadata/labels"],
        _ => &["/metadata/labels", "/metadata/annotations", "/spec", "/roleRef", "/subjects"],
    };
    let mut found = Vec::new();
    for part in parts {
        if let Some(value) = planned.0.pointer(part) {
            compare(
                part.trim_start_matches('/').replace('/', ".").as_str(),
                value,
                live.0.pointer(part),
                &mut found,
            );
        }
    }
    let more = found.len().saturating_sub(SHOWN);
    found.truncate(SHOWN);
    found.extend((more > 0).then(|| format!("and {more} more")));
    (!found.is_empty()).then(|| found.join("; "))
}

fn compare(path: &str, planned: &Value, live: Option<&Value>, found: &mut Vec<String>) {
    match (planned, live) {
        (Value::String(text), _) if is_placeholder(text) => {}
        (Value::Object(planned), Some(Value::Object(live))) => {
            for (key, value) in
                planned.iter().filter(|(key, _)| !NOT_COMPARED.iter().any(|it| key.starts_with(it)))
            {
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
    let help = "Liqo's gateway pods are privileged: set it to `privileged`, as the stream does, or they are refused where the cluster's default is stricter";
    let finding = match namespace.label(&enforce) {
        Some("privileged") => return None,
        Some(other) => error("pod-security", format!("`{enforce}` is {}", quoted(other)), help),
        None => warning("pod-security", format!("it has no label `{enforce}`"), help),
    };
    Some(finding.at(namespace))
}

/// Whether an object is one of a group.
type Is<'i> = &'i dyn Fn(&Object) -> bool;

/// What Liqo finds by its label, and must find once. A second one stops it.
pub(super) fn several(side: &Side<'_>) -> Vec<Finding> {
    let tenant = |object: &Object| object.label("liqo.io/tenant-namespace").is_some();
    let here = |object: &Object| object.namespace() == side.tenant_namespace();
    let any = |_: &Object| true;
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
        findings.push(error("several", message, help).at(first));
    }
    findings
}
