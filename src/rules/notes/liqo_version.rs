//! A Liqo that is newer than this release.

use crate::diagnostic::{Code, Problems, quoted};
use crate::peering::values::LiqoVersion;
use crate::peering::{Peering, Written};

pub(super) fn note(written: &Written, peering: &Peering, notes: &mut Problems) {
    let Some(version) = &peering.liqo_version else { return };
    let text = written.source().text().get(version.span.start..version.span.end).unwrap_or_default();
    let text = text.trim_matches(['"', '\'']);
    if LiqoVersion::is_unknown(text) {
        let newest = LiqoVersion::NEWEST;
        let message =
            format!("this release knows Liqo up to {newest}, and takes {} as {newest}", quoted(text));
        let help = "look for a newer release of argocd-peering; docs/compatibility.md has what was tried";
        notes.refuse(Code::UnknownLiqo, version.span, message, help);
    }
}
