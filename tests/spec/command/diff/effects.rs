//! Each change of a document, and what `diff` says that it does.

use crate::harness::{Outcome, Repository, Text, parts, root, words};

const FOLDER: &str = "peerings/rome";
const DOCUMENT: &str = "peerings/rome/peering.yaml";

/// `diff` of the quickstart with one change.
fn changed(from: &str, to: &str) -> Outcome {
    let repository = Repository::new(FOLDER);
    repository.edit(DOCUMENT, from, to);
    repository.diff(&[FOLDER]).run()
}

/// The block of one object: its line, and those that are indented below it.
fn block<'t>(text: &'t str, head: &str) -> &'t str {
    let start = text
        .find(head)
        .unwrap_or_else(|| panic!("no `{head}` in\n{text}"));
    let rest = &text[start..];
    let end = rest
        .match_indices('\n')
        .find(|(at, _)| !rest[at + 1..].starts_with(' '))
        .map_or(rest.len(), |(at, _)| at);
    &rest[..end]
}

#[test]
fn what_each_change_does() {
    for part in parts(include_str!("effects.txt")) {
        let replaced = words(part[0]);
        let outcome = changed(&replaced[0], &replaced[1]);
        assert_eq!(outcome.code, Some(1), "{}: {outcome}", part[0]);
        for row in &part[1..] {
            let [head, change, words] = row.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("{row}")
            };
            let block = block(&outcome.stdout, head);
            // words that another object has as well are written once
            let is_written = block.contains(words)
                || block.contains(", as above.") && outcome.stdout.contains(words);
            assert!(block.contains(change) && is_written, "{row}:\n{block}");
        }
    }
}

/// The table knows every object that a stream has: whichever comes or goes, there are words for it.
#[test]
fn every_object_that_comes_or_goes_has_an_effect() {
    let repository = Repository::new(FOLDER);
    let (examples, empty) = (root().join("examples"), repository.temp().join("empty"));
    std::fs::create_dir(&empty).expect("a folder");
    let diff = |folders: [&std::path::Path; 2]| {
        let outcome = repository.diff(&[]).args(folders).run();
        outcome.ends(1).omits("Unknown here");
        outcome.stdout
    };
    let (added, removed) = (diff([&empty, &examples]), diff([&examples, &empty]));
    let rows = |text: &str, sign: &str| text.lines().filter(|line| line.starts_with(sign)).count();
    assert!(rows(&added, "+ ") > 200, "{added}");
    assert_eq!(rows(&added, "+ "), rows(&removed, "- "));
    removed.has("note: Removing the folder deletes nothing.");
    added.has("note: The peering is new.");
}
