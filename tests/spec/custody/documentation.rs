//! What SECURITY.md and docs/ claim: cited tests exist, examples are taken, vectors are the published ones.

use crate::harness::library::Policy;
use crate::harness::{committed, files_below, read, root};

#[test]
fn every_cited_test_exists() {
    let sources = ["src", "tests"].map(|folder| files_below(&root().join(folder), ".rs")).concat();
    let code: String = sources.iter().map(|file| read(file)).collect();
    let mut cited = 0;
    for name in ["SECURITY.md", "docs/project/controls.md"] {
        for piece in committed(name).split('[').skip(1) {
            let Some((word, rest)) = piece.split_once(']') else { continue };
            let is_name =
                word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:".contains(c));
            if is_name && word.contains('_') && !rest.starts_with('(') {
                let function = word.rsplit("::").next().expect("a name");
                assert!(
                    code.contains(&format!("#[test]\nfn {function}()"))
                        || code.contains(&format!("#[test]\n    fn {function}()")),
                    "{name} cites {word}"
                );
                cited += 1;
            }
        }
    }
    assert!(cited > 20, "{cited}");
}

#[test]
fn the_policy_of_the_documentation_is_one() {
    let text = committed("docs/custody.md");
    let example =
        text.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    Policy::parse(example).expect("a policy");
}

#[test]
fn the_documented_vectors_are_the_published_ones() {
    let text = committed("docs/project/derivation.md");
    let vectors: serde_json::Value =
        serde_json::from_str(&committed("tests/vectors/derive-v1.json")).expect("JSON");
    let groups = vectors["groups"].as_array().expect("groups");
    let wireguard = groups.iter().find(|group| group["purpose"] == "wireguard").expect("the purpose");
    let mut rows = 0;
    for row in text.lines().filter(|line| line.starts_with("| consumer") || line.starts_with("| provider")) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let found = wireguard["tests"].as_array().expect("tests").iter().any(|test| {
            test["fields"][0] == cells[1]
                && test["fields"][1] == cells[2]
                && test["generation"].as_u64() == cells[3].parse().ok()
                && test["okm"] == cells[4]
                && test["public"] == cells[5]
                && test["seed"].as_str().is_some_and(|seed| seed.starts_with("000102"))
        });
        assert!(found, "{row}");
        rows += 1;
    }
    assert_eq!(rows, 4);
    let first = &wireguard["tests"][0];
    for field in ["info", "private"] {
        assert!(text.contains(first[field].as_str().expect("text")), "{field}");
    }
}
