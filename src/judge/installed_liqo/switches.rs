//! Modules that Liqo is installed without, compared with what a document needs on both clusters (liqo
//! `cmd/liqo-controller-manager/main.go`).

use super::denied;
use crate::diagnostic::{Code, Problems, shown_name};
use crate::peering::authentication::credential::{Awaited, Credential};
use crate::peering::{Peering, Role};
use crate::state::liqo_values::{Values, line};

struct Switch {
    key: &'static str,
    /// The value with which Liqo does not do what the document needs.
    harmful: bool,
    is_needed: fn(&Peering, Role) -> bool,
    message: &'static str,
    help: &'static str,
}

const MODULE: &str =
    "set it to `true`, which is the chart's default, or remove the module from the document";

static SWITCHES: [Switch; 4] = [
    Switch {
        key: "networking.enabled",
        harmful: false,
        is_needed: |peering, _| peering.networking.is_some(),
        message: "so there is no tunnel",
        help: MODULE,
    },
    Switch {
        key: "authentication.enabled",
        harmful: false,
        // the controllers of slices are in this module (liqo `cmd/liqo-controller-manager/modules/authentication.go`)
        is_needed: |peering, _| authenticates(peering) || has_slices(peering),
        message: "so it lets no cluster in, and no slice is accepted",
        help: MODULE,
    },
    Switch {
        key: "offloading.enabled",
        harmful: false,
        is_needed: |peering, _| offloads(peering),
        message: "so nothing is offloaded",
        help: MODULE,
    },
    Switch {
        key: "authentication.tlsCompatibilityMode",
        harmful: true,
        is_needed: is_to_sign,
        message: "so its key is an RSA key, and `keysExchange` takes an Ed25519 key only",
        help: "choose another `credential`, unless the cluster has a key already, which stays (liqo `authentication/keys.go`)",
    },
];

/// From 1.2 on: with it, Services do not use the tunnel between two clusters for pods that a third cluster offloads to
/// both (liqo `offloading/shadowendpointslice-controller`).
const DENIED: &str = "networking.denyDirectConnections";

/// Finds contradictions, and returns notes on likely mistakes.
pub(super) fn check(
    values: &Values,
    peering: &Peering,
    role: Role,
    problems: &mut Problems,
) -> Option<String> {
    if let (Some(written), Some(installed)) = (&peering.liqo_version, values.installed())
        && installed < written.value
    {
        let message = format!(
            "{} installs Liqo {installed}, and here it is {}",
            values.source.name(),
            written.value
        );
        let help = "write the lowest version of both clusters, or upgrade this cluster first";
        problems.refuse(Code::LiqoValues, written.span, message, help);
    }
    let span = peering.clusters.of(role).id.span;
    for Switch {
        key,
        harmful,
        is_needed,
        message,
        help,
    } in &SWITCHES
    {
        let Some(said) = values
            .said(key)
            .filter(|_| values.is_on(key) == Some(*harmful))
        else {
            continue;
        };
        if is_needed(peering, role) {
            let message = format!("Liqo has `{key}` {said}, {message}");
            problems.push(denied(span, message, help, &said, said.place));
        }
    }
    let is_between_providers = !authenticates(peering) && !offloads(peering);
    let said = values
        .said(DENIED)
        .filter(|_| is_between_providers && values.is_on(DENIED) == Some(true))?;
    let (place, cluster) = (line(&said.source, said.place), shown_name(&values.cluster));
    Some(format!(
        "{place}: Liqo on {cluster} has `{DENIED}`: from 1.2 on Services do not use this tunnel for what a third cluster offloads to both"
    ))
}

fn authenticates(peering: &Peering) -> bool {
    Role::BOTH
        .iter()
        .any(|user| peering.authentication(*user).is_some())
}

fn offloads(peering: &Peering) -> bool {
    Role::BOTH
        .iter()
        .any(|user| peering.offloading(*user).is_some())
}

fn has_slices(peering: &Peering) -> bool {
    Role::BOTH.iter().any(|user| {
        peering
            .offloading(*user)
            .is_some_and(|it| !it.slices.is_empty())
    })
}

/// Whether a cluster still has to sign the handshake that its document declares.
fn is_to_sign(peering: &Peering, user: Role) -> bool {
    let authentication = peering.directions.of(user).authentication.as_ref();
    authentication.is_some_and(|it| *it.credential == Credential::Pending(Awaited::Handshake))
}
