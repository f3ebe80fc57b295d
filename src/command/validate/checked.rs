//! A document of a run, and what is known of its folder before it is judged.

use crate::custody::{self, Gifts, PayloadKind, named_files, sealed_files, without_line_ends};
use crate::diagnostic::{Invalid, Source, Span};
use crate::input::file::ReadProblem;
use crate::input::folder::{DOCUMENT, UnreadDocument};
use crate::judge::applications::Place;
use crate::judge::claims::Member;
use crate::peering::values::Sides;
use crate::peering::{Peering, Role};
use crate::rules::Examined;
use crate::state::repo::{Document, Files, Found, Sealed};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A document, and the files of its folder that it names.
#[derive(Default)]
pub(super) struct Checked {
    /// The document's folder without links, and the repository's root. `None` for a document of another name, or on standard input.
    pub(super) place: Option<(PathBuf, Option<PathBuf>)>,
    /// Why the document was not read; otherwise `source` is its text.
    pub(super) unread: Option<UnreadDocument>,
    pub(super) source: Option<Source>,
    pub(super) invalid: Option<Invalid>,
    pub(super) notes: Option<Invalid>,
    /// The sealed files that the document names: those in its folder, why the others cannot be used, and how many it uses now.
    pub(super) sealed: Vec<Named>,
    pub(super) unusable: Vec<custody::Error>,
    pub(super) sealed_files: usize,
    /// The files of its folder that it can use, if the document is valid.
    pub(super) uses: Option<Uses>,
    /// What each side's stream gives, if the document is valid.
    pub(super) gifts: Vec<(Role, Gifts)>,
    /// What it says that can contradict other documents.
    pub(super) member: Option<Member>,
    /// Its place among Applications, if the document is valid.
    pub(super) of_argo_cd: Option<Place>,
}

/// A sealed file that a document names.
pub(super) struct Named {
    pub(super) digest: [u8; 32],
    pub(super) name: String,
    pub(super) span: Span,
    /// The command that seals the file, if it is a credential; `None` for a seed.
    pub(super) command: Option<&'static str>,
    /// The IDs of the peering's clusters, sorted.
    pub(super) clusters: BTreeSet<String>,
}

/// The sealed files that a document names and that are in its folder.
fn named(peering: &Peering, sealed: &Sealed) -> Vec<Named> {
    let clusters: BTreeSet<String> = Role::BOTH
        .iter()
        .map(|role| peering.clusters.of(*role).id.to_string())
        .collect();
    let files: BTreeMap<&str, _> = named_files(peering)
        .map(|(file, kind)| (file.value.as_str(), (file.span, kind)))
        .collect();
    let named = files.into_iter().filter_map(|(name, (span, kind))| {
        let bytes = sealed.get(name)?.as_ref().ok()?;
        let (digest, name) = (
            Sha256::digest(without_line_ends(bytes)).into(),
            name.to_owned(),
        );
        let command = (kind != PayloadKind::Seed).then(|| kind.command());
        Some(Named {
            digest,
            name,
            span,
            command,
            clusters: clusters.clone(),
        })
    });
    named.collect()
}

/// The files of the folder that a document can use. They include what a drained peering does not show: it needs them again if the teardown
/// is reverted.
pub(super) struct Uses {
    pub(super) sealed_files: BTreeSet<String>,
    /// One of the files that is missing from the folder.
    pub(super) missing: Option<String>,
    pub(super) is_pending: bool,
}

impl Uses {
    fn of(peering: &Peering, sealed: &Sealed) -> Self {
        let credentials =
            Role::BOTH.map(|role| peering.authentication(role).map(|it| &it.credential));
        let files = credentials
            .iter()
            .flatten()
            .filter_map(|it| it.sealed())
            .map(|it| it.file.as_str());
        let seeds = Role::BOTH
            .into_iter()
            .filter_map(|role| peering.seed_of(role))
            .map(|it| it.as_str());
        let sealed_files: BTreeSet<String> = files.chain(seeds).map(ToOwned::to_owned).collect();
        let missing = sealed_files
            .iter()
            .find(|it| matches!(sealed.get(*it), Some(Err(ReadProblem::Missing))));
        Self {
            missing: missing.cloned(),
            sealed_files,
            is_pending: credentials.iter().flatten().any(|it| it.is_pending()),
        }
    }
}

impl Checked {
    /// The document and its sealed files, which have to be committed: each with its path, its name and its place in the document.
    pub(super) fn committed_files(&self) -> impl Iterator<Item = (PathBuf, &str, Span)> {
        let folder = self.place.as_ref().filter(|_| self.source.is_some());
        let sealed = self.sealed.iter().map(|it| (it.name.as_str(), it.span));
        let all = sealed.chain([(DOCUMENT, Span::default())]);
        folder.into_iter().flat_map(move |(folder, _)| {
            all.clone()
                .map(|(name, span)| (folder.join(name), name, span))
        })
    }

    /// A document that was found.
    pub(super) fn of(index: usize, Found { path, read, .. }: Found, files: &mut Files) -> Self {
        let at = files.place(&path);
        let place = at.clone().filter(|_| is_named_as_document(&path));
        let Document {
            source,
            examined,
            sealed,
        } = match read {
            Ok(document) => *document,
            Err(unread) => {
                return Self {
                    place,
                    unread: Some(unread),
                    ..Self::default()
                };
            }
        };
        let Examined {
            peering,
            invalid,
            notes,
        } = examined;
        let member = peering.as_ref().map(|it| Member::new(index, it));
        let of_argo_cd = peering.as_ref().zip(at).map(|(peering, (folder, _))| {
            let clusters = Sides::make(|role| peering.clusters.of(role).argocd_cluster.to_string());
            Place {
                index,
                document: path.clone(),
                folder,
                source: source.clone(),
                clusters,
            }
        });
        let source = Some(source);
        let gifts = peering.as_ref().map(gifts).unwrap_or_default();
        let checked = Self {
            place,
            source,
            invalid,
            notes,
            gifts,
            member,
            of_argo_cd,
            ..Self::default()
        };
        match peering {
            Some(peering) => checked.with_folder(&path, &peering, &sealed),
            None => checked,
        }
    }

    /// Adds what the folder has of a valid document. A document of another name has no folder.
    fn with_folder(self, path: &Path, peering: &Peering, sealed: &Sealed) -> Self {
        if !is_named_as_document(path) {
            return self;
        }
        let names: BTreeSet<&str> = sealed_files(peering)
            .map(|(file, _)| file.as_str())
            .collect();
        Self {
            sealed: named(peering, sealed),
            unusable: unusable_files(path, peering, sealed),
            sealed_files: names.len(),
            uses: Some(Uses::of(peering, sealed)),
            ..self
        }
    }
}

fn gifts(peering: &Peering) -> Vec<(Role, Gifts)> {
    let sides = Role::BOTH.into_iter();
    let all = sides.filter_map(|role| Some((role, Gifts::of_side(peering, role).ok()?)));
    all.collect()
}

/// Whether a document has the name `peering.yaml`, so that it has a folder.
pub(super) fn is_named_as_document(path: &Path) -> bool {
    path.file_name() == Some(DOCUMENT.as_ref())
}

/// Why sealed files cannot be used: a file that was not committed, or not sealed, is found here before Argo CD reports it.
fn unusable_files(path: &Path, peering: &Peering, sealed: &Sealed) -> Vec<custody::Error> {
    let kinds = sealed_files(peering).map(|(file, kind)| (file.as_str(), kind));
    let kinds: BTreeMap<_, _> = kinds.collect();
    let unusable = sealed.iter().filter_map(|(file, content)| {
        let kind = kinds
            .get(file.as_str())
            .copied()
            .unwrap_or(PayloadKind::Seed);
        let name = path.with_file_name(file).display().to_string();
        match content {
            Err(problem) => Some(custody::Error::SealedFile {
                name,
                kind,
                problem: problem.clone(),
            }),
            Ok(bytes) => {
                let problem = custody::check_unopened(bytes).err()?;
                Some(custody::Error::Payload { name, problem })
            }
        }
    });
    unusable.collect()
}
