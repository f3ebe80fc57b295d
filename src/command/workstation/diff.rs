//! `diff`: what a change does to both clusters, object by object.

mod attributes;
mod effects;
mod git;
mod keys;
mod live;
mod objects;
mod report;
mod tree;

use super::budget::Budget;
use super::kubectl::Kubectl;
use crate::cli::{Diff, DiffFormat};
use crate::command::Streams;
use crate::command::error::Error;
use crate::diagnostic::Bug;
use crate::input::file::{ReadProblem, named};
use crate::input::folder::{DOCUMENT, Folder};
use crate::peering::Role;
use crate::rules;
use git::Git;
use report::Changed;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tree::{Commit, Tree, Version, Versions};

pub(super) fn diff(arguments: &Diff, streams: &mut Streams<'_>) -> Result<(), Error> {
    let (all, changed) = if arguments.consumer_context.is_some() || arguments.provider_context.is_some() {
        (1, live(arguments, streams)?)
    } else {
        let (old, new) = trees(arguments)?;
        states(old.versions()?, new.versions()?, &arguments.folder)?
    };
    let text = match arguments.format {
        DiffFormat::Text => report::text(all, &changed),
        DiffFormat::Markdown => report::markdown(all, &changed),
    };
    streams.print(&text)?;
    if changed.is_empty() { Ok(()) } else { Err(Error::Differs) }
}

/// The two states that are compared.
fn trees(arguments: &Diff) -> Result<(Tree, Tree), Error> {
    let folder = || folder(&arguments.folder);
    if let Some(new) = &arguments.new {
        let (old, new) = (folder(), self::folder(new));
        if let Some(missing) = [&old, &new].into_iter().find(|folder| !folder.is_dir()) {
            return Err(named(missing)(ReadProblem::Missing).into());
        }
        return Ok((Tree::Disk(old), Tree::Disk(new)));
    }
    let (git, prefix) = Git::of(&folder())?;
    let commit = |flag, revision: &str| -> Result<Tree, Error> {
        let id = git.commit(flag, revision)?;
        let (git, revision, folder) = (git.clone(), revision.to_owned(), prefix.clone());
        Ok(Tree::Commit(Commit { git, id, flag, revision, folder }))
    };
    let old = commit("--from", arguments.from.as_deref().unwrap_or("HEAD"))?;
    let new = match &arguments.to {
        Some(revision) => commit("--to", revision)?,
        None => Tree::Disk(folder()),
    };
    Ok((old, new))
}

/// The folder of a document that is named itself.
fn folder(path: &Path) -> PathBuf {
    let is_document = path.file_name() == Some(DOCUMENT.as_ref());
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if is_document { parent.unwrap_or(Path::new(".")).to_path_buf() } else { path.to_path_buf() }
}

/// How many peerings were compared, and those that are not the same.
fn states(mut old: Versions, new: Versions, folder: &Path) -> Result<(usize, Vec<Changed>), Error> {
    if old.is_empty() && new.is_empty() {
        return Err(named(&folder.join(DOCUMENT))(ReadProblem::Missing).into());
    }
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    for (place, version) in new {
        match version {
            Ok(version) => pairs.push((place.clone(), old.remove(&place), Some(version))),
            Err(error) => wrong.push(error),
        }
    }
    if !wrong.is_empty() {
        return Err(Error::Uncompared(wrong));
    }
    // a folder that moved still has the same two clusters
    let place = |(place, version): (&PathBuf, &Result<Version, Error>)| {
        Some((clusters(version.as_ref().ok()?), place.clone()))
    };
    let mut moved: BTreeMap<_, _> = old.iter().filter_map(place).collect();
    for (_, before, after) in pairs.iter_mut().filter(|(_, before, _)| before.is_none()) {
        let place = after.as_ref().and_then(|after| moved.remove(&clusters(after)));
        *before = place.and_then(|place| old.remove(&place));
    }
    pairs.extend(old.into_iter().map(|(place, version)| (place, Some(version), None)));
    pairs.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    let all = pairs.len();
    let mut changed = Vec::new();
    for (place, old, new) in pairs {
        changed.extend(compared(&place, old, new.as_ref())?);
    }
    Ok((all, changed))
}

fn clusters(version: &Version) -> [String; 2] {
    Role::BOTH.map(|role| version.peering.clusters.of(role).id.to_string())
}

/// One peering in two states, unless nothing of it changes.
fn compared(
    place: &Path,
    old: Option<Result<Version, Error>>,
    new: Option<&Version>,
) -> Result<Option<Changed>, Bug> {
    let mut notes = Vec::new();
    let old = match (old, new) {
        (Some(Ok(old)), None) => {
            notes.push("The folder is removed. Argo CD deletes nothing for that; the objects go with the two Applications, and the consumer's has to go first: see docs/teardown.md.");
            Some(old)
        }
        (Some(Ok(old)), Some(_)) => Some(old),
        (Some(Err(_)), None) => {
            notes.push("The folder is removed. Its old document is wrong, so its objects are not known.");
            None
        }
        (Some(Err(_)), Some(_)) => {
            notes.push("The old document is wrong, so every object is shown as a new one.");
            None
        }
        (None, _) => {
            notes.push("The peering is new.");
            None
        }
    };
    if let (Some(old), Some(new)) = (&old, new) {
        // most peerings of a fleet
        if old.source.text() == new.source.text() && old.sealed == new.sealed {
            return Ok(None);
        }
        if *old.peering.name != *new.peering.name {
            notes.push("`metadata.name` changes: an ApplicationSet that names Applications by it makes a second pair for the same objects.");
        }
        let destination = |it: &Version, role| it.peering.clusters.of(role).argocd_cluster.value.clone();
        if Role::BOTH.into_iter().any(|role| destination(old, role) != destination(new, role)) {
            notes.push("`argocdCluster` changes, or the ID in its place: an ApplicationSet that goes by it sends the stream to another cluster, and what is on the old one stays there.");
        }
    }
    let mut rows = Vec::new();
    for role in Role::BOTH {
        rows.extend(objects::compared(old.as_ref(), new, role)?);
    }
    let folder = place.display().to_string();
    Ok((!rows.is_empty() || !notes.is_empty()).then_some(Changed { folder, notes, rows }))
}

/// What a sync of the folder's streams would change in the live clusters.
fn live(arguments: &Diff, streams: &mut Streams<'_>) -> Result<Vec<Changed>, Error> {
    let source = Folder::new(folder(&arguments.folder)).read_document();
    let peering = source.map_err(Error::from).and_then(|source| rules::read(&source).map_err(Error::from));
    let peering = peering.map_err(|error| Error::Uncompared(vec![error]))?;
    let (mut rows, budget) = (Vec::new(), Budget::default());
    for (role, context) in
        [(Role::Consumer, &arguments.consumer_context), (Role::Provider, &arguments.provider_context)]
    {
        if let Some(context) = context {
            rows.extend(live::compared(&Kubectl::new(context, &budget)?, &peering, role, streams)?);
        }
    }
    let changed = Changed { folder: String::new(), notes: Vec::new(), rows };
    Ok(Vec::from_iter((!changed.rows.is_empty()).then_some(changed)))
}
