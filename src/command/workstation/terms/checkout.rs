//! What the Git checkout of a sealed file says of its uses.

use crate::command::error::Error;
use crate::command::workstation::flags::UseFlags;
use crate::custody::Term;
use crate::diagnostic::shown_name;
use crate::state::git::Checkout;
use std::path::Path;

/// The uses of a sealed file in a folder: with a project, those that no flag sets come from the Git checkout.
pub(in crate::command::workstation) fn uses_at(mut uses: UseFlags, folder: &Path) -> Result<UseFlags, Error> {
    let missing = [Term::Repos, Term::Paths].into_iter().find(|term| uses.values(*term).is_empty());
    let (Some(missing), [_, ..]) = (missing, uses.projects.as_slice()) else { return Ok(uses) };
    let checkout = Checkout::of(folder).ok_or_else(|| Error::Flag {
        flag: missing.flag(),
        reason: "the sealed file is not in a Git checkout: set --repo URL and --path FOLDER, as the Application has them".into(),
    })?;
    if uses.repos.is_empty() {
        uses.repos.push(only_remote(&checkout)?);
    }
    if uses.paths.is_empty() {
        uses.paths.push(checkout.folder().to_owned());
    }
    Ok(uses)
}

/// The URL of a checkout's only remote.
fn only_remote(checkout: &Checkout) -> Result<String, Error> {
    let remotes = checkout.remotes()?;
    if let [(_, url)] = remotes.as_slice() {
        return Ok(url.clone());
    }
    let names: Vec<_> = remotes.iter().map(|(name, _)| shown_name(name)).collect();
    let reason = match names.len() {
        0 => "the Git checkout has no remote, so set the Application's `repoURL`".to_owned(),
        _ => format!(
            "the Git checkout has several remotes ({}), so set the Application's `repoURL`",
            names.join(", ")
        ),
    };
    Err(Error::Flag { flag: Term::Repos.flag(), reason })
}
