//! The rules of the house, as tests: what reviewers would otherwise have to remember.
//!
//! Each rule is a function from the tree to what is wrong with it. It finds nothing in this repository, and it finds
//! what `planted.txt` has for it in a copy: a rule that cannot fail is none. Only the files are needed, no Git, so the tests also
//! run in an unpacked archive.

mod circles;
mod links;
mod names;
mod rooms;
mod sources;
mod templates;
mod tree;
mod wording;

use self::tree::Tree;
use crate::harness::{Sample, changed, parts, words};

/// What holds, as `planted.txt` calls it, and the function that finds where it does not.
type Rule = (&'static str, fn(&Tree) -> Vec<String>);

const RULES: [Rule; 29] = [
    (
        "a file of the program has fewer than 400 lines of code",
        sources::lengths,
    ),
    ("the program does not grow", sources::total),
    ("the owner has one place", names::owner),
    (
        "the lints that forbid panics are set, and nobody switches them off",
        sources::lints,
    ),
    ("no other program is run", sources::programs),
    (
        "SECURITY.md has what git is run with",
        sources::git_commands,
    ),
    ("a key of Liqo's is written once", sources::keys),
    // what Argo CD runs is the same in 1970 and in 2100
    ("only what a person runs reads a clock", sources::clocks),
    ("a room imports only from those below it", rooms::order),
    ("no two files need each other", circles::circles),
    ("the map of the rooms is whole", rooms::map),
    (
        "a judge reads nothing but what it is given",
        sources::judges,
    ),
    ("no module is called after nothing", sources::modules),
    ("every file is compiled", sources::strays),
    (
        "templates and their references belong together",
        templates::references,
    ),
    ("a template prints whole scalars", templates::form),
    ("no file names a machine or a registry", names::machines),
    ("the top level has what belongs there", names::top_level),
    ("every relative link leads somewhere", links::resolve),
    ("every page is found from the README", links::reachable),
    (
        "every page is in the site's table of contents",
        links::contents,
    ),
    ("each control has its tests", names::controls),
    ("pages are short", links::words),
    ("a type is called after a thing", wording::types),
    (
        "a function is called after what it does",
        wording::functions,
    ),
    ("a type has its name alone", wording::type_names),
    ("closures are few and short", wording::closure_counts),
    ("words are few", wording::word_counts),
    ("a text does not mask itself", wording::masked_texts),
];

/// Each rule finds nothing here, and it finds the faults that are planted.
#[test]
fn every_rule_holds_and_can_fail() {
    let (tree, planted) = (Tree::checkout(), parts(include_str!("house/planted.txt")));
    let named: Vec<&str> = planted.iter().map(|part| part[0]).collect();
    assert_eq!(
        named,
        RULES.map(|(name, _)| name),
        "planted.txt has each rule"
    );
    let mut wrong = Vec::new();
    for ((name, rule), faults) in RULES.iter().zip(&planted) {
        if faults.len() == 1 {
            wrong.push(format!("{name}: nothing is planted for it"));
        }
        wrong.extend(
            rule(&tree)
                .iter()
                .map(|problem| format!("{name}: {problem}")),
        );
        for line in Sample::of_written().of(&faults[1..]) {
            let (change, complaint) = line.rsplit_once(" => ").expect(line);
            let problems = rule(&with_fault(&tree, &words(change)));
            if !problems.iter().any(|it| it.contains(complaint)) {
                wrong.push(format!("{name}: {line}: {problems:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A copy with one file changed, or gone.
fn with_fault(tree: &Tree, change: &[String]) -> Tree {
    let mut planted = tree.clone();
    if change[1] == "gone" {
        planted.remove(&change[0]);
        return planted;
    }
    let old = tree.text(&change[0]).unwrap_or_default();
    let new = changed(old, &change[1..]);
    assert_ne!(old, new, "{change:?}: nothing was planted");
    planted.put(&change[0], &new);
    planted
}
