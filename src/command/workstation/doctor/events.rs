//! What Liqo says once, in an event, and in no status.

use super::side::Side;
use crate::diagnostic::quoted;
use crate::object::live::{Check, Finding, Object, warning};

/// What is read, and of whose events.
pub(super) const EVENTS: [&str; 2] = ["events", "--field-selector=involvedObject.kind=Tenant"];

/// Why Liqo refuses an exchange of keys, and does not try it again by itself (liqo
/// `authentication/tenant-controller/tenant_controller.go`, verifyHandshake). The certificate that is there works until it ends.
const REFUSALS: [(&str, &str, &str); 3] = [
    (
        "SignatureVerificationFailed",
        "the Tenant's signature is not that of its key over the nonce",
        "sync the Application, so that the Secret with the label `liqo.io/nonce` and the Tenant are of one commit, and delete another Secret with that label; if Git has what is there, `argocd-peering authenticate consumer` signs again",
    ),
    (
        "InvalidCSR",
        "the Tenant's request does not fit its key or its cluster",
        "sync the Application; if Git has what is there, `argocd-peering authenticate consumer` makes the request again",
    ),
    (
        "NonceNotFound",
        "there is no nonce, or there are several",
        "one Secret of the tenant namespace has the label `liqo.io/nonce`: sync the Application, and delete another one",
    ),
];

/// An event is kept for an hour, also when what it says is mended (kubernetes `--event-ttl`).
pub(super) fn check(side: &Side<'_>) -> Vec<Finding> {
    let of = |(reason, message, help): &(&str, &str, &str)| {
        let is_one = |it: &&Object| {
            it.text("/reason") == *reason && it.text("/involvedObject/kind") == "Tenant" && side.is_ours(it)
        };
        let event = side.live.of_kind("Event").filter(is_one).max_by_key(|it| time(it).to_owned())?;
        let message = format!("at {} Liqo reported `{reason}`: {message}", quoted(time(event)));
        let help = format!(
            "{help}; then annotate the Tenant, so that Liqo looks again: until it has signed, it renews no certificate. The event stays for an hour after it is mended"
        );
        let finding = warning(Check::Tenant, message, help);
        Some(match side.live.named("Tenant", event.text("/involvedObject/name")) {
            Some(tenant) => finding.at(tenant),
            None => finding,
        })
    };
    REFUSALS.iter().filter_map(of).collect()
}

fn time(event: &Object) -> &str {
    [event.text("/lastTimestamp"), event.text("/eventTime")]
        .into_iter()
        .find(|it| !it.is_empty())
        .unwrap_or("?")
}
