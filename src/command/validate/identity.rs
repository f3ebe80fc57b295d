//! Whether an identity opens the sealed files, on their terms, and whether their credentials still work.

use crate::argocd::caller::Caller;
use crate::command::workstation::{check_credential, place_in_checkout};
use crate::custody::{self, Identities, Request, TermRefusal, files_of_others};
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
    /// Lines for the user.
    pub(super) lines: Vec<String>,
    pub(super) of_others: FilesOfOthers,
}

/// Opens the sealed files of the documents in these places.
pub(super) fn open_sealed_files(
    identity_file: &Path,
    places: &[Place<'_>],
    reports: &Reports,
) -> OpenedFiles {
    // an identity that cannot be read is reported where it has to open a file
    let of_others = Identities::load(identity_file)
        .map(|identities| find_files_of_others(places, &identities))
        .unwrap_or_default();
    let opening = Opening {
        identity_file,
        places,
        reports,
        of_others,
    };
    let (errors, lines) = check_terms(&opening);
    OpenedFiles {
        errors,
        lines,
        of_others: opening.of_others,
    }
}

/// An identity, and the sealed files that it opens.
struct Opening<'s> {
    identity_file: &'s Path,
    places: &'s [Place<'s>],
    reports: &'s Reports,
    of_others: FilesOfOthers,
}

/// The files of the sides that another Argo CD opens.
fn find_files_of_others(places: &[Place<'_>], identities: &Identities) -> FilesOfOthers {
    let peerings: Vec<&Peering> = places.iter().map(|place| place.peering).collect();
    let files = files_of_others(identities, &peerings, |index, file, kind| {
        Folder::new(places.get(index)?.folder)
            .read_bytes(file.as_str(), kind.cap())
            .ok()
    });
    let mut all = FilesOfOthers::new();
    for (place, files) in places.iter().zip(files) {
        for role in Role::BOTH {
            let paths = files[role]
                .iter()
                .map(|file| place.document.with_file_name(file.as_str()));
            all.insert(
                (place.index, role),
                paths.map(|path| shown_path(&path)).collect(),
            );
        }
    }
    all.retain(|_, files| !files.is_empty());
    all
}

/// The problems, each with the number of its document, and lines for the user: credentials that must be renewed soon. The identity opens the
/// files as for `inspect`, and no content is shown.
fn check_terms(opening: &Opening<'_>) -> (Vec<(usize, custody::Error)>, Vec<String>) {
    let (mut found, mut lines) = (Vec::new(), Vec::new());
    for place in opening.places {
        let mut elsewhere = Vec::new();
        for role in Role::BOTH {
            if opening.of_others.contains_key(&(place.index, role)) {
                continue;
            }
            let callers = opening.reports.get(&(place.index, role)).map(Vec::as_slice);
            let has_application = callers.is_some();
            let here = place_in_checkout(place.folder)
                .filter(|_| !has_application)
                .into_iter();
            let here: Vec<_> = here
                .map(|facts| Reported {
                    caller: "this folder".to_owned(),
                    facts,
                })
                .collect();
            let callers = callers.unwrap_or(&here);
            for error in of_side(opening, place, role, callers, &mut lines) {
                let is_elsewhere = matches!(error, custody::Error::SeedElsewhere { .. });
                let found = if is_elsewhere && !has_application {
                    &mut elsewhere
                } else {
                    &mut found
                };
                found.push((place.index, error));
            }
        }
        // one organisation has its half of the peering, and its Argo CD has no Application of the other side
        if elsewhere.len() == Role::BOTH.len() {
            found.append(&mut elsewhere);
        }
    }
    (found, lines)
}

fn of_side(
    opening: &Opening<'_>,
    place: &Place<'_>,
    role: Role,
    callers: &[Reported],
    lines: &mut Vec<String>,
) -> Vec<custody::Error> {
    let peering = place.peering;
    let folder = Folder::new(place.folder);
    let request = Request {
        folder: &folder,
        identity_file: Some(opening.identity_file),
        policy_file: None,
        caller: &Caller::Local,
    };
    let opened = match request.material(peering, role) {
        Ok(opened) => opened,
        Err(error) => return vec![error.beside_document(place.document)],
    };
    let mut found = Vec::new();
    for file in &opened.files {
        let name = place
            .document
            .with_file_name(&file.name)
            .display()
            .to_string();
        for Reported { caller, facts } in callers {
            if let Some(TermRefusal {
                term,
                allowed,
                reported,
            }) = file.refused_at(facts, peering, role)
            {
                let (name, caller) = (name.clone(), caller.clone());
                found.push(custody::Error::Refused {
                    name,
                    caller,
                    term,
                    allowed,
                    reported,
                });
            }
        }
    }
    let credential = peering
        .sealed_kubeconfig(role)
        .zip(opened.material.credential.as_deref());
    if let Some((sealed, bytes)) = credential {
        let path = place.document.with_file_name(sealed.file.as_str());
        let (problems, renewal) = check_credential(bytes, &path);
        if let Some(renewal) = renewal {
            lines.push(format!("note: {}: {renewal}", shown_path(&path)));
        }
        for problem in problems {
            let name = path.display().to_string();
            found.push(custody::Error::Kubeconfig { name, problem });
        }
    }
    found
}
