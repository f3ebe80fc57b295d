//! Notes that a file accepts, each with its reason: `# argocd-peering: allow client-port, because a router changes it`.
//!
//! Only notes can be accepted: an error stays an error with any comment. So anyone with push access can silence a note, and nothing else.

use crate::diagnostic::{
    Code, Diagnostic, Invalid, Judged, Problems, Severity, Source, Span, nearest, quoted,
};
use crate::input::yaml;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The beginning of such a comment, after `#` and spaces.
const WORDS: &str = "argocd-peering: allow";

/// The allowances of a file.
pub(crate) struct Allowances {
    source: Source,
    found: Vec<Allowance>,
    /// The problems of allowances that cannot accept anything.
    wrong: Problems,
    /// Whether some notes were only counted, so that no allowance can be called unused.
    has_more: bool,
}

struct Allowance {
    comment: Span,
    /// The place where accepted notes begin: the comment's line, or the document, if the comment is at its top.
    holds: Span,
    is_top: bool,
    code: Code,
    reason: Rc<str>,
    is_used: bool,
}

impl Allowances {
    /// The allowances in a text of YAML; `None` if it has no such comment. A `#` after a space counts in quotes and blocks too: a set's
    /// `templatePatch` is such a block.
    pub(crate) fn of(source: &Source) -> Option<Self> {
        let text = source.text();
        if !text.contains(WORDS) {
            return None;
        }
        let mut all = Self {
            source: source.clone(),
            found: vec![],
            wrong: Problems::default(),
            has_more: false,
        };
        let (mut start, mut is_top, mut first) = (0, true, 0);
        for line in text.split_inclusive('\n') {
            let end = start + line.len();
            let content = line.trim();
            let is_marker = yaml::is_marker(line);
            if is_marker {
                all.close(first, start);
                (is_top, first) = (true, all.found.len());
            }
            if let Some((comment, words)) = comment(line) {
                is_top &= is_marker || content.starts_with('#');
                let comment = Span {
                    start: start + comment,
                    end: start + line.trim_end().len(),
                };
                all.add(comment, words, Span { start, end }, is_top);
            } else if !is_marker {
                is_top &= content.is_empty() || content.starts_with(['#', '%']);
            }
            start = end;
        }
        // the only place of a file without text is its beginning
        all.close(first, start + 1);
        Some(all)
    }

    /// Ends the allowances at the top of a document at the document's end.
    fn close(&mut self, first: usize, end: usize) {
        for it in self.found.iter_mut().skip(first).filter(|it| it.is_top) {
            it.holds.end = end;
        }
    }

    fn add(&mut self, comment: Span, words: &str, holds: Span, is_top: bool) {
        let (codes, reason) = words.split_once("because").unwrap_or((words, ""));
        let reason = reason.trim();
        if !reason.contains(char::is_alphabetic) {
            let help = "write it as `# argocd-peering: allow CODE, because …`, with the reason in place of `…`";
            self.wrong.refuse(
                Code::Allowance,
                comment,
                "an allowance without its reason",
                help,
            );
            return;
        }
        let reason: Rc<str> = reason.into();
        let names: BTreeSet<&str> = codes
            .trim()
            .trim_end_matches(',')
            .split(',')
            .map(str::trim)
            .collect();
        if names.len() > Code::ALL.len() {
            let message = "an allowance of more codes than there are";
            self.wrong.refuse(
                Code::Allowance,
                comment,
                message,
                "name the codes of the notes that are here",
            );
            return;
        }
        for name in names {
            match Code::ALL.iter().find(|it| it.name() == name) {
                Some(code) if is_accepted(*code) => self.found.push(Allowance {
                    comment,
                    holds,
                    is_top,
                    code: *code,
                    reason: Rc::clone(&reason),
                    is_used: false,
                }),
                Some(code) => {
                    let message = format!("no comment accepts `{}`: it is an error", code.name());
                    let help = format!(
                        "correct what it is about: `argocd-peering explain {}`",
                        code.name()
                    );
                    self.wrong.refuse(Code::Allowance, comment, message, help);
                }
                None => {
                    let names: Vec<&str> = Code::ALL
                        .iter()
                        .filter(|it| is_accepted(**it))
                        .map(|it| it.name())
                        .collect();
                    let help = match nearest(name, &names) {
                        Some(name) => format!("write `{name}`"),
                        None => "write the code that is in brackets after `note`".to_owned(),
                    };
                    let message = format!("{} is not the code of a note", quoted(name));
                    self.wrong.refuse(Code::Allowance, comment, message, help);
                }
            }
        }
    }

    /// Moves accepted notes from `notes` to `judged`. The notes are those of this file, or of a file without text in the folder of this
    /// document.
    pub(crate) fn accept(&mut self, notes: &mut Invalid, judged: &mut Judged) {
        let is_own = notes.source.name() == self.source.name();
        if notes.severity != Severity::Note || !(is_own || notes.source.text().is_empty()) {
            return;
        }
        // notes that were only counted have no code
        if notes.problems.is_cut() {
            self.has_more = true;
            return;
        }
        let (accepted, rest) = std::mem::take(&mut notes.problems).partition(|it| {
            self.found
                .iter()
                .any(|allowance| allowance.accepts(it, is_own))
        });
        notes.problems = rest;
        for it in accepted.iter() {
            let mut reason: &str = "";
            for allowance in self
                .found
                .iter_mut()
                .filter(|allowance| allowance.accepts(it, is_own))
            {
                allowance.is_used = true;
                reason = &allowance.reason;
            }
            judged.accept(it, notes, reason);
        }
    }

    /// The problems of the allowances. An allowance is called unused only if every note with its code was looked for.
    pub(crate) fn check(&self, is_looked_for: impl Fn(Code) -> bool) -> Vec<Invalid> {
        let mut unused = Problems::default();
        for it in self
            .found
            .iter()
            .filter(|it| !it.is_used && !self.has_more && is_looked_for(it.code))
        {
            let message = format!("no note `{}` is here to accept", it.code.name());
            let help = "remove the comment; or move it to the line that the note is on, or to the top of its document";
            unused.refuse(Code::UnusedAllowance, it.comment, message, help);
        }
        Invalid::of_parts(
            [
                (Severity::Error, self.wrong.clone()),
                (Severity::Note, unused),
            ],
            &self.source,
        )
    }
}

impl Allowance {
    fn accepts(&self, note: &Diagnostic, is_own: bool) -> bool {
        let at = note.primary.span.start;
        let is_here = if is_own {
            (self.holds.start..self.holds.end).contains(&at)
        } else {
            self.is_top
        };
        is_here && note.code == self.code
    }
}

/// The place of a line's allowance, and the text after its first words.
fn comment(line: &str) -> Option<(usize, &str)> {
    line.match_indices('#').find_map(|(at, _)| {
        let (before, after) = (line.get(..at)?, line.get(at + 1..)?);
        let words = after.trim_start().strip_prefix(WORDS)?;
        let is_comment = before.is_empty() || before.ends_with(char::is_whitespace);
        (is_comment && (words.is_empty() || words.starts_with(char::is_whitespace)))
            .then_some((at, words))
    })
}

/// Whether a comment can accept notes with this code. A secret in plain text is in a file that is not shown.
const fn is_accepted(code: Code) -> bool {
    code.is_note() && !matches!(code, Code::UnusedAllowance)
        || matches!(
            code,
            Code::SealedFileReused | Code::IgnoredFile | Code::RenderedFile
        )
}
