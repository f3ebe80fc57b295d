//! What leaves the process, and what is marked, remembered or replaced before.

use super::{Redacting, is_unseen, printed, readable, redacted, remember, shell_word, shown_name};
use std::io::Write as _;

/// No other test opens or derives it.
const KEY: &str = "pU3KGCUwux1tEyze1iN7LtkeP3IfyxlxF0SU1kk8nVw=";

/// A document's line is shown, and a job's log is read by the code host.
#[test]
fn a_text_gives_the_code_host_no_command() {
    for text in [
        "##[error]a",
        "a ###[group]b",
        "##vso[task.setvariable]x",
        "####[a",
    ] {
        let shown = printed(text);
        assert!(!shown.contains("##"), "{shown}");
        assert!(shown.contains('['), "{shown}");
    }
    assert_eq!(printed("# a #[b]"), "# a #[b]");
}

/// What is in a repository stays a word, whatever its name.
#[test]
fn a_word_of_a_command_is_one_word() {
    for (name, word) in [
        ("peerings/rome-milan", "peerings/rome-milan"),
        ("a b;$(touch x)", "'a b;$(touch x)'"),
        ("it's", r"'it'\''s'"),
        ("a`b`", "'a?b?'"),
        ("--yes", "./--yes"),
        ("-a b", "'./-a b'"),
        ("~root", "'~root'"),
        ("a\nb", "'a?b'"),
        ("", "''"),
    ] {
        assert_eq!(printed(&shell_word(name)), word);
    }
}

#[test]
fn what_was_seen_is_hidden() {
    remember("canary of redaction");
    remember("short");
    remember("of red");
    assert_eq!(
        printed("a canary of redaction, short, of red"),
        "a ***, short, ***"
    );
    let mut out = Vec::new();
    {
        let mut writer = Redacting::new(&mut out);
        // in pieces, as formatting writes
        let (all, half) = ("canary of redaction", "canary of");
        write!(writer, "one {all} two\nthree {half}").expect("memory");
        // a whole line does not wait for the next one
        assert_eq!(*writer.inner, b"one *** two\n");
        write!(writer, " redaction\nfour").expect("memory");
    }
    assert_eq!(
        String::from_utf8(out).expect("text"),
        "one *** two\nthree ***\nfour"
    );
}

#[test]
fn what_is_marked_stays_readable_and_the_rest_does_not() {
    let path = "/srv/Anna/work2/Infra2/liqo/rome-milan/prod";
    let two = readable(KEY).repeat(2);
    let text = format!("{}: {two}, not {KEY}\n", shown_name(path));
    assert_eq!(
        printed(&text),
        format!("{path}: {KEY}{KEY}, not {}\n", "*".repeat(KEY.len()))
    );
    assert_eq!(
        printed(&shown_name("peerings/rome-milan")),
        "peerings/rome-milan"
    );
    assert_eq!(
        printed(&shown_name(&format!("a/{KEY}"))),
        format!("a/{}", "*".repeat(KEY.len()))
    );
    // a name is one line
    assert_eq!(printed(&shown_name("a\nb\u{1b}[31m")), "a?b?[31m");
}

/// A name in Kubernetes can end like a field, such as `rome-token`. The value of a field stays hidden.
#[test]
fn what_a_name_ends_with_is_no_field() {
    for name in [
        "liqo/rome-token",
        "vault-password",
        "a/client-secret",
        "token",
    ] {
        for separator in [": ", " : ", "="] {
            let text = format!("Secret {}{separator}it is not there", shown_name(name));
            assert_eq!(
                printed(&text),
                format!("Secret {name}{separator}it is not there")
            );
            let text = format!(
                "{name}{separator}hunter2 {}: a token: hunter2\n{name}{} hunter2",
                shown_name(name),
                shown_name(&(separator.to_owned() + name))
            );
            assert!(!printed(&text).contains("hunter2"), "{text}");
        }
    }
    let text = format!(
        "{}: it is not there, token: hunter2",
        shown_name("x-token: hunter2, y-token")
    );
    assert!(!printed(&text).contains("hunter2"), "{text}");
}

#[test]
fn nobody_marks_from_outside() {
    let marked = readable(KEY);
    for text in [
        crate::diagnostic::secrecy::mask(&marked),
        crate::diagnostic::secrecy::mask_document(&marked),
        shown_name(&marked),
    ] {
        assert!(
            !printed(&text).contains(KEY.get(20..30).expect("ASCII")),
            "{text}"
        );
    }
}

#[test]
fn colours_stay_where_they_are() {
    let text = format!("\u{1b}[1m\u{1b}[91merror\u{1b}[0m: {KEY}\u{1b}[38;5;12m |\u{1b}[0m");
    assert_eq!(printed(&text), text.replace(KEY, &"*".repeat(KEY.len())));
    assert_eq!(printed("\r12\r345"), "?12?345");
    let commands = "\u{1b}]0;title\u{7} \u{1b}[2J\u{1b}[K";
    assert_eq!(printed(commands), "?]0;title? ?[2J?[K");
}

/// A fleet may have more than anybody thought of.
#[test]
fn thousands_are_remembered() {
    let secrets: Vec<String> = (0..2_000)
        .map(|number| format!("canary number {number:04}"))
        .collect();
    for secret in &secrets {
        remember(secret);
    }
    for secret in &secrets {
        assert_eq!(redacted(secret), "***");
    }
}

#[test]
fn the_table_is_unicodes() {
    let pattern = r"^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\x{2800}]$";
    let unicodes = regex::Regex::new(pattern).expect("a pattern");
    let differ: Vec<String> = ('\0'..=char::MAX)
        .filter(|c| unicodes.is_match(c.encode_utf8(&mut [0; 4])) != is_unseen(*c))
        .map(|c| format!("U+{:04X}", u32::from(c)))
        .collect();
    assert_eq!(differ, [""; 0]);
}
