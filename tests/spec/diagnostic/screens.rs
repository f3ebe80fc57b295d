//! What people see when something is wrong: every code has an example here, and the exact screen beside it.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test --test diagnostics` rewrites the screens; `git diff` then shows what a
//! change does to them.

use std::collections::BTreeSet;

use super::secrets;
use crate::harness::corpus::{self, FOLDER, GOOD, first_code};
use crate::harness::failures;
use crate::harness::generated::Snapshots;
use argocd_peering::command::error::Error;
use argocd_peering::command::report::Finding;
use argocd_peering::diagnostic::{Code, Look};
use serde_json::Value;

/// Errors that no Application can show: the plugin runs neither `validate` nor what seals and rotates, and it reads nothing
/// but the folder, the identity and the policy.
const NEVER_IN_ARGO_CD: [&str; 7] =
    ["invalid", "file", "flag", "sealing", "import", "rotation", "randomness"];

/// The screens of failed runs.
const RUN: &str = "tests/diagnostics/run";

#[test]
fn the_good_document_is_good() {
    assert!(corpus::check(GOOD.as_bytes()).is_ok());
}

#[test]
fn every_screen_is_as_expected() {
    let mut snapshots = Snapshots::default();
    let mut misnamed = Vec::new();
    for case in corpus::all() {
        let error = case.error();
        if case.code().is_none_or(|code| code.name() != first_code(&error)) {
            misnamed.push(format!("{}: its first code is another\n{}", case.name, error.screen(Look::PLAIN)));
        }
        snapshots.check(format!("{FOLDER}/{}.screen", case.name), &error.screen(Look::PLAIN));
    }
    assert!(misnamed.is_empty(), "{}", misnamed.join("\n"));
    snapshots.finish(FOLDER, "screen");
}

#[test]
fn every_code_has_an_example() {
    let names: BTreeSet<String> = corpus::committed().into_iter().map(|case| case.name).collect();
    for code in Code::ALL {
        assert!(names.contains(code.name()), "tests/diagnostics/{}.yaml is missing", code.name());
    }
}

#[test]
fn every_run_error_has_a_screen() {
    let mut snapshots = Snapshots::default();
    let failures = failures::all();
    for failure in &failures {
        snapshots.check(format!("{RUN}/{}.screen", failure.name), &failure.error.screen(Look::PLAIN));
    }
    for code in Error::CODES {
        assert!(failures.iter().any(|failure| failure.error.code() == *code), "`{code}` has no screen");
    }
    snapshots.finish(RUN, "screen");
}

/// What Argo CD stores and shows is short, plain, without a path of this machine, and the same on every run: a text
/// that changes would change the Application's status each time.
#[test]
fn argo_cd_gets_little_text_and_always_the_same() {
    let folder = std::env::temp_dir();
    let errors = corpus::all().into_iter().map(|case| (case.name.clone(), case.error(), case.error()));
    let failures = failures::all().into_iter().zip(failures::all());
    let failures = failures.map(|(one, other)| (one.name, one.error, other.error));
    for (name, one, other) in errors.chain(failures) {
        if NEVER_IN_ARGO_CD.contains(&one.code()) {
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

/// Each problem is two lines: what the report has for programs, and the way out.
#[test]
fn argo_cd_gets_what_the_report_has() {
    for case in corpus::all() {
        let error = case.error();
        if error.code() != "document" {
            continue;
        }
        let findings = serde_json::to_value(Finding::from_error(&error)).expect("JSON");
        let mut expected = String::new();
        for finding in findings.as_array().expect("findings") {
            let text = |pointer: &str| finding.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
            let (line, column) = (&finding["range"]["line"], &finding["range"]["column"]);
            let path = finding.get("path").map(|_| format!(" {}", text("/path"))).unwrap_or_default();
            expected += &format!(
                "error[{}]: {} ({}:{line}:{column}{path})\n",
                text("/code"),
                text("/message"),
                text("/file")
            );
            if finding.get("help").is_some() {
                expected += &format!("  help: {}\n", text("/help"));
            }
        }
        let brief = error.brief();
        let shown = brief.split("and ").next().filter(|_| brief.contains(" more problems\n"));
        assert!(expected.starts_with(shown.unwrap_or(&brief)), "{}:\n{brief}\n{expected}", case.name);
        assert!(shown.is_some() || expected == brief, "{}:\n{brief}\n{expected}", case.name);
    }
}

/// A byte-order mark and the line ends of another system are nobody's mistake.
#[test]
fn a_byte_order_mark_and_carriage_returns_change_nothing() {
    for (mark, line_end) in [("\u{feff}", "\n"), ("", "\r\n"), ("\u{feff}", "\r\n")] {
        let form = format!("{mark:?} and {line_end:?}");
        let of = |text: &str| format!("{mark}{}", text.replace('\n', line_end));
        assert!(corpus::check(of(GOOD).as_bytes()).is_ok(), "{form}");
        for case in corpus::committed() {
            let corpus::Input::Document(_) = case.input else { continue };
            let error = corpus::check(of(&case.text()).as_bytes()).expect_err(&form);
            assert_eq!(error.screen(Look::PLAIN), case.error().screen(Look::PLAIN), "{}: {form}", case.name);
        }
    }
}

/// What is no text, or more of it than is read, is the file's fault and not the document's.
#[test]
fn what_is_not_read_is_no_document() {
    let latin_1: Vec<u8> = GOOD.replace("rome-milan", "zürich-köln").chars().map(|c| c as u8).collect();
    let utf_16: Vec<u8> = GOOD.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let large = format!("{GOOD}# {}\n", "x".repeat(64 * 1024));
    for (what, bytes) in [
        ("Latin-1", latin_1),
        ("UTF-16 with its mark", [vec![0xff, 0xfe], utf_16].concat()),
        ("64 KiB", large.into()),
    ] {
        let error = corpus::check(&bytes).expect_err(what);
        assert_eq!(error.code(), "document-file", "{what}");
        assert_eq!(error.exit_code(), 1, "{what}");
    }
}

/// The cap is one of the file, not of a value: up to it a single scalar is read, and refused for what it is.
#[test]
fn one_scalar_may_fill_the_file() {
    const CAP: usize = 64 * 1024;
    let of = |size: usize| {
        let rest = GOOD.len() - "rome".len();
        GOOD.replacen("clusterID: rome", &format!("clusterID: {}", "x".repeat(size - rest)), 1)
    };
    assert_eq!((of(CAP).len(), of(CAP + 1).len()), (CAP, CAP + 1));
    assert_eq!(first_code(&corpus::check(of(CAP).as_bytes()).expect_err("too long a name")), "cluster-id");
    assert_eq!(
        first_code(&corpus::check(of(CAP + 1).as_bytes()).expect_err("too long a file")),
        "document-file"
    );
}

/// 200 problems are fifty with their places, and a number; in Argo CD they are twenty lines.
#[test]
fn of_many_problems_the_first_are_shown_and_the_rest_counted() {
    let case =
        corpus::all().into_iter().find(|case| case.name == "invalid-name-200-problems").expect("it is made");
    let error = case.error();
    let (screen, brief) = (error.screen(Look::PLAIN), error.brief());
    assert_eq!(screen.matches("error[invalid-name]: ").count(), 50);
    assert!(screen.ends_with("error: 150 more problems in peering.yaml\n"), "{screen}");
    let shown = brief.matches("error[invalid-name]: ").count();
    assert!(brief.ends_with(&format!("and {} more problems\n", 200 - shown)), "{brief}");
    assert_eq!(Finding::from_error(&error).len(), 200, "a program gets all of them");
}

/// Whatever the problem is, and wherever key material stands in its line: no twelve characters of it are shown.
#[test]
fn key_material_is_masked_wherever_it_stands() {
    let mut shown = Vec::new();
    for (kind, secret) in secrets::SECRETS {
        // the words before the data say what was hidden
        let data = secret.rsplit_once("-1").or(secret.rsplit_once("-1q")).map_or(secret, |(_, data)| data);
        for (place, document) in secrets::documents(secret) {
            let error = corpus::check(document.as_bytes()).expect_err(place);
            let findings = serde_json::to_string(&Finding::from_error(&error)).expect("JSON");
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
    let error = corpus::check(both(&both(GOOD, "rome"), "milan").as_bytes()).expect_err("the same key twice");
    assert!(!error.screen(Look::PLAIN).contains(key), "{}", error.screen(Look::PLAIN));
}
