//! The new folder: all of it is written, or nothing.

use super::{APPLICATIONS, Init};
use crate::command::{Error, Result, Streams};
use crate::custody::store::{self, Unwritten, WriteProblem};
use crate::input::file::{self, Links, ReadProblem, repository, shown_path};
use crate::input::folder::DOCUMENT;
use crate::peering::draft::SEED;
use crate::peering::schema_text;
use std::path::Path;
use std::{fs, io};

/// Refuses a folder that has files: it belongs to another peering, or to the user. An existing sealed seed is never replaced, and kept only
/// with a flag, because the person who made it knows its keys. Links in a checkout are not followed.
pub(super) fn check(arguments: &Init) -> Result {
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
    if is_used && !arguments.force {
        let reason = format!(
            "{} has files already; --force writes peering.yaml and the Applications anew, and never a sealed file",
            shown_path(folder)
        );
        return Err(Error::flag("FOLDER", reason));
    }
    let applications = if arguments.no_applications {
        &[][..]
    } else {
        &APPLICATIONS
    };
    for name in [DOCUMENT].iter().chain(applications) {
        check_file(&folder.join(name))?;
    }
    if arguments.recipients.differ() {
        if arguments.keep_seed {
            let reason = "with recipients by side the document has both public keys, which are not known of seeds that are not opened";
            return Err(Error::flag("--keep-seed", reason));
        }
        // the names of their seeds are known when the clusters are
        return Ok(());
    }
    check_seed(&folder.join(SEED), arguments.keep_seed)
}

fn check_file(path: &Path) -> Result {
    match path.symlink_metadata() {
        Ok(it) if it.is_symlink() => Err(file::refusal(path).into()),
        Ok(it) if !it.is_file() => {
            let name = path.display().to_string();
            Err(Unwritten {
                name,
                problem: WriteProblem::NotAFile,
            }
            .into())
        }
        _ => Ok(()),
    }
}

/// Refuses a sealed seed that exists without the flag to keep it, and the flag without a seed.
pub(super) fn check_seed(seed: &Path, is_kept: bool) -> Result {
    check_file(seed)?;
    let name = shown_path(seed);
    match (seed.exists(), is_kept) {
        (true, false) => Err(Error::flag(
            "--force",
            format!(
                "{name} exists, and a sealed file is never overwritten: see with `argocd-peering inspect` what is in it, then keep it with --keep-seed, or remove it for a new one"
            ),
        )),
        (false, true) => Err(Error::flag(
            "--keep-seed",
            format!("there is no {name} to keep"),
        )),
        _ => Ok(()),
    }
}

/// Writes the files: into an existing folder one by one, otherwise all of them or none.
pub(in crate::command::workstation) fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> Result {
    if !folder.is_dir() {
        let files: Vec<_> = files
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
            .collect();
        return Ok(store::create_folder(folder, &files)?);
    }
    let files = files
        .iter()
        .map(|(name, bytes)| (folder.join(name), bytes.clone()));
    let (sealed, others): (Vec<_>, Vec<_>) =
        files.partition(|(path, _)| path.extension().is_some_and(|it| it == "age"));
    // a sealed file never replaces another one
    sealed
        .iter()
        .try_for_each(|(path, bytes)| store::create(path, bytes))?;
    Ok(store::put_all(&others)?)
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
pub(in crate::command::workstation) fn of_all<'f>(folder: &'f Path, path: &str) -> &'f Path {
    let above = match of_set(path) {
        _ if repository(folder) == Some(folder) || folder.file_name().is_none() => 0,
        Some(_) => 2,
        None => 1,
    };
    folder.ancestors().take(above + 1).last().unwrap_or(folder)
}

/// What Git has to ignore below the folder of all peerings. Sealed files end in `.age`.
const IGNORED: &str = "\
# What must never be committed: age identities, and kubeconfigs and keys in clear.
*identity*.txt
*.agekey
*.kubeconfig
kubeconfig
kubeconfig.y*ml
*.key
*.env
# What a run that was stopped has left.
.new-*
";

/// Writes the files that all peerings share: the schema for an editor, and `.gitignore`. An existing file stays, and a failure is a note.
pub(in crate::command::workstation) fn write_shared(of_all: &Path, streams: &mut Streams<'_>) {
    let (schema_path, schema) = (of_all.join(super::SCHEMA), schema_text());
    if create_new(&schema_path, &schema, streams) {
        note_other_schema(&schema_path, &schema, streams);
    }
    // an existing list is not changed: `validate` finds the files that it does not ignore
    create_new(&of_all.join(".gitignore"), IGNORED, streams);
}

/// Writes a file that does not exist yet. Returns true if it exists.
fn create_new(path: &Path, text: &str, streams: &mut Streams<'_>) -> bool {
    match store::create_for_all(path, text.as_bytes()) {
        Ok(()) => streams.note(&format!("wrote {}", shown_path(path))),
        Err(Unwritten {
            problem: WriteProblem::Exists,
            ..
        }) => return true,
        Err(unwritten) => streams.note(&format!("note: {unwritten}")),
    }
    false
}

/// Notes that an existing schema is another one. The file belongs to the repository, so a link is not followed: it
/// could lead out of the repository.
fn note_other_schema(path: &Path, text: &str, streams: &mut Streams<'_>) {
    let name = shown_path(path);
    let cap = u64::try_from(text.len()).unwrap_or_default();
    match file::read(path, cap, Links::Refuse) {
        Ok(same) if same == text.as_bytes() => {}
        Err(ReadProblem::Link) => streams.note(&format!("note: {name}: {}", ReadProblem::Link)),
        _ => streams.note(&format!(
            "note: {name} is of another version; `argocd-peering schema` prints this one's"
        )),
    }
}
