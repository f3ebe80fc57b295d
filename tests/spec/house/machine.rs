//! What the tests ask of a machine is written where a contributor looks: the programs, and what only Linux tests.

use super::tree::Tree;
use crate::harness::machine::PROGRAMS;

const LIST: &str = "CONTRIBUTING.md";
const TABLE: &str = "tests/README.md";
const MODULES: &str = "tests/spec/main.rs";

/// Each program of `PROGRAMS` is on the line of CONTRIBUTING.md that lists them; and a test runs no other one.
pub(crate) fn programs(tree: &Tree) -> Vec<String> {
    let list = tree.text(LIST).unwrap_or_default();
    let list = list
        .lines()
        .find(|line| line.starts_with("`cargo test` runs these programs: "))
        .unwrap_or_default();
    let missing = PROGRAMS
        .iter()
        .filter(|(name, _)| !list.contains(&format!("`{name}`")));
    let mut problems: Vec<_> = missing
        .map(|(name, _)| format!("{LIST} does not list {name} as a program of the tests"))
        .collect();
    for (path, text) in tree
        .texts()
        .filter(|(path, _)| path.starts_with("tests/spec/"))
    {
        let beside =
            text.contains(concat!("Command::new", "(\"")) && !path.starts_with("tests/spec/house");
        if beside && path != "tests/spec/bounds/instructions.rs" {
            problems.push(format!("{path} runs a program beside `machine::command`"));
        }
    }
    problems
}

/// The files of tests that are compiled for Linux only, by their paths below `tests/spec`, with the number of their tests.
fn linux_only(tree: &Tree) -> Vec<(String, usize)> {
    let (mut folders, mut is_next, mut files) = (Vec::new(), false, Vec::new());
    for line in tree
        .text(MODULES)
        .unwrap_or_default()
        .lines()
        .map(str::trim)
    {
        let name = line.trim_start_matches("pub(crate) ").strip_prefix("mod ");
        if let Some(name) = name.and_then(|name| name.strip_suffix(" {")) {
            folders.push(name);
        } else if line == "}" {
            folders.pop();
        } else if let Some(name) = name
            .and_then(|name| name.strip_suffix(';'))
            .filter(|_| is_next)
        {
            let path = format!("{}/{name}.rs", folders.join("/"));
            let text = tree.text(&format!("tests/spec/{path}")).unwrap_or_default();
            files.push((path, text.lines().filter(|line| *line == "#[test]").count()));
        }
        is_next = line == "#[cfg(target_os = \"linux\")]";
    }
    files
}

/// What other systems do not test is counted in tests/README.md, and nothing is switched off inside of a file.
pub(crate) fn linux(tree: &Tree) -> Vec<String> {
    let table = tree.text(TABLE).unwrap_or_default();
    let mut problems = Vec::new();
    for (path, tests) in linux_only(tree) {
        if !table.contains(&format!("| `{path}` | {tests} | ")) {
            problems.push(format!("{TABLE} does not have {path} with {tests} tests"));
        }
    }
    for (path, text) in tree
        .texts()
        .filter(|(path, _)| path.starts_with("tests/spec/"))
    {
        let is_ours = path == MODULES || path.starts_with("tests/spec/house");
        if !is_ours && text.contains("cfg(target_os") {
            problems.push(format!(
                "{path} is for one system in a part: {MODULES} has whole files"
            ));
        }
    }
    problems
}
