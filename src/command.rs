//! One function for each command.

pub mod error;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod healthcheck;
#[cfg(feature = "workstation")]
pub(crate) mod keys;
pub(crate) mod side_argument;
#[cfg(feature = "workstation")]
pub(crate) mod validate;
#[cfg(feature = "workstation")]
pub(crate) mod workstation;

use crate::diagnostic::Look;
use crate::diagnostic::secrecy::Redacting;
pub use error::Error;
#[cfg(unix)]
use rustix::termios::tcgetwinsize;
use std::io::{ErrorKind, Write};

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

impl Streams<'_> {
    /// Writes a line for people, with its secrets masked. If the line cannot be written, the run goes on.
    fn note(&mut self, line: &str) {
        let _ = writeln!(self.notes, "{line}");
    }

    /// Writes lines for people.
    fn note_all(&mut self, lines: impl IntoIterator<Item: AsRef<str>>) {
        for line in lines {
            self.note(line.as_ref());
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
        let mut written = self.out.write_all(text.as_bytes());
        if written.is_ok() {
            written = self.out.flush();
        }
        written.map_err(|error| Error::Output(error.kind()))
    }

    /// Refuses to show private keys on a terminal, where they stay in its history, unless that is forced. `ways` is how to get
    /// them to a file.
    fn keeps_from_terminal(&self, forced: bool, ways: &str) -> Result {
        if !self.out_is_terminal || forced {
            return Ok(());
        }
        let reason =
            format!("the terminal's history would keep private keys: {ways}, or set --force");
        Err(Error::flag("--force", reason))
    }
}

/// `COLUMNS` if it is exported, as for `ls`, else what the terminal reports.
pub(crate) fn columns() -> Option<usize> {
    let exported = std::env::var("COLUMNS").unwrap_or_default().parse().ok();
    let columns = exported.or_else(columns_of_window)?;
    (columns > 0).then_some(columns)
}

#[cfg(unix)]
fn columns_of_window() -> Option<usize> {
    let of_errors = tcgetwinsize(std::io::stderr());
    let size = of_errors.or_else(|_| tcgetwinsize(std::io::stdout()));
    Some(usize::from(size.ok()?.ws_col))
}

#[cfg(not(unix))]
fn columns_of_window() -> Option<usize> {
    None
}
