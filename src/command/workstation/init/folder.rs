//! The new folder: all of it is written, or nothing.

use super::Init;
use crate::command::{Error, Result, Streams};
use crate::custody::store::{self, Unwritten, WriteProblem};
use crate::input::file::{self, repository, shown_path};
use crate::peering::schema_text;
use std::path::Path;
use std::{fs, io};

/// Refuses a folder that has files: it belongs to another peering, or to the user. Links in a checkout are not followed.
pub(super) fn check_folder(arguments: &Init) -> Result {
    let folder = arguments.folder.as_path();
    for path in arguments.like.iter().chain([&arguments.folder]) {
        file::refuse(path)?;
    }
    let is_used = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => {
            let (name, problem) = (folder.display().to_string(), WriteProblem::from(error));
            return Err(Unwritten { name, problem }.into());
        }
    };
    if is_used {
        let reason = format!("{} has files: name a new folder", shown_path(folder));
        return Err(Error::flag("FOLDER", reason));
    }
    Ok(())
}

/// Writes new files: into an existing folder one by one, otherwise all of them or none.
pub(in crate::command::workstation) fn write(
    folder: &Path,
    files: &[(String, Vec<u8>)],
    streams: &mut Streams<'_>,
) -> Result {
    if folder.is_dir() {
        for (name, bytes) in files {
            store::create_for_all(&folder.join(name), bytes)?;
        }
    } else {
        store::create_folder(folder, files)?;
    }
    for (name, _) in files {
        streams.note(&format!("wrote {}", shown_path(&folder.join(name))));
    }
    Ok(())
}

/// The consumer and the provider in a folder's path in the repository, if it has the layout of the ApplicationSet of
/// `argocd-app`: `peerings/rome/milan`.
pub(super) fn of_set(path: &str) -> Option<(&str, &str)> {
    let mut parts = path.split('/').skip(1);
    let pair = (parts.next()?, parts.next()?);
    parts.next().is_none().then_some(pair)
}

/// The folder of all peerings: the parent of `peerings/rome-milan`, and the second parent of `peerings/rome/milan`. It
/// is never above the repository, in which `path` is the new folder's.
pub(in crate::command::workstation) fn folder_of_all<'f>(folder: &'f Path, path: &str) -> &'f Path {
    let above = match of_set(path) {
        _ if repository(folder) == Some(folder) || folder.file_name().is_none() => 0,
        Some(_) => 2,
        None => 1,
    };
    folder.ancestors().take(above + 1).last().unwrap_or(folder)
}

/// What Git has to ignore below the folder of all peerings. Sealed files end in `.age`.
const IGNORED: &str = "\
# Never commit age identities, nor kubeconfigs and keys in clear.
*identity*.txt
*.agekey
*.kubeconfig
kubeconfig
kubeconfig.y*ml
*.key
*.env
# Left by a stopped run.
.new-*
";

/// Writes the files that all peerings share: the schema for an editor, and `.gitignore`. An existing file stays, and a failure is a note.
pub(in crate::command::workstation) fn write_shared(of_all: &Path, streams: &mut Streams<'_>) {
    create_new(&of_all.join(super::SCHEMA), &schema_text(), streams);
    // an existing list is not changed: `validate` finds the files that it does not ignore
    create_new(&of_all.join(".gitignore"), IGNORED, streams);
}

/// Writes a file, unless it exists.
fn create_new(path: &Path, text: &str, streams: &mut Streams<'_>) {
    match store::create_for_all(path, text.as_bytes()) {
        Ok(()) => streams.note(&format!("wrote {}", shown_path(path))),
        Err(Unwritten {
            problem: WriteProblem::Exists,
            ..
        }) => {}
        Err(unwritten) => streams.note(&format!("note: {unwritten}")),
    }
}
