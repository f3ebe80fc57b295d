//! Lines, and the edits of them that undo a slip of the hand.

use super::Edit;
use crate::diagnostic::Span;

/// A line that is neither empty nor a comment.
pub(super) struct Line<'t> {
    pub(super) number: usize,
    /// The text from the beginning of this line to the end of the document.
    rest: &'t str,
    /// Where its text begins, after the indentation.
    start: usize,
    pub(super) indent: usize,
    /// The text up to a comment.
    pub(super) code: &'t str,
}

pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut begin = 0;
    let lines = text.split_inclusive('\n').zip(1..).map(|(line, number)| {
        let rest = text.get(begin..).unwrap_or_default();
        let indent = line.len() - line.trim_start_matches(' ').len();
        let code = line.split(" #").next().unwrap_or_default().trim();
        let start = begin + indent;
        begin += line.len();
        Line {
            number,
            rest,
            start,
            indent,
            code,
        }
    });
    lines
        .filter(|line| !line.code.is_empty() && !line.code.starts_with('#'))
        .collect()
}

impl Line<'_> {
    /// Whether a place is in this line or after it.
    pub(super) const fn begins_before(&self, place: Span) -> bool {
        self.start - self.indent <= place.start
    }

    pub(super) fn is_item(&self) -> bool {
        self.code.starts_with("- ")
    }

    /// The edit of a line with wrong indentation.
    fn reindent(&self, removed: usize, inserted: String, help: String) -> Edit {
        let word = self.code.find([' ', ':']).unwrap_or(self.code.len());
        Edit {
            line: self.start - self.indent,
            at: self.start - self.indent,
            removed,
            inserted,
            wrong: "this line is not indented as its neighbours are".to_owned(),
            help,
            place: Span {
                start: self.start,
                end: self.start + word,
            },
            is_only: true,
        }
    }

    pub(super) fn indented(&self, column: usize) -> Edit {
        let own = self.rest.get(self.indent..).unwrap_or_default();
        let odd = own.len() - own.trim_start_matches('\u{a0}').len();
        let help = if odd > 0 {
            format!(
                "it begins with no-break spaces (U+00A0), which only look like spaces: write {column} spaces"
            )
        } else {
            format!("indent it with {column} spaces, not {}", self.indent)
        };
        self.reindent(self.indent + odd, " ".repeat(column), help)
    }

    /// As `indented`, with the lines below it up to the last one of its block.
    pub(super) fn indented_with(&self, last: &Line<'_>, column: usize) -> Edit {
        let end = last.start + last.code.len() - (self.start - self.indent);
        let block = self.rest.get(..end).unwrap_or_default();
        let shifted =
            block
                .split_inclusive('\n')
                .map(|line| match column.checked_sub(self.indent) {
                    Some(more) => " ".repeat(more) + line,
                    None => line.get(self.indent - column..).unwrap_or(line).to_owned(),
                });
        let help = format!(
            "indent it with {column} spaces, not {}, and its block with it",
            self.indent
        );
        self.reindent(block.len(), shifted.collect(), help)
    }

    pub(super) fn insert(&self, at: usize, inserted: &str) -> Edit {
        let at = self.start + at;
        let what = if inserted == " " {
            "space".to_owned()
        } else {
            format!("`{}`", inserted.trim())
        };
        Edit {
            line: self.start - self.indent,
            at,
            removed: 0,
            inserted: inserted.to_owned(),
            wrong: format!("a {what} is missing"),
            help: format!("put a {what} here"),
            place: Span { start: at, end: at },
            is_only: true,
        }
    }

    /// Removes a closing bracket that no bracket opens.
    pub(super) fn remove_bracket(&self) -> Option<Edit> {
        let mut open = 0_usize;
        let mut brackets = self.code.match_indices(['[', ']', '{', '}']);
        let (at, closing) = brackets.find(|(_, bracket)| {
            let is_opening = matches!(*bracket, "[" | "{");
            let is_left_over = !is_opening && open == 0;
            open = if is_opening {
                open + 1
            } else {
                open.saturating_sub(1)
            };
            is_left_over
        })?;
        let start = self.start + at;
        Some(Edit {
            at: start,
            removed: 1,
            wrong: format!("one `{closing}` too many"),
            help: "remove it".to_owned(),
            place: Span {
                start,
                end: start + 1,
            },
            ..self.insert(at, "")
        })
    }

    /// Adds a missing dash, or writes it in place of two spaces.
    pub(super) fn as_item(&self) -> impl Iterator<Item = Edit> {
        let instead = (self.indent > 1).then(|| {
            let insert = self.insert(0, "- ");
            Edit {
                at: insert.at - 2,
                removed: 2,
                help: "write `- ` in place of two spaces".to_owned(),
                ..insert
            }
        });
        [self.insert(0, "- ")].into_iter().chain(instead)
    }

    /// Adds a missing `:`, `,` or space, or the missing name of an item's first field.
    pub(super) fn words(&self, edits: &mut Vec<Edit>) {
        let mut end = 0;
        for part in self.code.split_inclusive(|c| !is_letter(c)) {
            let word = part.trim_end_matches(|c| !is_letter(c));
            let begin = end;
            end += part.len();
            if word.is_empty() || word == "-" {
                continue;
            }
            let (before, rest) = self.code.split_at(begin);
            let after = rest.get(word.len()..).unwrap_or_default();
            let at = begin + word.len();
            let first = before.is_empty() || before == "- ";
            let before = before.trim_end();
            let begins = first || before.ends_with(['{', ',']);
            let opens = after.trim_start().starts_with(['{', '[']);
            if before == "-" && after.is_empty() {
                edits.push(self.insert(2, "name: "));
            } else if (after.is_empty() || after.starts_with(' ')) && (begins || opens) {
                edits.push(self.insert(at, ":"));
            } else if after.len() > 1 && after.starts_with(':') && !after.starts_with(": ") {
                edits.push(self.insert(at + 1, " "));
            } else if after.starts_with(": ") && !first && !before.ends_with(['{', '[', ',', ':']) {
                edits.push(self.insert(before.len(), ","));
            }
        }
        if self.code.starts_with('-') && !self.is_item() {
            edits.push(self.insert(1, " "));
        }
    }

    /// Quotes and brackets that are not closed or not opened: where each could be written, and which.
    pub(super) fn unclosed(&self) -> Vec<(usize, &'static str)> {
        let mut found = Vec::new();
        let mut open = Vec::new();
        for (at, bracket) in self
            .code
            .match_indices(['[', ']', '{', '}'])
            .chain([(self.code.len(), "")])
        {
            match bracket {
                "[" => open.push("]"),
                "{" => open.push(" }"),
                closing => {
                    let expected = open.pop().unwrap_or_default();
                    if expected.trim() != closing {
                        found.extend((!expected.is_empty()).then_some((at, expected)));
                        let opening = if closing == "]" { "[" } else { "{ " };
                        let values = self.code.match_indices(": ").map(|(colon, _)| colon + 2);
                        let item = self.is_item().then_some(2);
                        let places = item
                            .into_iter()
                            .chain(values)
                            .filter(|it| *it < at && !closing.is_empty());
                        found.extend(places.map(|it| (it, opening)));
                        break;
                    }
                }
            }
        }
        for quote in ["\"", "'"] {
            if let Some(first) = self.code.find(quote)
                && self.code.matches(quote).count() % 2 == 1
            {
                let ends = self
                    .code
                    .match_indices([',', ']', '}'])
                    .chain([(self.code.len(), "")]);
                let ends = ends.map(|(at, _)| at).filter(|at| *at > first);
                found.extend(ends.map(|at| {
                    (
                        self.code.get(..at).map_or(at, |code| code.trim_end().len()),
                        quote,
                    )
                }));
                let word = self
                    .code
                    .get(..first)
                    .map_or(first, |code| code.trim_end_matches(is_letter).len());
                found.push((word, quote));
            }
        }
        found
    }
}

/// The characters of a word.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')
}
