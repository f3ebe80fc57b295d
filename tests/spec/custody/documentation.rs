//! What SECURITY.md and docs/ claim: cited tests exist, examples are taken, vectors are the published ones.

use std::fs;
use std::path::Path;

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All Rust text below a folder.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *text += &fs::read_to_string(path).expect("text");
        }
    }
}

#[test]
fn every_cited_test_exists() {
    let mut code = String::new();
    for folder in ["src", "tests"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut code);
    }
    let mut cited = 0;
    for name in ["SECURITY.md", "docs/custody.md"] {
        for piece in read(name).split('[').skip(1) {
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
    let text = read("docs/custody.md");
    let example =
        text.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    argocd_peering::custody::Policy::parse(example).expect("a policy");
}

#[test]
fn the_documented_vectors_are_the_published_ones() {
    let text = read("docs/derivation.md");
    let vectors: serde_json::Value =
        serde_json::from_str(&read("tests/vectors/derive-v1.json")).expect("JSON");
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
