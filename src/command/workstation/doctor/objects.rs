//! Checks whether the stream's objects are on the cluster as the document describes them, each once.

use super::live_side::LiveSide;
use crate::diagnostic::{Severity, quoted};
use crate::judge::comparison::{Difference, Mode, differences, shown_json};
use crate::object::live::owner::owners;
use crate::object::live::{Cardinality, Check, Finding, Object, error, finding, warning};
use crate::peering::cluster::foreign_cluster;
use crate::state::cluster::resource;
use crate::stream::kinds::{live_halves, live_halves_of};
use serde_json::Value;

/// The text in place of a value that could be a key.
const MASKED: &str = "****";

/// How many fields of an object are named.
const SHOWN: usize = 4;

/// Fields that are not compared: what [`check_pod_security`] checks, and Argo CD's own marks.
const NOT_COMPARED: [&str; 2] = ["[pod-security.kubernetes.io/", "[argocd.argoproj.io/"];

/// The prefix of the labels for pod security: Liqo's gateway pods are privileged (liqo
/// `deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml`).
const POD_SECURITY: &str = "pod-security.kubernetes.io/";

pub(super) fn check_objects(side: &LiveSide<'_>) -> Vec<Finding> {
    let (name, role) = (&*side.peering.name, side.role);
    let sync = format!(
        "sync the Application `{name}-{role}`; if Synced, it has another revision or folder"
    );
    let mut findings: Vec<_> = check_namespace(side).into_iter().collect();
    let mut missing = Vec::new();
    for planned in &side.plan {
        let Some(live) = side.live.find(planned) else {
            if side.live.has_kind(planned.kind()) {
                missing.push(planned);
            } else {
                findings.extend(check_kind(side, planned));
            }
            continue;
        };
        let message = list_differences(planned, live);
        if !message.is_empty() {
            findings.push(error(Check::Different, message, &sync).mark(planned));
        }
    }
    // Liqo creates a ForeignCluster without a sync, too
    let needs_sync = |it: &&Object| !foreign_cluster::LIVE.matches(it);
    let gone = missing.iter().copied().filter(needs_sync).count();
    if gone > 1 && gone == side.plan.iter().filter(needs_sync).count() {
        let message = format!("all {gone} objects of the stream are missing");
        return vec![error(Check::Missing, message, sync)];
    }
    for planned in missing {
        findings.push(error(Check::Missing, "it is missing", &sync).mark(planned));
    }
    findings.extend(check_pod_security(side));
    findings.extend(check_owners(side));
    findings
}

/// The other owners that apply the stream's objects, and delete them with their own. For Argo CD: each Application that is not the
/// folder's, or a second one if that is not known.
fn check_owners(side: &LiveSide<'_>) -> Vec<Finding> {
    let live = side.plan.iter().filter_map(|it| side.live.find(it));
    let found = owners(live);
    let own = &side.applications;
    let applications = found.iter().filter(|it| it.application.is_some()).count();
    let mut findings = Vec::new();
    for owner in found {
        let is_other = match owner.application {
            Some(_) if own.is_empty() => applications > 1,
            Some(name) => own.iter().all(|own| own != name),
            None => true,
        };
        if is_other {
            let message = format!("{} too: {}", owner.says(), owner.list());
            let help = format!("to keep them with the document: {}", owner.let_go);
            findings.push(warning(Check::OtherOwner, message, help));
        }
    }
    findings
}

/// A kind that the stream needs and that the cluster does not have.
fn check_kind(side: &LiveSide<'_>, planned: &Object) -> Option<Finding> {
    let refusal = side.live.refusal(resource(planned.kind())?)?;
    if !refusal.is_unknown_kind() {
        return None;
    }
    let message = format!("the cluster has no kind {}", quoted(planned.kind()));
    let help = "install the CRDs of Liqo, sealed-secrets or external-secrets";
    Some(error(Check::UnknownKind, message, help).mark(planned))
}

/// How a live object differs from what the stream sets; empty if it does not.
fn list_differences(planned: &Object, live: &Object) -> String {
    let mut differences = differences(&live.value, &planned.value, Mode::Live);
    differences.retain(|Difference { path, .. }| {
        // of a Secret, only its name, its labels and a nonce were read
        (planned.kind() != "Secret" || path.starts_with("metadata.labels") || path == "data.nonce")
            // a kind is read in the version that the cluster prefers
            && path != "apiVersion"
            && !NOT_COMPARED.iter().any(|it| path.contains(it))
            && !live_halves_of(planned).flat_map(|half| half.overwritten_by_liqo).any(|it| path.starts_with(it))
    });
    let more = differences.len().saturating_sub(SHOWN);
    let mut found: Vec<_> = differences.iter().take(SHOWN).map(field_text).collect();
    if more > 0 {
        found.push(format!("and {more} more"));
    }
    found.join("; ")
}

/// One field of an object, with its live value and the document's.
fn field_text(difference: &Difference<'_>) -> String {
    let place = difference.place();
    let [from, to] = [difference.from, difference.to].map(field_value);
    // a public key is masked as well
    if from.contains(MASKED) && to.contains(MASKED) {
        return format!("`{place}` is not the document's");
    }
    format!("`{place}` is {from}, and the document's {to}")
}

fn field_value(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "missing".to_owned(),
        Some(value) => format!("`{}`", shown_json(value)),
    }
}

/// A tenant namespace that is being deleted. Nothing can be created in it (kubernetes `plugin/pkg/admission/namespace/lifecycle`). The
/// virtual kubelet is deleted first, and the pods of its Node then wait for it.
fn check_namespace(side: &LiveSide<'_>) -> Option<Finding> {
    let namespace = side.live.named("Namespace", side.tenant_namespace())?;
    namespace.find("/metadata/deletionTimestamp")?;
    let message = "the tenant namespace is being deleted";
    let help = format!(
        "`kubectl delete pod --force` ends pods that hang on the virtual node; then sync the {}'s Application",
        side.role
    );
    Some(error(Check::NamespaceDeleted, message, help).mark(namespace))
}

fn check_pod_security(side: &LiveSide<'_>) -> Option<Finding> {
    side.peering.networking.as_ref()?;
    let namespace = side.live.named("Namespace", side.tenant_namespace())?;
    let enforce = format!("{POD_SECURITY}enforce");
    let (level, message) = match namespace.label(&enforce) {
        Some("privileged") => return None,
        Some(other) => (Severity::Error, format!("`{enforce}` is {}", quoted(other))),
        None => (
            Severity::Warning,
            format!("the label `{enforce}` is missing"),
        ),
    };
    let help = "set `privileged`: Liqo's gateway pods need it";
    Some(finding(level, Check::PodSecurity, message, help).mark(namespace))
}

/// Objects that Liqo finds by their label, and of which there must be one. A second one stops it (liqo
/// `pkg/tenantNamespace/namespaceManager.go`, `pkg/utils/getters/k8sGetters.go`, `networking/external-network/route/k8s.go`,
/// `external-network/wireguard/utils.go`).
pub(super) fn check_several(side: &LiveSide<'_>) -> Vec<Finding> {
    let mut groups: Vec<(&str, Vec<&Object>)> = Vec::new();
    for half in live_halves() {
        let (plural, is_in_namespace) = match half.cardinality {
            Cardinality::Many => continue,
            Cardinality::InCluster(plural) => (plural, false),
            Cardinality::InNamespace(plural) => (plural, true),
        };
        let found = side.live.of_kind(half.kind()).filter(|object| {
            let is_here = !is_in_namespace || object.namespace() == side.tenant_namespace();
            is_here && half.matches(object) && side.is_labelled(object)
        });
        match groups.iter_mut().find(|(known, _)| *known == plural) {
            Some((_, group)) => group.extend(found),
            None => groups.push((plural, found.collect())),
        }
    }
    let mut findings = Vec::new();
    for (plural, found) in groups {
        if let [first, .., last] = found.as_slice() {
            let (count, peer) = (found.len(), &*side.peer().id);
            let message = format!("{count} {plural} have the label of `{peer}`: Liqo needs one");
            let help = format!("keep the document's, delete what nothing uses: {first}, {last}");
            findings.push(error(Check::Several, message, help).mark(first));
        }
    }
    findings
}
