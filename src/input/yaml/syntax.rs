//! What the parser complains of, as diagnostics: where to look, and what is usually wrong there.

use super::cure::{self, Edit};
use crate::diagnostic::{Code, Diagnostic, Rule, Span, quoted};
use granit_parser::{ErrorKind, ScanError};

/// The parser's error as a diagnostic. Its own words are used where nothing better is known: they never quote a scalar.
pub(super) fn explain(error: &ScanError, text: &str) -> Diagnostic {
    let start = error.marker().byte_offset().unwrap_or_default().min(text.trim_end().len());
    let end = text.get(start..).and_then(|rest| rest.chars().next()).map_or(start, |c| start + c.len_utf8());
    let place = Span { start, end };
    if let Some(marker) = conflict_marker(text) {
        return Rule::new(Code::Syntax, "a conflict marker of Git")
            .help("resolve the conflict: keep one of the two versions, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`")
            .at(marker);
    }
    let rule = match error.kind() {
        ErrorKind::RecursionLimitExceeded => too_deep(),
        ErrorKind::DirectiveDisallowed => {
            let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
            return Rule::new(Code::Syntax, "directives such as `%YAML` have no meaning here")
                .help("remove the line")
                .at(Span { start, end: start + line.trim_end().len() });
        }
        ErrorKind::InvalidLowSurrogateHexEscape
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate => surrogate(),
        ErrorKind::UnexpectedCharacter { character } if character.is_ascii_punctuation() => {
            unread(error).help(format!("put quotes around a text that begins with `{character}`"))
        }
        ErrorKind::UnexpectedCharacter { .. } => {
            unread(error).help("remove the character: it cannot be seen")
        }
        kind => {
            if let Some(tab) = tab_at(kind, start, text) {
                return tab;
            }
            if let Some(cure) = cure::best(text, error.marker().line()) {
                return cure_diagnostic(cure, error, place, text);
            }
            let before = text.get(..start).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
            if *kind == ErrorKind::MappingValueNotAllowed && before.contains(": ") {
                return unread(error).help("put quotes around a text that has `: ` in it").at(place);
            }
            unread(error).help("look at this line and the one above it: indentation, quotes, brackets")
        }
    };
    rule.at(place)
}

/// The first line that Git writes around a conflict (git `xdiff/xmerge.c`, seven characters).
fn conflict_marker(text: &str) -> Option<Span> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") || line.trim_end() == "=======" {
            return Some(Span { start, end: start + line.trim_end().len() });
        }
        start += line.len();
    }
    None
}

fn unread(error: &ScanError) -> Rule {
    Rule::new(Code::Syntax, format!("not YAML: {}", error.kind()))
}

/// The probable cause, and what the parser says where it stopped, if that is in another line.
fn cure_diagnostic(cure: Edit, error: &ScanError, stopped: Span, text: &str) -> Diagnostic {
    let edit = cure.as_edit();
    let mut diagnostic =
        Rule::new(Code::Syntax, format!("not YAML: {}", cure.wrong)).help(cure.help).at(cure.place);
    diagnostic.edit = edit;
    let between = cure.place.start.min(stopped.start)..cure.place.start.max(stopped.start);
    if text.get(between).is_some_and(|between| between.contains('\n')) {
        return diagnostic.and(stopped, format!("the reader stops here: {}", error.kind()));
    }
    diagnostic
}

/// The tab that the parser complains of, or over which it stumbled: one in the indentation of its line.
fn tab_at(kind: &ErrorKind, start: usize, text: &str) -> Option<Diagnostic> {
    let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(line..)?;
    let searched = match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => rest,
        _ => rest.get(..rest.len() - rest.trim_start_matches([' ', '\t']).len())?,
    };
    searched.find('\t').map(|at| tab(line + at))
}

pub(super) fn tab(start: usize) -> Diagnostic {
    Rule::new(Code::Syntax, "a tab outside quotes and comments")
        .help("replace it with spaces")
        .at(Span { start, end: start + 1 })
}

pub(super) fn surrogate() -> Rule {
    Rule::new(
        Code::Syntax,
        "half a UTF-16 pair, such as `\\ud83d`, is not a character: Argo CD refuses it, in pairs too",
    )
    .help("write the character itself, or `\\U` and its eight hexadecimal digits")
}

pub(super) fn tag() -> Rule {
    Rule::new(Code::Syntax, "tags such as `!name` or `!!int` have no meaning here").help("remove the tag")
}

pub(super) fn second_document() -> Rule {
    Rule::new(Code::DocumentCount, "the file has more than one document")
        .help("one peering a file, and one folder a peering")
}

pub(super) fn alias() -> Rule {
    Rule::new(Code::Alias, "anchors and aliases are not taken").help("write the value out where it is needed")
}

pub(super) fn too_deep() -> Rule {
    Rule::new(Code::Syntax, "this is nested deeper than a peering ever is (32 levels)")
        .help("close the brackets and the braces before it")
}

pub(super) fn no_scalar_key() -> Rule {
    Rule::new(Code::Syntax, "not YAML: a list or a map cannot be a key")
        .help("put quotes around a text that begins with `{` or `[`; templates are not filled in here")
}

pub(super) fn duplicate_key(key: &str, first: Span, second: Span) -> Diagnostic {
    Rule::new(Code::DuplicateKey, format!("the key {} appears twice in this map", quoted(key)))
        .help("keep one of them; which one counts would depend on the reader")
        .at(second)
        .and(first, "the first is here")
}
