//! Every diagnostic that there is and every way in which a run can fail, each with each canary at each place that it shows.

use super::canary::{CANARIES, Canary, HEX, KEY};
use crate::harness::library::{Code, Look, everything, first_code};
use crate::harness::{Sample, corpus, failures};
use std::collections::BTreeSet;

fn canaries() -> impl Iterator<Item = Canary> {
    CANARIES.into_iter().chain([HEX])
}

/// The lines of the document that a screen shows, from 0.
fn shown_lines(screen: &str) -> BTreeSet<usize> {
    let number = |line: &str| line.split_once(" |")?.0.trim().parse::<usize>().ok();
    screen
        .lines()
        .filter_map(number)
        .map(|number| number - 1)
        .collect()
}

/// The document with the canary beside and in the place of what stands on a line.
fn with(document: &str, line: usize, canary: &str) -> Vec<String> {
    let lines: Vec<&str> = document.split('\n').collect();
    let text = lines.get(line).copied().unwrap_or_default();
    let indent = " ".repeat(text.len() - text.trim_start().len());
    let value = text
        .split_once(": ")
        .map_or(text.trim_start(), |(_, value)| value);
    let word = value
        .split([' ', ',', ']', '}'])
        .find(|word| word.len() > 2)
        .unwrap_or(value);
    [
        format!("{text} # {canary}"),
        format!("{indent}# {canary}\n{text}"),
        format!("{text}\n{indent}# {canary}"),
        text.replacen(value, &format!("\"{canary}\""), 1),
        text.replacen(value, canary, 1),
        text.replacen(word, &format!("\"{canary}\""), 1),
        text.replacen(word, canary, 1),
        text.replacen(word, &format!("{word}{canary}"), 1),
    ]
    .into_iter()
    .map(|changed| {
        let mut lines: Vec<&str> = lines.clone();
        if let Some(place) = lines.get_mut(line) {
            *place = &changed;
        }
        lines.join("\n")
    })
    .collect()
}

#[test]
fn every_diagnostic() {
    let mut seen = BTreeSet::new();
    let mut cases = 0;
    let mut sample = Sample::new();
    let canaries: Vec<Canary> = canaries().collect();
    let mut others = canaries.iter().cycle();
    for case in corpus::shown() {
        let (text, error) = (case.text(), case.error());
        let code = first_code(&error);
        for line in shown_lines(&error.screen(Look::PLAIN)) {
            for canary in [&KEY].into_iter().chain(others.next()) {
                for document in with(text, line, canary.text) {
                    // of a code with few cases the sample can have none
                    if !sample.takes() && seen.contains(code) {
                        continue;
                    }
                    let Err(error) = case.check_with(&document) else {
                        continue;
                    };
                    canary.is_hidden_in(
                        &everything(&error),
                        format_args!("{} line {}", case.name, line + 1),
                    );
                    seen.insert(first_code(&error));
                    cases += 1;
                }
            }
        }
    }
    let missing: Vec<&str> = Code::ALL
        .iter()
        .map(|code| code.name())
        .filter(|it| !seen.contains(it))
        .collect();
    assert_eq!(missing, [""; 0], "every code was driven");
    assert!(cases > sample.share(2_000), "{cases}");
}

/// A public key that the program itself derived is not masked; anything else from outside is.
#[test]
fn every_run_error() {
    let mut sample = Sample::new();
    for canary in canaries() {
        for said in ["@", "`@`", "a/@/b"] {
            let failures = failures::saying(Some(&said.replace('@', canary.text)));
            for failure in failures.iter().filter(|_| sample.takes()) {
                canary.is_hidden_in(&everything(&failure.error), failure.name());
            }
        }
    }
}
