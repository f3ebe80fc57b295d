//! What the YAML reader complains of, as diagnostics: where to look, and what is usually wrong there.

use super::MAX_DEPTH;
use super::span::span_of;
use crate::diagnostic::{Code, Diagnostic, Rule, Span, quoted};
use serde_saphyr::Error;
use serde_saphyr::budget::BudgetBreach;

/// What a person usually did when the reader says these words. The first that fits counts.
const USUALLY: [(&str, &str); 12] = [
    (
        "a list or a map cannot be a key",
        "put quotes around a text that begins with `{` or `[`; templates are not filled in here",
    ),
    ("tab", "indent with spaces: YAML takes no tabs there"),
    (
        "mapping values are not allowed",
        "put a space behind the `:` of the line above, or quotes around a text that has `: ` in it",
    ),
    ("did not find expected key", "indent this line exactly as the fields beside it"),
    ("did not find expected '-'", "indent this line exactly as the items beside it"),
    ("invalid indentation in multiline quoted", "close the quote of the line above"),
    ("unclosed quote", "close the quote"),
    ("illegal placement of ':'", "close the bracket or the brace of a line above"),
    ("unclosed bracket", "close it"),
    ("expected ',' or", "close the bracket or the brace, or put a `,` between its items"),
    ("indentation", "indent this line exactly as the fields beside it"),
    ("unexpected character: `\\", "remove the character; it is none that can be seen"),
];

/// Where nothing better is known.
const LOOK: &str = "look at this line and the one above it: indentation, quotes, brackets";

/// The reader's error as a diagnostic. Its own words are used where they speak of syntax only: they never quote a
/// scalar there.
pub(super) fn explain(error: &Error, text: &str) -> Diagnostic {
    let span = error.location().map_or_else(Span::default, |location| span_of(location, text));
    let rule = match error {
        Error::DuplicateMappingKey { .. } => return duplicate_key(span, text),
        Error::UnknownAnchor { .. } | Error::AliasError { .. } => alias(),
        Error::UnsupportedTag { .. } => tag(),
        Error::Budget { breach, .. } => match breach {
            BudgetBreach::Anchors { .. } | BudgetBreach::Aliases { .. } => alias(),
            BudgetBreach::Documents { .. } => {
                Rule::new(Code::DocumentCount, "the file has more than one document")
                    .help("one peering a file, and one folder a peering")
            }
            BudgetBreach::Depth { .. } => too_deep(),
            _ => Rule::new(Code::Syntax, "the document is larger than a peering can be"),
        },
        _ => return syntax(error, span, text),
    };
    rule.at(span)
}

pub(super) fn tag() -> Rule {
    Rule::new(Code::Syntax, "tags such as `!name` or `!!int` have no meaning here").help("remove the tag")
}

pub(super) fn tab(place: Span) -> Diagnostic {
    Rule::new(Code::Syntax, "a tab in the indentation")
        .help("indent with spaces: YAML takes no tabs there")
        .at(place)
}

fn alias() -> Rule {
    Rule::new(Code::Alias, "anchors and aliases are not taken").help("write the value out where it is needed")
}

fn too_deep() -> Rule {
    Rule::new(Code::Syntax, format!("this is nested deeper than a peering ever is ({MAX_DEPTH} levels)"))
        .help("close the brackets and the braces before it")
}

/// The first line of the reader's words, without the place (the snippet shows it).
fn syntax(error: &Error, span: Span, text: &str) -> Diagnostic {
    let words = error.to_string();
    let words = words.lines().next().unwrap_or_default();
    let words = words.split(" at line ").next().unwrap_or_default();
    if words.contains("recursion limit") {
        return too_deep().at(span);
    }
    // the reader stops at the end of the line before
    if words.contains("tab")
        && let Some(place) = next_tab(span, text)
    {
        return tab(place);
    }
    if words.contains("mapping values are not allowed") && follows_an_item(span, text) {
        return Rule::new(Code::Syntax, format!("not YAML: {words}"))
            .help("the item above is a text: to have more fields it begins with one, `- name: …`")
            .at(span);
    }
    let usual = USUALLY.iter().find(|(said, _)| words.contains(said)).map_or(LOOK, |(_, help)| help);
    let usual = match quotable(words) {
        Some(character) => format!("put quotes around a text that begins with `{character}`"),
        None => usual.to_owned(),
    };
    Rule::new(Code::Syntax, format!("not YAML: {words}")).help(usual).at(span)
}

/// Whether the line above is an item without a field's name.
fn follows_an_item(span: Span, text: &str) -> bool {
    let above =
        text.get(..span.start).and_then(|before| before.rsplit('\n').nth(1)).unwrap_or_default().trim();
    above.starts_with("- ") && !above.contains([':', '#', '{', '['])
}

/// The printable character that no plain scalar may begin with, if the reader complains of one.
fn quotable(words: &str) -> Option<char> {
    let character = words.strip_prefix("unexpected character: `")?.chars().next()?;
    (character != '\\').then_some(character)
}

/// The first tab in the indentation of this line or the next.
fn next_tab(span: Span, text: &str) -> Option<Span> {
    let line_start = text.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
    let mut start = line_start;
    for line in text.get(line_start..)?.split_inclusive('\n').take(2) {
        let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line.get(..indentation)?.find('\t') {
            return Some(Span { start: start + tab, end: start + tab + 1 });
        }
        start += line.len();
    }
    None
}

fn duplicate_key(span: Span, text: &str) -> Diagnostic {
    let key = text.get(span.start..span.end).unwrap_or_default();
    let diagnostic =
        Rule::new(Code::DuplicateKey, format!("the key {} stands twice in its map", quoted(key)))
            .help("keep one of them; which one counts would depend on the reader")
            .at(span);
    match first_of(key, span, text) {
        Some(first) => diagnostic.and(first, "the first is here"),
        None => diagnostic,
    }
}

/// Where the same key of the same block map stands first: above, in the same column, with nothing less indented between.
fn first_of(key: &str, span: Span, text: &str) -> Option<Span> {
    let before = text.get(..span.start)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = span.start - line_start;
    let mut end = line_start;
    for line in text.get(..line_start)?.split_inclusive('\n').rev() {
        let start = end - line.len();
        // the first field of a list's item stands behind its `- `
        let content = line.trim_start_matches([' ', '-']);
        let indentation = line.len() - content.len();
        if content.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with(':'))
            && indentation == column
        {
            return Some(Span { start: start + column, end: start + column + key.len() });
        }
        if indentation < column && !content.trim().is_empty() && !content.starts_with('#') {
            return None;
        }
        end = start;
    }
    None
}
