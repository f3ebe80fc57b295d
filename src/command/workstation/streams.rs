//! What a person's commands write besides their output.

use crate::command::Streams;
use crate::custody::{Confirmed, store};
use crate::diagnostic::{counted, first_of};
use crate::input::file::shown_path;
use std::path::Path;

impl crate::state::cluster::Notes for Streams<'_> {
    fn note(&mut self, line: &str) {
        Self::note(self, line);
    }
}

impl Streams<'_> {
    /// Names the temporary files that interrupted runs left beside these paths, and how to remove them. Such a file may also belong to a
    /// run that is writing now, so it is not removed here.
    pub(in crate::command) fn note_leftovers<'p>(
        &mut self,
        paths: impl IntoIterator<Item = &'p Path>,
    ) {
        /// How many names a person reads at a glance.
        const SHOWN: usize = 8;
        let left = store::left_beside(paths.into_iter());
        if !left.is_empty() {
            let shown = left.iter().map(|path| shown_path(path)).collect();
            self.note(&format!(
                "note: a run that was stopped has left {}, which nothing uses: {}; unless another run is writing now, delete all `.new-*` there with `rm -r`, and do not commit them",
                counted(left.len(), "temporary name"),
                first_of(shown, SHOWN)
            ));
        }
    }

    /// Whether standard output, if it is a terminal, shows colours: unless `NO_COLOR` or `TERM=dumb` says otherwise.
    pub(in crate::command) fn is_output_coloured(&self) -> bool {
        self.out_is_terminal
            && anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
    }

    /// Reports what was sealed where, to how many recipients, and on which terms.
    pub(in crate::command) fn sealed(&mut self, output: &Path, confirmed: &Confirmed) {
        let recipients = counted(confirmed.recipients().len(), "recipient");
        self.note(&format!(
            "sealed {} to {recipients}: {}",
            shown_path(output),
            confirmed.terms()
        ));
        self.note_leftovers([output]);
    }
}
