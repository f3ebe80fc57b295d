//! What a person probably did where a text is not YAML, or is YAML and not a peering. The reader's error is often a consequence of the
//! slip, and in another line, so no advice is guessed from it. Instead, small edits of the lines around are tried, and the best one is
//! advised. This much of the advice is always true: with that edit, the reader gets further.

mod lines;

use super::plain::is_ipv6;
use super::{parse, splice};
use crate::diagnostic::{self, Code, Diagnostic, Label, Problems, Span};
use granit_parser::{Event, Parser};
use lines::Line;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The bounds of the search. `TRIED`: edits that are tried, each for one reading of the document. `READ`: bytes that are read for them,
/// eight times the largest document, at 700 instructions a byte. `MOVED`: columns that a line is moved. `SUSPECTS`: lines that are edited.
const TRIED: usize = 100;
const READ: usize = 1 << 19;
const MOVED: usize = 4;
const SUSPECTS: usize = 16;

/// An edit of one line, or of a line and the lines below it.
pub(super) struct Edit {
    /// Where the line begins, and what is replaced.
    line: usize,
    at: usize,
    removed: usize,
    inserted: String,
    /// What is wrong, what to do, and where.
    pub(super) wrong: String,
    pub(super) help: String,
    pub(super) place: Span,
    /// Whether no other edit is equally good.
    is_only: bool,
}

impl Edit {
    /// The edit for a program that applies it; none if another edit is equally good.
    pub(super) fn as_edit(&self) -> Option<diagnostic::Edit> {
        self.is_only.then(|| diagnostic::Edit {
            span: self.removed(),
            text: self.inserted.clone(),
        })
    }

    const fn removed(&self) -> Span {
        Span {
            start: self.at,
            end: self.at + self.removed,
        }
    }

    /// Where the line's text begins after the edit, if the edit changes its indentation.
    fn moved_to(&self) -> Option<usize> {
        let column = self.inserted.len() - self.inserted.trim_start_matches(' ').len();
        (self.place.start < self.place.end).then_some(self.at + column)
    }

    fn is_in_line_of(&self, place: Span, text: &str) -> bool {
        text.get(self.line..place.start)
            .is_some_and(|between| !between.contains('\n'))
    }

    fn apply(&self, text: &str) -> String {
        splice(text, self.removed(), &self.inserted).unwrap_or_default()
    }
}

/// The edit with which the parser gets furthest, if that is beyond the line in which it stops now (counted from 1).
pub(super) fn best(text: &str, stopped: usize) -> Option<Edit> {
    let lines = lines::lines(text);
    let Edits {
        words,
        moves,
        items,
    } = edits(&lines, &suspects(&lines, stopped));
    let tried = apply_each(text, words.into_iter().chain(moves).chain(items))
        .map(|(edited, edit)| {
            (
                outcome(&edited),
                Tried {
                    edited,
                    edit,
                    also: (),
                },
            )
        })
        .filter(|((Reverse(line), ..), _)| *line > stopped);
    choose(tried).map(|it| it.edit)
}

/// An edit, the edited text, and what else is known of it.
struct Tried<T> {
    edited: String,
    edit: Edit,
    also: T,
}

/// The edit with the best outcome; of several, the first. It then knows whether another text has the same outcome.
fn choose<O: Ord, T>(all: impl Iterator<Item = (O, Tried<T>)>) -> Option<Tried<T>> {
    let mut best: Option<(O, Tried<T>)> = None;
    for (outcome, tried) in all {
        match &mut best {
            Some((known, first)) if *known == outcome => {
                first.edit.is_only &= first.edited == tried.edited;
            }
            Some((known, _)) if *known < outcome => {}
            _ => best = Some((outcome, tried)),
        }
    }
    best.map(|(_, tried)| tried)
}

/// The text after each edit, as many as may be tried.
fn apply_each(
    text: &str,
    edits: impl IntoIterator<Item = Edit>,
) -> impl Iterator<Item = (String, Edit)> {
    let most = TRIED.min(READ / text.len().max(1));
    edits
        .into_iter()
        .take(most)
        .map(|edit| (edit.apply(text), edit))
}

/// How well a text can be read; smaller is better. First the line in which the parser stops. Then how many values are empty: a line that is
/// moved wrongly leaves its fields behind. Then how many lines are indented by a step other than 2.
fn outcome(text: &str) -> (Reverse<usize>, usize, usize) {
    let indents: Vec<usize> = lines::lines(text).iter().map(|line| line.indent).collect();
    let steps = indents
        .iter()
        .zip(indents.iter().skip(1))
        .map(|(one, next)| next.saturating_sub(*one));
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

/// The lines in which the cause may be, the likeliest first. The search goes upwards from the line after the stop, since at a comment the
/// parser stops before the wrong line. It takes three lines, and lines above them that begin or end a block around them or leave a quote or
/// a bracket open.
fn suspects(lines: &[Line<'_>], stopped: usize) -> Vec<usize> {
    let after = lines
        .iter()
        .position(|line| line.number > stopped)
        .map_or(usize::MAX, |next| next + 1);
    let mut lowest = usize::MAX;
    let mut suspects = Vec::new();
    for (count, (index, line)) in lines.iter().enumerate().take(after).rev().enumerate() {
        if suspects.len() == SUSPECTS {
            break;
        }
        let begins = line.indent == lowest && line.code.ends_with(':');
        if count < 3 || line.indent < lowest || begins || !line.unclosed().is_empty() {
            suspects.push(index);
        }
        if count > 1 {
            lowest = lowest.min(line.indent + usize::from(line.is_item()));
        }
    }
    suspects
}

/// The edits that may cure a text; of each sort, the likeliest first.
struct Edits {
    /// Edits that insert something between two words, or add a quote or a bracket, or remove a bracket.
    words: Vec<Edit>,
    moves: Vec<Edit>,
    /// Edits that add the dash of an item.
    items: Vec<Edit>,
}

/// The edits of these lines that may cure the text.
fn edits(lines: &[Line<'_>], suspects: &[usize]) -> Edits {
    // how many lines begin in each column; a field also begins after the `- ` of its item
    let mut columns: BTreeMap<usize, usize> = BTreeMap::new();
    for line in lines {
        *columns.entry(line.indent).or_default() += 1;
        *columns.entry(line.indent + 2).or_default() += usize::from(line.is_item());
    }
    let (mut words, mut moves, mut items) = (Vec::new(), Vec::new(), Vec::new());
    for index in suspects.iter().copied() {
        let (above, here) = lines.split_at(index.min(lines.len()));
        let Some((line, below)) = here.split_first() else {
            continue;
        };
        let before = above.last();
        words.extend(line.remove_bracket());
        line.words(&mut words);
        words.extend(
            line.unclosed()
                .into_iter()
                .map(|(at, closing)| line.insert(at, closing)),
        );
        for (column, unlikely) in likely_columns(line.indent, before.map(|it| it.indent), &columns)
        {
            moves.push(((false, unlikely), line.indented(column)));
            let block = below.iter().take_while(|it| it.indent > line.indent);
            moves.extend(
                block
                    .last()
                    .map(|last| ((true, unlikely), line.indented_with(last, column))),
            );
        }
        let begins =
            before.is_some_and(|before| before.indent < line.indent && before.code.ends_with(':'));
        if begins
            || above
                .iter()
                .any(|other| other.indent == line.indent && other.is_item())
        {
            items.extend(line.as_item());
        }
    }
    moves.sort_by_key(|(unlikely, _)| *unlikely);
    Edits {
        words,
        moves: moves.into_iter().map(|(_, edit)| edit).collect(),
        items,
    }
}

/// The columns to which a line may be moved. Each comes with its distance and the number of lines that begin there; the smallest pair is
/// the likeliest.
fn likely_columns(
    indent: usize,
    before: Option<usize>,
    columns: &BTreeMap<usize, usize>,
) -> impl Iterator<Item = (usize, (usize, Reverse<usize>))> {
    let near = columns.range(indent.saturating_sub(MOVED)..=indent + MOVED);
    near.filter(move |(column, _)| **column != indent)
        .map(move |(column, count)| {
            // the column of the line before may be as far away on the other side, and is likelier
            let other = (indent * 2)
                .checked_sub(*column)
                .filter(|other| before == Some(*other));
            let most = other
                .and_then(|other| columns.get(&other))
                .map_or(usize::MAX, |count| count - 1);
            (
                *column,
                (column.abs_diff(indent), Reverse(most.min(*count))),
            )
        })
}

/// Replaces problems by their cause, if that is a slip in one line: an edit of the line after which some problems are gone and none is new.
/// `read` gives the problems of an edited text; `is_field` knows the names of all fields.
pub fn tell_cause(
    text: &str,
    mut problems: Problems,
    read: impl Fn(&str) -> Problems,
    is_field: impl Fn(&str) -> bool,
) -> Problems {
    // of a text that is not YAML, the parser has already reported the cause
    if problems.is_cut() || problems.iter().any(|it| it.code == Code::Syntax) {
        return problems;
    }
    let lines = lines::lines(text);
    let likely = problems
        .iter()
        .find_map(|it| Some((it.code, likely_edits(text, &lines, it, &is_field)?)));
    let Some((cause, likely)) = likely else {
        return problems;
    };
    let found: Vec<Diagnostic> = of_cause(&problems, cause).cloned().collect();
    let outcomes = apply_each(text, likely).filter_map(|(edited, edit)| {
        let (Reverse(usize::MAX), _, odd) = outcome(&edited) else {
            return None;
        };
        let gone = mended(&found, &read(&edited), cause)?;
        Some((
            (found.len() - gone.len(), odd),
            Tried {
                edited,
                edit,
                also: gone,
            },
        ))
    });
    if let Some(Tried {
        edited,
        edit,
        also: gone,
    }) = choose(outcomes)
    {
        problems.retain(|it| !gone.contains(&it));
        problems.extend(find_cause(&gone, &edit, text, &edited));
    }
    problems
}

/// The edits that may mend a problem; none if it does not look like a slip.
fn likely_edits(
    text: &str,
    lines: &[Line<'_>],
    problem: &Diagnostic,
    is_field: impl Fn(&str) -> bool,
) -> Option<Vec<Edit>> {
    let place = problem.primary.span;
    let written = text.get(place.start..place.end)?;
    let line = lines
        .partition_point(|line| line.begins_before(place))
        .checked_sub(1)?;
    match problem.code {
        Code::DuplicateKey | Code::UnknownField if is_field(written) => {
            let Edits {
                mut moves, items, ..
            } = edits(lines, &[line]);
            moves.extend(items);
            moves.extend(
                line.checked_sub(1)
                    .into_iter()
                    .flat_map(|above| edits(lines, &[above]).moves),
            );
            Some(moves)
        }
        // the place of a list or a map is where it begins
        Code::WrongType if written.len() < 2 => Some(edits(lines, &[line]).items),
        _ => looks_like_two(written).then(|| edits(lines, &[line]).words),
    }
}

/// The problems that may have this cause.
fn of_cause(problems: &Problems, cause: Code) -> impl Iterator<Item = &Diagnostic> {
    problems
        .iter()
        .filter(move |it| it.code == cause || is_misplaced(it))
}

/// The problems of `found` that are not in `left`. None if all are left, or if one is new.
fn mended<'f>(
    found: &'f [Diagnostic],
    left: &Problems,
    cause: Code,
) -> Option<Vec<&'f Diagnostic>> {
    if left.is_cut() {
        return None;
    }
    let mut gone: Vec<&Diagnostic> = found.iter().collect();
    for problem in of_cause(left, cause) {
        gone.remove(
            gone.iter()
                .position(|it| it.code == problem.code && it.message == problem.message)?,
        );
    }
    (!gone.is_empty()).then_some(gone)
}

/// Whether the problem says that a field is missing, unknown, or in the wrong place.
const fn is_misplaced(problem: &Diagnostic) -> bool {
    matches!(
        problem.code,
        Code::Syntax
            | Code::UnknownField
            | Code::MissingField
            | Code::WrongType
            | Code::DuplicateKey
            | Code::UnknownResource
    )
}

/// Whether a word looks like two words, or like a word that lost a quote or a bracket.
fn looks_like_two(written: &str) -> bool {
    let ends = ['"', '\'', ']', '}'];
    !written.starts_with(['"', '\''])
        && !is_ipv6(written)
        && (written.contains([' ', ':']) || written.ends_with(ends))
}

/// The problem to report for an edit: the first one that it mends, if possible one in its own line, at the place of the
/// edit.
fn find_cause(gone: &[&Diagnostic], edit: &Edit, text: &str, edited: &str) -> Option<Diagnostic> {
    let first = gone
        .iter()
        .find(|it| edit.is_in_line_of(it.primary.span, text))
        .or(gone.first())?;
    let mut caused = Diagnostic {
        help: Some(edit.help.clone()),
        edit: edit.as_edit(),
        ..(*first).clone()
    };
    let label = Label {
        span: edit.place,
        text: edit.wrong.clone(),
    };
    let before = std::mem::replace(&mut caused.primary, label);
    if !edit.is_in_line_of(before.span, text) {
        caused.secondary.insert(0, before);
    }
    if let (Some(start), Ok(root)) = (edit.moved_to(), parse(edited)) {
        let end = start + edit.place.end - edit.place.start;
        let help = root
            .paths([Span { start, end }])
            .to(Span { start, end })
            .map(|path| format!("{}: then it is `{path}`", edit.help));
        caused.help = help.or(caused.help);
    }
    Some(caused)
}

#[cfg(test)]
mod tests {
    use super::{Edit, apply_each, best};
    use crate::diagnostic::Span;

    /// However many edits there are: a hundred of a short text, and of the longest document eight.
    #[test]
    fn a_report_tries_no_more_edits_than_it_may_cost() {
        for (length, most) in [(0, 100), (5000, 100), (10_000, 52), (64 * 1024, 8)] {
            let edits = (0..1000).map(|_| Edit {
                line: 0,
                at: 0,
                removed: 0,
                inserted: String::new(),
                wrong: String::new(),
                help: String::new(),
                place: Span::default(),
                is_only: true,
            });
            assert_eq!(
                apply_each(&"a".repeat(length), edits).count(),
                most,
                "{length} bytes"
            );
        }
    }

    /// Then the parser does not reach the end, but it gets further.
    #[test]
    fn the_first_of_two_slips_is_cured_first() {
        let text = "a: [b\nc: d\ne:\n   f: g\n  h: i\n";
        let cure = best(text, 2).expect("a cure");
        assert_eq!(cure.apply(text), "a: [b]\nc: d\ne:\n   f: g\n  h: i\n");
    }

    #[test]
    fn a_block_is_moved_as_a_whole() {
        let text = "a:\n  b: c\n   d:\n     e: f\n  g: h\n";
        let cure = best(text, 3).expect("a cure");
        assert_eq!(cure.apply(text), "a:\n  b: c\n  d:\n    e: f\n  g: h\n");
    }
}
