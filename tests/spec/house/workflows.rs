//! What the code host runs is what `.ci/run` has.

use super::tree::Tree;
use std::collections::BTreeSet;

const RUN: &str = ".ci/run";

/// The names of one of the lists of `.ci/run`.
fn list<'t>(tree: &'t Tree, name: &str) -> BTreeSet<&'t str> {
    let text = tree.text(RUN).unwrap_or_default();
    let list = text
        .split_once(&format!("\n{name}=("))
        .and_then(|(_, rest)| rest.split_once(')'));
    list.map(|(names, _)| names.split_whitespace().collect())
        .unwrap_or_default()
}

/// The checks that a workflow names, with or without `--whole`.
fn called<'t>(tree: &'t Tree, workflow: &str, is_whole: bool) -> BTreeSet<&'t str> {
    let text = tree
        .text(&format!(".github/workflows/{workflow}"))
        .unwrap_or_default();
    let calls = text
        .lines()
        .filter(|line| line.trim_start().starts_with("- run: "));
    let words = calls
        .filter_map(|line| line.split_once(".ci/run "))
        .map(|(_, words)| words);
    let words = words.filter(|words| words.starts_with("--whole ") == is_whole);
    words
        .flat_map(|words| words.split_whitespace().skip(usize::from(is_whole)))
        .collect()
}

/// A change runs on the code host what `.ci/run` runs, and more of the rest beside it; a night all of it; and a release what a night does.
pub(crate) fn checks(tree: &Tree) -> Vec<String> {
    let [change, rest] = ["change", "rest"].map(|name| list(tree, name));
    let [of_a_change, of_a_night] = [
        called(tree, "ci.yml", false),
        called(tree, "nightly.yml", true),
    ];
    let not_run = |names: Vec<&str>, workflow: &str| -> Vec<String> {
        names
            .iter()
            .map(|name| format!("{workflow} does not run {name} of {RUN}"))
            .collect()
    };
    let mut problems = not_run(change.difference(&of_a_change).copied().collect(), "ci.yml");
    problems.extend(not_run(
        change
            .union(&rest)
            .copied()
            .filter(|it| !of_a_night.contains(it))
            .collect(),
        "nightly.yml",
    ));
    let known: BTreeSet<&str> = change.union(&rest).copied().collect();
    let all = of_a_change.union(&of_a_night);
    problems.extend(
        all.filter(|it| !known.contains(*it))
            .map(|it| format!("{RUN} has no check {it}")),
    );
    if change.is_empty() || rest.is_empty() {
        problems.push(format!("{RUN} has no lists"));
    }
    let release = tree
        .text(".github/workflows/release.yml")
        .unwrap_or_default();
    if !release.contains("uses: ./.github/workflows/nightly.yml") {
        problems.push("release.yml does not run nightly.yml".to_owned());
    }
    for (path, text) in tree
        .texts()
        .filter(|(path, _)| path.starts_with(".github/workflows/"))
    {
        if text.contains("cancel-in-progress: true") {
            problems.push(format!("{path} leaves commits of main without a result"));
        }
    }
    problems
}
