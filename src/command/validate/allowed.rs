//! The notes that their files accept with a comment, taken out of what was found.

use crate::command::Error;
use crate::diagnostic::{Code, Judged, Source};
use crate::judge::allowances::Allowances;
use std::collections::{BTreeMap, BTreeSet};

/// Takes them out, and adds what is wrong with the comments. `files` are those of Argo CD, each with whether all notes on it were
/// looked for; a document on standard input has no folder.
pub(super) fn accept<'s>(
    found: &mut Vec<(usize, Error)>,
    documents: impl Iterator<Item = (usize, &'s Source)>,
    files: impl Iterator<Item = (&'s Source, bool)>,
    is_input: bool,
    judged: &mut Judged,
) {
    let documents = documents.filter_map(|(index, source)| Some((index, Allowances::of(source)?)));
    let mut of_documents: BTreeMap<usize, Allowances> = documents.collect();
    let mut of_files: BTreeMap<&str, Option<(Allowances, bool)>> = BTreeMap::new();
    for (source, is_whole) in files {
        let one = Allowances::of(source).map(|it| (it, is_whole));
        // of two names that look the same, it is not known of which of them a note is
        of_files.entry(source.name()).and_modify(|it| *it = None).or_insert(one);
    }
    let mut wrong = BTreeSet::new();
    for (index, error) in found.iter_mut() {
        if !super::is_note(error) {
            wrong.insert(*index);
        }
        let Error::Document(notes) = error else { continue };
        if let Some(allowances) = of_documents.get_mut(index) {
            allowances.accept(notes, judged);
        }
        if let Some(Some((allowances, _))) = of_files.get_mut(notes.source.name()) {
            allowances.accept(notes, judged);
        }
    }
    found.retain(|(_, error)| !matches!(error, Error::Document(it) if it.problems.is_empty()));
    for (index, allowances) in of_documents {
        let is_looked_for = |code| match code {
            // of two documents, and of files, of which the other one may be elsewhere
            Code::SealedFileReused | Code::RenderedFile => false,
            // both are about the document's folder
            Code::UnusedFile | Code::SchemaLine if is_input => false,
            // a document with an error has no notes
            _ => !wrong.contains(&index),
        };
        found.extend(allowances.check(is_looked_for).into_iter().map(|it| (index, it.into())));
    }
    for (allowances, is_whole) in of_files.into_values().flatten() {
        let errors =
            allowances.check(|code| is_whole || !matches!(code, Code::ApplicationSetting | Code::SyncRetry));
        found.extend(errors.into_iter().map(|it| (super::BESIDE, it.into())));
    }
}
