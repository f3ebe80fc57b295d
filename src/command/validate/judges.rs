//! What a run reads, each file once, and the judges of it.

use super::beside::Beside;
use super::checked::{Checked, Wrong};
use super::{BESIDE, OfOthers, beside, conflicts, hidden, unused_files};
use crate::command::Error;
use crate::custody;
use crate::diagnostic::{Invalid, Judged, counted};
use crate::input::file::shown_path;
use crate::judge::applications::Outcome;
use crate::judge::claims::Member;
use crate::judge::{Judge, judges, parts};
use crate::state::repo::api_groups::LeftOut;
use std::path::PathBuf;

/// Everything that the judges of a run look at.
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
    pub(super) of_others: Option<OfOthers>,
}

/// The judges of a run, each with its subject.
pub(super) fn judges<'s>() -> [Judge<State<'s>, Wrong>; 8] {
    judges! {
        "document" = documents: [Checked];
        "sealed-file" = unusable: [Checked];
        "unused-file" = unused_files::unused: [Checked], Beside;
        "secret-in-clear" = beside::clear: Beside;
        "copy" = conflicts::copies: [Checked];
        "passed-over" = hidden::check: [Checked], hidden::PassedOver;
        "contradiction" = conflicts::contradictions: [Checked], [Member];
        "argo-cd" = of_argo_cd: Outcome;
    }
}

parts! { State<'s>:
    [Checked] = "documents and their sealed files", it => Some(it.documents), State::count_documents;
    Beside = "files below the paths", it => it.beside, State::count_files;
    hidden::PassedOver = ".gitignore and .gitattributes", it => it.passed_over.as_ref();
    [Member] = "what documents say of clusters", it => Some(it.members);
    Outcome = "Argo CD's objects", it => it.of_argo_cd, State::count_argo_cd;
}

impl State<'_> {
    fn count_documents(&self, judged: &mut Judged) {
        let sealed_files = self.documents.iter().map(|it| it.sealed_files).sum();
        looked_at(
            self.documents.len(),
            self.beside.is_none(),
            sealed_files,
            self.of_others.as_ref(),
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

    fn count_files(&self, judged: &mut Judged) {
        if let Some(it) = self.beside {
            it.count(judged);
        }
    }

    fn count_argo_cd(&self, judged: &mut Judged) {
        if let Some(it) = self.of_argo_cd {
            it.count(judged);
        }
        self.left_out.count(judged);
    }
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
fn documents(documents: &[Checked]) -> Vec<(usize, Error)> {
    of_each(documents, |it| {
        let unread = it.unread.clone().map(Error::from);
        let texts = it.invalid.iter().chain(&it.notes).cloned().map(Error::from);
        unread.into_iter().chain(texts).collect::<Vec<_>>()
    })
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
