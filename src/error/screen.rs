//! An error as people see it: on a terminal, and in Argo CD.

use super::Error;
use crate::diagnostic::{Look, mask};

impl Error {
    /// What Argo CD shows in an Application's condition: at most 20 lines of plain text, the code first.
    #[must_use]
    pub fn brief(&self) -> String {
        match self {
            Self::Document { problems, text } => problems.brief(text),
            _ => self.screen(Look::PLAIN),
        }
    }

    /// What a person reads on stderr; nothing secret in it, and the same on every run.
    #[must_use]
    pub fn screen(&self, look: Look) -> String {
        if let Self::Document { problems, text } = self {
            return problems.screen(text, look);
        }
        if let Self::Invalid { errors, silent } = self {
            return if *silent {
                String::new()
            } else {
                errors.iter().map(|error| error.screen(look)).collect()
            };
        }
        let mut screen = format!("error[{}]: {self}\n", self.code());
        if let Some(help) = self.help() {
            screen += &format!("  help: {help}\n");
        }
        // a derived public key is shown so that it can be compared
        let shown = match self {
            Self::UnexpectedKey { derived, .. } => {
                screen.match_indices(derived.as_str()).map(|(at, key)| at..at + key.len()).collect()
            }
            _ => Vec::new(),
        };
        mask(&screen, &shown)
    }
}
