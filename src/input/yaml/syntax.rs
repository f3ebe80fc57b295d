//! What the parser complains of, as diagnostics: where to look, and what is usually wrong there.

use crate::diagnostic::{Code, Diagnostic, Rule, Span, quoted};
use granit_parser::{ErrorKind, ScanError};

/// The parser's error as a diagnostic. Its own words are used where nothing better is known: they never quote a scalar.
pub(super) fn explain(error: &ScanError, text: &str) -> Diagnostic {
    let start = error.marker().byte_offset().unwrap_or_default().min(text.trim_end().len());
    let end = text.get(start..).and_then(|rest| rest.chars().next()).map_or(start, |c| start + c.len_utf8());
    let place = Span { start, end };
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
        kind => {
            if let Some(tab) = tab_at(kind, start, text) {
                return tab;
            }
            Rule::new(Code::Syntax, format!("not YAML: {kind}")).help(usually(kind, start, text))
        }
    };
    rule.at(place)
}

/// What a person usually did.
fn usually(kind: &ErrorKind, start: usize, text: &str) -> String {
    let usually = match kind {
        ErrorKind::MappingValueNotAllowed if follows_an_item(start, text) => {
            "the item above is a text: to have more fields it begins with one, `- name: …`"
        }
        ErrorKind::MappingValueNotAllowed => {
            "put a space after the `:` of the line above, or quotes around a text that has `: ` in it"
        }
        ErrorKind::ExpectedBlockMappingKey => "indent this line exactly as the fields beside it",
        ErrorKind::ExpectedBlockSequenceEntry => "indent this line exactly as the items beside it",
        ErrorKind::InvalidQuotedScalarIndent => "close the quote of the line above",
        ErrorKind::UnclosedQuotedScalar => "close the quote",
        ErrorKind::InvalidColonPlacement => "close the bracket or the brace of a line above",
        ErrorKind::UnclosedFlowCollection { .. } => "close it",
        ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator => {
            "close the bracket or the brace, or put a `,` between its items"
        }
        ErrorKind::InvalidIndentation | ErrorKind::InvalidFlowScalarIndent => {
            "indent this line exactly as the fields beside it"
        }
        ErrorKind::UnexpectedCharacter { character } if character.is_ascii_punctuation() => {
            return format!("put quotes around a text that begins with `{character}`");
        }
        ErrorKind::UnexpectedCharacter { .. } => "remove the character: it cannot be seen",
        _ => "look at this line and the one above it: indentation, quotes, brackets",
    };
    usually.to_owned()
}

/// Whether the line above is an item without a field's name.
fn follows_an_item(start: usize, text: &str) -> bool {
    let above = text.get(..start).and_then(|before| before.rsplit('\n').nth(1)).unwrap_or_default().trim();
    above.starts_with("- ") && !above.contains([':', '#', '{', '['])
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
    Rule::new(Code::Alias, "anchors and aliases are not accepted")
        .help("write the value out where it is needed")
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
    Rule::new(Code::DuplicateKey, format!("the key {} is twice in its map", quoted(key)))
        .help("keep one of them; which one counts would depend on the reader")
        .at(second)
        .and(first, "the first is here")
}
