//! Every reader of YAML reads a stream alike. Argo CD's reader is one of YAML 1.1.

use serde_json::Value;

use super::peerings::{assert_everywhere, streams};
use crate::harness::{decoded, documents, parts, words};

#[test]
fn every_reader_reads_a_stream_alike_and_every_scalar_is_plain() {
    assert_everywhere("readers", |stream| {
        Vec::from_iter(read_alike(&stream.text).err().map(str::to_owned))
    });
    assert_everywhere("scalars", |stream| badly_written(&stream.text));
}

/// What a text says to readers of YAML 1.1, of YAML 1.2, and to the crate as it is set by default, if that is the same.
/// A value's keys are strings whatever was read, so plain keys are looked at below.
pub(crate) fn read_alike(text: &str) -> Result<Vec<Value>, &'static str> {
    let read = |options| serde_saphyr::from_multiple_with_options::<Value>(text, options);
    let one_one = documents(text);
    let default = read(serde_saphyr::options! { with_snippet: false });
    let one_two = read(serde_saphyr::options! { with_snippet: false, strict_booleans: true });
    match (default, one_two) {
        (Ok(default), _) if default != one_one => Err("the default reading differs"),
        (_, Ok(one_two)) if one_two != one_one => Err("YAML 1.2 differs"),
        (Ok(_), Ok(_)) => Ok(one_one),
        _ => Err("not every reader takes it"),
    }
}

#[test]
fn what_readers_take_differently_is_found() {
    assert_eq!(read_alike("a: 017\n"), Err("the default reading differs"));
    for text in ["a: on\n", "a: No\n", "- y\n"] {
        assert_eq!(read_alike(text), Err("YAML 1.2 differs"), "{text:?}");
    }
    assert!(read_alike("a: \"on\"\n\"017\": 17\n").is_ok());
}

#[test]
fn so_is_every_scalar_of_a_kubeconfig() {
    let mut kubeconfigs = 0;
    for stream in streams() {
        for secret in stream.of_kind("Secret") {
            if let Some(kubeconfig) = secret["data"]["kubeconfig"].as_str() {
                let text = decoded(kubeconfig);
                let text = String::from_utf8(text).expect("a kubeconfig is UTF-8");
                assert_eq!(
                    badly_written(&text),
                    Vec::<String>::new(),
                    "{}",
                    stream.place
                );
                assert!(read_alike(&text).is_ok(), "{}", stream.place);
                kubeconfigs += 1;
            }
        }
    }
    assert!(kubeconfigs > 0, "no stream has a kubeconfig");
}

/// The lines that are not block style with a whole scalar each: a JSON string, an integer, `true` or `false`. The only
/// exception is `[]`, since block style has no empty list. Keys are JSON strings or words of letters and dashes. No
/// character stands there raw that YAML 1.1 takes for a line's end or does not take at all.
pub(crate) fn badly_written(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| *line != "---" && !is_well_written(line));
    lines
        .map(|(index, _)| format!("line {}: not a key and one whole scalar", index + 1))
        .collect()
}

fn is_well_written(line: &str) -> bool {
    if !line.chars().all(is_raw) {
        return false;
    }
    let mut rest = line.trim_start_matches(' ');
    while let Some(item) = rest.strip_prefix("- ") {
        rest = item;
    }
    if is_scalar(rest) {
        return true;
    }
    let Some((key, value)) = split_key(rest) else {
        return false;
    };
    let value_is_fine = match value {
        "" => true,
        value => value
            .strip_prefix(' ')
            .is_some_and(|value| is_scalar(value) || value == "[]"),
    };
    is_key(key) && value_is_fine
}

/// YAML 1.1, `nb-char`, without the tab and the byte-order mark.
fn is_raw(c: char) -> bool {
    match c {
        ' '..='~' => true,
        '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        c => c >= '\u{a0}',
    }
}

/// The text before and after the colon behind a key, which may be quoted.
fn split_key(text: &str) -> Option<(&str, &str)> {
    let end = if text.starts_with('"') {
        let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
        strings.next()?.ok()?;
        strings.byte_offset()
    } else {
        text.find(':')?
    };
    let (key, rest) = text.split_at(end);
    Some((key, rest.strip_prefix(':')?))
}

fn is_scalar(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let integer = digits == "0"
        || !digits.starts_with('0')
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit());
    integer || text == "true" || text == "false" || is_json_string(text)
}

fn is_json_string(text: &str) -> bool {
    text.starts_with('"') && text.ends_with('"') && serde_json::from_str::<String>(text).is_ok()
}

/// A plain key is a word that no reader takes for anything else.
fn is_key(text: &str) -> bool {
    const TAKEN: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let word = text
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
        && text.starts_with(|c: char| c.is_ascii_alphabetic());
    is_json_string(text) || word && !TAKEN.contains(&text.to_ascii_lowercase().as_str())
}

#[test]
fn badly_written_lines_are_found() {
    for part in parts(include_str!("reading.txt")) {
        let found = if part[0] == "well" {
            vec![]
        } else {
            vec!["line 1: not a key and one whole scalar"]
        };
        for line in part[1..].iter().flat_map(|line| words(line)) {
            assert_eq!(badly_written(&format!("{line}\n")), found, "{line}");
        }
    }
}
