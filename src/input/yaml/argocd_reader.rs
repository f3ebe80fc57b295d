//! What Argo CD's reader of YAML refuses or reads as something else.
//!
//! An ApplicationSet with a Git generator over files reads the same file (argo-cd `applicationset/generators/git.go`) with
//! `sigs.k8s.io/yaml`, which reads YAML 1.1. One file that it refuses keeps the whole set from being rendered. [`super::read_plain`] says
//! what a plain scalar *means* to Argo CD; this file finds where Argo CD reads other scalars, or none.

use super::plain::is_ipv6;
use super::syntax;
use crate::diagnostic::{Code, Diagnostic, Problems, Rule, Span, quoted};
use granit_parser::ScalarStyle;
use std::ops::Range;

/// The line breaks of Unicode end a line, and a comment with it (YAML 1.1, section 4.2, `b-char`); a byte order mark that
/// does not begin the file is a letter.
pub(super) fn refuse_characters(text: &str, problems: &mut Problems) {
    if text.is_ascii() {
        return;
    }
    for (start, found) in text.match_indices(['\u{85}', '\u{2028}', '\u{2029}', '\u{feff}']) {
        let code = found.chars().next().map_or(0, u32::from);
        let does = match code {
            0xfeff if start == 0 => continue,
            0xfeff => "is a letter inside a text",
            _ => "ends the line",
        };
        let message = format!("the character U+{code:04X} {does} in Argo CD's YAML 1.1");
        let help = format!("remove it, or write it as `\\u{code:04x}` in double quotes");
        problems.push(syntax(message, help).mark(Span::new(start, start + found.len())));
    }
}

/// Go's reader accepts no end of a document (`...`) before a document has begun.
pub(super) fn refuse_early_end(before: &str, problems: &mut Problems) {
    let mut start = 0;
    for line in before.split_inclusive('\n') {
        if line.trim_start_matches('\u{feff}').starts_with("...") {
            let span = Span::new(start, start + line.trim_end().len());
            let message = "`...` ends a document, and none has begun";
            problems.push(syntax(message, "remove the line").mark(span));
        }
        start += line.len();
    }
}

/// A tab is allowed in a quoted text, in a block scalar and in a comment. Elsewhere Go's reader accepts some tabs and
/// refuses others (libyaml `yaml_parser_scan_to_next_token`), by no rule that a person can remember. Between two
/// scalars, every `#` begins a comment.
pub(super) fn refuse_tabs(text: &str, between: Range<usize>, problems: &mut Problems) {
    let mut start = between.start;
    let layout = text.get(between).unwrap_or_default();
    if !layout.contains('\t') {
        return;
    }
    for line in layout.split_inclusive(['\n', '\r']) {
        if let Some(before) = line.split('#').next()
            && let Some(at) = before.find('\t')
        {
            push_tab(start + at, problems);
        }
        start += line.len();
    }
}

/// Reports a scalar that Argo CD's reader does not read as the same scalar.
pub(super) fn refuse_scalar(
    text: &str,
    place: Span,
    style: ScalarStyle,
    in_brackets: bool,
    problems: &mut Problems,
) {
    let written = text.get(place.start..place.end).unwrap_or_default();
    if style == ScalarStyle::Plain
        && let Some(at) = written.find('\t')
    {
        push_tab(place.start + at, problems);
    }
    let rule = match style {
        ScalarStyle::Plain if in_brackets => indicator(written),
        ScalarStyle::DoubleQuoted => escape(written),
        _ => None,
    };
    if let Some(rule) = rule {
        problems.push(rule.mark(place));
    }
}

/// YAML 1.1 does not have JSON's escape of a slash (section 5.6), and half of a UTF-16 pair is not a character (go-yaml
/// 2 `scannerc.go`, `yaml_parser_scan_flow_scalar`).
fn escape(written: &str) -> Option<Rule> {
    let mut characters = written.chars();
    while characters.any(|c| c == '\\') {
        match characters.next() {
            Some('/') => {
                let message = "`\\/` is no escape in Argo CD's YAML 1.1";
                return Some(syntax(message, "write `/` alone"));
            }
            Some('u') => {}
            _ => continue,
        }
        let hex = characters.as_str().get(..4).unwrap_or_default();
        if let Ok(code) = u32::from_str_radix(hex, 16)
            && char::from_u32(code).is_none()
        {
            return Some(surrogate());
        }
    }
    None
}

/// Between brackets, a key must end in the line in which it begins. Without quotes it ends only at `: `, so `{file:, a: b}` has the key
/// `file:` (go-yaml 2 `scannerc.go`, `yaml_parser_stale_simple_keys`, `yaml_parser_scan_plain_scalar`).
pub(super) fn refuse_key_in_brackets(
    text: &str,
    key: Span,
    style: ScalarStyle,
    problems: &mut Problems,
) {
    let written = text.get(key.start..key.end).unwrap_or_default();
    let after = text.get(key.end..).unwrap_or_default();
    let after = after.trim_start_matches(' ');
    if written.contains(['\n', '\r']) || after.starts_with(['\n', '\r', '#']) {
        let message = "between brackets or braces, a key and its `:` share a line";
        problems.push(syntax(message, "write both in one line").mark(key));
    } else if style == ScalarStyle::Plain
        && let Some(after) = after.strip_prefix(':')
        && after.starts_with([',', ']', '}'])
    {
        let written = format!("{written}:");
        let rule = ambiguous(&written);
        let help = if is_ipv6(&written) {
            IPV4_ONLY
        } else {
            "put a space after the `:`"
        };
        problems.push(rule.help(help).mark(key));
    }
}

/// Between brackets `?` begins a key and `:` a value (go-yaml 2 `scannerc.go`, `yaml_parser_scan_plain_scalar`).
fn indicator(written: &str) -> Option<Rule> {
    // this runs for every scalar, so it must cost nothing before the check
    if !written.contains('?') && !written.starts_with(':') {
        return None;
    }
    let rule = ambiguous(written);
    Some(if is_ipv6(written) {
        rule.help(IPV4_ONLY)
    } else {
        rule.quote(written)
    })
}

/// (liqo `pkg/ipam/core/net.go`, `pkg/gateway/tunnel`)
const IPV4_ONLY: &str = "Liqo supports IPv4 only: leave it out";

fn ambiguous(written: &str) -> Rule {
    let written = quoted(written);
    let message = format!("{written} between brackets or braces is ambiguous in YAML 1.1");
    Rule::new(Code::AmbiguousScalar, message)
}

/// The diagnostic is made only if it is kept: a text can be all tabs.
fn push_tab(start: usize, problems: &mut Problems) {
    problems.push_at(Span::new(start, start + 1), || tab(start));
}

pub(super) fn tab(start: usize) -> Diagnostic {
    let message = "a tab outside quotes and comments";
    syntax(message, "replace it with spaces").mark(Span::new(start, start + 1))
}

pub(super) fn surrogate() -> Rule {
    let message = "Argo CD refuses UTF-16 surrogates, such as `\\ud83d`, even in pairs";
    syntax(message, "write the character itself")
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::input::yaml::parse;

    /// What `sigs.k8s.io/yaml` 1.6 does with each was tried.
    #[test]
    fn what_argo_cd_takes_too() {
        for text in [
            "a: ?x\nb: :x\n",
            "a: { b: x:y, c: -x, d: c#d }",
            "a: { b: \"?\", 'c': ':x' } # {?\n",
            "a: https://example.org/?b=c # {\n",
            "a: |\n  b\n  \tc\nd: \"e\n  \tf\" # \tg\n",
            "a: |\n  \"b\\/\"\n",
            "{ a: b, \"c\":\"d\", e: , f }",
            "? a\n  b\n: c\n",
            "# { c\n--- # d\na: b\n...\n",
            "\u{feff}a: \"\\u2028\\\\/\"\r\n",
        ] {
            assert!(parse(text).is_ok(), "{text:?}: {:?}", parse(text));
        }
    }

    #[test]
    fn what_it_refuses_or_takes_for_something_else() {
        use Code::{AmbiguousScalar, Syntax};
        for (text, expected) in [
            ("a: { b: x?y }", AmbiguousScalar),
            ("a: { b: c, ?d: e }", AmbiguousScalar),
            ("a: [?x]", AmbiguousScalar),
            ("a: [:x]", AmbiguousScalar),
            ("a: # [\n  - [b, [c], d?]", AmbiguousScalar),
            ("a: { b: c } # ?\nd: [e, f: ?g]", AmbiguousScalar),
            ("a: { b:, c: d }", AmbiguousScalar),
            ("a: { b :}", AmbiguousScalar),
            ("a: [b:]", AmbiguousScalar),
            ("a: { b\n c: d }", Syntax),
            ("a: { \"b\"\n : c }", Syntax),
            ("a: [b # c\n : d]", Syntax),
            ("a: \"b\\/\"", Syntax),
            ("a: \"\\\\\\/\"", Syntax),
            ("a: b\n\t\nc: d\n", Syntax),
            ("a: b\n\t# c\n", Syntax),
            ("a:\n  - b: c\n  -\td: e\n", Syntax),
            ("a: [b] #]\n \tc: d\n", Syntax),
            ("a: |\n  b\n\t# c\nd: e\n", Syntax),
            // Go takes these: the rule is plainer than the reader
            ("a: b\t# c\n", Syntax),
            ("a:\tb\n", Syntax),
            ("a: b\t\n", Syntax),
            ("a: b\tc\n", Syntax),
            ("{\n\ta: b }\n", Syntax),
            ("a: |\t# b\n  c\n", Syntax),
            // half a UTF-16 pair, or both
            ("a: \"\\ud83d\\ude00\"", Syntax),
            ("a: \"\\uD83D\\uDE00\"", Syntax),
            ("a: \"\\\\\\ud83d\"", Syntax),
            ("a: [\"\\ude00\"]", Syntax),
            ("a: \"\\U0000d83d\"", Syntax),
            ("a: \"\\U00110000\"", Syntax),
            ("\"\\ud83d\\ude00\": b", Syntax),
            ("%YAML 1.2\n---\na: b\n", Syntax),
            ("# c\n...\na: b\n", Syntax),
            ("a: b # c\u{85}d\n", Syntax),
            ("a: \"b\u{2028}\"\n", Syntax),
            ("# \u{2029}\na: b\n", Syntax),
            ("a: b\n\u{feff}# c\n", Syntax),
        ] {
            let problems = parse(text).expect_err(text);
            assert_eq!(
                problems.iter().next().map(|problem| problem.code),
                Some(expected),
                "{text:?}"
            );
        }
    }
}
