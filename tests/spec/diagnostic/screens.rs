//! What people see when something is wrong: every code has an example here, and the exact screen beside it.

use std::collections::{BTreeMap, BTreeSet};

use super::{page, secrets};
use crate::generated::{self, Made};
use crate::harness::corpus::{self, GOOD};
use crate::harness::library::{self, Code, Error, Explanation, Finding, Look, explain, first_code};
use crate::harness::{failures, files_below, replaced, root};

pub(crate) fn made() -> Vec<Made> {
    let page = Made { path: page::PATH.to_owned(), text: page::text(&briefs()) };
    corpus::made().into_iter().chain([runs(), page]).collect()
}

/// The screens of failed runs. There is no document, so a case is a screen.
fn runs() -> Made {
    let screens = failures::all().into_iter().map(|failure| {
        format!("\n## {}\n\n```text\n{}```\n", failure.name(), failure.error.screen(Look::PLAIN))
    });
    let text = format!("# Failed runs\n{}", screens.collect::<String>());
    Made { path: format!("{}/run.md", corpus::FOLDER), text }
}

/// What Argo CD shows, by code.
fn briefs() -> BTreeMap<String, String> {
    let mut briefs = BTreeMap::new();
    for case in corpus::shown().into_iter().filter(|case| case.name == case.code) {
        briefs.insert(case.code.clone(), case.error().brief());
    }
    for failure in failures::all().into_iter().rev() {
        // of several the first
        briefs.insert(failure.error.code().to_owned(), failure.error.brief());
    }
    briefs
}

#[test]
fn every_screen_is_as_expected() {
    generated::SCREENS.is_current();
}

#[test]
fn the_good_document_is_good() {
    assert!(library::check(GOOD).is_ok());
}

/// Each case and each edit in a table is refused, first of all for what its page is about.
#[test]
fn what_a_page_has_is_refused_with_its_code() {
    let mut problems = Vec::new();
    for case in corpus::all() {
        match case.check() {
            Ok(()) => problems.push(format!("{}: it is taken", case.name)),
            Err(error) if first_code(&error) != case.code => {
                problems.push(format!("{}: its first code is {}", case.name, first_code(&error)));
            }
            Err(_) => {}
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn every_file_of_the_corpus_belongs_to_a_code() {
    let made: BTreeSet<String> = made().into_iter().map(|made| made.path).collect();
    for file in files_below(&root().join(corpus::FOLDER), "") {
        let path = file.strip_prefix(root()).expect("below the root").display().to_string();
        assert!(made.contains(&path) || path == corpus::GOOD_PATH, "{path} belongs to nothing");
    }
}

#[test]
fn every_code_of_a_run_has_a_screen() {
    let failures = failures::all();
    for code in Error::CODES {
        assert!(failures.iter().any(|failure| failure.error.code() == *code), "`{code}` has no screen");
    }
}

/// The example is an excerpt of the code's own document, and with the fix in its place nothing is wrong any more.
#[test]
fn every_explanation_mends_its_example() {
    for code in Code::ALL {
        let Explanation { code, example, fix, .. } = explain::of(*code);
        let case = corpus::case(code);
        let text = case.text();
        let mended = (0..16).map(|depth| (indented(example, depth), indented(fix, depth))).find_map(
            |(example, fix)| {
                let found = text.lines().scan(0, |at, line| {
                    let start = *at;
                    *at += line.len() + 1;
                    Some(start)
                });
                let found =
                    found.into_iter().find_map(|at| excerpt(&text[at..], &example).map(|it| (at, it)));
                found.map(|(at, length)| format!("{}{fix}{}", &text[..at], &text[at + length..]))
            },
        );
        let mended =
            mended.unwrap_or_else(|| panic!("{code}: the example is not in its document:\n{example}"));
        let outcome = case.check_with(&mended);
        assert!(
            outcome.is_ok(),
            "{code}: the fix mends nothing\n{}",
            outcome.unwrap_err().screen(Look::PLAIN)
        );
    }
}

/// How long the example is at the start of this text, in which `…` stands for the rest of a long value.
fn excerpt(text: &str, example: &str) -> Option<usize> {
    let (head, tail) = example.split_once('…').unwrap_or((example, ""));
    let rest = text.strip_prefix(head)?;
    let length =
        if tail.is_empty() { 0 } else { rest.lines().next()?.strip_suffix(tail)?.len() + tail.len() };
    rest[length..].starts_with('\n').then_some(head.len() + length)
}

fn indented(text: &str, depth: usize) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("{}{line}", " ".repeat(depth))).collect();
    lines.join("\n")
}

/// What Argo CD stores and shows is short, plain, without a path of this machine, and the same on every run: a text
/// that changes would change the Application's status each time.
#[test]
fn argo_cd_gets_little_text_and_always_the_same() {
    let folder = std::env::temp_dir();
    let never: BTreeSet<&str> = page::NEVER_IN_ARGO_CD.iter().map(|(code, _)| *code).collect();
    let errors = corpus::shown().into_iter().map(|case| (case.name.clone(), case.error(), case.error()));
    let failures = failures::all().into_iter().zip(failures::all());
    let failures = failures.map(|(one, other)| (one.name(), one.error, other.error));
    for (name, one, other) in errors.chain(failures) {
        if never.contains(one.code()) {
            continue;
        }
        let brief = one.brief();
        assert_eq!(brief, other.brief(), "{name}");
        assert!(brief.lines().count() <= 20, "{name}:\n{brief}");
        assert!(brief.starts_with("error["), "{name}:\n{brief}");
        assert!(!brief.contains(&*folder.to_string_lossy()), "{name}:\n{brief}");
        let odd = |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
        assert!(!brief.contains(odd) && !one.screen(Look::PLAIN).contains(odd), "{name}:\n{brief:?}");
    }
}

/// 200 problems are fifty with their places, and a number; in Argo CD they are twenty lines.
#[test]
fn of_many_problems_the_first_are_shown_and_the_rest_counted() {
    let wrong: String =
        (0..200).map(|at| format!("      - name: Demo_{at:03}\n        clusters: thisPeer\n")).collect();
    let demo = "      - name: demo\n        clusters: thisPeer\n";
    let error = library::check(&replaced(GOOD, demo, &wrong)).expect_err("200 problems");
    let (screen, brief) = (error.screen(Look::PLAIN), error.brief());
    assert_eq!(screen.matches("error[invalid-name]: ").count(), 50);
    assert!(screen.ends_with("error: 150 more problems in peering.yaml\n"), "{screen}");
    let shown = brief.matches("error[invalid-name]: ").count();
    assert!(brief.ends_with(&format!("and {} more problems\n", 200 - shown)), "{brief}");
    assert_eq!(Finding::of(&error).len(), 200, "a program gets all of them");
}

/// Whatever the problem is, and wherever key material stands in its line: no twelve characters of it are shown.
#[test]
fn key_material_is_masked_wherever_it_stands() {
    let mut shown = Vec::new();
    for (kind, secret) in secrets::SECRETS {
        // the words before the data say what was hidden
        let data = secret.rsplit_once("-1").or(secret.rsplit_once("-1q")).map_or(secret, |(_, data)| data);
        for (place, document) in secrets::documents(secret) {
            let error = library::check(&document).expect_err(place);
            let findings = serde_json::to_string(&Finding::of(&error)).expect("JSON");
            for (form, text) in [
                ("screen", error.screen(Look::PLAIN)),
                ("styled screen", error.screen(Look::terminal(None))),
                ("brief", error.brief()),
                ("JSON", findings),
            ] {
                if data.as_bytes().windows(12).any(|part| text.contains(&*String::from_utf8_lossy(part))) {
                    shown.push(format!("{kind} {place}, in the {form}:\n{text}"));
                }
            }
        }
    }
    assert!(shown.is_empty(), "{} times\n{}", shown.len(), shown.join("\n"));
}

/// A public key cannot be told from a private one in its place, so neither is shown.
#[test]
fn a_public_key_in_its_field_is_hidden() {
    let key = "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=";
    let both = |document: &str, id: &str| {
        document.replacen(&format!("clusterID: {id}"), &format!("clusterID: {id}\n    publicKey: {key}"), 1)
    };
    let error = library::check(&both(&both(GOOD, "rome"), "milan")).expect_err("the same key twice");
    assert!(!error.screen(Look::PLAIN).contains(key), "{}", error.screen(Look::PLAIN));
}
