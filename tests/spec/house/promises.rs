//! The page of promises: each has tests that hold it, and they exist.

use super::tree::Tree;

/// Each row names tests in code before the link to their file, and is held by at least one.
pub(crate) fn tests(tree: &Tree) -> Vec<String> {
    let page = tree.text("docs/project/promises.md").unwrap_or_default();
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| **"))
        .collect();
    let mut problems = Vec::new();
    if rows.len() != 5 {
        problems.push(format!(
            "docs/project/promises.md has {} promises, not 5",
            rows.len()
        ));
    }
    for row in rows {
        let mut held = 0;
        let links = row
            .split('[')
            .skip(1)
            .filter_map(|it| it.split_once("](../../tests/"));
        for (names, rest) in links {
            let path = format!("tests/{}", rest.split(')').next().unwrap_or_default());
            let text = tree.text(&path).unwrap_or_default();
            for name in names.split('`').skip(1).step_by(2) {
                held += 1;
                let is_test = text.contains(&format!("#[test]\nfn {name}()"));
                if !is_test && !text.contains(&format!("\nfunc {name}(")) {
                    problems.push(format!(
                        "docs/project/promises.md: {path} has no test `{name}`"
                    ));
                }
            }
        }
        if held == 0 {
            problems.push(format!("docs/project/promises.md: no test holds {row}"));
        }
    }
    problems
}
