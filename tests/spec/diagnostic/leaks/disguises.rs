//! Secrets in spellings that no program prints and people do: in comments, over lines, escaped, short.

use super::canary::{KEY, shown_with};
use crate::harness::Text;

/// No part of it is on the screen.
#[track_caller]
fn hidden(lines: &str, parts: &[&str]) {
    let screen = shown_with(lines);
    for part in parts {
        assert!(
            !screen.contains(part),
            "{part} is shown of\n{lines}\n{screen}"
        );
    }
}

/// A text in parts of so many characters.
fn parts(text: &str, length: usize) -> Vec<&str> {
    (0..text.len())
        .step_by(length)
        .map(|at| &text[at..text.len().min(at + length)])
        .collect()
}

/// People note down there what they would not write anywhere else. The comment that is read is shown.
#[test]
fn a_comment_is_not_shown() {
    for words in ["hunter2", "the key's first half is eO1C P6S5"] {
        for line in [
            "      - wrong: a # @",
            "      - wrong: a\t#@",
            "      - wrong: \"a # @\"",
            "      #@\n      - wrong: a",
        ] {
            hidden(&line.replace('@', words), &[words]);
        }
    }
    let read = "# yaml-language-server: $schema=peering.schema.json";
    shown_with(&format!("      - wrong: a {read}")).has(read);
    shown_with("      - wrong: a#b").has("a#b");
}

/// Of a key that an editor has wrapped, in each way that YAML has to write a text over lines, a part is no key.
#[test]
fn of_a_text_over_lines_the_first_is_shown() {
    for (begin, end) in [
        ("", ""),
        ("\"", "\""),
        ("'", "'"),
        ("|\n          ", ""),
        (">-\n          ", ""),
    ] {
        hidden(
            &format!("      - wrong: {begin}one\n          two\n          three{end}"),
            &["two", "three"],
        );
    }
}

/// What is escaped is not recognised, so the line that has an escape is not shown.
#[test]
fn an_escaped_line() {
    let escaped = |from: usize, to: usize, form: &str| -> String {
        let escape = |c: char| match form {
            "x" => format!("\\x{:02x}", u32::from(c)),
            "u" => format!("\\u{:04X}", u32::from(c)),
            _ => format!("\\U{:08x}", u32::from(c)),
        };
        let chars = KEY.text.chars().enumerate();
        chars
            .map(|(at, c)| {
                if (from..to).contains(&at) {
                    escape(c)
                } else {
                    c.to_string()
                }
            })
            .collect()
    };
    for form in ["x", "u", "U"] {
        for (from, to) in [(0, 1), (0, 44), (10, 12), (20, 21), (43, 44)] {
            let words = escaped(from, to, form);
            let first = parts(&words, 8)[0].to_owned();
            for line in [
                format!("      - wrong: \"{words}\""),
                format!("      - \"{words}\": a"),
                format!("      - wrong: {{ a: [\"{words}\"] }}"),
                format!("      - wrong: \"a\n          {words}\""),
            ] {
                hidden(&line, &[&first, "\\x", "\\u", "\\U"]);
            }
        }
    }
    for part in parts(KEY.text, 11) {
        let words: Vec<String> = part
            .chars()
            .map(|c| format!("\\x{:x}", u32::from(c)))
            .collect();
        let words = words.concat();
        hidden(&format!("      - wrong: \"{words}\""), &[&words[..8]]);
    }
}

/// `kubeadm token create` prints one (kubernetes `cluster-bootstrap/token/api`, `BootstrapTokenPattern`).
#[test]
fn a_bootstrap_token() {
    for token in
        "abcdef.0123456789abcdef 07401b.f395accd246ae52d zzzzzz.abcdefghijklmnop".split(' ')
    {
        for words in ["@", "\"@\"", "a # @.", "[a, @]", "--token @ --discovery"] {
            hidden(
                &format!("      - wrong: {}", words.replace('@', token)),
                &[&token[7..]],
            );
        }
    }
}
