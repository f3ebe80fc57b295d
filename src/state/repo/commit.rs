//! A repository at a commit, read with the person's own git.

use super::api_groups::{ArgoFiles, is_wanted};
use super::tree::{FILE_CAP, FileContent, UnreadFile, Visit, Walk};
use super::{Document, Files, FoundDocument, Repo, check_count};
use crate::custody::named_files;
use crate::diagnostic::shown_name;
use crate::input::file::{ReadProblem, is_hidden};
use crate::input::folder::{DOCUMENT, DOCUMENT_CAP, source};
use crate::state::StateError;
use crate::state::git::{ATTRIBUTES, CommitFile, Git};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

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
    files: BTreeMap<PathBuf, CommitFile>,
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
        let mut files = BTreeMap::new();
        for entry in git.files(&id, folder)? {
            files.insert(entry.path.clone(), entry);
        }
        let is_attributes = |it: &&CommitFile| it.path.file_name() == Some(ATTRIBUTES.as_ref());
        let attributes = files.values().filter(is_attributes);
        let attributes: Vec<&str> = attributes.map(|it| it.id.as_str()).collect();
        let mut rewritten = BTreeMap::new();
        if !attributes.is_empty() {
            // a partial clone may lack them
            git.contents(&attributes)?;
            let has_document = |path: &Path| files.contains_key(&path.with_file_name(DOCUMENT));
            let read = files.keys().filter(|it| is_read(it) || has_document(it));
            rewritten = git.rewritten(&id, &read.cloned().collect())?;
        }
        Ok(Self {
            git: git.clone(),
            flag,
            revision: revision.to_owned(),
            id,
            folder: folder.to_owned(),
            files,
            rewritten,
        })
    }

    /// The documents of the folder, with their sealed files.
    ///
    /// # Errors
    /// When there are too many, git gives no answer, or a checkout has other bytes than the commit.
    pub(crate) fn repo(&self) -> Result<Repo, StateError> {
        let mut wanted = Vec::new();
        for path in self.files.keys() {
            // hidden folders are other tools'
            if let Ok(below) = path.strip_prefix(&self.folder)
                && !below.ancestors().skip(1).any(is_hidden)
                && path.file_name() == Some(OsStr::new(DOCUMENT))
            {
                wanted.push((path.clone(), DOCUMENT_CAP));
            }
        }
        check_count(FOLDER, wanted.len())?;
        let (mut documents, mut wanted_sealed) = (Vec::new(), Vec::new());
        for (path, content) in self.load(wanted)? {
            let found = self.found_document(&path, content);
            for (file, kind) in found.peering().into_iter().flat_map(named_files) {
                let path = path.with_file_name(file.value.as_str());
                wanted_sealed.push((path, kind.cap()));
            }
            documents.push(found);
        }
        let mut sealed: BTreeMap<PathBuf, _> = self.load(wanted_sealed)?.into_iter().collect();
        for FoundDocument { place, read, .. } in &mut documents {
            let Ok(document) = read else {
                continue;
            };
            for (file, content) in &mut document.sealed {
                if let Some(read) = sealed.remove(&self.folder.join(&*place).join(file)) {
                    *content = read;
                }
            }
        }
        let root = self.git.root();
        let files = Files::from_folder(&root.join(&self.folder));
        let files = files.in_commit(root, self.git.names(&self.id)?);
        Ok(Repo { documents, files })
    }

    /// The files of the folder that concern Argo CD, and those that were not read. Files of other tools may be any number, and checked out
    /// in any way.
    ///
    /// # Errors
    /// When they are too many bytes together, git gives no answer, or a checkout has other bytes than the commit.
    pub(crate) fn argo_files(&self) -> Result<ArgoFiles, StateError> {
        let (mut files, mut walk) = (ArgoFiles::default(), Walk::new(is_wanted));
        self.walk(&mut walk, &mut |place, seen| {
            files.add(place, place.to_owned(), &seen);
        })?;
        files.unread.append(&mut walk.unread);
        let files = files.bounded(FOLDER)?;
        for (place, text) in &files.texts {
            if let Some(entry) = self.files.get(&self.folder.join(place)) {
                self.check_out_file(entry, text.as_bytes())?;
            }
        }
        Ok(files)
    }

    /// Visits the files of the folder, as [`Walk::walk`] does for a folder on the disk.
    ///
    /// # Errors
    /// When git gives no answer.
    pub(crate) fn walk(&self, walk: &mut Walk, visit: Visit<'_>) -> Result<(), StateError> {
        let mut entries = Vec::new();
        for entry in self.files.values() {
            if entry.path.starts_with(&self.folder) && walk.is_wanted(self.place(&entry.path)) {
                entries.push(entry);
            }
        }
        let mut entries = entries.into_iter().peekable();
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
                    Err(ReadProblem::TooLarge { .. }) => {
                        walk.unread.push(UnreadFile::too_large(place));
                    }
                    // links are not followed, and a submodule belongs to another repository
                    Err(_) => {}
                }
            }
        }
        Ok(())
    }

    /// The submodules below the folder, relative to it, each with the ID of its commit.
    pub(crate) fn submodules(&self) -> BTreeMap<PathBuf, String> {
        let mut submodules = BTreeMap::new();
        for (path, file) in &self.files {
            let is_submodule = file.problem == Some(ReadProblem::NotAFile);
            if is_submodule && path.starts_with(&self.folder) {
                submodules.insert(self.place(path).to_owned(), file.id.clone());
            }
        }
        submodules
    }

    /// A file that would be read, but is missing in a sparse checkout; its path is from the root.
    ///
    /// # Errors
    /// When git gives no answer.
    pub(crate) fn excluded_folder(&self) -> Result<Option<PathBuf>, StateError> {
        let is_missing = |path: &Path| self.git.root().join(path).symlink_metadata().is_err();
        let mut left_out = self.git.excluded_paths(&self.folder)?.into_iter();
        Ok(left_out.find(|path| is_read(path) && is_missing(path)))
    }

    /// A path of the checkout, relative to the folder.
    fn place<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.folder).unwrap_or(path)
    }

    fn found_document(&self, path: &Path, content: ReadContent) -> FoundDocument {
        let folder = path.parent().unwrap_or(&self.folder);
        // the name of a file in the root is one part as well; Git's paths are bytes
        let is_in_root = folder.as_os_str().is_empty();
        let here = if is_in_root { "./" } else { "" };
        let mut name = OsString::from(format!("{}:{here}", self.revision));
        name.push(path);
        let name = PathBuf::from(name);
        let read = source(&name.display().to_string(), content)
            .map(|source| Document::load(source, |_, _| Err(ReadProblem::Missing)));
        FoundDocument {
            path: name,
            place: self.place(folder).to_owned(),
            folder: None,
            read,
        }
    }

    /// The contents of those of these files that the commit has. Each may have at most `cap` bytes.
    ///
    /// # Errors
    /// When git gives no answer, or a checkout, which Argo CD renders, has other bytes than the commit.
    fn load(&self, wanted: Vec<(PathBuf, u64)>) -> Result<Vec<(PathBuf, ReadContent)>, StateError> {
        let mut entries = Vec::new();
        for (path, cap) in wanted {
            if let Some(entry) = self.files.get(&path) {
                entries.push((entry, cap));
            }
        }
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
    fn check_out_file(&self, entry: &CommitFile, content: &[u8]) -> Result<(), StateError> {
        let Some(attribute) = self.rewritten.get(&entry.path) else {
            return Ok(());
        };
        if *attribute == "ident" && !content.windows(3).any(|bytes| bytes == b"$Id") {
            return Ok(());
        }
        let revision = shown_name(&self.revision);
        let file = shown_name(&entry.path.display().to_string());
        let reason = format!(
            "the attribute `{attribute}` in {ATTRIBUTES} changes {file} of `{revision}` at \
             checkout: compare two folders, made with `git worktree add`"
        );
        Err(StateError::flag(self.flag, reason))
    }
}

/// The bytes of a file, or why they are not read.
type ReadContent = Result<Vec<u8>, ReadProblem>;

/// The contents of files that are not larger than their caps.
fn read_bounded(git: &Git, files: &[(&CommitFile, u64)]) -> Result<Vec<ReadContent>, StateError> {
    let (mut ids, mut contents) = (Vec::new(), Vec::new());
    for (entry, cap) in files {
        contents.push(match &entry.problem {
            Some(problem) => Err(problem.clone()),
            _ if entry.size > *cap => Err(ReadProblem::TooLarge { cap: *cap }),
            _ => {
                ids.push(entry.id.as_str());
                Ok(Vec::new())
            }
        });
    }
    let read = git.contents(&ids)?;
    for (content, bytes) in contents.iter_mut().flatten().zip(read) {
        *content = bytes;
    }
    Ok(contents)
}

/// Whether a file of this name is read.
fn is_read(path: &Path) -> bool {
    let is_sealed = path.extension() == Some(OsStr::new("age"));
    is_wanted(path) || is_sealed || path.file_name() == Some(OsStr::new(DOCUMENT))
}
