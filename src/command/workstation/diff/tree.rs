//! One state of a folder: its peerings with their sealed files, from the disk or from a Git revision.

use crate::command::documents::{self, BYTES_MAX};
use crate::command::error::Error;
use crate::custody::{Owner, PayloadKind, sealed_files};
use crate::diagnostic::{Source, shown_name};
use crate::input::file::ReadProblem;
use crate::input::folder::{DOCUMENT, DOCUMENT_CAP, Folder, source};
use crate::input::links;
use crate::peering::Peering;
use crate::peering::values::FileName;
use crate::rules;
use crate::state::git::{ATTRIBUTES, ATTRIBUTES_CAP, Attributes, Entry, Git};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What is named on the command line.
const FOLDER: &str = "FOLDER";

/// A state of a folder.
pub(super) enum Tree {
    /// As it is on the disk.
    Disk(PathBuf),
    /// As it is in a commit.
    Commit(Commit),
}

/// A folder in a commit.
pub(super) struct Commit {
    pub(super) git: Git,
    pub(super) id: String,
    /// The flag that names it, and how.
    pub(super) flag: &'static str,
    pub(super) revision: String,
    /// From the root of the checkout.
    pub(super) folder: PathBuf,
}

/// One peering in one state.
pub(super) struct Version {
    pub(super) source: Source,
    pub(super) peering: Peering,
    /// Those of its sealed files that can be read.
    pub(super) sealed: BTreeMap<String, Vec<u8>>,
    /// What opens them, if the person gives it.
    pub(super) owner: Option<Rc<Owner>>,
}

impl Version {
    /// A document without the files beside it.
    pub(super) fn alone(source: Source) -> Result<Self, Error> {
        Ok(Self { peering: rules::read(&source)?, source, sealed: BTreeMap::new(), owner: None })
    }

    /// Whether one of its sealed files has these bytes, whatever its name.
    pub(super) fn holds(&self, sealed: &[u8]) -> bool {
        self.sealed.values().any(|it| it == sealed)
    }
}

/// The peerings of a state, by their folders.
pub(super) type Versions = BTreeMap<PathBuf, Result<Version, Error>>;

impl Tree {
    /// What is there. A document that is wrong hides no other one.
    pub(super) fn versions(&self, owner: Option<&Rc<Owner>>) -> Result<Versions, Error> {
        let mut versions = match self {
            Self::Disk(folder) => on_disk(folder),
            Self::Commit(commit) => in_commit(commit),
        }?;
        for version in versions.values_mut().flatten() {
            version.owner = owner.cloned();
        }
        Ok(versions)
    }
}

fn on_disk(folder: &Path) -> Result<Versions, Error> {
    links::refuse(folder)?;
    let mut documents = Vec::new();
    // a revision may have had it
    if folder.symlink_metadata().is_ok() {
        documents::search(folder, FOLDER, &mut documents)?;
    }
    let mut versions = Versions::new();
    let mut bytes = 0;
    for path in &documents {
        let Some(here) = path.parent() else { continue };
        let source = Folder::read_file(path);
        bytes += source.as_ref().map_or(0, |source| source.text().len());
        if bytes > BYTES_MAX {
            return Err(documents::too_large(FOLDER));
        }
        let place = here.strip_prefix(folder).unwrap_or(here).to_path_buf();
        versions.insert(place, source.map_err(Error::from).and_then(|it| with_sealed(it, here)));
    }
    Ok(versions)
}

/// A document, and those of its sealed files that can be read in its folder.
fn with_sealed(source: Source, folder: &Path) -> Result<Version, Error> {
    let mut version = Version::alone(source)?;
    let folder = Folder::new(folder);
    let read = |(file, kind): (&FileName, PayloadKind)| {
        Some((file.to_string(), folder.read(file.as_str(), kind.cap()).ok()?))
    };
    version.sealed = sealed_files(&version.peering).filter_map(read).collect();
    Ok(version)
}

fn in_commit(commit: &Commit) -> Result<Versions, Error> {
    let Commit { git, id, revision, folder, .. } = commit;
    let entries: BTreeMap<PathBuf, Entry> =
        git.files(id, folder)?.into_iter().map(|entry| (entry.path.clone(), entry)).collect();
    let attributes = attributes(git, &entries)?;
    let is_hidden = |path: &Path| path.iter().any(|part| part.to_string_lossy().starts_with('.'));
    let is_document = |entry: &&Entry| {
        let below = entry.path.strip_prefix(folder).is_ok_and(|path| !is_hidden(path));
        below && entry.path.file_name() == Some(DOCUMENT.as_ref())
    };
    let documents: Vec<&Entry> = entries.values().filter(is_document).collect();
    documents::check_count(FOLDER, documents.len())?;
    let contents = read_bounded(git, documents.iter().map(|entry| (*entry, DOCUMENT_CAP)).collect())?;
    let mut versions = Versions::new();
    let mut wanted = Vec::new();
    for (entry, content) in documents.into_iter().zip(contents) {
        commit.check_out(&attributes, entry, &content)?;
        let place = entry.path.parent().unwrap_or(folder);
        let name = format!("{revision}:{}", entry.path.display());
        let version = source(&name, content).map_err(Error::from).and_then(Version::alone);
        let place_below = place.strip_prefix(folder).unwrap_or(place).to_path_buf();
        for (file, kind) in version.iter().flat_map(|it: &Version| sealed_files(&it.peering)) {
            let entry = entries.get(&place.join(file.as_str()));
            wanted.extend(entry.map(|entry| (entry, kind.cap(), place_below.clone(), file.to_string())));
        }
        versions.insert(place_below, version);
    }
    let sealed = read_bounded(git, wanted.iter().map(|(entry, cap, ..)| (*entry, *cap)).collect())?;
    for ((entry, _, place, file), content) in wanted.into_iter().zip(sealed) {
        commit.check_out(&attributes, entry, &content)?;
        if let (Some(Ok(version)), Ok(content)) = (versions.get_mut(&place), content) {
            version.sealed.insert(file, content);
        }
    }
    Ok(versions)
}

impl Commit {
    /// Refuses a file that a checkout of the commit, which Argo CD renders, has with other bytes.
    fn check_out(
        &self,
        attributes: &Attributes,
        entry: &Entry,
        content: &Result<Vec<u8>, ReadProblem>,
    ) -> Result<(), Error> {
        let Ok(content) = content else { return Ok(()) };
        let Some(why) = attributes.rewrite(&entry.path, content) else { return Ok(()) };
        let (revision, file) = (shown_name(&self.revision), shown_name(&entry.path.display().to_string()));
        let reason = format!(
            "git checks {file} of `{revision}` out with other bytes than the commit has, because {why}; Argo CD renders what is \
             checked out: check both revisions out with `git worktree add`, and compare the two folders"
        );
        Err(Error::Flag { flag: self.flag, reason })
    }
}

fn attributes(git: &Git, entries: &BTreeMap<PathBuf, Entry>) -> Result<Attributes, Error> {
    let is_one = |entry: &&Entry| entry.path.file_name() == Some(ATTRIBUTES.as_ref());
    let files: Vec<&Entry> = entries.values().filter(is_one).collect();
    let contents = read_bounded(git, files.iter().map(|entry| (*entry, ATTRIBUTES_CAP)).collect())?;
    Ok(Attributes::new(files.into_iter().zip(contents)))
}

/// The contents of files that are not larger than their caps, and not links.
fn read_bounded(git: &Git, files: Vec<(&Entry, u64)>) -> Result<Vec<Result<Vec<u8>, ReadProblem>>, Error> {
    let mut ids = Vec::new();
    for (entry, cap) in files {
        ids.push(match entry {
            Entry { problem: Some(problem), .. } => Err(problem.clone()),
            Entry { size, .. } if *size > cap => Err(ReadProblem::TooLarge { cap }),
            Entry { id, .. } => Ok(id.as_str()),
        });
    }
    let read: Vec<&str> = ids.iter().flatten().copied().collect();
    let mut contents = git.contents(&read)?.into_iter();
    Ok(ids.into_iter().map(|id| id.map(|_| contents.next().unwrap_or_default())).collect())
}
