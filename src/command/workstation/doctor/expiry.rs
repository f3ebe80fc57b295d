//! When the certificates end that Liqo has made. A kubeconfig in a Secret is not read.

use super::super::credential::{SOON, date};
use super::super::live::liqo::minor;
use super::Side;
use super::cluster::liqo;
use crate::custody::sealed_secret::x509;
use crate::object::live::{Finding, Live, LiveHalf, error, warning};
use crate::stream::kinds::live_halves;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::time::Duration;

pub(super) fn check(side: &Side<'_>) -> Vec<Finding> {
    // (liqo `authentication/localrenewer-controller`, since 1.2)
    let renews = liqo(&side.live).and_then(minor) >= Some((1, 2));
    let of_kind = |half: &'static LiveHalf| {
        let place = half.certificate?;
        Some(side.ours(half.kind()).filter_map(move |it| expiry(it, place, side.now, renews)))
    };
    live_halves().filter_map(of_kind).flatten().collect()
}

fn expiry(object: &Live, place: &str, now: Duration, renews: bool) -> Option<Finding> {
    let pem = STANDARD.decode(object.text(place)).ok().filter(|pem| !pem.is_empty())?;
    let certificate = x509(std::str::from_utf8(&pem).ok()?)?;
    let end = certificate.tbs_certificate.validity.not_after;
    let help = if renews {
        "Liqo renews at two thirds of a certificate's life: look at the logs of its controller manager on both clusters"
    } else {
        "this Liqo does not renew it (1.2 is the first): upgrade, or replace the credential, or recreate the slice"
    };
    let date = date(end.to_unix_duration());
    let left = end.to_unix_duration().checked_sub(now);
    let finding = match left {
        None => error("certificate", format!("its certificate expired on {date}"), help),
        Some(left) if left < SOON => {
            let days = left.as_secs() / (24 * 60 * 60);
            warning("certificate", format!("its certificate expires in {days} days, on {date}"), help)
        }
        Some(_) => return None,
    };
    Some(finding.at(object))
}
