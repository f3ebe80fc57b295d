//! Secrets that the stream does not print as they are: another tool or a person delivers them, and Liqo finds them by their labels.

use super::live_side::LiveSide;
use crate::diagnostic::{list_first, shown_name};
use crate::object::live::{Check, Finding, LiveHalf, Object, error};
use crate::peering::authentication::credential::{Credential, kubeconfig};
use crate::peering::names::{
    GATEWAY_RESOURCE, IDENTITY_TYPE, REMOTE_CLUSTER_ID, REMOTE_TENANT_NAMESPACE,
};
use crate::peering::networking::keys;

/// How many Secrets without labels are named.
const SHOWN: usize = 5;

pub(super) fn check_secrets(side: &LiveSide<'_>) -> Vec<Finding> {
    let has_keys = side.peering.networking.is_some();
    // for an Identity, Liqo creates the Secret
    let has_credential = match side.peering.credential(side.role) {
        Some(Credential::ExistingSecret) => true,
        Some(credential) => credential.sealed_kubeconfig().is_some(),
        None => false,
    };
    let mut findings = Vec::new();
    for (is_needed, half, what) in [
        (has_keys, &keys::LIVE, "the gateway's keys"),
        (has_credential, &kubeconfig::LIVE, "the credential"),
    ] {
        // a Secret of the stream is missing or different like any other object
        let is_in_stream = |it: &Object| it.kind() == "Secret" && half.matches(it);
        if is_needed && side.live.has_kind("Secret") && !side.plan.iter().any(is_in_stream) {
            findings.extend(check_secret(side, half, what));
        }
    }
    findings
}

fn check_secret(side: &LiveSide<'_>, half: &LiveHalf, what: &str) -> Option<Finding> {
    let namespace = side.tenant_namespace();
    let peer = side.peer();
    let secrets: Vec<&Object> = side.in_tenant_namespace("Secret").collect();
    let mut all = secrets.iter();
    let Some(secret) = all.find(|it| half.matches(it) && side.is_labelled(it)) else {
        let (label, value) = half.label?;
        let message = format!(
            "`{namespace}` has no Secret for {what}, labelled `{label}: {}` and `{REMOTE_CLUSTER_ID}: {}`; unlabelled: {}",
            value.unwrap_or_default(),
            peer.id.as_str(),
            list_unlabelled(&secrets)
        );
        let help = "add the labels, or bring the Secret to this namespace";
        return Some(error(Check::Secret, message, help));
    };
    let expected = peer.tenant_namespace.as_str();
    let annotation = secret.annotation(REMOTE_TENANT_NAMESPACE);
    if half.label != kubeconfig::LIVE.label || annotation == Some(expected) {
        return None;
    }
    let message = format!(
        "its annotation `{REMOTE_TENANT_NAMESPACE}` is `{}`; the {}'s tenant namespace is `{expected}`",
        shown_name(annotation.unwrap_or_default()),
        side.role.peer()
    );
    let help = "correct it: Liqo copies to that namespace";
    Some(error(Check::Secret, message, help).mark(secret))
}

/// The Secrets of the namespace that could be the one without labels.
fn list_unlabelled(secrets: &[&Object]) -> String {
    let mut names = Vec::new();
    for secret in secrets {
        if secret.label(GATEWAY_RESOURCE).is_none() && secret.label(IDENTITY_TYPE).is_none() {
            names.push(shown_name(secret.name()));
        }
    }
    if names.is_empty() {
        return "none".to_owned();
    }
    list_first(names, SHOWN)
}
