//! One function for each command.

pub mod error;
pub(crate) mod explain;
pub(crate) mod forms;
pub(crate) mod generate;
pub(crate) mod healthcheck;
pub(crate) mod keys;
pub(crate) mod validate;
#[cfg(feature = "workstation")]
pub(crate) mod workstation;

use crate::custody::{Confirmed, store};
use crate::diagnostic::secrecy::Redacting;
use crate::diagnostic::{Look, counted, first_of};
use crate::input::file::shown_path;
use crate::report;
pub use error::Error;
use std::io::{ErrorKind, Write};
use std::path::Path;
#[cfg(feature = "workstation")]
pub use workstation::playground::answer;

/// The result of a command.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// The outputs of a run.
pub struct Streams<'s> {
    /// Standard output: the manifests, or nothing.
    pub out: &'s mut dyn Write,
    pub notes: Redacting<&'s mut dyn Write>,
    /// Whether standard error, which gets the notes, is a terminal.
    pub terminal: bool,
    /// Whether standard output, which gets the manifests, is a terminal.
    pub out_is_terminal: bool,
    /// Whether standard output was closed, as far as this can be known: then no one gets the manifests.
    pub out_is_lost: bool,
}

impl crate::state::cluster::Notes for Streams<'_> {
    fn note(&mut self, line: &str) {
        Self::note(self, line);
    }
}

impl Streams<'_> {
    /// Writes a line for people, with its secrets masked. If the line cannot be written, the run goes on.
    fn note(&mut self, line: &str) {
        let _ = writeln!(self.notes, "{line}");
    }

    /// Writes lines for people.
    fn note_all(&mut self, lines: impl IntoIterator<Item: AsRef<str>>) {
        lines.into_iter().for_each(|line| self.note(line.as_ref()));
    }

    /// Names the temporary files that interrupted runs left beside these paths, and how to remove them. Such a file may also belong to a
    /// run that is writing now, so it is not removed here.
    fn note_leftovers<'p>(&mut self, paths: impl IntoIterator<Item = &'p Path>) {
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

    /// How diagnostics look on standard error. Only a terminal changes it: what goes into a pipe or a file is the same in every
    /// environment.
    pub(crate) fn look(&self) -> Look {
        if self.terminal {
            Look::terminal(columns())
        } else {
            Look::PLAIN
        }
    }

    /// Whether standard output, if it is a terminal, shows colours: unless `NO_COLOR` or `TERM=dumb` says otherwise.
    fn is_output_coloured(&self) -> bool {
        self.out_is_terminal
            && anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
    }

    /// Reports what was sealed where, to how many recipients, and on which terms.
    fn sealed(&mut self, output: &Path, confirmed: &Confirmed) {
        let recipients = counted(confirmed.recipients().len(), "recipient");
        self.note(&format!(
            "sealed {} to {recipients}: {}",
            shown_path(output),
            confirmed.terms()
        ));
        self.note_leftovers([output]);
    }

    /// Prints the output that the command is run for. If no one gets it, the run fails.
    pub(crate) fn deliver(&mut self, text: &str) -> Result {
        if self.out_is_lost {
            Err(Error::Output(ErrorKind::NotConnected))
        } else {
            self.print(text)
        }
    }

    /// Prints all of the output, or fails. For a command whose exit code is an answer too, so a closed output is accepted.
    pub(crate) fn print(&mut self, text: &str) -> Result {
        let written = self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush());
        written.map_err(|error| Error::Output(error.kind()))
    }

    /// Refuses to show private keys on a terminal, where they stay in its history, unless that is forced. `ways` is how to get
    /// them to a file.
    fn keeps_from_terminal(&self, forced: bool, ways: &str) -> Result {
        if !self.out_is_terminal || forced {
            return Ok(());
        }
        let reason =
            format!("private keys would stay in the terminal's history: {ways}, or set --force");
        Err(Error::flag("--force", reason))
    }

    /// Shows on a terminal the progress of a long task until it is done.
    fn progress(&mut self, all: usize, done: impl Fn() -> usize) {
        if !self.terminal || all < 100 {
            return;
        }
        loop {
            let count = done().min(all);
            let _ = write!(self.notes, "\r{count}/{all}");
            let _ = self.notes.flush();
            if count >= all {
                let _ = write!(self.notes, "\r\u{1b}[K");
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
}

/// `COLUMNS` if it is exported, as for `ls`, else what the terminal reports.
fn columns() -> Option<usize> {
    let exported = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    exported
        .or_else(columns_of_window)
        .filter(|columns| *columns > 0)
}

#[cfg(unix)]
fn columns_of_window() -> Option<usize> {
    rustix::termios::tcgetwinsize(std::io::stderr())
        .ok()
        .map(|size| usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn columns_of_window() -> Option<usize> {
    None
}

/// The JSON Schemas of the output for programs: the name of the file in `docs`, and its text.
#[cfg(feature = "workstation")]
pub fn schemas() -> Vec<(&'static str, String)> {
    vec![
        (
            "report.schema.json",
            report::schema::<report::Report>("validate and doctor"),
        ),
        (
            "keys.schema.json",
            report::schema::<keys::PublicPart>("keys"),
        ),
        (
            "list.schema.json",
            report::schema::<workstation::list::Table>("list"),
        ),
        (
            "diff.schema.json",
            report::schema::<crate::judge::change::Changes>("diff"),
        ),
        (
            "inspect.schema.json",
            report::schema::<workstation::inspect::Inspected>("inspect"),
        ),
    ]
}
