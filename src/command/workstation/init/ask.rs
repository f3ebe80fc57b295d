//! Questions at a terminal. Elsewhere there are none: what is missing is named, all of it at once.

use super::questions::Question;
use crate::command::Streams;
use crate::command::error::Error;
use crate::diagnostic::shown_name;
use std::io::{BufRead as _, IsTerminal as _};

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

    /// A value: what a flag sets, or what is known, or what a person answers. What is missing is empty until [`Self::finish`].
    pub(super) fn value(
        &mut self,
        question: &Question,
        given: Option<&str>,
        known: Known,
    ) -> Result<String, Error> {
        let flag = question.flag;
        if let Some(given) = given {
            return (question.check)(given)
                .map(|()| given.to_owned())
                .map_err(|reason| Error::flag(flag, reason));
        }
        let guess = match known {
            Known::Read(value) => return Ok(value),
            Known::Guess(guess) => Some(guess),
            Known::Nothing => None,
        };
        if self.interactive {
            return self.ask(question, guess.as_deref());
        }
        let Some(guess) = guess else {
            self.missing.push(flag);
            return Ok(String::new());
        };
        Ok(self.note_guess(flag, guess))
    }

    /// What a person may want beside it. Without a terminal, only a flag asks for it.
    pub(super) fn wish(&mut self, question: &Question, none: &str) -> Result<Option<String>, Error> {
        if !self.interactive {
            return Ok(None);
        }
        let before = self.guesses.len();
        let answer = self.ask(question, Some(none))?;
        self.guesses.truncate(before);
        Ok(Some(answer).filter(|answer| answer != none))
    }

    fn ask(&mut self, question: &Question, guess: Option<&str>) -> Result<String, Error> {
        let hint = guess.map(|guess| format!(" [{}]", shown_name(guess))).unwrap_or_default();
        loop {
            self.streams.note(&format!("{}{hint}:", question.text));
            let mut answer = String::new();
            let read = std::io::stdin().lock().read_line(&mut answer);
            if !read.is_ok_and(|length| length > 0) {
                return Err(Error::flag(question.flag, "there was no answer, so nothing was written"));
            }
            let answer = answer.trim();
            match (answer.is_empty(), guess) {
                (true, Some(guess)) => return Ok(self.note_guess(question.flag, guess.to_owned())),
                (true, None) => {
                    let example = question.example;
                    self.streams.note(&format!("an answer is needed, for example `{example}`"));
                }
                (false, _) => match (question.check)(answer) {
                    Ok(()) => return Ok(answer.to_owned()),
                    Err(reason) => self.streams.note(&reason),
                },
            }
        }
    }

    /// Notes a value that nobody has confirmed.
    pub(super) fn note_guess(&mut self, flag: &'static str, guess: String) -> String {
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
        Err(Error::flag(flag, reason))
    }
}
