//! Every example's two streams, byte for byte: `tests/golden/<example>/<role>.yaml`.
//!
//! `UPDATE_GOLDEN=1 cargo test --test golden` rewrites them; `git diff` then shows what a change does to manifests.
//! The streams hold (demonstration) private keys, so a failure names lines and their keys, never a value.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::harness::stream::{Peering, ROLES, entries, name_of, root};

const ADVICE: &str =
    "if that is meant, run `UPDATE_GOLDEN=1 cargo test --test golden` and look at `git diff`";

#[test]
fn every_example_gives_its_golden_streams() {
    let update = env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let examples = Peering::examples();
    let mut problems = Vec::new();
    for example in &examples {
        for role in ROLES {
            let file = golden().join(&example.name).join(format!("{role}.yaml"));
            let stream = example.stream(role);
            if update {
                rewrite(&file, &stream);
            }
            problems.extend(compare(&file, &stream).err());
        }
    }
    let names: Vec<_> = examples.iter().map(|example| example.name.as_str()).collect();
    problems.extend(leftovers(&golden(), &names));
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

fn golden() -> PathBuf {
    root().join("tests/golden")
}

/// A path as people say it.
fn place(file: &Path) -> std::path::Display<'_> {
    file.strip_prefix(root()).unwrap_or(file).display()
}

/// Leaves a file alone that is as it should be.
fn rewrite(file: &Path, stream: &str) {
    if fs::read(file).ok().as_deref() != Some(stream.as_bytes()) {
        fs::create_dir_all(file.parent().expect("it stands in a folder")).expect("the folder is made");
        fs::write(file, stream).unwrap_or_else(|error| panic!("{}: {error}", place(file)));
    }
}

fn compare(file: &Path, stream: &str) -> Result<(), String> {
    match fs::read_to_string(file) {
        Ok(golden) if golden == stream => Ok(()),
        Ok(golden) => Err(format!(
            "{}: the program prints something else now; {ADVICE}\n{}",
            place(file),
            changes(&golden, stream).join("\n")
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(format!("{}: it is missing; {ADVICE}", place(file)))
        }
        Err(error) => Err(format!("{}: {error}", place(file))),
    }
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

/// The lines from the first to the last difference, `-` of the old text and `+` of the new one: their numbers, their
/// objects' kinds and their keys. No values: they could be private keys.
fn changes(old: &str, new: &str) -> Vec<String> {
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
    assert_eq!(changes(OLD, &new), rows);

    // as a block scalar, the value would have a line of its own
    let new = OLD.replace("\"BBBB\"", "|\n    DDDD");
    let rows = [
        "  - line 5 (Secret): kubeconfig",
        "  + line 5 (Secret): kubeconfig",
        "  + line 6 (Secret): an item",
    ];
    assert_eq!(changes(OLD, &new), rows);
}

#[test]
fn line_ends_and_lost_lines_are_changes() {
    assert_eq!(changes("a: 1\n", "a: 1"), ["  - line 1 (?): a", "  + line 1 (?): a"]);
    assert_eq!(changes("a: 1\n", "a: 1\r\n"), ["  - line 1 (?): a", "  + line 1 (?): a"]);
    assert_eq!(changes("a: 1\nb: 2\nb: 2\n", "a: 1\nb: 2\n"), ["  - line 3 (?): b"]);
    assert_eq!(changes("", "---\n"), ["  + line 1 (?): ---"]);
}

#[test]
fn many_changes_are_cut() {
    let rows = changes("", &"a: 1\n".repeat(35));
    assert_eq!(rows.len(), 31);
    assert_eq!(rows.last().expect("there are rows"), "  + … and 5 more lines");
}

#[test]
fn missing_and_changed_files_fail_with_advice() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("consumer.yaml");
    let missing = compare(&file, OLD).expect_err("nothing is there");
    assert!(missing.contains("missing") && missing.contains("UPDATE_GOLDEN=1"), "{missing}");

    rewrite(&file, OLD);
    assert_eq!(compare(&file, OLD), Ok(()));

    let changed = compare(&file, &OLD.replace("AAAA", "CCCC")).expect_err("another key");
    assert!(changed.contains("line 4 (Secret): privateKey") && changed.contains("UPDATE_GOLDEN=1"));
    assert!(!changed.contains("AAAA") && !changed.contains("CCCC"), "{changed}");
}

#[test]
fn what_no_example_gives_is_left_over() {
    let golden = tempfile::tempdir().expect("a temporary folder");
    let put = |path: &str| rewrite(&golden.path().join(path), "");
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
        assert!(problem.contains(name), "{problem}");
    }
}
