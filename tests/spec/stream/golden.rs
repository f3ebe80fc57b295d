//! Every example's two streams, byte for byte: `tests/golden/<example>/<role>.yaml`, as the program prints them.
//!
//! The streams hold (demonstration) private keys, so a failure names lines and their keys, never a value.

use std::path::Path;

use crate::generated::{self, Made};
use crate::harness::{Peering, ROLES, Text, entries, name_of, put, root};

pub(crate) fn made() -> Vec<Made> {
    let streams = Peering::examples().into_iter().flat_map(|example| {
        ROLES.map(|role| Made {
            path: format!("tests/golden/{}/{role}.yaml", example.name),
            text: example.run(role).run().stream().to_owned(),
        })
    });
    streams.collect()
}

#[test]
fn every_example_gives_its_golden_streams() {
    generated::GOLDEN.is_current();
}

#[test]
fn every_golden_stream_is_an_examples() {
    let examples = Peering::examples();
    let names: Vec<_> = examples.iter().map(|example| example.name.as_str()).collect();
    let problems = leftovers(&root().join("tests/golden"), &names);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// A path as people say it.
fn place(file: &Path) -> std::path::Display<'_> {
    file.strip_prefix(root()).unwrap_or(file).display()
}

/// What stands in the golden folder and belongs to no example.
fn leftovers(golden: &Path, examples: &[&str]) -> Vec<String> {
    let mut leftovers = entries(golden);
    leftovers.retain(|entry| name_of(entry) != "README.md");
    let (folders, mut leftovers): (Vec<_>, Vec<_>) = leftovers
        .into_iter()
        .partition(|entry| entry.is_dir() && examples.contains(&name_of(entry).as_str()));
    let streams = ROLES.map(|role| format!("{role}.yaml"));
    let inside = folders.iter().flat_map(|folder| entries(folder));
    leftovers.extend(inside.filter(|file| !streams.contains(&name_of(file))));
    leftovers
        .iter()
        .map(|entry| format!("{}: no example in examples/ gives it; remove it", place(entry)))
        .collect()
}

/// What a failure says: no values.
pub(crate) fn changes(old: &str, new: &str) -> String {
    changed_lines(old, new).join("\n")
}

/// The lines from the first to the last difference, `-` of the old text and `+` of the new one: their numbers, their
/// objects' kinds and their keys. No values: they could be private keys.
fn changed_lines(old: &str, new: &str) -> Vec<String> {
    const MOST: usize = 30;
    let (old, new) = (lines(old), lines(new));
    let same_text = |(one, other): &(&Line<'_>, &Line<'_>)| one.text == other.text;
    let before = old.iter().zip(&new).take_while(same_text).count();
    let behind = old[before..].iter().rev().zip(new[before..].iter().rev()).take_while(same_text).count();
    let changed = |sign: char, lines: &[Line<'_>]| -> Vec<String> {
        let changed = &lines[before..lines.len() - behind];
        let mut rows: Vec<_> = changed.iter().take(MOST).map(|line| line.row(sign)).collect();
        if let Some(more @ 1..) = changed.len().checked_sub(MOST) {
            rows.push(format!("  {sign} … and {more} more lines"));
        }
        rows
    };
    [changed('-', &old), changed('+', &new)].concat()
}

/// A line of a stream, with its end, so that another line ending is a difference.
struct Line<'t> {
    number: usize,
    kind: &'t str,
    text: &'t str,
}

fn lines(stream: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (index, text) in stream.split_inclusive('\n').enumerate() {
        let kind = match text.strip_prefix("kind: ") {
            Some(kind) => kind.trim().trim_matches('"'),
            None if text.starts_with("---") => "?",
            None => lines.last().map_or("?", |line| line.kind),
        };
        lines.push(Line { number: index + 1, kind, text });
    }
    lines
}

impl Line<'_> {
    fn row(&self, sign: char) -> String {
        format!("  {sign} line {} ({}): {}", self.number, self.kind, self.key())
    }

    /// What stands before the colon, if that looks like a key.
    fn key(&self) -> &str {
        let text = self.text.trim();
        let key = text.trim_start_matches("- ").split_once(':').map(|(key, _)| key.trim_matches('"'));
        let plain =
            |key: &&str| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-./".contains(&byte));
        key.filter(plain).unwrap_or(if text == "---" { "---" } else { "an item" })
    }
}

// ---- the comparison itself ------------------------------------------------------------------

const OLD: &str =
    "---\nkind: \"Secret\"\ndata:\n  \"privateKey\": \"AAAA\"\n  \"kubeconfig\": \"BBBB\"\nend: 1\n";

#[test]
fn a_change_is_told_by_line_and_key_without_values() {
    let new = OLD.replace("AAAA", "CCCC").replace("BBBB", "DDDD");
    let rows = [
        "  - line 4 (Secret): privateKey",
        "  - line 5 (Secret): kubeconfig",
        "  + line 4 (Secret): privateKey",
        "  + line 5 (Secret): kubeconfig",
    ];
    assert_eq!(changed_lines(OLD, &new), rows);

    // as a block scalar, the value would have a line of its own
    let new = OLD.replace("\"BBBB\"", "|\n    DDDD");
    let rows = [
        "  - line 5 (Secret): kubeconfig",
        "  + line 5 (Secret): kubeconfig",
        "  + line 6 (Secret): an item",
    ];
    assert_eq!(changed_lines(OLD, &new), rows);
}

#[test]
fn line_ends_and_lost_lines_are_changes() {
    assert_eq!(changed_lines("a: 1\n", "a: 1"), ["  - line 1 (?): a", "  + line 1 (?): a"]);
    assert_eq!(changed_lines("a: 1\n", "a: 1\r\n"), ["  - line 1 (?): a", "  + line 1 (?): a"]);
    assert_eq!(changed_lines("a: 1\nb: 2\nb: 2\n", "a: 1\nb: 2\n"), ["  - line 3 (?): b"]);
    assert_eq!(changed_lines("", "---\n"), ["  + line 1 (?): ---"]);
}

#[test]
fn many_changes_are_cut() {
    let rows = changed_lines("", &"a: 1\n".repeat(35));
    assert_eq!(rows.len(), 31);
    assert_eq!(rows.last().expect("there are rows"), "  + … and 5 more lines");
}

#[test]
fn what_no_example_gives_is_left_over() {
    let golden = tempfile::tempdir().expect("a temporary folder");
    let put = |path: &str| {
        let file = golden.path().join(path);
        put(file, "");
    };
    put("README.md");
    put("here/consumer.yaml");
    put("here/provider.yaml");
    assert_eq!(leftovers(golden.path(), &["here"]), Vec::<String>::new());

    put("here/both.yaml");
    put("gone/consumer.yaml");
    put("stray.yaml");
    let found = leftovers(golden.path(), &["here"]);
    let names = ["gone:", "stray.yaml:", "here/both.yaml:"];
    assert_eq!(found.len(), names.len(), "{found:?}");
    for (problem, name) in found.iter().zip(names) {
        problem.has(name);
    }
}
