//! When the certificates end that Liqo has made. A kubeconfig in a Secret is not read.

use super::super::credential::date;
use super::super::live::liqo::minor;
use super::cluster::liqo;
use super::side::Side;
use crate::custody::sealed_secret::x509;
use crate::object::live::{Check, Finding, Live, LiveHalf, error, warning};
use crate::stream::kinds::live_halves;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::time::Duration;

pub(super) fn check(side: &Side<'_>) -> Vec<Finding> {
    // (liqo `authentication/localrenewer-controller`, since 1.2)
    let renews = liqo(side.live).and_then(minor) >= Some((1, 2));
    let of_kind = |half: &'static LiveHalf| {
        let place = half.certificate?;
        Some(side.ours(half.kind()).filter_map(move |it| expiry(it, place, side.now, renews)))
    };
    live_halves().filter_map(of_kind).flatten().collect()
}

fn expiry(object: &Live, place: &str, now: Duration, renews: bool) -> Option<Finding> {
    let pem = STANDARD.decode(object.text(place)).ok().filter(|pem| !pem.is_empty())?;
    let certificate = x509(std::str::from_utf8(&pem).ok()?)?;
    let validity = certificate.tbs_certificate.validity;
    let end = validity.not_after.to_unix_duration();
    let life = end.saturating_sub(validity.not_before.to_unix_duration());
    let help = if renews {
        "Liqo renews it at two thirds of its life, and has not: look at the logs of its controller manager on both clusters"
    } else {
        "this Liqo does not renew it (1.2 is the first): upgrade, or replace the credential, or recreate the slice"
    };
    let shown = date(end);
    let finding = match end.checked_sub(now) {
        None => error(Check::LiqoCertificate, format!("its certificate expired on {shown}"), help),
        // Liqo looks again up to a tenth of two thirds later (liqo `authentication/utils/identity.go`, ShouldRenewCertificate)
        Some(left) if left < life / 4 => {
            let message = format!(
                "its certificate expires on {shown}, and more than three quarters of its life are over"
            );
            warning(Check::LiqoCertificate, message, help)
        }
        Some(_) => return None,
    };
    Some(finding.at(object))
}
