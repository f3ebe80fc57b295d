//! What a person probably did where the parser stops. Its words and its place are often those of a consequence, so advice
//! is not guessed from them: small edits of the lines around are tried, and the best is advised. The advice is then true at
//! least in this: with that edit the parser reads on.

use crate::diagnostic::Span;
use granit_parser::{Event, Parser};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How many edits are tried, each for one reading of the document; how far a line is moved; in how many lines.
const TRIED: usize = 100;
const MOVED: usize = 4;
const SUSPECTS: usize = 16;

/// An edit of one line.
pub(super) struct Edit {
    at: usize,
    removed: usize,
    inserted: String,
    /// What is wrong, what to do, and where.
    pub(super) wrong: String,
    pub(super) help: String,
    pub(super) place: Span,
}

/// The edit with which the parser gets furthest, if that is beyond the line in which it stops now (counted from 1).
pub(super) fn best(text: &str, stopped: usize) -> Option<Edit> {
    let tried = edits(text, stopped).into_iter().take(TRIED).map(|edit| (outcome(&edit.apply(text)), edit));
    tried
        .filter(|((Reverse(line), ..), _)| *line > stopped)
        .min_by_key(|(outcome, _)| *outcome)
        .map(|(_, edit)| edit)
}

/// How a text is read, the smaller the better: the line in which the parser stops; how many values are empty, since a line
/// that is moved wrongly leaves its fields behind; how many lines are indented by another step than people use.
fn outcome(text: &str) -> (Reverse<usize>, usize, usize) {
    let indents: Vec<usize> = lines(text).iter().map(|line| line.indent).collect();
    let steps = indents.iter().zip(indents.iter().skip(1)).map(|(one, next)| next.saturating_sub(*one));
    let odd = steps.filter(|step| !matches!(step, 0 | 2)).count();
    let mut empty = 0;
    for event in Parser::new_from_str(text) {
        match event {
            Err(error) => return (Reverse(error.marker().line()), empty, odd),
            Ok((Event::Scalar(..), place)) => empty += usize::from(place.is_empty()),
            Ok(_) => {}
        }
    }
    (Reverse(usize::MAX), empty, odd)
}

/// A line that is neither empty nor a comment.
struct Line<'t> {
    number: usize,
    /// Where its text begins, after the indentation.
    start: usize,
    indent: usize,
    /// The text up to a comment.
    code: &'t str,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut end = 0;
    let lines = text.split_inclusive('\n').zip(1..).map(|(line, number)| {
        end += line.len();
        let indent = line.len() - line.trim_start_matches(' ').len();
        let code = line.split(" #").next().unwrap_or_default().trim();
        Line { number, start: end - line.len() + indent, indent, code }
    });
    lines.filter(|line| !line.code.is_empty() && !line.code.starts_with('#')).collect()
}

/// What may be meant, the most likely first.
fn edits(text: &str, stopped: usize) -> Vec<Edit> {
    let mut above = lines(text);
    // how many lines begin in each column; a field also begins after the `- ` of its item
    let mut columns: BTreeMap<usize, usize> = BTreeMap::new();
    for line in &above {
        *columns.entry(line.indent).or_default() += 1;
        *columns.entry(line.indent + 2).or_default() += usize::from(line.is_item());
    }
    // from the line after it upwards, since at a comment the parser stops before the line that is wrong
    above.truncate(above.iter().position(|line| line.number > stopped).map_or(usize::MAX, |next| next + 1));
    above.reverse();
    // three lines, and those above that begin or end a block around them or leave something open
    let mut lowest = usize::MAX;
    let mut suspects = Vec::new();
    for (index, line) in above.iter().enumerate() {
        if suspects.len() == SUSPECTS {
            break;
        }
        let begins = line.indent == lowest && line.code.ends_with(':');
        if index < 3 || line.indent < lowest || begins || !line.unclosed().is_empty() {
            suspects.push((line, above.get(index + 1)));
        }
        if index > 1 {
            lowest = lowest.min(line.indent + usize::from(line.is_item()));
        }
    }
    let mut edits = Vec::new();
    let mut moves = Vec::new();
    let mut items = Vec::new();
    for (line, before) in suspects {
        line.words(&mut edits);
        edits.extend(line.unclosed().into_iter().map(|(at, closing)| line.insert(at, closing)));
        let beside = |column| before.is_some_and(|before| before.indent == column);
        for (column, count) in columns.range(line.indent.saturating_sub(MOVED)..=line.indent + MOVED) {
            // as far the other way may be the column of the line before, which is likelier
            let other = (line.indent * 2).checked_sub(*column).filter(|other| beside(*other));
            let most = other.and_then(|other| columns.get(&other)).map_or(usize::MAX, |count| count - 1);
            if *column != line.indent {
                moves.push((
                    (column.abs_diff(line.indent), Reverse(most.min(*count))),
                    line.indented(*column),
                ));
            }
        }
        let begins = before.is_some_and(|before| before.indent < line.indent && before.code.ends_with(':'));
        if begins || above.iter().any(|other| other.indent == line.indent && other.is_item()) {
            items.push(line.insert(0, "- "));
        }
    }
    moves.sort_by_key(|(unlikely, _)| *unlikely);
    edits.into_iter().chain(moves.into_iter().map(|(_, edit)| edit)).chain(items).collect()
}

impl Line<'_> {
    fn is_item(&self) -> bool {
        self.code.starts_with("- ")
    }

    fn indented(&self, column: usize) -> Edit {
        Edit {
            at: self.start - self.indent,
            removed: self.indent,
            inserted: " ".repeat(column),
            wrong: "this line is not indented as its neighbours are".to_owned(),
            help: format!("indent it with {column} spaces, not {}", self.indent),
            place: Span {
                start: self.start,
                end: self.start + self.code.find([' ', ':']).unwrap_or(self.code.len()),
            },
        }
    }

    fn insert(&self, at: usize, inserted: &str) -> Edit {
        let at = self.start + at;
        let what = if inserted == " " { "space".to_owned() } else { format!("`{}`", inserted.trim()) };
        Edit {
            at,
            removed: 0,
            inserted: inserted.to_owned(),
            wrong: format!("a {what} is missing"),
            help: format!("put a {what} here"),
            place: Span { start: at, end: at },
        }
    }

    /// A `:`, a `,` or a space is missing, or the name of an item's first field.
    fn words(&self, edits: &mut Vec<Edit>) {
        let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        let mut end = 0;
        for part in self.code.split_inclusive(|c| !letter(c)) {
            let word = part.trim_end_matches(|c| !letter(c));
            let (before, rest) = self.code.split_at(end);
            let after = rest.get(word.len()..).unwrap_or_default();
            let at = end + word.len();
            end += part.len();
            let first = before.is_empty() || before == "- ";
            let opens = after.trim_start().starts_with(['{', '[']);
            let before = before.trim_end();
            if word.is_empty() || word == "-" {
            } else if before == "-" && after.is_empty() {
                edits.push(self.insert(2, "name: "));
            } else if (first || opens) && (after.is_empty() || after.starts_with(' ')) {
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

    /// What is not closed, and where it could be.
    fn unclosed(&self) -> Vec<(usize, &'static str)> {
        let mut found = Vec::new();
        let mut open = Vec::new();
        for (at, bracket) in self.code.match_indices(['[', ']', '{', '}']).chain([(self.code.len(), "")]) {
            match bracket {
                "[" => open.push("]"),
                "{" => open.push(" }"),
                closing => {
                    let expected = open.pop().unwrap_or_default();
                    if expected.trim() != closing {
                        found.push((at, expected));
                        break;
                    }
                }
            }
        }
        for quote in ["\"", "'"] {
            if let Some(first) = self.code.find(quote)
                && self.code.matches(quote).count() % 2 == 1
            {
                let ends = self.code.match_indices([',', ']', '}']).chain([(self.code.len(), "")]);
                let ends = ends.map(|(at, _)| at).filter(|at| *at > first);
                found.extend(
                    ends.map(|at| (self.code.get(..at).map_or(at, |code| code.trim_end().len()), quote)),
                );
            }
        }
        found
    }
}

impl Edit {
    fn apply(&self, text: &str) -> String {
        let mut edited = text.to_owned();
        edited.replace_range(self.at..self.at + self.removed, &self.inserted);
        edited
    }
}

#[cfg(test)]
mod tests;
