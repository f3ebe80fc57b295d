//! The files below the paths, each read once: Argo CD's files, and those of the folders of documents, with secrets in clear.

use super::document::is_named_as_document;
use super::judgement::PeeringNumber;
use crate::diagnostic::secrecy::{Plaintext, plaintexts, text_of_bytes};
use crate::diagnostic::{Code, Invalid, Judged, Problems, Source, Span};
use crate::input::file::{folder_of, is_manifest, shown_path};
use crate::input::folder::DOCUMENT;
use crate::input::yaml::documents;
use crate::state::repo::Repo;
use crate::state::repo::api_groups::{ArgoFiles, is_kustomization, is_wanted};
use crate::state::repo::tree::{FileContent, UnreadFile, Walk};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The first line of an age file (C2SP `age.md`), and of one in ASCII armor.
const AGE: [&[u8]; 2] = [
    b"age-encryption.org/v1",
    b"-----BEGIN AGE ENCRYPTED FILE-----",
];

/// The other files in the folder of a document.
#[derive(Default)]
pub(super) struct FolderFiles {
    pub(super) sealed: Vec<PathBuf>,
    /// Manifests of kinds that are not Argo CD's.
    pub(super) manifests: Vec<PathBuf>,
    /// Whether Kustomize may read files of the folder.
    pub(super) is_kustomized: bool,
}

impl FolderFiles {
    fn add(&mut self, path: &Path, bytes: &[u8]) {
        if AGE.iter().any(|first| bytes.starts_with(first)) {
            self.sealed.push(path.to_owned());
        }
        let name = path.file_name().unwrap_or_default();
        self.is_kustomized |= is_kustomization(path);
        if is_manifest(path) && name != DOCUMENT && is_applied(bytes) {
            self.manifests.push(path.to_owned());
        }
    }
}

/// Whether a file has an object that `kubectl` or a parent Application applies: an object of a kind that is not Argo CD's.
fn is_applied(bytes: &[u8]) -> bool {
    const OTHERS: [&str; 3] = [
        "argoproj.io/",
        "argocd-peering/",
        "kustomize.config.k8s.io/",
    ];
    let text = String::from_utf8_lossy(bytes);
    text.contains("apiVersion")
        && !OTHERS.iter().any(|other| text.contains(other))
        && documents(&text).any(|node| {
            let version = node.text_of("apiVersion").unwrap_or_default();
            (version == "v1" || version.contains('/')) && node.get("kind").is_some()
        })
}

/// The files that were found below the paths.
#[derive(Default)]
pub(super) struct FilesBelowPaths {
    /// The secrets in clear, each with the number of the document whose folder has it, if one has it.
    pub(super) plaintexts: Vec<(PeeringNumber, Invalid)>,
    /// The files of each document's folder.
    folders: BTreeMap<usize, FolderFiles>,
    /// Argo CD's files, by their paths as the user wrote them.
    pub(super) argo: ArgoFiles,
    /// How many files were read, and which were not.
    files: usize,
    unread: Vec<UnreadFile>,
}

impl FilesBelowPaths {
    /// Searches below the paths; the documents are known already.
    pub(super) fn search(paths: &[PathBuf], repo: &mut Repo) -> Self {
        let mut search = FileSearch::default();
        for (number, found) in repo.documents.iter().enumerate() {
            if is_named_as_document(&found.path)
                && let Some((folder, _)) = repo.files.place(&found.path)
            {
                search.folders.insert(folder, number);
            }
        }
        let mut walk = Walk::new(is_wanted);
        for (root, named) in roots(paths) {
            walk.whole = search.watch(&root, &named);
            // the walk follows no links
            walk.walk(&named, &mut |inside, seen| {
                search.add(inside, &named.join(inside), &root, &seen);
            });
        }
        let mut found = search.files;
        (found.files, found.unread) = (walk.files, walk.unread);
        found.unread.append(&mut found.argo.unread);
        found
    }

    /// The files in the folder of a document.
    pub(super) fn folder(&self, document: usize) -> Option<&FolderFiles> {
        self.folders.get(&document)
    }

    /// Counts what was read, and what was not.
    pub(super) fn count(&self, judged: &mut Judged) {
        judged.add("file", self.files);
        for UnreadFile { path, reason } in &self.unread {
            judged.leave_out("file", shown_path(path), reason.as_str());
        }
    }
}

/// What the walk finds.
#[derive(Default)]
struct FileSearch {
    files: FilesBelowPaths,
    /// The folders of the documents, without links.
    folders: HashMap<PathBuf, usize>,
    /// These folders and those above them, up to the paths that were given: here secrets in clear are searched.
    watched: BTreeSet<PathBuf>,
}

impl FileSearch {
    /// Watches the folders of documents below a root, and those between. Their paths are below the root's name as well.
    fn watch(&mut self, root: &Path, named: &Path) -> BTreeSet<PathBuf> {
        let mut whole = BTreeSet::new();
        for folder in self.folders.keys() {
            for folder in folder.ancestors() {
                let Ok(inside) = folder.strip_prefix(root) else {
                    break;
                };
                self.watched.insert(folder.to_owned());
                whole.insert(named.join(inside));
            }
        }
        whole
    }

    /// Adds a file of a folder, under the folder's name.
    fn add(&mut self, inside: &Path, name: &Path, folder: &Path, seen: &FileContent<'_>) {
        self.files.argo.add(inside, name.to_owned(), seen);
        let (FileContent::File(bytes) | FileContent::Beginning(bytes)) = seen;
        let place = folder.join(inside);
        let parent = folder_of(&place);
        if !self.watched.contains(parent) {
            return;
        }
        let index = self.folders.get(parent).copied();
        let plaintext = plaintexts_of(name, bytes, index.is_some());
        if let Some(index) = index {
            let folder = self.files.folders.entry(index).or_default();
            folder.add(name, bytes);
            // a secret in clear is to be removed, and not to be applied from another folder
            if plaintext.is_some() {
                folder.manifests.retain(|path| path != name);
            }
        }
        if let Some(plaintext) = plaintext {
            self.files.plaintexts.push((index, plaintext));
        }
    }
}

/// The folders to search, each without links and as the user wrote it: the folders of the arguments, and of documents that are arguments. A
/// folder below another one is left out.
fn roots(paths: &[PathBuf]) -> Vec<(PathBuf, PathBuf)> {
    let mut roots = Vec::new();
    for path in paths {
        let folder = match path.as_path() {
            path if path.is_dir() => path,
            path if is_named_as_document(path) => folder_of(path),
            _ => continue,
        };
        if let Ok(root) = folder.canonicalize() {
            roots.push((root, folder.to_owned()));
        }
    }
    // a folder is sorted right before the folders below it
    roots.sort();
    roots.dedup_by(|(one, _), (before, _)| one.starts_with(before));
    roots
}

/// The secrets in clear of a file, as errors of the lines. The report has only the line numbers of the file's text.
fn plaintexts_of(path: &Path, bytes: &[u8], is_in_folder: bool) -> Option<Invalid> {
    let mut problems = Problems::default();
    let mut lines = String::new();
    let text = text_of_bytes(bytes);
    // lines are counted once: each search starts where the one before it ended
    let (mut counted, mut number) = (0, 0);
    for found in plaintexts(&text) {
        let before = text.get(counted..found.place).unwrap_or_default();
        number += before.matches('\n').count();
        counted = found.place;
        // several secrets in one line are one place, and a demo identity opens only the examples
        if number < lines.len() || (found.kind == Plaintext::DemoIdentity && !is_in_folder) {
            continue;
        }
        lines.extend(std::iter::repeat_n('\n', number + 1 - lines.len()));
        let what = found.kind.words();
        let message = if found.is_encoded {
            format!("this line has {what} in base64")
        } else {
            format!("this line is {what} in clear")
        };
        let help = "move it out of the checkout; if it was committed, replace the secret";
        let at = Span::new(number, number);
        problems.add(Code::PlaintextSecret, at, message, help);
    }
    let source = Source::new(&path.display().to_string(), lines);
    (!problems.is_empty()).then_some(Invalid { problems, source })
}
