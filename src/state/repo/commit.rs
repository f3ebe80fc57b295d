//! A repository at a commit, read with the person's own git.

use super::api_groups::{ArgoFiles, is_wanted};
use super::tree::{FILE_CAP, FileContent, Unread, Visit, Walk};
use super::{Document, Files, FoundDocument, Repo, check_count, prefixed};
use crate::custody::named_files;
use crate::diagnostic::shown_name;
use crate::input::file::{ReadProblem, is_hidden};
use crate::input::folder::{DOCUMENT, DOCUMENT_CAP, source};
use crate::state::StateError;
use crate::state::git::{ATTRIBUTES, Entry, Git};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The argument on the command line.
const FOLDER: &str = "FOLDER";

/// The most bytes that git is asked for at once: fewer than it may print.
const AT_ONCE: u64 = 32 << 20;

/// A folder in a commit, and its files.
pub(crate) struct Commit {
    git: Git,
    /// The flag that names the commit, and the name.
    flag: &'static str,
    revision: String,
    id: String,
    /// The path from the root of the checkout.
    folder: PathBuf,
    files: BTreeMap<PathBuf, Entry>,
    /// The files that a checkout has with other bytes, each with the attribute that changes them.
    rewritten: BTreeMap<PathBuf, &'static str>,
}

impl Commit {
    /// The folder at a revision. The path is from the root of the checkout.
    ///
    /// # Errors
    /// When a flag does not name a revision, or git gives no answer.
    pub(crate) fn open(
        git: &Git,
        folder: &Path,
        flag: &'static str,
        revision: &str,
    ) -> Result<Self, StateError> {
        let id = git.commit(flag, revision)?;
        let files: BTreeMap<PathBuf, Entry> = git
            .files(&id, folder)?
            .into_iter()
            .map(|entry| (entry.path.clone(), entry))
            .collect();
        let is_attributes = |path: &Path| path.file_name() == Some(ATTRIBUTES.as_ref());
        let attributes = files.values().filter(|it| is_attributes(&it.path));
        let ids: Vec<&str> = attributes.map(|it| it.id.as_str()).collect();
        let rewritten = if ids.is_empty() {
            BTreeMap::new()
        } else {
            // a partial clone may lack them
            git.contents(&ids)?;
            let has_document = |path: &Path| files.contains_key(&path.with_file_name(DOCUMENT));
            let read = files.keys().filter(|it| is_read(it) || has_document(it));
            git.rewritten(&id, &read.cloned().collect())?
        };
        let (git, revision, folder) = (git.clone(), revision.to_owned(), folder.to_owned());
        Ok(Self {
            git,
            flag,
            revision,
            id,
            folder,
            files,
            rewritten,
        })
    }

    /// The documents of the folder, with their sealed files.
    ///
    /// # Errors
    /// When there are too many, git gives no answer, or a checkout has other bytes than the commit.
    pub(crate) fn repo(&self) -> Result<Repo, StateError> {
        let documents = self.paths(|path| path.file_name() == Some(OsStr::new(DOCUMENT)));
        check_count(FOLDER, documents.len())?;
        let contents = self.load(
            documents
                .iter()
                .map(|path| (path.clone(), DOCUMENT_CAP))
                .collect(),
        )?;
        let there = self.entries()?;
        let mut documents: Vec<FoundDocument> = contents
            .into_iter()
            .map(|(path, content)| self.found_document(&path, content))
            .collect();
        let sealed = self.load(
            documents
                .iter()
                .flat_map(|found| self.sealed(found))
                .collect(),
        )?;
        let mut sealed: BTreeMap<PathBuf, _> = sealed.into_iter().collect();
        for FoundDocument { place, read, .. } in &mut documents {
            for (file, content) in read.iter_mut().flat_map(|document| &mut document.sealed) {
                if let Some(read) = sealed.remove(&self.folder.join(&*place).join(file)) {
                    *content = read;
                }
            }
        }
        let files = Files::from_folder(&self.git.root().join(&self.folder), String::new());
        Ok(Repo {
            documents,
            files: files.in_commit(there),
        })
    }

    /// The files of the folder that concern Argo CD, and those that were not read. Files of other tools may be any number, and checked out
    /// in any way.
    ///
    /// # Errors
    /// When they are too many bytes together, git gives no answer, or a checkout has other bytes than the commit.
    pub(crate) fn argo_files(&self) -> Result<(ArgoFiles, Vec<Unread>), StateError> {
        let (mut files, mut walk) = (ArgoFiles::default(), Walk::new(is_wanted));
        self.walk(&mut walk, &mut |place, seen| {
            files.add(place, place.to_owned(), &seen);
        })?;
        walk.unread.append(&mut files.unread);
        let files = files.bounded(FOLDER)?;
        self.check_texts(
            files
                .texts
                .iter()
                .map(|(place, text)| (self.folder.join(place), text)),
        )?;
        Ok((files, walk.unread))
    }

    /// Refuses texts that git checks out with other bytes. The paths are from the root.
    ///
    /// # Errors
    /// For the first of them.
    pub(crate) fn check_texts<'t>(
        &self,
        mut texts: impl Iterator<Item = (PathBuf, &'t String)>,
    ) -> Result<(), StateError> {
        texts.try_for_each(|(path, text)| match self.files.get(&path) {
            Some(entry) => self.check_out_file(entry, text.as_bytes()),
            None => Ok(()),
        })
    }

    /// Visits the files of the folder, as [`Walk::walk`] does for a folder on the disk.
    ///
    /// # Errors
    /// When git gives no answer.
    pub(crate) fn walk(&self, walk: &mut Walk, visit: Visit<'_>) -> Result<(), StateError> {
        let inside = self
            .files
            .values()
            .filter(|it| it.path.starts_with(&self.folder));
        let mut entries = inside
            .filter(|it| walk.is_wanted(self.place(&it.path)))
            .collect::<Vec<_>>()
            .into_iter()
            .peekable();
        while entries.peek().is_some() {
            let (mut some, mut size) = (Vec::new(), 0);
            while let Some(entry) = entries.next_if(|_| size < AT_ONCE) {
                size += entry.size.min(FILE_CAP);
                some.push((entry, FILE_CAP));
            }
            if walk.take(some.len(), size).is_none() {
                walk.cut(&self.folder);
                return Ok(());
            }
            for ((entry, _), content) in some.iter().zip(read_bounded(&self.git, &some)?) {
                let place = self.place(&entry.path);
                match content {
                    Ok(bytes) => {
                        walk.files += 1;
                        visit(place, FileContent::File(&bytes));
                    }
                    Err(ReadProblem::TooLarge { .. }) => walk.unread.push(Unread::too_large(place)),
                    // links are not followed, and a submodule belongs to another repository
                    Err(_) => {}
                }
            }
        }
        Ok(())
    }

    /// The root of the checkout, and all files of the commit, also outside of the folder.
    ///
    /// # Errors
    /// When git gives no answer.
    fn entries(&self) -> Result<(PathBuf, Rc<BTreeSet<PathBuf>>), StateError> {
        let names = self.git.names(&self.id)?;
        Ok((self.git.root().to_owned(), Rc::new(names)))
    }

    /// The files that are wanted, from the root of the checkout, in the order of their paths. Hidden folders are other
    /// tools' and are left out.
    fn paths(&self, is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
        let below = self.files.keys().filter(|path| {
            path.strip_prefix(&self.folder)
                .is_ok_and(|below| !below.ancestors().skip(1).any(is_hidden))
        });
        below.filter(|path| is_wanted(path)).cloned().collect()
    }

    /// The submodules below the folder, relative to it, each with the ID of its commit.
    pub(crate) fn submodules(&self) -> BTreeMap<PathBuf, String> {
        let mut submodules = BTreeMap::new();
        for Entry {
            path, id, problem, ..
        } in self.files.values()
        {
            if *problem == Some(ReadProblem::NotAFile) && path.starts_with(&self.folder) {
                submodules.insert(self.place(path).to_owned(), id.clone());
            }
        }
        submodules
    }

    /// A file that would be read, but is missing in a sparse checkout; its path is from the root.
    ///
    /// # Errors
    /// When git gives no answer.
    pub(crate) fn excluded_folder(&self) -> Result<Option<PathBuf>, StateError> {
        let mut left_out = self
            .git
            .excluded_paths(&self.folder)?
            .into_iter()
            .filter(|path| is_read(path));
        Ok(left_out.find(|path| self.git.root().join(path).symlink_metadata().is_err()))
    }

    /// A path of the checkout, relative to the folder.
    fn place<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.folder).unwrap_or(path)
    }

    fn found_document(&self, path: &Path, content: Content) -> FoundDocument {
        let folder = path.parent().unwrap_or(&self.folder);
        // the name of a file in the root is one part as well
        let here = if folder.as_os_str().is_empty() {
            "./"
        } else {
            ""
        };
        let name = prefixed(&format!("{}:{here}", self.revision), path);
        let read = source(&name.display().to_string(), content)
            .map(|source| Document::load(source, |_, _| Err(ReadProblem::Missing)));
        FoundDocument {
            path: name,
            place: self.place(folder).to_owned(),
            folder: None,
            read,
        }
    }

    /// The sealed files that a document names, and their largest sizes.
    fn sealed(&self, found: &FoundDocument) -> Vec<(PathBuf, u64)> {
        let folder = self.folder.join(&found.place);
        let files = found.peering().into_iter().flat_map(named_files);
        files
            .map(|(file, kind)| (folder.join(file.value.as_str()), kind.cap()))
            .collect()
    }

    /// The contents of those of these files that the commit has. Each may have at most `cap` bytes.
    ///
    /// # Errors
    /// When git gives no answer, or a checkout, which Argo CD renders, has other bytes than the commit.
    fn load(&self, wanted: Vec<(PathBuf, u64)>) -> Result<Vec<(PathBuf, Content)>, StateError> {
        let entries = wanted
            .into_iter()
            .filter_map(|(path, cap)| Some((self.files.get(&path)?, cap)));
        let entries: Vec<(&Entry, u64)> = entries.collect();
        let contents = read_bounded(&self.git, &entries)?;
        let mut read = Vec::new();
        for ((entry, _), content) in entries.into_iter().zip(contents) {
            if let Ok(bytes) = &content {
                self.check_out_file(entry, bytes)?;
            }
            read.push((entry.path.clone(), content));
        }
        Ok(read)
    }

    /// Refuses a file that git checks out with other bytes.
    fn check_out_file(&self, entry: &Entry, content: &[u8]) -> Result<(), StateError> {
        let Some(attribute) = self.rewritten.get(&entry.path) else {
            return Ok(());
        };
        if *attribute == "ident" && !content.windows(3).any(|bytes| bytes == b"$Id") {
            return Ok(());
        }
        let (revision, file) = (
            shown_name(&self.revision),
            shown_name(&entry.path.display().to_string()),
        );
        let reason = format!(
            "git checks {file} of `{revision}` out with other bytes than the commit has, because of the attribute `{attribute}` in {ATTRIBUTES}; Argo CD renders what is \
             checked out: check both revisions out with `git worktree add`, and compare the two folders"
        );
        Err(StateError::flag(self.flag, reason))
    }
}

/// The bytes of a file, or why they are not read.
type Content = Result<Vec<u8>, ReadProblem>;

/// The contents of files that are not larger than their caps.
fn read_bounded(git: &Git, files: &[(&Entry, u64)]) -> Result<Vec<Content>, StateError> {
    let ids = files.iter().map(|(entry, cap)| match &entry.problem {
        Some(problem) => Err(problem.clone()),
        _ if entry.size > *cap => Err(ReadProblem::TooLarge { cap: *cap }),
        _ => Ok(entry.id.as_str()),
    });
    let ids: Vec<Result<&str, ReadProblem>> = ids.collect();
    let read: Vec<&str> = ids.iter().flatten().copied().collect();
    let mut contents = git.contents(&read)?.into_iter();
    Ok(ids
        .into_iter()
        .map(|id| id.map(|_| contents.next().unwrap_or_default()))
        .collect())
}

/// Whether a file of this name is read.
fn is_read(path: &Path) -> bool {
    let is_sealed = path.extension() == Some(OsStr::new("age"));
    is_wanted(path) || is_sealed || path.file_name() == Some(OsStr::new(DOCUMENT))
}
