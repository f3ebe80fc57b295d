//! What Argo CD's older reader of YAML refuses or takes for something else.
//!
//! The ApplicationSet's Git generator reads the same file (argo-cd `applicationset/generators/git.go`) with
//! `sigs.k8s.io/yaml`, which reads YAML 1.1; a file that it refuses keeps the whole set from being rendered. What a plain
//! scalar *means* to it is told by [`super::read_plain`]; here is where it finds other scalars, or none.

use super::syntax::tab;
use super::{Node, Value};
use crate::diagnostic::{Code, Problems, Rule, Span, quote_it, quoted};

/// Everything that it does not read as it was read here.
pub(super) fn refuse(text: &str, root: &Node, problems: &mut Problems) {
    characters(text, problems);
    beginning(text, problems);
    let mut scalars = Vec::new();
    collect(root, &mut scalars);
    let mut layout = Layout { text, at: 0, brackets: 0, leading: true };
    for scalar in scalars {
        layout.advance(scalar.start, problems);
        let written = text.get(scalar.start..scalar.end).unwrap_or_default();
        if let Some(rule) = escape(written).or_else(|| indicator(written, layout.brackets > 0)) {
            problems.push(rule.at(scalar));
        }
        layout.at = scalar.end.max(layout.at);
        // a block scalar ends with its line
        layout.leading = written.ends_with('\n');
    }
    layout.advance(text.len(), problems);
}

/// The line breaks of Unicode end a line, and a comment with it (YAML 1.1, section 4.2, `b-char`); a byte order mark that
/// does not begin the file is a letter.
fn characters(text: &str, problems: &mut Problems) {
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
        let message = format!("the character U+{code:04X} {does} for Argo CD, which reads YAML 1.1");
        let help = format!("remove it, or write it as `\\u{code:04x}` in double quotes");
        problems
            .push(Rule::new(Code::Syntax, message).help(help).at(Span { start, end: start + found.len() }));
    }
}

/// Go's reader takes no directive but that of YAML 1.1, and no end before a beginning.
fn beginning(text: &str, problems: &mut Problems) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_start_matches('\u{feff}').trim();
        let message = match words {
            "" => None,
            _ if words.starts_with('#') => None,
            _ if words.starts_with('%') => Some("directives such as `%YAML` have no meaning here"),
            "..." => Some("`...` ends a document, and none has begun"),
            _ => return,
        };
        if let Some(message) = message {
            let span = Span { start, end: start + line.trim_end().len() };
            problems.push(Rule::new(Code::Syntax, message).help("remove the line").at(span));
        }
        start += line.len();
    }
}

/// The places of all scalars, in the order of the text.
fn collect(node: &Node, scalars: &mut Vec<Span>) {
    match &node.value {
        Value::Empty => {}
        Value::Plain(_) | Value::Quoted(_) => scalars.push(node.span),
        Value::List(items) => items.iter().for_each(|item| collect(item, scalars)),
        Value::Map(entries) => entries.iter().for_each(|(key, value)| {
            collect(key, scalars);
            collect(value, scalars);
        }),
    }
}

/// What stands between the scalars: indentation, indicators, brackets, comments.
struct Layout<'t> {
    text: &'t str,
    at: usize,
    brackets: usize,
    /// Whether nothing but blanks and indicators stands before it in its line.
    leading: bool,
}

impl Layout<'_> {
    /// Goes on to a place. Where a key could begin, the older reader takes no tab (libyaml `yaml_parser_scan_to_next_token`);
    /// between brackets it does.
    fn advance(&mut self, to: usize, problems: &mut Problems) {
        let mut comment = false;
        for (offset, c) in self.text.get(self.at..to).unwrap_or_default().char_indices() {
            match c {
                '\n' => (comment, self.leading) = (false, true),
                _ if comment => {}
                '#' => comment = true,
                '\t' if self.leading && self.brackets == 0 => {
                    let start = self.at + offset;
                    problems.push(tab(Span { start, end: start + 1 }));
                    self.leading = false;
                }
                ' ' | '\t' | '\r' | '-' | '?' | ':' => {}
                '[' | '{' => self.brackets += 1,
                ']' | '}' => self.brackets = self.brackets.saturating_sub(1),
                _ => self.leading = false,
            }
        }
        self.at = to.max(self.at);
    }
}

/// JSON's escape of a slash is none of YAML 1.1's (section 5.6). A block scalar ends with its line.
fn escape(written: &str) -> Option<Rule> {
    let mut characters = written.strip_prefix('"')?.strip_suffix('"')?.chars();
    while let Some(c) = characters.next() {
        if c == '\\' && characters.next() == Some('/') {
            let message = "`\\/` is no escape for Argo CD, which reads YAML 1.1";
            return Some(Rule::new(Code::Syntax, message).help("write the `/` alone"));
        }
    }
    None
}

/// Between brackets `?` begins a key and `:` a value (go-yaml 2 `scannerc.go`, `yaml_parser_scan_plain_scalar`).
fn indicator(written: &str, brackets: bool) -> Option<Rule> {
    let odd =
        brackets && !written.starts_with(['"', '\'']) && (written.contains('?') || written.starts_with(':'));
    odd.then(|| {
        let message = format!(
            "{} between brackets or braces is a text to some readers of YAML and none to others (Argo CD reads YAML 1.1)",
            quoted(written)
        );
        Rule::new(Code::AmbiguousScalar, message).help(quote_it(written))
    })
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::input::yaml::parse;

    /// What `sigs.k8s.io/yaml` 1.6 does with each was tried.
    #[test]
    fn what_the_older_reader_takes_too() {
        for text in [
            "a: ?x\nb: :x\n",
            "a: { b: x:y, c: -x, d: c#d }",
            "a: { b: \"?\", 'c': ':x' } # {?\n",
            "a: https://example.org/?b=c # {\n",
            "a: b\t# c\nd:\te\t\nf: g\n",
            "{\n\ta: b,\n\tc: [\n\t\td ]\n}\n",
            "a: |\n  b\n  \tc\nd: \"e\n  \tf\"\n",
            "a: |\n  \"b\\/\"\n",
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
            ("a: \"b\\/\"", Syntax),
            ("a: \"\\\\\\/\"", Syntax),
            ("a: b\n\t\nc: d\n", Syntax),
            ("a: b\n\t# c\n", Syntax),
            ("a:\n  - b: c\n  -\td: e\n", Syntax),
            ("a: [b] #]\n \tc: d\n", Syntax),
            ("a: |\n  b\n\t# c\nd: e\n", Syntax),
            ("%YAML 1.2\n---\na: b\n", Syntax),
            ("# c\n...\na: b\n", Syntax),
            ("a: b # c\u{85}d\n", Syntax),
            ("a: \"b\u{2028}\"\n", Syntax),
            ("# \u{2029}\na: b\n", Syntax),
            ("a: b\n\u{feff}# c\n", Syntax),
        ] {
            let problems = parse(text).expect_err(text);
            assert_eq!(problems.iter().next().map(|problem| problem.code), Some(expected), "{text:?}");
        }
    }
}
