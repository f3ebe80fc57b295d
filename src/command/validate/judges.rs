//! What a run reads, each file once, and what is wrong with it.

use super::beside::Beside;
use super::checked::Checked;
use super::{BESIDE, OfOthers, conflicts, hidden, unused_files};
use crate::command::Error;
use crate::custody;
use crate::diagnostic::{Invalid, Judged, Source, counted};
use crate::input::file::shown_path;
use crate::judge::applications::Outcome;
use crate::judge::claims::Member;
use crate::state::repo::api_groups::LeftOut;
use std::path::PathBuf;

/// Everything that a run looks at.
#[derive(Default)]
pub(super) struct State<'s> {
    pub(super) documents: &'s [Checked],
    pub(super) members: &'s [Member],
    /// The named folders without a document.
    pub(super) empty: Vec<&'s PathBuf>,
    /// The files beside the documents; `None` for a document on standard input.
    pub(super) beside: Option<&'s Beside>,
    pub(super) passed_over: Option<hidden::PassedOver>,
    /// The documents and the files of Argo CD that were left out.
    pub(super) left_out: LeftOut,
    pub(super) of_argo_cd: Option<&'s Outcome>,
    /// With an identity: the sealed files that another Argo CD opens, which were not opened here.
    pub(super) of_others: Option<&'s OfOthers>,
}

impl State<'_> {
    /// The findings of all judges, in order, each with the number of its document.
    pub(super) fn findings(&self) -> Vec<(usize, Error)> {
        let documents = self.documents;
        let mut found = document_problems(documents);
        found.extend(errors(unusable(documents)));
        if let Some(beside) = self.beside {
            found.extend(errors(unused_files::unused(documents, beside)));
            found.extend(errors(beside.clear.clone()));
        }
        found.extend(errors(conflicts::copies(documents)));
        if let Some(passed_over) = &self.passed_over {
            found.extend(errors(hidden::check(documents, passed_over)));
        }
        found.extend(errors(conflicts::contradictions(documents, self.members)));
        found.extend(self.of_argo_cd.iter().flat_map(|it| errors(of_argo_cd(it))));
        found
    }

    /// How much there was to judge, and what was not judged and why.
    pub(super) fn judged(&self) -> Judged {
        let mut judged = Judged::default();
        self.count_documents(&mut judged);
        if let Some(beside) = self.beside {
            beside.count(&mut judged);
        }
        if let Some(outcome) = self.of_argo_cd {
            outcome.count(&mut judged);
        }
        self.left_out.count(&mut judged);
        judged
    }

    fn count_documents(&self, judged: &mut Judged) {
        let sealed_files = self.documents.iter().map(|it| it.sealed_files).sum();
        looked_at(
            self.documents.len(),
            self.beside.is_none(),
            sealed_files,
            self.of_others,
            judged,
        );
        for path in &self.empty {
            judged.leave_out(
                "path",
                shown_path(path),
                "there is no peering in it or below it",
            );
        }
    }
}

fn errors<E: Into<Error>>(found: Vec<(usize, E)>) -> impl Iterator<Item = (usize, Error)> {
    found
        .into_iter()
        .map(|(index, error)| (index, error.into()))
}

const OF_OTHERS: &str = "the identity opens no file of this cluster: right only where the cluster has an Argo CD of its own";

/// The counts of this many documents and of the sealed files that they name. Of a document on standard input, the files beside it are not
/// counted; without an identity, no sealed file is opened. Neither was requested.
pub(in crate::command) fn looked_at(
    peerings: usize,
    is_input: bool,
    sealed_files: usize,
    of_others: Option<&OfOthers>,
    judged: &mut Judged,
) {
    judged.add("peering", peerings);
    if is_input {
        judged.pass_over(
            "folder",
            "the files beside it",
            "the document is from standard input",
        );
    } else if let Some(of_others) = of_others {
        let of_others: Vec<&String> = of_others.values().flatten().collect();
        judged.add("sealed file", sealed_files.saturating_sub(of_others.len()));
        for file in of_others {
            judged.pass_over("sealed file", file, OF_OTHERS);
        }
    } else if sealed_files > 0 {
        let what = format!("the terms of {}", counted(sealed_files, "sealed file"));
        judged.pass_over("sealed file", what, "no identity is given");
    }
}

/// The findings of each document, with its number.
pub(super) fn of_each<E, F: IntoIterator<Item = E>>(
    documents: &[Checked],
    find: impl Fn(&Checked) -> F,
) -> Vec<(usize, E)> {
    let all = documents.iter().enumerate();
    all.flat_map(|(index, it)| find(it).into_iter().map(move |found| (index, found)))
        .collect()
}

/// The problems of the documents themselves.
fn document_problems(documents: &[Checked]) -> Vec<(usize, Error)> {
    of_each(documents, |it| {
        let unread = it.unread.clone().map(Error::from);
        let texts = it.invalid.iter().chain(&it.notes).cloned().map(Error::from);
        unread.into_iter().chain(texts).collect::<Vec<_>>()
    })
}

/// The labels that a sealed file's terms or a policy must list, where neither is read. The peering's own objects are Secrets, and a
/// Namespace with privileged pods: there it is an error. On a Namespace of workloads it is not judged.
pub(super) fn unlisted_labels(documents: &[Checked], judged: &mut Judged) -> Vec<(usize, Error)> {
    let mut found = Vec::new();
    for (index, document) in documents.iter().enumerate() {
        let name = document.source.as_ref().map_or("", Source::name);
        let file = document.sealed.first().map(|it| it.name.clone());
        for (role, gifts) in &document.gifts {
            for key in &gifts.labels {
                let error = custody::Error::label(*role, key, file.clone());
                found.push((index, error.beside(name.as_ref()).into()));
            }
            for key in &gifts.workload_labels {
                let reason = "no identity reads the terms that must list it";
                judged.pass_over("label", format!("{name}: {key}"), reason);
            }
        }
    }
    found
}

/// The problems of the sealed files that are visible without an identity.
fn unusable(documents: &[Checked]) -> Vec<(usize, custody::Error)> {
    of_each(documents, |it| it.unusable.clone())
}

/// The findings on Argo CD's files. Some are about no document.
fn of_argo_cd(it: &Outcome) -> Vec<(usize, Invalid)> {
    let found = it.found.iter();
    found
        .map(|it| (it.document.unwrap_or(BESIDE), it.invalid.clone()))
        .collect()
}
