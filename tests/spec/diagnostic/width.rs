//! A narrow terminal: lines of the document are cut around the place, and nothing else is.

use crate::harness::library::Look;
use crate::harness::{Run, Terminal, Text, corpus, put};
use tempfile::TempDir;

const NARROW: usize = 40;

/// What the text says, without the lines of the document: the codes, the places, the ways out.
fn said(screen: &str) -> Vec<&str> {
    let words = ["error[", "error: ", "--> ", "::: ", "= help: "];
    screen
        .lines()
        .filter(|line| words.iter().any(|word| line.trim_start().starts_with(word)))
        .collect()
}

/// The words of the document that carets stand under.
fn marked(screen: &str) -> Vec<String> {
    let lines: Vec<&str> = screen.lines().collect();
    let mut found = Vec::new();
    for pair in lines.windows(2) {
        let [text, marks] = pair else { continue };
        let carets: Vec<usize> = marks
            .chars()
            .enumerate()
            .filter(|(_, c)| *c == '^')
            .map(|(at, _)| at)
            .collect();
        let is_mark = marks.trim_start().starts_with('|');
        if let (true, Some(from), Some(to)) = (is_mark, carets.first(), carets.last()) {
            found.push(text.chars().skip(*from).take(to - from + 1).collect());
        }
    }
    found
}

#[test]
fn forty_columns_lose_nothing() {
    let mut cut = 0;
    for case in corpus::shown() {
        let error = case.error();
        let (wide, narrow) = (
            error.screen(Look::PLAIN),
            error.screen(Look {
                width: NARROW,
                ..Look::PLAIN
            }),
        );
        assert_eq!(said(&narrow), said(&wide), "{}", case.name);
        let (marked, expected) = (marked(&narrow), marked(&wide));
        assert!(
            !expected.is_empty() || !wide.contains("-->"),
            "{}: {wide}",
            case.name
        );
        for (found, expected) in marked.iter().zip(&expected) {
            // what is longer than the terminal is cut itself
            if expected.len() < NARROW {
                assert_eq!(found, expected, "{}:\n{narrow}", case.name);
            }
        }
        if narrow != wide {
            cut += 1;
        }
        let lines: Vec<&str> = narrow.lines().collect();
        let odd: Vec<&[&str]> = lines
            .windows(2)
            .filter(|pair| is_too_long(pair, &expected))
            .collect();
        assert!(odd.is_empty(), "{}: {odd:?}\n{narrow}", case.name);
    }
    assert!(
        cut > 30,
        "only {cut} screens are another at {NARROW} columns"
    );
}

/// A line of the document that could be cut and is not. Not: one with two places in it, or with a long one.
fn is_too_long(pair: &[&str], marked: &[String]) -> bool {
    let [line, marks] = pair else { return false };
    let of_document = line
        .trim_start()
        .split_once(" | ")
        .is_some_and(|(at, _)| at.parse::<usize>().is_ok());
    let long = marks.contains(" -") || marked.iter().any(|word| word.len() > NARROW / 3);
    of_document && line.chars().count() > NARROW && !long
}

/// Narrower than that a line would be cut to nothing, and a terminal may say 0 or nothing.
#[test]
fn no_width_is_too_small() {
    for case in corpus::shown() {
        let error = case.error();
        let at_forty = error.screen(Look::terminal(Some(NARROW)));
        for columns in [1, 2, 20] {
            assert_eq!(
                error.screen(Look::terminal(Some(columns))),
                at_forty,
                "{}",
                case.name
            );
        }
    }
}

/// A document with a mistake far to the right.
fn wrong() -> TempDir {
    let folder = crate::harness::machine::folder();
    let document = corpus::GOOD.replace("nodePort: 30742", "nodePort: 0742");
    assert_ne!(document, corpus::GOOD);
    put(folder.path().join("peering.yaml"), document);
    folder
}

/// Without what colours a text.
fn plain(shown: &str) -> String {
    let mut text = String::new();
    let mut rest = shown;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        text += before;
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    (text + rest).replace("\r\n", "\n")
}

#[test]
fn the_width_is_the_terminals() {
    let folder = wrong();
    let shown = |columns: u16, variables: &[(&str, &str)]| {
        let seen = Terminal::of(columns).run(&["validate"], folder.path(), variables);
        assert_eq!((seen.code, seen.stdout.as_str()), (Some(1), ""));
        seen.shown
    };
    let wide = plain(&shown(120, &[]));
    let narrow = plain(&shown(40, &[]));
    wide.has("18 |       endpoint: { serviceType: NodePort, nodePort: 0742 }\n");
    narrow.has("18 | ...").has("nodePort: 0742");
    assert_eq!(said(&narrow), said(&wide));
    // a terminal that does not say is wide; what a person exports counts
    assert_eq!(plain(&shown(0, &[])), wide);
    assert_eq!(plain(&shown(1, &[])), narrow);
    assert_eq!(plain(&shown(120, &[("COLUMNS", "40")])), narrow);
    assert_eq!(plain(&shown(40, &[("COLUMNS", "wide")])), narrow);
    // with colours or without, it is the same text
    assert!(shown(40, &[]).contains('\u{1b}'));
    for variables in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        assert_eq!(
            shown(40, &[variables]).replace("\r\n", "\n"),
            narrow,
            "{variables:?}"
        );
    }
}

#[test]
fn a_pipe_has_no_width() {
    let folder = wrong();
    let piped = |columns: &[&str]| {
        let run = Run::new(["validate"]).within(folder.path());
        columns
            .iter()
            .fold(run, |run, columns| run.env("COLUMNS", columns))
            .run()
            .stderr
    };
    let expected = piped(&[]);
    expected.has("18 |       endpoint: { serviceType: NodePort, nodePort: 0742 }\n");
    for columns in ["40", "1", "0", "500"] {
        assert_eq!(piped(&[columns]), expected, "COLUMNS={columns}");
    }
}
