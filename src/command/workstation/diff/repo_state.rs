//! The state of a folder at one time: on the disk, or in a commit.

use super::{Diff, FOLDER, no_peering};
use crate::command::workstation::documents::folder_of_peering;
use crate::command::{Error, Result};
use crate::input::file::{folder_of, repository, shell_path, shown_path};
use crate::input::folder::DOCUMENT;
use crate::state::git::Git;
use crate::state::repo::api_groups::ArgoFiles;
use crate::state::repo::{Commit, IgnoredFiles, Repo};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The state of a folder at one time.
pub(super) struct RepoState {
    pub(super) repo: Repo,
    pub(super) argo: ArgoFiles,
    /// Other checkouts inside the folder; their peerings were left out.
    pub(super) others: Vec<PathBuf>,
    /// The submodules of the commit, or of the checkout's, each with the ID of its commit.
    pub(super) submodules: BTreeMap<PathBuf, String>,
}

impl RepoState {
    fn on_disk(folder: &Path) -> Result<Self> {
        Ok(Self {
            argo: ArgoFiles::of_folder(FOLDER, folder)?,
            repo: Repo::of_folder(FOLDER, folder)?,
            others: Vec::new(),
            submodules: BTreeMap::new(),
        })
    }

    /// Removes what no commit of the checkout can have: files that Git ignores, and files of a submodule or another worktree. They would
    /// all be shown as new.
    fn committable(mut self, submodules: BTreeMap<PathBuf, String>) -> Self {
        let Repo { documents, files } = &mut self.repo;
        let of_documents = documents.iter().map(|it| it.place.join(DOCUMENT));
        let of_documents: Vec<PathBuf> = of_documents.collect();
        let named = of_documents.iter().map(PathBuf::as_path);
        files.ask_git(self.argo.names().chain(named).chain([Path::new("x")]));
        let ignored = IgnoredFiles::from_paths(&[PathBuf::new()], files);
        let passed_over =
            documents.extract_if(.., |it| ignored.has_file(&it.place.join(DOCUMENT), files));
        let passed_over: Vec<PathBuf> = passed_over.map(|it| it.place.join(DOCUMENT)).collect();
        self.argo.remove_ignored(ignored, files);
        self.argo.left_out.ignored.extend(passed_over);
        let mut others = self.other_checkouts();
        others.extend(submodules.keys().cloned());
        self.submodules = submodules;
        for other in &others {
            let documents = &mut self.repo.documents;
            let before = documents.len();
            documents.retain(|it| !it.place.starts_with(other));
            self.argo.leave_folder(other);
            if documents.len() < before {
                self.others.push(other.clone());
            }
        }
        self
    }

    /// The folders in which another checkout begins.
    fn other_checkouts(&mut self) -> BTreeSet<PathBuf> {
        let Some((folder, Some(root))) = self.repo.files.place(Path::new(DOCUMENT)) else {
            return BTreeSet::new();
        };
        let documents = self.repo.documents.iter().map(|it| it.place.as_path());
        let files = self.argo.texts.keys().chain(&self.argo.left_out.hidden);
        let places: BTreeSet<&Path> = documents.chain(files.map(|it| folder_of(it))).collect();
        let mut others = BTreeSet::new();
        for place in places {
            if let Some(own) = repository(&folder.join(place))
                && own != root
                && let Ok(other) = own.strip_prefix(&folder)
            {
                others.insert(other.to_owned());
            }
        }
        others
    }

    fn in_commit(commit: &Commit) -> Result<Self> {
        Ok(Self {
            argo: commit.argo_files()?,
            repo: commit.repo()?,
            others: Vec::new(),
            submodules: commit.submodules(),
        })
    }

    /// The two states that are compared.
    pub(super) fn open_both(arguments: &Diff) -> Result<[Self; 2]> {
        let old = folder_of_peering(&arguments.folder);
        if let Some(new) = &arguments.new {
            let both = [old, folder_of_peering(new)];
            if let Some(missing) = both.iter().find(|folder| !folder.is_dir()) {
                return Err(no_peering(missing));
            }
            let [old, new] = both.map(|folder| Self::on_disk(&folder));
            return Ok([old?, new?]);
        }
        let (git, prefix) = Git::open(&old)?;
        let revision = arguments.from.as_deref().unwrap_or("HEAD");
        let from = Commit::open(&git, &prefix, "--from", revision)?;
        let new = if let Some(revision) = &arguments.to {
            Self::in_commit(&Commit::open(&git, &prefix, "--to", revision)?)?
        } else if let Some(path) = from.excluded_folder()? {
            return Err(sparse_checkout(&path));
        } else {
            // without `--from`, that commit is HEAD
            let open = |_| Commit::open(&git, &prefix, "--from", "HEAD");
            let head = arguments.from.as_ref().map(open).transpose()?;
            let head = head.as_ref().unwrap_or(&from);
            Self::on_disk(&old)?.committable(head.submodules())
        };
        Ok([Self::in_commit(&from)?, new])
    }
}

fn sparse_checkout(path: &Path) -> Error {
    let (path, folder) = (shown_path(path), shell_path(folder_of(path)));
    let reason = format!(
        "{path} is missing in this sparse checkout: run `git sparse-checkout add {folder}` at its root"
    );
    Error::flag(FOLDER, reason)
}
