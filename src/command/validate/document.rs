//! What `validate` asks of a document that was found.

use crate::custody::{
    self, PayloadKind, check_unopened, named_files, sealed_files, without_line_ends,
};
use crate::diagnostic::Span;
use crate::input::file::ReadProblem;
use crate::input::folder::DOCUMENT;
use crate::judge::applications::Place;
use crate::peering::{Peering, Role};
use crate::state::repo::{FoundDocument, Sealed};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file that has to be committed.
pub(super) struct CommittedFile<'d> {
    pub(super) path: PathBuf,
    pub(super) name: &'d str,
    /// The place in the document that names it.
    pub(super) span: Span,
}

/// A sealed file that a document names.
pub(super) struct SealedFile<'d> {
    pub(super) digest: [u8; 32],
    pub(super) name: &'d str,
    pub(super) span: Span,
    /// The command that seals the file, if it is a credential; `None` for a seed.
    pub(super) command: Option<&'static str>,
}

impl FoundDocument {
    /// The peering and the sealed files of its folder.
    fn folder_content(&self) -> Option<(&Peering, &Sealed)> {
        let read = self.read.as_deref().ok()?;
        let peering = self.peering()?;
        is_named_as_document(&self.path).then_some((peering, &read.sealed))
    }

    /// Its place among Applications, if the document is valid.
    pub(super) fn place(&self, index: usize) -> Option<Place<'_>> {
        Some(Place {
            index,
            document: &self.path,
            folder: self.folder.as_ref()?,
            peering: self.peering()?,
        })
    }

    /// The document and its sealed files, which have to be committed.
    pub(super) fn committed_files(&self) -> Vec<CommittedFile<'_>> {
        let Some(folder) = &self.folder else {
            return Vec::new();
        };
        let mut files = Vec::new();
        for SealedFile { name, span, .. } in self.sealed_files() {
            let path = folder.join(name);
            files.push(CommittedFile { path, name, span });
        }
        if self.source().is_some() && is_named_as_document(&self.path) {
            let (name, span) = (DOCUMENT, Span::default());
            let path = folder.join(name);
            files.push(CommittedFile { path, name, span });
        }
        files
    }

    /// The sealed files that the document names and that are in its folder, in the order of their names.
    pub(super) fn sealed_files(&self) -> Vec<SealedFile<'_>> {
        let Some((peering, sealed)) = self.folder_content() else {
            return Vec::new();
        };
        let mut files = BTreeMap::new();
        for (file, kind) in named_files(peering) {
            files.insert(file.value.as_str(), (file.span, kind));
        }
        let mut found = Vec::new();
        for (name, (span, kind)) in files {
            let Some(Ok(bytes)) = sealed.get(name) else {
                continue;
            };
            found.push(SealedFile {
                digest: Sha256::digest(without_line_ends(bytes)).into(),
                name,
                span,
                command: (kind != PayloadKind::Seed).then_some(kind.command()),
            });
        }
        found
    }

    /// How many sealed files the streams are built from.
    pub(super) fn count_sealed_files(&self) -> usize {
        let Some((peering, _)) = self.folder_content() else {
            return 0;
        };
        let names = sealed_files(peering).map(|(file, _)| file.as_str());
        names.collect::<BTreeSet<_>>().len()
    }

    /// Why sealed files cannot be used: a file that was not committed, or not sealed, is found here before Argo CD reports it.
    pub(super) fn sealed_file_errors(&self) -> Vec<custody::Error> {
        let Some((peering, sealed)) = self.folder_content() else {
            return Vec::new();
        };
        let mut kinds = BTreeMap::new();
        for (file, kind) in sealed_files(peering) {
            kinds.insert(file.as_str(), kind);
        }
        let mut errors = Vec::new();
        for (file, content) in sealed {
            let kind = kinds.get(file.as_str()).copied();
            let name = self.path.with_file_name(file).display().to_string();
            match content.as_deref().map(check_unopened) {
                Err(problem) => errors.push(custody::Error::SealedFile {
                    name,
                    kind: kind.unwrap_or(PayloadKind::Seed),
                    problem: problem.clone(),
                }),
                Ok(Err(problem)) => errors.push(custody::Error::Payload { name, problem }),
                Ok(Ok(())) => {}
            }
        }
        errors
    }

    /// The files of the folder that the document can use, if it is valid.
    pub(super) fn usable_files(&self) -> Option<UsableFiles> {
        let (peering, sealed) = self.folder_content()?;
        let (mut sealed_files, mut is_pending) = (BTreeSet::new(), false);
        for role in Role::BOTH {
            if let Some(authentication) = peering.authentication(role) {
                let credential = &authentication.credential;
                is_pending |= credential.is_pending();
                sealed_files.extend(credential.sealed_kubeconfig().map(|it| it.file.to_string()));
            }
            sealed_files.extend(peering.seed_of(role).map(ToString::to_string));
        }
        let is_missing =
            |file: &&String| matches!(sealed.get(*file), Some(Err(ReadProblem::Missing)));
        Some(UsableFiles {
            missing: sealed_files.iter().find(is_missing).cloned(),
            sealed_files,
            is_pending,
        })
    }
}

/// The files of the folder that a document can use. They include what a drained peering does not show: it needs them again if the teardown
/// is reverted.
pub(super) struct UsableFiles {
    pub(super) sealed_files: BTreeSet<String>,
    /// One of the files that is missing from the folder.
    pub(super) missing: Option<String>,
    pub(super) is_pending: bool,
}

/// Whether a document has the name `peering.yaml`, so that it has a folder.
pub(super) fn is_named_as_document(path: &Path) -> bool {
    path.file_name() == Some(DOCUMENT.as_ref())
}
