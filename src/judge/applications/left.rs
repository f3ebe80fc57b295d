//! The parts of Argo CD's files that are not judged.

use super::File;
use super::declaring_files::TEMPLATE;
use crate::diagnostic::{Judged, quoted, shown_name};
use std::path::Path;

/// A part of a file that is not judged, and why.
pub(crate) struct Left {
    /// The number of the file.
    pub(crate) file: usize,
    kind: &'static str,
    /// The name of the part; `None` for an object, or for all objects of the kind.
    part: Option<String>,
    reason: String,
    /// Whether the run was asked to judge it; then `--strict` fails.
    pub(crate) is_asked: bool,
}

impl Left {
    pub(super) fn new(
        file: usize,
        kind: &'static str,
        reason: impl Into<String>,
        is_asked: bool,
    ) -> Self {
        Self {
            file,
            kind,
            part: None,
            reason: reason.into(),
            is_asked,
        }
    }

    pub(super) fn of(self, part: &str) -> Self {
        Self {
            part: Some(quoted(part)),
            ..self
        }
    }

    /// The message without the file: `diff` lists all files with the same message together.
    pub(crate) fn message(&self) -> String {
        let part = self
            .part
            .as_ref()
            .map_or_else(String::new, |part| format!("{part}: "));
        format!("not judged: {part}{}", self.reason)
    }

    /// The file; for a template its chart, which is reported once.
    pub(crate) fn place<'f>(&self, files: &'f [File]) -> Option<&'f Path> {
        let file = files.get(self.file)?;
        Some(
            file.chart
                .as_ref()
                .filter(|_| self.kind == TEMPLATE)
                .unwrap_or(&file.path),
        )
    }

    pub(super) fn count(self, files: &[File], judged: &mut Judged) {
        let name = self
            .place(files)
            .map_or_else(String::new, |it| shown_name(&it.display().to_string()));
        let what = self
            .part
            .map_or_else(|| name.clone(), |part| format!("{part} of {name}"));
        judged.leave(self.kind, what, self.reason, self.is_asked);
    }
}
