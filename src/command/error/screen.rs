//! An error as people see it: on a terminal, and in Argo CD.

use super::Error;
use crate::diagnostic::Look;

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
        screen
    }
}
