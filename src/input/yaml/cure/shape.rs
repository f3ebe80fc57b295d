//! A slip that leaves the text YAML: a field in another map, a text in the place of a map.

use super::{Edit, Edits, Tried, apply_each, choose, edit, edits, outcome};
use crate::diagnostic::{Code, Diagnostic, KEPT, Label, Problems, Span};
use crate::input::yaml::parse;
use std::cmp::Reverse;

/// How many problems one slip can have: as many as are kept.
const CONSEQUENCES: usize = KEPT;

/// The problems of a text, told by their cause if that is a slip in one line: an edit of it after which some of them are
/// gone, and none is new. `read` has the problems of another text; `is_field` knows the fields that there are somewhere.
pub fn tell_cause(
    text: &str,
    mut problems: Problems,
    read: impl Fn(&str) -> Problems,
    is_field: impl Fn(&str) -> bool,
) -> Problems {
    // of a text that is not YAML the parser has reported the cause already
    if problems.len() > CONSEQUENCES || problems.iter().any(|it| it.code == Code::Syntax) {
        return problems;
    }
    let lines = edit::lines(text);
    let likely = problems.iter().find_map(|problem| {
        let place = problem.primary.span;
        let written = text.get(place.start..place.end)?;
        let line = lines.partition_point(|line| line.begins_before(place)).checked_sub(1)?;
        let edits = |line| edits(&lines, &[line]);
        let likely = match problem.code {
            Code::DuplicateKey | Code::UnknownField if is_field(written) => {
                let above = line.checked_sub(1).map(|above| edits(above).moves);
                let Edits { moves, items, .. } = edits(line);
                moves.into_iter().chain(items).chain(above.into_iter().flatten()).collect()
            }
            // where a list or a map begins is its place
            Code::WrongType if written.len() < 2 => edits(line).items,
            _ if is_two(written) => edits(line).words,
            _ => return None,
        };
        Some((problem.code, likely))
    });
    let Some((cause, likely)) = likely else { return problems };
    let counts = |it: &&Diagnostic| it.code == cause || is_shape(it);
    let found: Vec<Diagnostic> = problems.iter().filter(counts).cloned().collect();
    let outcomes = apply_each(text, likely).filter_map(|(edited, edit)| {
        let (Reverse(usize::MAX), _, odd) = outcome(&edited) else { return None };
        let left = read(&edited);
        if left.len() > CONSEQUENCES {
            return None;
        }
        let left = left.iter().filter(counts);
        let mut gone: Vec<&Diagnostic> = found.iter().collect();
        for problem in left {
            let same = |it: &&Diagnostic| it.code == problem.code && it.message == problem.message;
            gone.remove(gone.iter().position(same)?);
        }
        (!gone.is_empty()).then(|| ((found.len() - gone.len(), odd), Tried { edited, edit, also: gone }))
    });
    if let Some(Tried { edited, edit, also: gone }) = choose(outcomes) {
        problems.retain(|it| !gone.contains(&it));
        problems.extend(find_cause(&gone, &edit, text, &edited));
    }
    problems
}

/// Whether a field is elsewhere than it was meant, or nowhere.
const fn is_shape(problem: &Diagnostic) -> bool {
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

/// Whether a word looks as if it were two, or had lost one of its quotes or brackets.
fn is_two(written: &str) -> bool {
    let ends = ['"', '\'', ']', '}'];
    !written.starts_with(['"', '\'']) && (written.contains([' ', ':']) || written.ends_with(ends))
}

/// The first problem that an edit mends, in its line if there is one, at the place of the edit.
fn find_cause(gone: &[&Diagnostic], edit: &Edit, text: &str, edited: &str) -> Option<Diagnostic> {
    let in_line = |span: Span| !text.get(edit.line..span.start).is_none_or(|between| between.contains('\n'));
    let first = gone.iter().find(|it| in_line(it.primary.span)).or(gone.first())?;
    let mut caused = Diagnostic { help: Some(edit.help.clone()), edit: edit.as_edit(), ..(*first).clone() };
    let label = Label { span: edit.place, text: edit.wrong.clone() };
    let before = std::mem::replace(&mut caused.primary, label);
    if !in_line(before.span) {
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
