//! The folder of an adopted peering: what `init` writes of a new one.

use super::super::init::{APPLICATIONS, Placed, application, folder, usual_project};
use super::super::place::only_remote;
use crate::command::{Result, Streams};
use crate::custody::store::{self, WriteProblem};
use crate::diagnostic::shown_name;
use crate::input::file::shown_path;
use crate::input::folder::DOCUMENT;
use crate::peering::{Peering, Role, schema_text};
use crate::state::git::Checkout;
use std::path::Path;

/// Into a folder, which is made if it is new. What is there stays.
pub(super) fn write(folder: &Path, text: &str, peering: &Peering, streams: &mut Streams<'_>) -> Result {
    let uses = uses_of(folder);
    let mut files = vec![(DOCUMENT.to_owned(), text.as_bytes().to_vec())];
    if let Some((repo, path)) = &uses {
        for (role, name) in Role::BOTH.into_iter().zip(APPLICATIONS) {
            let project = usual_project(role);
            let placed = Placed { project, repo, path, revision: None, is_automated: false };
            files.push((name.to_owned(), application(peering, role, &placed)?.into_bytes()));
        }
    }
    if let Some((name, _)) = files.iter().find(|(name, _)| folder.join(name).symlink_metadata().is_ok()) {
        let name = folder.join(name).display().to_string();
        return Err(store::Unwritten { name, problem: WriteProblem::Exists }.into());
    }
    folder::write(folder, &files)?;
    streams.note_leftovers([folder.join(DOCUMENT).as_path()]);
    streams.note_all(files.iter().map(|(name, _)| format!("wrote {}", shown_path(&folder.join(name)))));
    let path = uses.as_ref().map_or("", |(_, path)| path.as_str());
    folder::write_shared(folder::of_all(folder, path), &schema_text(), streams);
    streams.note(&next_steps(folder, uses.is_some()));
    Ok(())
}

/// The repository and the folder's path in it, if it is in a checkout with one remote.
fn uses_of(folder: &Path) -> Option<(String, String)> {
    let checkout = Checkout::of(folder)?;
    Some((only_remote(&checkout).ok()?, checkout.folder().to_owned()))
}

fn next_steps(folder: &Path, has_applications: bool) -> String {
    let folder = shown_name(&folder.display().to_string());
    let mut steps = vec![
        format!("argocd-peering validate {folder}"),
        format!("argocd-peering diff {folder} --consumer-context CONTEXT --provider-context CONTEXT"),
        "the owners in the notes let go, in that order".to_owned(),
    ];
    steps.push(if has_applications {
        "commit the folder, apply its Applications, compare with `argocd app diff`, sync, and only then set `automated`".to_owned()
    } else {
        "commit the folder, and make its two Applications: see argocd-app/README.md".to_owned()
    });
    format!("next:\n  {}", steps.join("\n  "))
}
