//! One function a command.

pub mod error;
pub(crate) mod explain;
pub(crate) mod forms;
pub(crate) mod generate;
pub(crate) mod healthcheck;
pub(crate) mod keys;
mod leftover;
pub mod terminal;
pub(crate) mod validate;
#[cfg(feature = "workstation")]
pub(crate) mod workstation;

use crate::command::error::Error;
use crate::custody::Confirmed;
use crate::diagnostic::counted;
use crate::diagnostic::secrecy::Redacting;
use crate::input::file::shown_path;
use crate::report;
use std::io::{ErrorKind, Write};
use std::path::Path;
#[cfg(feature = "workstation")]
pub use workstation::playground::answer;

/// Where a run writes to.
pub struct Streams<'s> {
    /// The manifests, or nothing.
    pub out: &'s mut dyn Write,
    pub notes: Redacting<&'s mut dyn Write>,
    /// Whether the notes go to a terminal.
    pub terminal: bool,
    /// Whether the manifests do.
    pub out_is_terminal: bool,
    /// Whether standard output was closed, as far as that can be known: then no one gets the manifests.
    pub out_is_lost: bool,
}

impl crate::state::cluster::Notes for Streams<'_> {
    fn note(&mut self, line: &str) {
        Self::note(self, line);
    }
}

impl Streams<'_> {
    /// A line for people, which the notes mask on their way out. If it cannot be written, the run goes on.
    fn note(&mut self, line: &str) {
        let _ = writeln!(self.notes, "{line}");
    }

    /// What was sealed where, to how many, on which terms.
    fn sealed(&mut self, output: &Path, confirmed: &Confirmed) {
        let recipients = counted(confirmed.recipients().len(), "recipient");
        self.note(&format!("sealed {} to {recipients}: {}", shown_path(output), confirmed.terms()));
        leftover::note_leftovers([output].into_iter(), self);
    }

    /// What a command is run for: if no one gets it, the run has failed.
    pub(crate) fn deliver(&mut self, text: &str) -> Result<(), Error> {
        if self.out_is_lost { Err(Error::Output(ErrorKind::NotConnected)) } else { self.print(text) }
    }

    /// The outcome of a command whose exit code is an answer too: all of it, or an error.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Error> {
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        written.map_err(|error| Error::Output(error.kind()))
    }

    /// Refuses to show private keys on a terminal, where they stay in its history, unless that is forced. `ways` is how to get
    /// them to a file.
    fn keeps_from_terminal(&self, forced: bool, ways: &str) -> Result<(), Error> {
        if !self.out_is_terminal || forced {
            return Ok(());
        }
        let reason = format!("private keys would stay in the terminal's history: {ways}, or set --force");
        Err(Error::flag("--force", reason))
    }

    /// Shows on a terminal how much of a longer work is done, until all of it is.
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

/// The JSON Schemas of what is printed for programs: the file in `docs`, and its text.
#[cfg(feature = "workstation")]
pub fn schemas() -> Vec<(&'static str, String)> {
    vec![
        ("report.schema.json", report::schema::<report::Report>("validate and doctor")),
        ("keys.schema.json", report::schema::<keys::PublicPart>("keys")),
        ("list.schema.json", report::schema::<workstation::list::Table>("list")),
        ("ports.schema.json", report::schema::<workstation::ports::Open>("ports")),
        ("diff.schema.json", report::schema::<crate::judge::change::Changes>("diff")),
        ("inspect.schema.json", report::schema::<workstation::inspect::Inspected>("inspect")),
    ]
}
