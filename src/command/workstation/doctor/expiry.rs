//! When the certificates that Liqo issued end. A kubeconfig in a Secret is not read.

use super::cluster::liqo_version;
use super::live_side::LiveSide;
use crate::command::workstation::kubeconfig_report::{SOON, date};
use crate::object::live::{Check, Finding, Object, error, warning};
use crate::peering::authentication::credential::x509;
use crate::state::cluster::liqo::minor;
use crate::stream::kinds::live_halves;
use base64::{Engine as _, engine::general_purpose::STANDARD};

pub(super) fn check_expiry(side: &LiveSide<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for half in live_halves() {
        let Some(place) = half.certificate else {
            continue;
        };
        for object in side.objects(half.kind()) {
            findings.extend(check_certificate(side, object, place));
        }
    }
    findings
}

fn check_certificate(side: &LiveSide<'_>, object: &Object, place: &str) -> Option<Finding> {
    let pem = STANDARD.decode(object.text(place)).ok()?;
    let certificate = x509::object(std::str::from_utf8(&pem).ok()?)?;
    let [begin, end] = x509::validity(&certificate);
    let life = end.saturating_sub(begin);
    let (is_automatic, help) = renewal(side, object);
    // Liqo renews at two thirds of the life, and looks again up to a tenth of these later
    let due = if is_automatic {
        life / 4
    } else {
        SOON.min(life / 3)
    };
    let day = date(end);
    let finding = match end.checked_sub(side.now) {
        None => {
            let message = format!("its certificate expired on {day}");
            error(Check::LiqoCertificate, message, help)
        }
        Some(left) if left < due => {
            let message = format!("its certificate expires on {day}, and should have been renewed");
            warning(Check::LiqoCertificate, message, help)
        }
        Some(_) => return None,
    };
    Some(finding.mark(object))
}

/// Whether Liqo renews a certificate, and the help.
fn renewal(side: &LiveSide<'_>, object: &Object) -> (bool, &'static str) {
    let liqo = liqo_version(side.live).and_then(minor);
    match object.text("/spec/type") {
        // Liqo on this cluster, which signs (liqo `authentication/tenant-controller`)
        _ if object.kind() == "Tenant" => (
            true,
            "`kubectl describe tenant` shows why; annotate the Tenant to try again",
        ),
        // Liqo on the other cluster: this one gets the certificate while it can reach the other one (liqo
        // `authentication/remoterenwer-controller`)
        "ControlPlane" if side.peering.is_renewed(side.role) => (
            true,
            "bring the Tenant's `status.authParams.signedCRT`: `kubectl patch identity NAME --type merge -p '{\"spec\":{\"authParams\":{\"signedCRT\":\"…\"}}}'`. Never delete the Identity or its Secret",
        ),
        // Liqo copies the certificate from the Tenant's status, which has none with `TolerateNoHandshake` (the same source)
        "ControlPlane" => (
            false,
            "the provider must sign a new one: commit it in `credential.identity`",
        ),
        // at two thirds of its life (liqo `authentication/localrenewer-controller`; `authentication/utils/identity.go`,
        // ShouldRenewCertificate)
        _ if liqo >= Some((1, 2)) => (
            true,
            "Liqo did not renew it: read both controller managers' logs",
        ),
        _ => (
            false,
            "Liqo renews it from 1.2 on: upgrade, or recreate the slice",
        ),
    }
}
