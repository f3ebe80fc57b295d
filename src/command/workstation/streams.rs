//! What a person's commands write besides their output.

use crate::command::Streams;
use crate::custody::Confirmed;
use crate::diagnostic::counted;
use crate::input::file::shown_path;
use std::path::Path;

impl crate::state::cluster::Notes for Streams<'_> {
    fn note(&mut self, line: &str) {
        Self::note(self, line);
    }
}

impl Streams<'_> {
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
    }
}
