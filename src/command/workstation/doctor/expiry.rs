//! When the certificates that Liqo issued end. A kubeconfig in a Secret is not read.

use super::cluster::liqo;
use super::side::Side;
use crate::command::workstation::kubeconfig_report::{SOON, date};
use crate::object::live::{Check, Finding, Object, error, warning};
use crate::peering::authentication::credential::x509;
use crate::state::cluster::liqo::minor;
use crate::stream::kinds::live_halves;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use std::time::Duration;

/// Who renews a certificate.
#[derive(Clone, Copy)]
enum Renewal {
    /// Liqo, at two thirds of its life (liqo `authentication/utils/identity.go`, ShouldRenewCertificate).
    ByLiqo,
    /// Nobody: Liqo is too old.
    TooOld,
    /// A person. Liqo copies the control plane's certificate from the Tenant's status, which has none with
    /// `TolerateNoHandshake` (liqo `authentication/remoterenwer-controller`).
    ByHand,
    /// Liqo on the other cluster. This cluster gets the certificate while it can reach the other one (the same source).
    ByHandshake,
    /// Liqo on this cluster, which signs (liqo `authentication/tenant-controller`).
    BySigner,
}

impl Renewal {
    fn new(object: &Object, liqo: Option<(u32, u32)>, is_renewed: bool) -> Self {
        match object.text("/spec/type") {
            _ if object.kind() == "Tenant" => Self::BySigner,
            "ControlPlane" if is_renewed => Self::ByHandshake,
            "ControlPlane" => Self::ByHand,
            // (liqo `authentication/localrenewer-controller`)
            _ if liqo >= Some((1, 2)) => Self::ByLiqo,
            _ => Self::TooOld,
        }
    }

    const fn help(self) -> &'static str {
        match self {
            Self::ByLiqo => {
                "Liqo renews it at two thirds of its life, and has not: look at the logs of its controller manager on both clusters"
            }
            Self::TooOld => {
                "this Liqo does not renew it (1.2 is the first): upgrade, or recreate the slice"
            }
            Self::ByHand => {
                "no one renews it: have the provider sign a new one, and commit it in `credential.identity`"
            }
            Self::ByHandshake => {
                "Liqo gets no new one while it cannot reach the provider. Bring it the Tenant's `status.authParams.signedCRT`: `kubectl patch identity NAME --type merge -p '{\"spec\":{\"authParams\":{\"signedCRT\":\"…\"}}}'`, as `argocd-peering explain liqo-certificate` shows. Never delete the Identity or its Secret"
            }
            Self::BySigner => {
                "Liqo signs a new one at two thirds of its life, and has not: `kubectl describe tenant` shows why; when that is mended, annotate the Tenant, because Liqo does not try again by itself"
            }
        }
    }

    /// How long before its end a certificate with this lifetime counts as overdue.
    fn is_due(self, life: Duration) -> Duration {
        match self {
            // Liqo checks again up to a tenth of the two thirds later
            Self::ByLiqo | Self::ByHandshake | Self::BySigner => life / 4,
            Self::TooOld | Self::ByHand => SOON.min(life / 3),
        }
    }
}

pub(super) fn check_expiry(side: &Side<'_>) -> Vec<Finding> {
    let liqo = liqo(side.live).and_then(minor);
    let is_renewed = side.peering.is_renewed(side.role);
    let places = live_halves().filter_map(|half| Some((half.kind(), half.certificate?)));
    let all = places.flat_map(|(kind, place)| side.ours(kind).map(move |it| (it, place)));
    all.filter_map(|(it, place)| expiry(it, place, side.now, Renewal::new(it, liqo, is_renewed)))
        .collect()
}

fn expiry(object: &Object, place: &str, now: Duration, renewal: Renewal) -> Option<Finding> {
    let pem = STANDARD.decode(object.text(place)).ok()?;
    let certificate: x509_cert::Certificate = x509::object(std::str::from_utf8(&pem).ok()?)?;
    let validity = certificate.tbs_certificate.validity;
    let end = validity.not_after.to_unix_duration();
    let life = end.saturating_sub(validity.not_before.to_unix_duration());
    let shown = date(end);
    let finding = match end.checked_sub(now) {
        None => error(
            Check::LiqoCertificate,
            format!("its certificate expired on {shown}"),
            renewal.help(),
        ),
        Some(left) if left < renewal.is_due(life) => {
            let message =
                format!("its certificate expires on {shown}, and should have been renewed");
            warning(Check::LiqoCertificate, message, renewal.help())
        }
        Some(_) => return None,
    };
    Some(finding.mark(object))
}
