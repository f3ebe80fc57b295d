//! `render`: writes each side's stream to a file, for an Argo CD without the plugin, and for Flux.

use super::documents::peerings;
use crate::argocd::caller::Caller;
use crate::command::forms::{Side, SideParser};
use crate::command::generate::pending;
use crate::command::{Error, Result, Streams};
use crate::custody::{OpenedSide, Request, store};
use crate::diagnostic::{counted, quoted};
use crate::input::file::{self, Links, ReadProblem, folder_of, repository, shell_path, shown_path};
use crate::input::folder::Folder;
use crate::judge::rendered::{self, Rendered};
use crate::peering::delivery::Delivery;
use crate::peering::{Peering, Role};
use crate::rules;
use crate::state::repo::Described;
use crate::state::repo::tree::{Seen, Walk};
use crate::stream::{self, emit};
use clap::Args;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Write each side's manifests as files, where there is no plugin
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering render peerings --into rendered \\
    --identity-file ~/.config/argocd-peering/identity.txt
  argocd-peering render peerings/rome-milan --into rendered --role rome

It writes FOLDER/PEERING/consumer/manifests.yaml and FOLDER/PEERING/provider/manifests.yaml: an Application without a plugin, or a \
Kustomization of Flux, has one of these folders as its `path`. What is written is committed, so a side whose stream has a private key in \
clear is refused: it needs `delivery: SealedSecret` or `External`. Everything is written or nothing; a file that is the same is not \
touched, one that `render` did not write is not replaced, and none is deleted. `validate` says of each file whether it is stale or \
edited, without an identity. docs/without-the-plugin.md has the way.")]
pub struct Render {
    /// A peering.yaml, its folder, or a folder of such folders
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Where the files are written
    #[arg(long, value_name = "FOLDER")]
    pub into: PathBuf,
    /// Only this side, or this cluster's; default: both
    #[arg(long, value_name = "consumer|provider", value_parser = SideParser)]
    pub role: Option<Side>,
    /// An age identity file that opens the sealed files, where a side needs one
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
}

pub(crate) fn render(arguments: &Render, streams: &mut Streams<'_>) -> Result {
    let read = peerings(&arguments.paths)?;
    let mut files = BTreeMap::new();
    for described in &read {
        for role in roles(arguments, described)? {
            let place = rendered::place(&arguments.into, described.peering.name.as_str(), role);
            if files.contains_key(&place) {
                let name = quoted(described.peering.name.as_str());
                let reason =
                    format!("two peerings are called {name}: give each its own `metadata.name`");
                return Err(Error::flag("PATHS", reason));
            }
            let text = rendered_text(described, role, arguments, streams)?;
            files.insert(place, text.into_bytes());
        }
    }
    let all = files.len();
    let mut changed = Vec::new();
    for (path, bytes) in files {
        if differs(&path, &bytes)? {
            changed.push((path, bytes));
        }
    }
    store::put_all(&changed)?;
    streams.note_all(
        changed
            .iter()
            .map(|(path, _)| format!("wrote {}", shown_path(path))),
    );
    streams.note(&format!(
        "{} rendered, {} changed",
        counted(all, "stream"),
        changed.len()
    ));
    Ok(())
}

/// The commands that render the changed folders again, if their checkouts have rendered files: these are what is applied. A command for
/// each folder that was given to `--into`.
pub(super) fn commands_again<'f>(changed: impl IntoIterator<Item = &'f Path>) -> Vec<String> {
    let mut checkouts: BTreeMap<PathBuf, Vec<(&Path, Peering)>> = BTreeMap::new();
    for folder in changed {
        let Some((root, peering)) = read_changed(folder) else {
            continue;
        };
        checkouts.entry(root).or_default().push((folder, peering));
    }
    checkouts
        .iter()
        .flat_map(|(root, changed)| commands_in(root, changed))
        .collect()
}

/// The root of a folder's checkout, and the folder's peering.
fn read_changed(folder: &Path) -> Option<(PathBuf, Peering)> {
    let root = repository(&folder.canonicalize().ok()?)?.to_owned();
    Some((
        root,
        rules::read(&Folder::new(folder).read_document().ok()?).ok()?,
    ))
}

/// The changed peerings that are rendered into one folder.
#[derive(Default)]
struct RenderedInto<'c> {
    folders: BTreeSet<&'c Path>,
    roles: BTreeSet<Role>,
    is_opened: bool,
}

/// The commands for a checkout, which is read once.
fn commands_in(root: &Path, changed: &[(&Path, Peering)]) -> Vec<String> {
    let mut found: BTreeMap<PathBuf, RenderedInto<'_>> = BTreeMap::new();
    Walk::of(|path| path.ends_with("manifests.yaml")).through(root, &mut |path, seen| {
        let Seen::File(bytes) = seen else { return };
        let Some(file) = Rendered::of(path, bytes) else {
            return;
        };
        let (Some(into), Some((name, role))) = (Rendered::into(&file), file.side()) else {
            return;
        };
        for (folder, peering) in changed.iter().filter(|(_, it)| it.name.as_str() == name) {
            let there = found.entry(root.join(into)).or_default();
            there.folders.insert(folder);
            there.roles.insert(role);
            there.is_opened |= is_opened(peering);
        }
    });
    found
        .iter()
        .map(|(into, there)| there.command(into))
        .collect()
}

impl RenderedInto<'_> {
    fn command(&self, into: &Path) -> String {
        let here = std::env::current_dir().unwrap_or_default();
        let into = into.strip_prefix(here).unwrap_or(into);
        let mut command = "argocd-peering render".to_owned();
        command.extend(self.folders.iter().map(|it| format!(" {}", shell_path(it))));
        command += &format!(" --into {}", shell_path(into));
        if let (1, Some(role)) = (self.roles.len(), self.roles.first()) {
            command += &format!(" --role {role}");
        }
        command
            + if self.is_opened {
                " --identity-file FILE"
            } else {
                ""
            }
    }
}

/// Whether rendering has to open a sealed file.
fn is_opened(peering: &Peering) -> bool {
    let mut keys = peering
        .networking
        .iter()
        .flat_map(|it| Role::BOTH.map(|role| it.keys.of(role)));
    keys.any(|key| key.written().is_none())
        || Role::BOTH
            .iter()
            .any(|role| peering.clusters.of(*role).delivery == Delivery::SealedSecret)
}

/// Notes the commands of [`commands_again`], after a command has changed these folders.
pub(super) fn note_again<'f>(
    changed: impl IntoIterator<Item = &'f Path>,
    streams: &mut Streams<'_>,
) {
    streams.note_all(commands_again(changed).iter().map(|command| {
        format!(
            "note: Argo CD applies the rendered files: run `{command}`, and commit what it writes together with this"
        )
    }));
}

fn roles(arguments: &Render, described: &Described) -> Result<Vec<Role>> {
    Ok(match &arguments.role {
        Some(side) => vec![side.role(&described.peering)?],
        None => Role::BOTH.into(),
    })
}

fn rendered_text(
    Described {
        path,
        peering,
        sealed,
        ..
    }: &Described,
    role: Role,
    arguments: &Render,
    streams: &mut Streams<'_>,
) -> Result<String> {
    let Some(origin) = rendered::origin(peering, role, sealed)? else {
        let other = rendered::origin(peering, role.peer(), sealed)?;
        let other =
            other.map(|_| format!(", or render the other side with --role {}", role.peer()));
        let reason = format!(
            "the {role}'s stream has a private key in clear, or its seed is elsewhere, and what is rendered is committed: set `delivery: SealedSecret` or `External` in `spec.{role}` of {}{}",
            shown_path(path),
            other.unwrap_or_default()
        );
        return Err(Error::flag("PATHS", reason));
    };
    let folder = Folder::new(folder_of(path));
    let identity_file = arguments.identity_file.as_deref();
    let request = Request {
        folder: &folder,
        identity_file,
        policy_file: None,
        caller: &Caller::Local,
    };
    let opened = request
        .material(peering, role)
        .map_err(|error| error.beside(path))?;
    let OpenedSide {
        material,
        sealer,
        audit,
        ..
    } = opened;
    let plan = stream::plan(peering, role, &material, sealer.as_ref())?;
    let stream = stream::render(&plan)?;
    emit::check(&stream, &plan)?;
    streams.note_all(&audit);
    streams.note_all(pending(peering, role));
    Ok(rendered::text(
        peering.name.as_str(),
        role,
        &origin.digest,
        &stream,
    ))
}

/// Whether a file must be written. A file that `render` did not write is refused.
fn differs(path: &Path, bytes: &[u8]) -> Result<bool> {
    file::refuse(path)?;
    match file::read(path, rendered::CAP, Links::Refuse) {
        Ok(there) if there == bytes => Ok(false),
        Ok(there) if Rendered::of(path, &there).is_some() => Ok(true),
        Err(ReadProblem::Missing) => Ok(true),
        Err(problem) => Err(file::named(path)(problem).into()),
        Ok(_) => {
            let name = shown_path(path);
            let reason = format!(
                "{name} was not written by `render`, so it stays: move it, or name another folder"
            );
            Err(Error::flag("--into", reason))
        }
    }
}
