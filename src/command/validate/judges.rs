//! The judges of `validate`, each a function over the world of a run, in the order of their findings.

use super::judgement::Judgement;
use super::world::World;
use super::{contradictions, copies, uncommitted_files, unused_files};
use crate::custody::{self, Grants};
use crate::diagnostic::{Judged, Source, counted};
use crate::input::file::shown_path;
use crate::peering::Role;
use crate::state::repo::FoundDocument;

/// All judges. Each adds what it finds, and what it cannot judge.
const JUDGES: [fn(&World, &mut Judgement); 9] = [
    judge_documents,
    judge_sealed_files,
    unused_files::judge,
    judge_plaintexts,
    copies::judge,
    uncommitted_files::judge,
    contradictions::judge,
    judge_applications,
    judge_terms,
];

/// The findings of all judges.
pub(super) fn judge(world: &World) -> Judgement {
    let mut judgement = Judgement::default();
    for judge in JUDGES {
        judge(world, &mut judgement);
    }
    judgement
}

/// The problems of the documents themselves.
fn judge_documents(world: &World, judgement: &mut Judgement) {
    for (number, document) in world.documents.iter().enumerate() {
        match &document.read {
            Err(unread) => judgement.add(Some(number), unread.clone()),
            Ok(document) => {
                judgement.add_all(Some(number), document.examined.problems.clone());
            }
        }
    }
    let (peerings, is_input) = (world.documents.len(), world.folder_files.is_none());
    count_documents(peerings, is_input, &mut judgement.judged);
    count_sealed_files(world, &mut judgement.judged);
    for path in &world.empty_folders {
        let reason = "there is no peering below it";
        judgement.judged.leave_out("path", shown_path(path), reason);
    }
}

/// Counts documents. Of one on standard input, the files beside it are not judged.
pub(in crate::command) fn count_documents(documents: usize, is_input: bool, judged: &mut Judged) {
    judged.add("peering", documents);
    if is_input {
        let reason = "the document is from standard input";
        judged.pass_over("folder", "the files beside it", reason);
    }
}

const OF_OTHERS: &str =
    "the identity opens no file of this cluster: check that another Argo CD syncs it";

/// Counts the sealed files that the documents use. Without an identity, none is opened.
fn count_sealed_files(world: &World, judged: &mut Judged) {
    let counts = world
        .documents
        .iter()
        .map(FoundDocument::count_sealed_files);
    let all: usize = counts.sum();
    if let Some(opened) = &world.opened {
        let of_others: Vec<&String> = opened.of_others.values().flatten().collect();
        judged.add("sealed file", all.saturating_sub(of_others.len()));
        for file in of_others {
            judged.pass_over("sealed file", file, OF_OTHERS);
        }
    } else if all > 0 {
        let what = format!("the terms of {}", counted(all, "sealed file"));
        judged.pass_over("sealed file", what, "--local or --identity-file opens them");
    }
}

/// The problems of the sealed files that are visible without an identity.
fn judge_sealed_files(world: &World, judgement: &mut Judgement) {
    for (number, document) in world.documents.iter().enumerate() {
        judgement.add_all(Some(number), document.sealed_file_errors());
    }
}

/// The secrets in clear.
fn judge_plaintexts(world: &World, judgement: &mut Judgement) {
    if let Some(files) = &world.folder_files {
        for (about, invalid) in &files.plaintexts {
            judgement.add(*about, invalid.clone());
        }
        files.count(&mut judgement.judged);
    }
}

/// The findings on Argo CD's files. Some are about no document.
fn judge_applications(world: &World, judgement: &mut Judgement) {
    for (about, invalid) in &world.applications.found {
        judgement.add(*about, invalid.clone());
    }
    world.applications.count(&mut judgement.judged);
    world.left_out.count(&mut judgement.judged);
}

/// What an identity shows; without one, the labels that terms must list.
fn judge_terms(world: &World, judgement: &mut Judgement) {
    let Some(opened) = &world.opened else {
        return judge_labels(world, judgement);
    };
    judgement.lines.extend_from_slice(&opened.lines);
    for (number, error) in &opened.errors {
        judgement.add(Some(*number), error.clone());
    }
}

/// The labels that a sealed file's terms or a policy must list, where neither is read. The peering's own objects are Secrets, and a
/// Namespace with privileged pods: there it is an error. On a Namespace of workloads it is not judged.
fn judge_labels(world: &World, judgement: &mut Judgement) {
    for (number, document) in world.documents.iter().enumerate() {
        let Some(peering) = document.peering() else {
            continue;
        };
        let name = document.source().map_or("", Source::name);
        let file = document.sealed_files().first().map(|it| it.name.to_owned());
        for role in Role::BOTH {
            let Ok(grants) = Grants::of_side(peering, role) else {
                continue;
            };
            for key in &grants.labels {
                let error = custody::Error::label(role, key, file.clone());
                judgement.add(Some(number), error.beside_document(name.as_ref()));
            }
            for key in &grants.workload_labels {
                let reason = "no identity reads the terms that must list it";
                let what = format!("{name}: {key}");
                judgement.judged.pass_over("label", what, reason);
            }
        }
    }
}
