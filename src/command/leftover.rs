//! What runs that were stopped have left beside the files that they wrote.

use crate::command::Streams;
use crate::custody::store;
use crate::diagnostic::counted;
use crate::input::file::shown_path;
use std::path::Path;

/// As many as are read at a glance.
const SHOWN: usize = 8;

/// Names what is left beside these paths, and how to remove it. It may be another run's that is writing now, so it stays.
pub(super) fn note_leftovers<'p>(paths: impl Iterator<Item = &'p Path>, streams: &mut Streams<'_>) {
    let left = store::left_beside(paths);
    let shown: Vec<String> = left.iter().take(SHOWN).map(|path| shown_path(path)).collect();
    if !shown.is_empty() {
        streams.note(&format!(
            "note: a run that was stopped has left {}, which nothing uses: {}{}; unless another run is writing now, delete all `.new-*` there with `rm -r`, and do not commit them",
            counted(left.len(), "temporary name"),
            shown.join(" "),
            if left.len() > SHOWN { " and others" } else { "" }
        ));
    }
}
