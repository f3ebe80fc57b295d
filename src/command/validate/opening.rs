//! With an identity: whether Argo CD will open the sealed files where they are, and whether their credentials do anything.

use super::checked::Wrong;
use crate::argocd::caller::Caller;
use crate::command::Error;
use crate::command::workstation::{check_credential, place_in_checkout};
use crate::custody::{self, Refusal, Request};
use crate::input::file::shown_path;
use crate::input::folder::Folder;
use crate::judge::applications::{Place, Reported, Reports};
use crate::peering::{Peering, Role};
use crate::rules;
use std::collections::BTreeSet;
use std::path::Path;

/// An identity, and where the sealed files are that it opens.
pub(super) struct Asked<'s> {
    pub(super) identity_file: &'s Path,
    pub(super) places: &'s [Place],
    pub(super) reports: &'s Reports,
}

/// What is wrong, each with the number of the document. The identity opens, as for `inspect`; nothing that is opened is shown.
/// A credential that is to be renewed is a line.
pub(super) fn check(asked: &Asked<'_>) -> Vec<Wrong> {
    let (mut found, mut lines) = (Vec::new(), Vec::new());
    for place in asked.places {
        // a document that is wrong is reported
        let Ok(peering) = rules::read(&place.source) else { continue };
        let mut elsewhere = Vec::new();
        for role in Role::BOTH {
            let callers = asked.reports.get(&(place.index, role)).map(Vec::as_slice);
            let has_application = callers.is_some();
            let here = place_in_checkout(&place.folder).filter(|_| !has_application).into_iter();
            let here: Vec<_> =
                here.map(|facts| Reported { caller: "this folder".to_owned(), facts }).collect();
            let callers = callers.unwrap_or(&here);
            for error in of_side(asked.identity_file, place, &peering, role, callers, &mut lines) {
                let is_elsewhere = matches!(error, Error::Custody(custody::Error::SeedElsewhere { .. }));
                let found = if is_elsewhere && !has_application { &mut elsewhere } else { &mut found };
                found.push((place.index, error));
            }
        }
        // the half of one organisation, whose Argo CD has no Application of the other side
        if elsewhere.len() == Role::BOTH.len() {
            found.append(&mut elsewhere);
        }
    }
    // both sides can have one file
    let mut seen = BTreeSet::new();
    found.retain(|(index, error)| seen.insert((*index, error.to_string())));
    lines.into_iter().map(Wrong::Line).chain(found.into_iter().map(Wrong::from)).collect()
}

fn of_side(
    identity_file: &Path,
    place: &Place,
    peering: &Peering,
    role: Role,
    callers: &[Reported],
    lines: &mut Vec<String>,
) -> Vec<Error> {
    let folder = Folder::new(&place.folder);
    let request = Request {
        folder: &folder,
        identity_file: Some(identity_file),
        policy_file: None,
        caller: &Caller::Local,
    };
    let opened = match request.material(peering, role) {
        Ok(opened) => opened,
        Err(error) => return vec![error.beside(&place.document).into()],
    };
    let mut found = Vec::new();
    for file in &opened.files {
        let name = place.document.with_file_name(&file.name).display().to_string();
        for Reported { caller, facts } in callers {
            if let Some(Refusal { term, allowed, reported }) = file.refused_at(facts, peering, role) {
                let (name, caller) = (name.clone(), caller.clone());
                found.push(custody::Error::Refused { name, caller, term, allowed, reported }.into());
            }
        }
    }
    let credential = peering.sealed_credential(role).zip(opened.material.credential.as_deref());
    if let Some((sealed, bytes)) = credential {
        let path = place.document.with_file_name(sealed.file.as_str());
        let (problems, renewal) = check_credential(bytes, &path);
        if let Some(renewal) = renewal {
            lines.push(format!("note: {}: {renewal}", shown_path(&path)));
        }
        found.extend(
            problems.into_iter().map(|problem| {
                custody::Error::Kubeconfig { name: path.display().to_string(), problem }.into()
            }),
        );
    }
    found
}
