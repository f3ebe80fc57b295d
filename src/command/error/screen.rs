//! An error as people see it: on a terminal, and in Argo CD.

use super::Error;
use crate::diagnostic::{Look, Masks, Severity, counted};

impl Error {
    /// What Argo CD shows in an Application's condition: at most 20 lines of plain text, the code first.
    pub fn brief(&self) -> String {
        match self {
            Self::Document(invalid) => invalid.brief(),
            _ => self.screen(Look::PLAIN),
        }
    }

    /// What a person reads on stderr, the same on every run. It is masked on its way out.
    pub fn screen(&self, look: Look) -> String {
        if let Self::Document(invalid) = self {
            return invalid.screen(look);
        }
        if let Self::Invalid { errors, peerings, silent, .. } = self {
            let count = if *peerings == 1 { tally(errors) } else { self.to_string() };
            return if *silent { String::new() } else { format!("{}\n{count}\n", fleet(errors, look)) };
        }
        let mut screen = match self {
            // the outcome is on standard output
            Self::Differs => return String::new(),
            Self::Uncompared(errors) => fleet(errors, look),
            _ => String::new(),
        };
        screen += &format!("error[{}]: {self}\n", self.code());
        if let Some(help) = self.help() {
            screen += &format!("  help: {help}\n");
        }
        screen
    }
}

/// How many problems of a fleet are shown, and those of the document that reaches it. A person reads no more; a program
/// has the report.
const SHOWN: usize = 200;

/// The errors of several peerings, with a blank line between two.
pub fn fleet(errors: &[Error], look: Look) -> String {
    let mut screens = Vec::new();
    let (mut shown, mut masks) = (0, Masks::default());
    for (index, error) in errors.iter().enumerate() {
        if shown >= SHOWN {
            let rest = errors.len() - index;
            screens.push(format!("error: problems of {rest} more documents; `--format json` reports them\n"));
            break;
        }
        if let Error::Document(invalid) = error {
            shown += invalid.shown().0.count();
            screens.push(invalid.screen_beside(look, &mut masks));
        } else {
            shown += 1;
            screens.push(error.screen(look));
        }
    }
    screens.join("\n")
}

/// How many problems and notes there are: `3 problems and 1 note`.
pub fn tally(errors: &[Error]) -> String {
    let (mut problems, mut notes) = (0, 0);
    for error in errors {
        match error {
            Error::Document(invalid) if invalid.severity == Severity::Note => notes += invalid.problems.len(),
            Error::Document(invalid) => problems += invalid.problems.len(),
            _ => problems += 1,
        }
    }
    match (problems, notes) {
        (0, notes) => counted(notes, "note"),
        (problems, 0) => counted(problems, "problem"),
        _ => format!("{} and {}", counted(problems, "problem"), counted(notes, "note")),
    }
}
