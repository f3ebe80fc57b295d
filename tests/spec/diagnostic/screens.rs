//! What people see when something is wrong: every code has an example here, and the exact screen beside it.

use crate::generated::{self, Made};
use crate::harness::corpus::{self, GOOD};
use crate::harness::library::{self, Look, error_pages, first_code, printed};
use crate::harness::{failures, replaced};
use serde_json::Value;

/// Errors that no Application can show: the plugin runs neither `validate` nor what compares, seals and rotates, and it reads nothing
/// but the folder, the identity and the policy.
const NEVER_IN_ARGO_CD: &str =
    "invalid file flag sealing import rotation randomness sidecar uncompared differs";

pub(crate) fn made() -> Vec<Made> {
    corpus::made().into_iter().chain([runs()]).collect()
}

/// The screens of failed runs. There is no document, so a case is a screen.
fn runs() -> Made {
    let screens = failures::all().into_iter().map(|failure| {
        format!(
            "\n## {}\n\n```text\n{}```\n",
            failure.name(),
            printed(&failure.error.screen(Look::PLAIN))
        )
    });
    let text = format!("# Failed runs\n{}", screens.collect::<String>());
    Made {
        path: format!("{}/run.md", corpus::FOLDER),
        text,
    }
}

#[test]
fn every_screen_is_as_expected() {
    let made = generated::SCREENS.is_current();
    assert_eq!(
        generated::left_over(&made, corpus::FOLDER, corpus::GOOD_PATH),
        [""; 0]
    );
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
                problems.push(format!(
                    "{}: its first code is {}",
                    case.name,
                    first_code(&error)
                ));
            }
            Err(_) => {}
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn every_code_of_a_run_has_a_screen() {
    let failures = failures::all();
    for code in error_pages().into_iter().map(|page| page.name) {
        assert!(
            failures.iter().any(|failure| failure.error.code() == code),
            "`{code}` has no screen"
        );
    }
}

/// What Argo CD stores and shows is short, plain, without a path of this machine, and the same on every run: a text
/// that changes would change the Application's status each time.
#[test]
fn argo_cd_gets_little_text_and_always_the_same() {
    let folder = std::env::temp_dir();
    let errors = corpus::shown()
        .into_iter()
        .map(|case| (case.name.clone(), case.error(), case.error()));
    let failures = failures::all().into_iter().zip(failures::all());
    let failures = failures.map(|(one, other)| (one.name(), one.error, other.error));
    for (name, one, other) in errors.chain(failures) {
        if NEVER_IN_ARGO_CD.split(' ').any(|code| code == one.code()) {
            continue;
        }
        let brief = printed(&one.brief());
        assert_eq!(brief, printed(&other.brief()), "{name}");
        assert!(brief.lines().count() <= 20, "{name}:\n{brief}");
        assert!(brief.starts_with("error["), "{name}:\n{brief}");
        assert!(
            !brief.contains(&*folder.to_string_lossy()),
            "{name}:\n{brief}"
        );
        let odd = |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
        assert!(
            !brief.contains(odd) && !printed(&one.screen(Look::PLAIN)).contains(odd),
            "{name}:\n{brief:?}"
        );
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
        let findings = serde_json::to_value(error.findings()).expect("JSON");
        let mut expected = String::new();
        for finding in findings.as_array().expect("findings") {
            let text = |pointer: &str| {
                finding
                    .pointer(pointer)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            };
            let (line, column) = (&finding["range"]["line"], &finding["range"]["column"]);
            let path = finding
                .get("path")
                .map(|_| format!(" {}", text("/path")))
                .unwrap_or_default();
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
        let brief = printed(&error.brief());
        let shown = brief
            .split("and ")
            .next()
            .filter(|_| brief.contains(" more problems\n"));
        assert!(
            expected.starts_with(shown.unwrap_or(&brief)),
            "{}:\n{brief}\n{expected}",
            case.name
        );
        assert!(
            shown.is_some() || expected == brief,
            "{}:\n{brief}\n{expected}",
            case.name
        );
    }
}

/// 200 problems are fifty with their places, and a number; in Argo CD they are twenty lines.
#[test]
fn of_many_problems_the_first_are_shown_and_the_rest_counted() {
    let wrong: Vec<_> = (0..200)
        .map(|at| format!("      - name: Demo_{at:03}\n        clusters: thisPeer\n"))
        .collect();
    let demo = "      - name: demo\n        clusters: thisPeer\n";
    let error = library::check(&replaced(GOOD, demo, &wrong.concat())).expect_err("200 problems");
    let (screen, brief) = (error.screen(Look::PLAIN), error.brief());
    assert_eq!(screen.matches("error[invalid-name]: ").count(), 50);
    assert!(
        screen.ends_with("error: 150 more problems in peering.yaml\n"),
        "{screen}"
    );
    let shown = brief.matches("error[invalid-name]: ").count();
    assert!(
        brief.ends_with(&format!("and {} more problems\n", 200 - shown)),
        "{brief}"
    );
    assert_eq!(
        error.findings().len(),
        50 + 1,
        "a program gets as many, and the number"
    );
    // one of them has no help, which leaves no line empty
    let odd = replaced(GOOD, "nodePort: 30742", "nodePort: any");
    let error = library::check(&replaced(&odd, demo, &wrong.concat())).expect_err("201 problems");
    assert_eq!(error.brief().lines().count(), 20);
}
