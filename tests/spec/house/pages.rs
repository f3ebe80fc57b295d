//! Pages that say what is in the code: the tests that they cite exist, their lists are whole, their examples are taken.

use super::RULES;
use crate::harness::library::{Policy, declared};
use crate::harness::{committed, files_below, read, root};
use std::collections::BTreeSet;

#[test]
fn every_cited_test_exists() {
    let sources = ["src", "tests"]
        .map(|folder| files_below(&root().join(folder), ".rs"))
        .concat();
    let code: String = sources.iter().map(|file| read(file)).collect();
    let cases = files_below(&root().join("tests/spec"), ".cases");
    let cases: String = cases.iter().map(|file| read(file)).collect();
    let cases = cases.lines().filter_map(|line| line.strip_prefix("== "));
    let cases: BTreeSet<String> = cases
        .chain(RULES.map(|(name, _)| name))
        .map(as_function)
        .collect();
    let mut cited = 0;
    for name in ["SECURITY.md", "docs/project/controls.md"] {
        for piece in committed(name).split('[').skip(1) {
            let Some((word, rest)) = piece.split_once(']') else {
                continue;
            };
            let is_name = word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:".contains(c));
            if is_name && word.contains('_') && !rest.starts_with('(') {
                let function = word.rsplit("::").next().expect("a name");
                assert!(
                    cases.contains(function)
                        || code.contains(&format!("#[test]\nfn {function}()"))
                        || code.contains(&format!("#[test]\n    fn {function}()")),
                    "{name} cites {word}"
                );
                cited += 1;
            }
        }
    }
    assert!(cited > 20, "{cited}");
}

/// The name of a case or of a rule as a function's: `what is not Argo CD's` is cited as `what_is_not_argo_cds`.
fn as_function(case: &str) -> String {
    let letters = case.chars().filter(|c| c.is_alphanumeric() || *c == ' ');
    letters
        .map(|c| {
            if c == ' ' {
                '_'
            } else {
                c.to_ascii_lowercase()
            }
        })
        .collect()
}

#[test]
fn the_policy_of_the_documentation_is_one() {
    let text = committed("docs/custody.md");
    let example = text
        .split("```yaml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    Policy::parse(example).expect("a policy");
}

#[test]
fn the_documented_vectors_are_the_published_ones() {
    let text = committed("docs/project/derivation.md");
    let vectors: serde_json::Value =
        serde_json::from_str(&committed("tests/vectors/derive-v1.json")).expect("JSON");
    let groups = vectors["groups"].as_array().expect("groups");
    let wireguard = groups
        .iter()
        .find(|group| group["purpose"] == "wireguard")
        .expect("the purpose");
    let mut rows = 0;
    for row in text
        .lines()
        .filter(|line| line.starts_with("| consumer") || line.starts_with("| provider"))
    {
        let cells: Vec<&str> = row
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect();
        let found = wireguard["tests"]
            .as_array()
            .expect("tests")
            .iter()
            .any(|test| {
                test["fields"][0] == cells[1]
                    && test["fields"][1] == cells[2]
                    && test["generation"].as_u64() == cells[3].parse().ok()
                    && test["okm"] == cells[4]
                    && test["public"] == cells[5]
                    && test["seed"]
                        .as_str()
                        .is_some_and(|seed| seed.starts_with("000102"))
            });
        assert!(found, "{row}");
        rows += 1;
    }
    assert_eq!(rows, 4);
    let first = &wireguard["tests"][0];
    for field in ["info", "private"] {
        assert!(
            text.contains(first[field].as_str().expect("text")),
            "{field}"
        );
    }
}

/// Each judge declares what it looks at: its function takes the parts that are declared, so it can look at nothing else.
#[test]
fn the_page_has_every_judge_with_what_it_looks_at() {
    let page = committed("docs/project/judges.md");
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let mut expected = Vec::new();
    for (list, judges) in declared() {
        assert!(
            page.contains(&format!("## {list}")) || list == "validate",
            "{list}"
        );
        let names: BTreeSet<&str> = judges.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), judges.len(), "{list}: two judges of one name");
        expected.extend(
            judges
                .iter()
                .map(|(name, inputs)| format!("| `{name}` | {} |", inputs.join("; "))),
        );
    }
    assert_eq!(rows, expected, "{}", expected.join("\n"));
}

/// What is between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_bound_is_where_the_page_says() {
    let page = committed("docs/project/bounds.md");
    let mut compared = 0;
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let place = row
            .trim_end_matches(" |")
            .rsplit(" | ")
            .next()
            .expect("a cell");
        for group in place.split(';') {
            let (files, names): (Vec<&str>, Vec<&str>) = quoted(group)
                .into_iter()
                .partition(|word| word.starts_with("src/"));
            for file in files {
                let text = committed(file);
                for name in &names {
                    let is_declared = ["const ", "static ", "struct ", "enum ", "fn "]
                        .iter()
                        .any(|word| text.contains(&format!("{word}{name}")));
                    assert!(
                        is_declared,
                        "docs/project/bounds.md: {file} does not declare `{name}`"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 40, "{compared}");
}
