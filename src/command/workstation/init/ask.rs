//! Questions at a terminal. Elsewhere there are none: what is missing is named, all of it at once.

use crate::command::Streams;
use crate::command::error::Error;
use crate::diagnostic::{Rule, shown_name};
use std::io::{BufRead as _, IsTerminal as _};
use std::str::FromStr;

/// Where a value is from.
pub(super) enum Known {
    /// A cluster, or the sibling.
    Read(String),
    /// What is usual; a person confirms it, or learns that it is a guess.
    Guess(String),
    /// Nothing is.
    Nothing,
}

pub(super) struct Asker<'a, 's> {
    pub(super) streams: &'a mut Streams<'s>,
    interactive: bool,
    guesses: Vec<String>,
    missing: Vec<&'static str>,
}

impl<'a, 's> Asker<'a, 's> {
    pub(super) fn new(streams: &'a mut Streams<'s>) -> Self {
        let interactive = streams.terminal && std::io::stdin().is_terminal();
        Self { streams, interactive, guesses: Vec::new(), missing: Vec::new() }
    }

    /// A value of a type: what a flag sets, or what is known, or what a person answers. What is missing is empty until
    /// [`Self::finish`].
    pub(super) fn value<T: FromStr<Err = Rule>>(
        &mut self,
        flag: &'static str,
        question: &str,
        given: Option<&str>,
        known: Known,
    ) -> Result<String, Error> {
        if let Some(given) = given {
            return check::<T>(given)
                .map(|()| given.to_owned())
                .map_err(|reason| Error::Flag { flag, reason });
        }
        let guess = match known {
            Known::Read(value) => return Ok(value),
            Known::Guess(guess) => Some(guess),
            Known::Nothing => None,
        };
        if self.interactive {
            return self.asked(flag, question, guess.as_deref(), check::<T>);
        }
        let Some(guess) = guess else {
            self.missing.push(flag);
            return Ok(String::new());
        };
        Ok(self.guessed(flag, guess))
    }

    fn asked(
        &mut self,
        flag: &'static str,
        question: &str,
        guess: Option<&str>,
        check: fn(&str) -> Result<(), String>,
    ) -> Result<String, Error> {
        let hint = guess.map(|guess| format!(" [{}]", shown_name(guess))).unwrap_or_default();
        loop {
            self.streams.note(&format!("{question}{hint}:"));
            let mut answer = String::new();
            let read = std::io::stdin().lock().read_line(&mut answer);
            if !read.is_ok_and(|length| length > 0) {
                return Err(Error::Flag {
                    flag,
                    reason: "there was no answer, so nothing was written".into(),
                });
            }
            let answer = answer.trim();
            match (answer.is_empty(), guess) {
                (true, Some(guess)) => return Ok(self.guessed(flag, guess.to_owned())),
                (true, None) => {}
                (false, _) => match check(answer) {
                    Ok(()) => return Ok(answer.to_owned()),
                    Err(reason) => self.streams.note(&reason),
                },
            }
        }
    }

    /// Notes a value that nobody has confirmed.
    pub(super) fn guessed(&mut self, flag: &'static str, guess: String) -> String {
        self.guesses.push(format!("{flag} {}", shown_name(&guess)));
        guess
    }

    /// What was guessed, or an error that names what is missing.
    pub(super) fn finish(self) -> Result<Vec<String>, Error> {
        let Some(flag) = self.missing.first() else { return Ok(self.guesses) };
        let reason = match self.missing.as_slice() {
            [_] => "it is missing, and there is no terminal to ask at".to_owned(),
            all => format!("there is no terminal to ask at, and these are missing: {}", all.join(", ")),
        };
        Err(Error::Flag { flag, reason })
    }
}

/// Whether a text is a value, or several with commas between them; and why not.
fn check<T: FromStr<Err = Rule>>(text: &str) -> Result<(), String> {
    items(text).try_for_each(|item| item.parse::<T>().map(|_| ()).map_err(said))
}

/// The values of an answer.
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim)
}

fn said(Rule { message, help, .. }: Rule) -> String {
    help.map_or(message.clone(), |help| format!("{message}; {help}"))
}
