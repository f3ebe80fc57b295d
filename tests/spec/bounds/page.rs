//! The page of the bounds names constants that exist, in the files that have them.

use crate::harness::committed;

/// What is between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_bound_is_where_the_page_says() {
    let page = committed("docs/project/bounds.md");
    let mut compared = 0;
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let place = row.trim_end_matches(" |").rsplit(" | ").next().expect("a cell");
        for group in place.split(';') {
            let (files, names): (Vec<&str>, Vec<&str>) =
                quoted(group).into_iter().partition(|word| word.starts_with("src/"));
            for file in files {
                let text = committed(file);
                for name in &names {
                    let is_declared = ["const ", "static ", "struct ", "enum ", "fn "]
                        .iter()
                        .any(|word| text.contains(&format!("{word}{name}")));
                    assert!(is_declared, "docs/project/bounds.md: {file} does not declare `{name}`");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 40, "{compared}");
}
