//! An error as people see it: on a terminal, and in Argo CD.

use super::Error;
use crate::custody;
use crate::diagnostic::{Look, mask, mask_names};

impl Error {
    /// What Argo CD shows in an Application's condition: at most 20 lines of plain text, the code first.
    pub fn brief(&self) -> String {
        match self {
            Self::Document(invalid) => invalid.brief(),
            _ => self.screen(Look::PLAIN),
        }
    }

    /// What a person reads on stderr; nothing secret in it, and the same on every run.
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
        self.masked(&screen)
    }

    /// A text of this error without what could be key material. Names are readable, part by part, and so is a derived public
    /// key, which is there to be compared.
    pub(crate) fn masked(&self, text: &str) -> String {
        let mut text = text.to_owned();
        let mut readable = Vec::new();
        for name in self.names() {
            let shown = mask_names(name);
            text = text.replace(name, &shown);
            readable.push(shown);
        }
        if let Self::Custody(custody::Error::UnexpectedKey { derived, .. }) = self {
            readable.push(derived.clone());
        }
        let places = |word: &String| {
            let found: Vec<_> =
                text.match_indices(word.as_str()).map(|(at, word)| at..at + word.len()).collect();
            found
        };
        let public: Vec<_> = readable.iter().flat_map(places).collect();
        mask(&text, &public)
    }

    /// What in this error names a file, a folder or a repository, if it is long enough to be taken for a key.
    fn names(&self) -> Vec<&str> {
        /// Shorter ones are never hidden, and their letters may stand anywhere.
        const LONG: usize = 22;
        let names = match self {
            Self::UnreadDocument(file) => vec![file.name.as_str()],
            Self::Custody(error) => error.names(),
            Self::Unread(file) => vec![file.name.as_str()],
            Self::Unwritten(file) => vec![file.name.as_str()],
            Self::Document(_)
            | Self::Invalid { .. }
            | Self::Parameter(_)
            | Self::Import(_)
            | Self::Flag { .. }
            | Self::Output(_)
            | Self::Bug(_) => Vec::new(),
        };
        names.into_iter().filter(|name| name.len() >= LONG).collect()
    }
}
