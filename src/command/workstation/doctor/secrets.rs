//! Secrets that the stream does not print as they are: another tool or a person delivers them, and Liqo finds them by their labels.

use super::side::Side;
use crate::diagnostic::{list_first, shown_name};
use crate::object::live::{Check, Finding, LiveHalf, Object, error};
use crate::peering::authentication::credential::{Credential, kubeconfig};
use crate::peering::names::{
    GATEWAY_RESOURCE, IDENTITY_TYPE, REMOTE_CLUSTER_ID, REMOTE_TENANT_NAMESPACE,
};
use crate::peering::networking::keys;

/// How many Secrets without labels are named.
const SHOWN: usize = 5;

/// A Secret that the peering needs.
struct NeededSecret {
    half: &'static LiveHalf,
    what: &'static str,
    label: (&'static str, &'static str),
    /// Whether an annotation names the other cluster's tenant namespace.
    is_annotated: bool,
}

const KEYS: NeededSecret = NeededSecret {
    half: &keys::LIVE,
    what: "the gateway's keys",
    label: (GATEWAY_RESOURCE, "true"),
    is_annotated: false,
};

const CREDENTIAL: NeededSecret = NeededSecret {
    half: &kubeconfig::LIVE,
    what: "the credential",
    label: (IDENTITY_TYPE, "ControlPlane"),
    is_annotated: true,
};

pub(super) fn check_secrets(side: &Side<'_>) -> Vec<Finding> {
    if !side.live.has_kind("Secret") {
        return Vec::new();
    }
    let keys = side.peering.networking.is_some().then_some(&KEYS);
    let credential = has_secret(side).then_some(&CREDENTIAL);
    let wanted = [keys, credential]
        .into_iter()
        .flatten()
        .filter(|it| !is_in_stream(side, it));
    wanted.filter_map(|it| check_secret(side, it)).collect()
}

/// Whether this side's credential is a Secret. It can also be an Identity, for which Liqo creates the Secret.
fn has_secret(side: &Side<'_>) -> bool {
    let credential = side.peering.credential(side.role);
    credential.is_some_and(|it| {
        it.sealed_kubeconfig().is_some() || matches!(it, Credential::ExistingSecret)
    })
}

/// Whether the stream has the Secret. Then it is missing or different like any other object.
fn is_in_stream(side: &Side<'_>, wanted: &NeededSecret) -> bool {
    side.plan
        .iter()
        .any(|planned| planned.kind() == "Secret" && wanted.half.matches(planned))
}

fn check_secret(side: &Side<'_>, wanted: &NeededSecret) -> Option<Finding> {
    let namespace = side.tenant_namespace();
    let here: Vec<_> = side
        .live
        .of_kind("Secret")
        .filter(|it| it.namespace() == namespace)
        .collect();
    let (label, value) = wanted.label;
    let labels = format!(
        "`{label}: {value}` and `{REMOTE_CLUSTER_ID}: {}`",
        side.peer().id.as_str()
    );
    let Some(secret) = here
        .iter()
        .copied()
        .find(|secret| wanted.half.matches(secret) && side.is_labelled(secret))
    else {
        let message = format!(
            "no Secret in `{namespace}` has the labels of {}, {labels}; without them are {}",
            wanted.what,
            unlabelled(&here)
        );
        let help =
            "Liqo finds it by these labels: add them to the Secret, or bring it to this namespace";
        return Some(error(Check::Secret, message, help));
    };
    let expected = side.peer().tenant_namespace.as_str();
    if wanted.is_annotated && secret.annotation(REMOTE_TENANT_NAMESPACE) != Some(expected) {
        let message = format!(
            "its annotation `{REMOTE_TENANT_NAMESPACE}` is `{}`, and the tenant namespace at the {} is `{expected}`",
            shown_name(
                secret
                    .annotation(REMOTE_TENANT_NAMESPACE)
                    .unwrap_or_default()
            ),
            side.role.peer()
        );
        let help = "Liqo copies to the namespace that the annotation names: correct it";
        return Some(error(Check::Secret, message, help).mark(secret));
    }
    None
}

/// The Secrets of the namespace that could be the wanted one.
fn unlabelled(secrets: &[&Object]) -> String {
    let names: Vec<String> = secrets
        .iter()
        .filter(|it| it.label(GATEWAY_RESOURCE).is_none() && it.label(IDENTITY_TYPE).is_none())
        .map(|it| shown_name(it.name()))
        .collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        list_first(names, SHOWN)
    }
}
