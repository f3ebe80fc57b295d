//! Everything that a run of `validate` looks at. It is read before the first judge, and no judge reads more.

use super::folder_files::FilesBelowPaths;
use super::identity::OpenedFiles;
use super::{INPUT, Validate};
use crate::command::Result;
use crate::custody::{self, Identities};
use crate::input::file::{self, ReadProblem};
use crate::input::folder::read_input;
use crate::judge::applications::{self, Outcome};
use crate::state::git::Checkout;
use crate::state::repo::api_groups::OmittedFiles;
use crate::state::repo::{Document, Files, FoundDocument, IgnoredFiles, Repo, documents};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a run looks at.
#[derive(Default)]
pub(super) struct World {
    pub(super) documents: Vec<FoundDocument>,
    /// The numbers of the documents: of two that contradict each other, the later is wrong.
    pub(super) order: Vec<usize>,
    /// The named folders without a document.
    pub(super) empty_folders: Vec<PathBuf>,
    /// The files below the paths; `None` for a document on standard input.
    pub(super) folder_files: Option<FilesBelowPaths>,
    /// What Git does with the files.
    pub(super) files: Files,
    /// The documents and the files of Argo CD that were left out.
    pub(super) left_out: OmittedFiles,
    /// The Applications of the documents, compared with them.
    pub(super) applications: Outcome,
    /// What an identity shows of the sealed files, if one is given.
    pub(super) opened: Option<OpenedFiles>,
}

impl World {
    /// What the arguments name.
    ///
    /// # Errors
    /// When a path cannot be read, or has too much.
    pub(super) fn load(arguments: &Validate, identity_file: Option<&Path>) -> Result<Self> {
        if arguments.is_input() {
            let read = read_input(INPUT).map(Document::without_files);
            let found = FoundDocument::without_files(INPUT.into(), read);
            return Ok(Self::of_document(found));
        }
        // one that cannot be read would be an error of each file
        let identities = identity_file.map(Identities::load).transpose();
        let identities = identities.map_err(custody::Error::from)?;
        let identity = identity_file.zip(identities.as_ref());
        let paths = &arguments.paths;
        let mut repo = Repo::of_documents("PATHS", &documents(paths)?)?;
        let mut folder_files = FilesBelowPaths::search(paths, &mut repo);
        let mut argo = std::mem::take(&mut folder_files.argo).bounded("PATHS")?;
        let Repo {
            mut documents,
            mut files,
        } = repo;
        let mut folders = BTreeSet::new();
        for found in &mut documents {
            found.folder = files.place(&found.path).map(|(folder, _)| folder);
            folders.extend(found.folder.clone());
        }
        let mut is_judged =
            |path: &PathBuf| files.place(path).is_some_and(|it| folders.contains(&it.0));
        argo.left_out.hidden.retain(|path| !is_judged(path));
        let empty_folders = without_document(paths, &folders)?;
        let names = argo.names().map(ToOwned::to_owned);
        ask_git(paths, &documents, names, &mut files);
        let ignored = IgnoredFiles::from_paths(paths, &mut files);
        argo.remove_ignored(ignored, &mut files);
        let argo_files = applications::files(&mut argo, &mut files);
        let mut world = Self {
            order: by_age(&documents),
            documents,
            empty_folders,
            folder_files: Some(folder_files),
            files,
            left_out: argo.left_out,
            ..Self::default()
        };
        let places = world.places();
        let applications = applications::judge(&argo_files, &places, &world.files);
        let opened = identity.map(|it| OpenedFiles::open(it, &places, &applications.reports));
        drop(places);
        world.applications = applications;
        world.opened = opened;
        Ok(world)
    }

    /// A document alone, without the files beside it.
    pub(super) fn of_document(found: FoundDocument) -> Self {
        Self {
            documents: vec![found],
            order: vec![0],
            ..Self::default()
        }
    }

    /// The peerings, as Applications lead to them.
    fn places(&self) -> Vec<applications::Place<'_>> {
        let numbered = self.documents.iter().enumerate();
        numbered.filter_map(|(index, it)| it.place(index)).collect()
    }
}

/// The most documents of which Git is asked for the age.
const ASKED_MAX: usize = 50;

/// The documents by number; if two share a sealed file, in the order of their first commits: a copy is newer.
fn by_age(documents: &[FoundDocument]) -> Vec<usize> {
    let mut digests = BTreeSet::new();
    let mut files = documents.iter().flat_map(FoundDocument::sealed_files);
    let is_shared = files.any(|file| !digests.insert(file.digest));
    let mut order: Vec<usize> = (0..documents.len()).collect();
    if is_shared && order.len() <= ASKED_MAX {
        let folder = |number: usize| documents.get(number)?.folder.as_deref();
        let time = |number: usize| Checkout::first_commit_time(folder(number)?);
        order.sort_by_cached_key(|number| time(*number).unwrap_or(u64::MAX));
    }
    order
}

/// The paths of folders that have no document in or below them.
///
/// # Errors
/// When a folder has no path: the folder in which a process runs can be deleted, and then it looks empty.
fn without_document(paths: &[PathBuf], folders: &BTreeSet<PathBuf>) -> Result<Vec<PathBuf>> {
    let mut empty = Vec::new();
    for path in paths.iter().filter(|path| path.is_dir()) {
        let place = path.canonicalize().map_err(ReadProblem::from);
        let place = place.map_err(file::named(path))?;
        // what is below a folder follows it in the order of paths
        let next = folders.range(place.clone()..).next();
        if !next.is_some_and(|folder| folder.starts_with(&place)) {
            empty.push(path.clone());
        }
    }
    Ok(empty)
}

/// Asks Git about the files that have to be committed, and whether it ignores the paths themselves.
fn ask_git(
    paths: &[PathBuf],
    documents: &[FoundDocument],
    argo: impl Iterator<Item = PathBuf>,
    files: &mut Files,
) {
    let committed = documents.iter().flat_map(FoundDocument::committed_files);
    let mut names: Vec<PathBuf> = argo.collect();
    names.extend(paths.iter().map(|path| path.join("x")));
    names.extend(committed.map(|file| file.path));
    files.ask_git(names.iter().map(PathBuf::as_path));
}
