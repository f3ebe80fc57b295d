//! Whether an identity opens the sealed files, on their terms, and whether their credentials still work.

use crate::argocd::caller::Caller;
use crate::command::workstation::{check_credential, place_in_checkout};
use crate::custody::{self, Identities, Request, files_of_others};
use crate::input::file::shown_path;
use crate::input::folder::Folder;
use crate::judge::applications::{Place, Reported, Reports};
use crate::peering::{Peering, Role};
use std::collections::BTreeMap;
use std::path::Path;

/// The sealed files that another Argo CD opens, by document and side.
type FilesOfOthers = BTreeMap<(usize, Role), Vec<String>>;

/// What an identity shows of the documents' sealed files.
pub(super) struct OpenedFiles {
    /// Why files do not open, or hold what does not work, each with the number of its document.
    pub(super) errors: Vec<(usize, custody::Error)>,
    /// Lines for the user: credentials that must be renewed soon.
    pub(super) lines: Vec<String>,
    pub(super) of_others: FilesOfOthers,
}

impl OpenedFiles {
    /// Opens the sealed files of the documents in these places.
    pub(super) fn open(
        (identity_file, identities): (&Path, &Identities),
        places: &[Place<'_>],
        reports: &Reports,
    ) -> Self {
        let mut opened = Self {
            errors: Vec::new(),
            lines: Vec::new(),
            of_others: find_files_of_others(places, identities),
        };
        for place in places {
            opened.check_document(identity_file, place, reports);
        }
        opened
    }

    /// Checks the terms and the credentials of a document's files. The identity opens them as for `inspect`, and no content is shown.
    fn check_document(&mut self, identity_file: &Path, place: &Place<'_>, reports: &Reports) {
        let mut elsewhere = Vec::new();
        for role in Role::BOTH {
            let side = (place.index, role);
            if self.of_others.contains_key(&side) {
                continue;
            }
            let applications = reports.get(&side);
            let mut here = Vec::new();
            if applications.is_none()
                && let Some(facts) = place_in_checkout(place.folder)
            {
                let caller = "this folder".to_owned();
                here.push(Reported { caller, facts });
            }
            let callers = applications.unwrap_or(&here);
            for error in self.check_side(identity_file, place, role, callers) {
                let is_elsewhere = matches!(error, custody::Error::SeedElsewhere { .. });
                if is_elsewhere && applications.is_none() {
                    elsewhere.push((place.index, error));
                } else {
                    self.errors.push((place.index, error));
                }
            }
        }
        // one organisation has its half of the peering, and its Argo CD has no Application of the other side
        if elsewhere.len() == Role::BOTH.len() {
            self.errors.append(&mut elsewhere);
        }
    }

    fn check_side(
        &mut self,
        identity_file: &Path,
        place: &Place<'_>,
        role: Role,
        callers: &[Reported],
    ) -> Vec<custody::Error> {
        let peering = place.peering;
        let request = Request {
            folder: &Folder::new(place.folder),
            identity_file: Some(identity_file),
            policy_file: None,
            caller: &Caller::Local,
        };
        let opened = match request.material(peering, role) {
            Ok(opened) => opened,
            Err(error) => return vec![error.beside_document(place.document)],
        };
        let path = |file: &str| place.document.with_file_name(file);
        let mut found = Vec::new();
        for file in &opened.files {
            for Reported { caller, facts } in callers {
                if let Some(refusal) = file.refused_at(facts, peering, role) {
                    found.push(custody::Error::Refused {
                        name: path(&file.name).display().to_string(),
                        caller: caller.clone(),
                        term: refusal.term,
                        allowed: refusal.allowed,
                        reported: refusal.reported,
                    });
                }
            }
        }
        let sealed = peering.sealed_kubeconfig(role);
        if let Some((sealed, bytes)) = sealed.zip(opened.material.credential.as_deref()) {
            let path = path(sealed.file.as_str());
            let (problems, renewal) = check_credential(bytes, &path);
            if let Some(renewal) = renewal {
                let path = shown_path(&path);
                self.lines.push(format!("note: {path}: {renewal}"));
            }
            for problem in problems {
                let name = path.display().to_string();
                found.push(custody::Error::Kubeconfig { name, problem });
            }
        }
        found
    }
}

/// The files of the sides that another Argo CD opens.
fn find_files_of_others(places: &[Place<'_>], identities: &Identities) -> FilesOfOthers {
    let peerings: Vec<&Peering> = places.iter().map(|place| place.peering).collect();
    let files = files_of_others(identities, &peerings, |index, file, kind| {
        let folder = Folder::new(places.get(index)?.folder);
        folder.read_bytes(file.as_str(), kind.cap()).ok()
    });
    let mut all: FilesOfOthers = BTreeMap::new();
    for (place, files) in places.iter().zip(files) {
        for role in Role::BOTH {
            for file in &files[role] {
                let path = place.document.with_file_name(file.as_str());
                let paths = all.entry((place.index, role)).or_default();
                paths.push(shown_path(&path));
            }
        }
    }
    all
}
