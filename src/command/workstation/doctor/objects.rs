//! Checks whether the stream's objects are on the cluster as the document describes them, each once.

use super::quoted;
use super::side::Side;
use crate::judge::comparison::{Difference, Mode, differences, shown_json};
use crate::object::live::owner::{ObjectOwner, owners};
use crate::object::live::{Cardinality, Check, Finding, Object, error, warning};
use crate::peering::cluster::foreign_cluster;
use crate::state::cluster::resource;
use crate::stream::kinds::{live_halves, live_halves_of};
use serde_json::Value;

/// The text in place of a value that could be a key.
const MASKED: &str = "****";

/// How many fields of an object are named.
const SHOWN: usize = 4;

/// Fields that are not compared: what [`pod_security`] checks, and Argo CD's own marks.
const NOT_COMPARED: [&str; 2] = ["[pod-security.kubernetes.io/", "[argocd.argoproj.io/"];

/// The prefix of the labels for pod security: Liqo's gateway pods are privileged (liqo
/// `deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml`).
const POD_SECURITY: &str = "pod-security.kubernetes.io/";

pub(super) fn check_objects(side: &Side<'_>) -> Vec<Finding> {
    let sync = format!(
        "sync the Application `{}-{}`; if it is Synced, it is another revision or folder",
        &*side.peering.name, side.role
    );
    let mut findings: Vec<_> = being_deleted(side).into_iter().collect();
    let mut missing = Vec::new();
    for planned in &side.plan {
        match side.live.find(planned) {
            Some(live) => findings.extend(
                different(planned, live)
                    .map(|what| error(Check::Different, what, &sync).mark(planned)),
            ),
            None if side.live.has_kind(planned.kind()) => missing.push(planned),
            None => findings.extend(unknown_kind(side, planned)),
        }
    }
    // Liqo creates a ForeignCluster without a sync, too
    let [gone, all] = [missing.clone(), side.plan.iter().collect()].map(|objects| {
        objects
            .iter()
            .filter(|it| !foreign_cluster::LIVE.matches(it))
            .count()
    });
    if gone > 1 && gone == all {
        let message = format!("none of the stream's {gone} objects is on the cluster");
        return vec![error(Check::Missing, message, sync)];
    }
    findings.extend(
        missing
            .into_iter()
            .map(|it| error(Check::Missing, "it is not there", &sync).mark(it)),
    );
    findings.extend(pod_security(side));
    findings.extend(other_owners(side));
    findings
}

/// The other owners that apply the stream's objects, and delete them with their own. For Argo CD: each Application that is not the
/// folder's, or a second one if that is not known.
fn other_owners(side: &Side<'_>) -> Vec<Finding> {
    let mut found = owners(
        side.plan
            .iter()
            .filter_map(|planned| side.live.find(planned)),
    );
    let own = &side.applications;
    if !own.is_empty() {
        found.retain(|it| {
            it.application
                .is_none_or(|name| own.iter().all(|own| own != name))
        });
    } else if found.iter().filter(|it| it.application.is_some()).count() < 2 {
        found.retain(|it| it.application.is_none());
    }
    found.iter().map(other_owner).collect()
}

fn other_owner(owner: &ObjectOwner<'_>) -> Finding {
    let message = format!("{} too: {}", owner.says(), owner.list());
    let help = format!(
        "to keep them with the document's Application: {}",
        owner.let_go
    );
    warning(Check::OtherOwner, message, help)
}

/// A kind that the stream needs and that the cluster does not have.
fn unknown_kind(side: &Side<'_>, planned: &Object) -> Option<Finding> {
    side.live
        .refusal(resource(planned.kind())?)?
        .is_unknown_kind()
        .then_some(())?;
    let message = format!("the cluster has no kind {}", quoted(planned.kind()));
    let help = "install the CRDs: Liqo's, or those of sealed-secrets or external-secrets";
    Some(error(Check::UnknownKind, message, help).mark(planned))
}

/// How a live object differs from what the stream sets.
fn different(planned: &Object, live: &Object) -> Option<String> {
    let mut differences = differences(&live.value, &planned.value, Mode::Live);
    differences.retain(|Difference { path, .. }| {
        // of a Secret, only its name, its labels and a nonce were read
        (planned.kind() != "Secret" || path.starts_with("metadata.labels") || path == "data.nonce")
            // a kind is read in the version that the cluster prefers
            && path != "apiVersion"
            && !NOT_COMPARED.iter().any(|it| path.contains(it))
            && !live_halves_of(planned).flat_map(|half| half.overwritten_by_liqo).any(|it| path.starts_with(it))
    });
    let mut found: Vec<_> = differences.iter().take(SHOWN).map(words).collect();
    let more = differences.len().saturating_sub(SHOWN);
    found.extend((more > 0).then(|| format!("and {more} more")));
    (!found.is_empty()).then(|| found.join("; "))
}

/// One field of an object, with its live value and the document's.
fn words(difference: &Difference<'_>) -> String {
    let place = difference.place();
    let [from, to] = [difference.from, difference.to].map(|value| match value {
        None | Some(Value::Null) => "missing".to_owned(),
        Some(value) => format!("`{}`", shown_json(value)),
    });
    // a public key is masked as well
    if [&from, &to].into_iter().all(|text| text.contains(MASKED)) {
        return format!("`{place}` is another one than the document's");
    }
    format!("`{place}` is {from}, and the document gives {to}")
}

/// A tenant namespace that is being deleted. Nothing can be created in it (kubernetes `plugin/pkg/admission/namespace/lifecycle`). The
/// virtual kubelet is deleted first, and the pods of its Node then wait for it.
fn being_deleted(side: &Side<'_>) -> Option<Finding> {
    let namespace = side.live.named("Namespace", side.tenant_namespace())?;
    namespace.find("/metadata/deletionTimestamp")?;
    let message = "the tenant namespace is being deleted, and nothing can be created in it";
    let help = format!(
        "if its pods hang on the virtual node, `kubectl delete pod --force` ends them; when the namespace is gone, `argocd app sync` of the {}'s Application makes it again",
        side.role
    );
    Some(error(Check::NamespaceDeleted, message, help).mark(namespace))
}

fn pod_security(side: &Side<'_>) -> Option<Finding> {
    side.peering.networking.as_ref()?;
    let namespace = side.live.named("Namespace", side.tenant_namespace())?;
    let enforce = format!("{POD_SECURITY}enforce");
    let help = "Liqo's gateway pods are privileged: set it to `privileged`, as the stream does, or they are refused where the cluster's default is stricter";
    let finding = match namespace.label(&enforce) {
        Some("privileged") => return None,
        Some(other) => error(
            Check::PodSecurity,
            format!("`{enforce}` is {}", quoted(other)),
            help,
        ),
        None => warning(
            Check::PodSecurity,
            format!("it has no label `{enforce}`"),
            help,
        ),
    };
    Some(finding.mark(namespace))
}

/// Objects that Liqo finds by their label, and of which there must be one. A second one stops it (liqo
/// `pkg/tenantNamespace/namespaceManager.go`, `pkg/utils/getters/k8sGetters.go`, `networking/external-network/route/k8s.go`,
/// `external-network/wireguard/utils.go`).
pub(super) fn check_several(side: &Side<'_>) -> Vec<Finding> {
    let mut groups: Vec<(Cardinality, Vec<&Object>)> = Vec::new();
    for half in live_halves().filter(|half| half.cardinality != Cardinality::Many) {
        let found = side
            .live
            .of_kind(half.kind())
            .filter(|it| half.matches(it) && side.is_labelled(it));
        let found = found.filter(|object| match half.cardinality {
            Cardinality::InNamespace(_) => object.namespace() == side.tenant_namespace(),
            Cardinality::InCluster(_) | Cardinality::Many => true,
        });
        match groups
            .iter_mut()
            .find(|(once, _)| *once == half.cardinality)
        {
            Some((_, group)) => group.extend(found),
            None => groups.push((half.cardinality, found.collect())),
        }
    }
    groups
        .iter()
        .filter_map(|(once, found)| check_count(side, *once, found))
        .collect()
}

fn check_count(side: &Side<'_>, once: Cardinality, found: &[&Object]) -> Option<Finding> {
    let (Cardinality::InCluster(what) | Cardinality::InNamespace(what)) = once else {
        return None;
    };
    let [first, .., last] = found else {
        return None;
    };
    let message = format!(
        "{} {what} have the label of `{}`, and Liqo stops at more than one",
        found.len(),
        &*side.peer().id
    );
    let help = format!("keep the one of the document, and delete the others: {first}, {last}");
    Some(error(Check::Several, message, help).mark(first))
}
