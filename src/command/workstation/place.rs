//! What Argo CD will do with the sealed files of this folder, as far as the user's machine knows.

use super::flags::UseFlags;
use super::kubeconfig_report;
use crate::command::{Error, Result, Streams};
use crate::custody::{OpenedFile, PlannedCaller, Term};
use crate::diagnostic::shown_name;
use crate::peering::authentication::credential::kubeconfig::{Kubeconfig, KubeconfigProblem};
use crate::peering::{Peering, Role};
use crate::state::git::Checkout;
use std::path::Path;

/// What is known of a folder's location: its path in the checkout.
pub(in crate::command) fn place_in_checkout(folder: &Path) -> Option<PlannedCaller> {
    let checkout = Checkout::open(folder)?;
    Some(PlannedCaller {
        path: Some(checkout.folder().to_owned()),
        ..PlannedCaller::default()
    })
}

/// Why the kubeconfig of this sealed file does not work; and the note that it should be renewed.
pub(in crate::command) fn check_credential(
    kubeconfig: &[u8],
    path: &Path,
) -> (Vec<KubeconfigProblem>, Option<String>) {
    let text = std::str::from_utf8(kubeconfig).ok();
    let Some(kubeconfig) = text.and_then(|text| Kubeconfig::parse(text).ok()) else {
        return Default::default();
    };
    (
        kubeconfig_report::unusable(&kubeconfig, path),
        kubeconfig_report::ends_soon(&kubeconfig),
    )
}

/// Notes which of the opened files Argo CD would refuse in this folder of a checkout.
pub(in crate::command) fn note_refusals(
    folder: &Path,
    files: &[OpenedFile],
    peering: &Peering,
    role: Role,
    streams: &mut Streams<'_>,
) {
    let Some(place) = place_in_checkout(folder) else {
        return;
    };
    for file in files {
        if let Some(refusal) = file.refused_at(&place, peering, role) {
            streams.note(&format!(
                "note: Argo CD refuses {} here: its terms allow the {} {}, not {}",
                shown_name(&file.name),
                refusal.term,
                refusal.allowed,
                shown_name(&refusal.reported)
            ));
        }
    }
}

/// The uses of a sealed file in a folder. If a project is set, the repository and the path come from the Git checkout
/// unless flags set them.
pub(super) fn uses_at(mut uses: UseFlags, folder: &Path) -> Result<UseFlags> {
    let missing = match (uses.repos.as_slice(), uses.paths.as_slice()) {
        _ if uses.projects.is_empty() => return Ok(uses),
        ([], _) => Term::Repos,
        (_, []) => Term::Paths,
        _ => return Ok(uses),
    };
    let Some(checkout) = Checkout::open(folder) else {
        let reason = "the sealed file is in no Git checkout: set --repo URL and --path FOLDER";
        return Err(Error::flag(missing.flag(), reason));
    };
    if uses.repos.is_empty() {
        uses.repos.push(only_remote(&checkout)?);
    }
    if uses.paths.is_empty() {
        uses.paths.push(checkout.folder().to_owned());
    }
    Ok(uses)
}

/// The URL of a checkout's only remote.
pub(super) fn only_remote(checkout: &Checkout) -> Result<String> {
    let remotes = checkout.remotes()?;
    let names: Vec<_> = remotes.iter().map(|(name, _)| shown_name(name)).collect();
    let what = match remotes.as_slice() {
        [(_, url)] => return Ok(url.clone()),
        [] => "no remote".to_owned(),
        _ => format!("several remote URLs ({})", names.join(", ")),
    };
    let reason = format!("the Git checkout has {what}: set the Application's `repoURL`");
    Err(Error::flag(Term::Repos.flag(), reason))
}
