//! Whether an identity opens the sealed files, on their terms, and whether their credentials still work.

use super::{OfIdentity, OfOthers};
use crate::argocd::caller::Caller;
use crate::command::Error;
use crate::command::workstation::{check_credential, place_in_checkout};
use crate::custody::{self, Identities, Refusal, Request, files_of_others};
use crate::input::file::shown_path;
use crate::input::folder::Folder;
use crate::judge::applications::{Place, Reported, Reports};
use crate::peering::{Peering, Role};
use crate::rules;
use std::path::Path;

/// What the identity shows of the documents in these places.
pub(super) fn check_sealed(
    identity_file: &Path,
    places: &[Place],
    reports: &Reports,
) -> OfIdentity {
    let opening = Opening::new(identity_file, places, reports);
    let (found, lines) = check_terms(&opening);
    OfIdentity {
        found,
        lines,
        of_others: opening.of_others,
    }
}

/// An identity, and the sealed files that it opens.
struct Opening<'s> {
    identity_file: &'s Path,
    /// The places with their peerings; a document that is wrong is reported elsewhere.
    places: Vec<(&'s Place, Peering)>,
    reports: &'s Reports,
    of_others: OfOthers,
}

impl<'s> Opening<'s> {
    fn new(identity_file: &'s Path, places: &'s [Place], reports: &'s Reports) -> Self {
        let read = places
            .iter()
            .filter_map(|it| Some((it, rules::read(&it.source).ok()?)));
        let places: Vec<(&Place, Peering)> = read.collect();
        // an identity that cannot be read is reported where it has to open a file
        let identities = Identities::read(identity_file).ok();
        let of_others = identities
            .map(|it| of_others(&places, &it))
            .unwrap_or_default();
        Self {
            identity_file,
            places,
            reports,
            of_others,
        }
    }
}

/// The files of the sides that another Argo CD opens.
fn of_others(places: &[(&Place, Peering)], identities: &Identities) -> OfOthers {
    let peerings: Vec<_> = places.iter().map(|(_, peering)| peering).collect();
    let files = files_of_others(identities, &peerings, |index, file, kind| {
        Folder::new(&places.get(index)?.0.folder)
            .read(file.as_str(), kind.cap())
            .ok()
    });
    let mut all = OfOthers::new();
    for ((place, _), files) in places.iter().zip(files) {
        for role in Role::BOTH {
            let paths = files
                .of(role)
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
fn check_terms(asked: &Opening<'_>) -> (Vec<(usize, Error)>, Vec<String>) {
    let (mut found, mut lines) = (Vec::new(), Vec::new());
    for (place, peering) in &asked.places {
        let mut elsewhere = Vec::new();
        for role in Role::BOTH {
            if asked.of_others.contains_key(&(place.index, role)) {
                continue;
            }
            let callers = asked.reports.get(&(place.index, role)).map(Vec::as_slice);
            let has_application = callers.is_some();
            let here = place_in_checkout(&place.folder)
                .filter(|_| !has_application)
                .into_iter();
            let here: Vec<_> = here
                .map(|facts| Reported {
                    caller: "this folder".to_owned(),
                    facts,
                })
                .collect();
            let callers = callers.unwrap_or(&here);
            for error in of_side(asked, place, peering, role, callers, &mut lines) {
                let is_elsewhere =
                    matches!(error, Error::Custody(custody::Error::SeedElsewhere { .. }));
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
    asked: &Opening<'_>,
    place: &Place,
    peering: &Peering,
    role: Role,
    callers: &[Reported],
    lines: &mut Vec<String>,
) -> Vec<Error> {
    let folder = Folder::new(&place.folder);
    let request = Request {
        folder: &folder,
        identity_file: Some(asked.identity_file),
        policy_file: None,
        caller: &Caller::Local,
    };
    let opened = match request.material(peering, role) {
        Ok(opened) => opened,
        Err(error) => return vec![error.beside(&place.document).into()],
    };
    let mut found = Vec::new();
    for file in &opened.files {
        let name = place
            .document
            .with_file_name(&file.name)
            .display()
            .to_string();
        for Reported { caller, facts } in callers {
            if let Some(Refusal {
                term,
                allowed,
                reported,
            }) = file.refused_at(facts, peering, role)
            {
                let (name, caller) = (name.clone(), caller.clone());
                found.push(
                    custody::Error::Refused {
                        name,
                        caller,
                        term,
                        allowed,
                        reported,
                    }
                    .into(),
                );
            }
        }
    }
    let credential = peering
        .sealed_credential(role)
        .zip(opened.material.credential.as_deref());
    if let Some((sealed, bytes)) = credential {
        let path = place.document.with_file_name(sealed.file.as_str());
        let (problems, renewal) = check_credential(bytes, &path);
        if let Some(renewal) = renewal {
            lines.push(format!("note: {}: {renewal}", shown_path(&path)));
        }
        found.extend(problems.into_iter().map(|problem| {
            custody::Error::Kubeconfig {
                name: path.display().to_string(),
                problem,
            }
            .into()
        }));
    }
    found
}
