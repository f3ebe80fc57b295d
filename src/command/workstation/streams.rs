//! What a person's commands write besides their output.

use crate::command::{Streams, columns};
use crate::input::file::shown_path;
use crate::report::wrap;
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

    /// A text for standard output. A terminal that says how wide it is gets lines that fit.
    pub(in crate::command) fn fitted(&self, text: String) -> String {
        match columns().filter(|_| self.out_is_terminal) {
            Some(columns) => wrap(&text, columns),
            None => text,
        }
    }

    /// Reports a file that was sealed, whose terms and recipients were shown before.
    pub(in crate::command) fn sealed(&mut self, output: &Path) {
        self.note(&format!("sealed {}", shown_path(output)));
    }
}
