//! What of a file of Argo CD's is not judged.

use super::File;
use crate::diagnostic::{Judged, quoted, shown_name};

/// What of a file is not judged, and why.
pub(crate) struct Left {
    /// Its number.
    pub(crate) file: usize,
    kind: &'static str,
    /// None for an object, or for all that there is of one.
    part: Option<String>,
    reason: String,
    /// Whether the run was to judge it; `--strict` fails then.
    pub(crate) is_asked: bool,
}

impl Left {
    pub(super) fn new(file: usize, kind: &'static str, reason: impl Into<String>, is_asked: bool) -> Self {
        Self { file, kind, part: None, reason: reason.into(), is_asked }
    }

    pub(super) fn of(self, part: &str) -> Self {
        Self { part: Some(quoted(part)), ..self }
    }

    /// Without the file: `diff` lists all files of one message together.
    pub(crate) fn message(&self) -> String {
        let part = self.part.as_ref().map_or_else(String::new, |part| format!("{part}: "));
        format!("not judged: {part}{}", self.reason)
    }

    pub(super) fn count(self, files: &[File], judged: &mut Judged) {
        let name = files.get(self.file).map_or_else(String::new, |file| shown_name(file.source.name()));
        let what = self.part.map_or_else(|| name.clone(), |part| format!("{part} of {name}"));
        judged.leave(self.kind, what, self.reason, self.is_asked);
    }
}
