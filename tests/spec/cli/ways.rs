//! The commands that helps name: each is run with what called for it, or is one that exists, or has the reason why it is not run here.

use crate::harness::{Outcome, RECIPIENT, Repository, committed, demo_identity, put, root, rows};
use std::collections::BTreeSet;
use std::fs;

const FOLDER: &str = "peerings/consumer-provider";

/// A command, and what is done with it.
fn ways() -> impl Iterator<Item = (&'static str, &'static str)> {
    rows(include_str!("ways.txt")).into_iter()
}

const PROGRAMS: [&str; 6] = [
    "age-keygen",
    "argocd-peering",
    "base64",
    "git",
    "kubectl",
    "openssl",
];

/// Those of the helps of all screens.
fn commands() -> BTreeSet<String> {
    let mut commands = BTreeSet::new();
    for page in fs::read_dir(root().join("tests/diagnostics")).expect("the screens") {
        let text = fs::read_to_string(page.expect("a page").path()).expect("a page");
        for help in text.lines().filter_map(|line| line.split_once("help: ")) {
            let in_code = help.1.split('`').skip(1).step_by(2);
            let is_command = |it: &&str| {
                it.split_once(' ')
                    .is_some_and(|(program, _)| PROGRAMS.contains(&program))
            };
            commands.extend(in_code.filter(is_command).map(ToOwned::to_owned));
        }
    }
    commands
}

#[test]
fn each_command_of_a_help_is_known() {
    let known: BTreeSet<String> = ways().map(|(command, _)| command.to_owned()).collect();
    assert_eq!(commands(), known);
}

/// With what is confirmed, if it asks for that.
fn run(repository: &Repository, words: &[&str]) -> Outcome {
    let folder = repository.root().join(FOLDER);
    let outcome = repository.command(words).within(&folder).run();
    let Some((_, digest)) = outcome.stderr.split_once("--expect ") else {
        return outcome;
    };
    let digest = digest.split_whitespace().next().expect("a digest");
    repository
        .command(&[words, &["--expect", digest]].concat())
        .within(&folder)
        .run()
}

#[test]
fn what_a_help_names_works() {
    let reference = committed("docs/commands.md");
    for (command, way) in ways() {
        let words: Vec<_> = way.split(' ').collect();
        if !["run", "named"].contains(&words[0]) {
            continue;
        }
        let repository = Repository::new(FOLDER);
        let list = repository.root().join("recipients.txt");
        put(&list, RECIPIENT);
        let (identity, list) = (
            demo_identity("").display().to_string(),
            list.display().to_string(),
        );
        match words[..] {
            ["run", "git", ref words @ ..] => {
                drop(repository.git(&[&["-C", FOLDER][..], words].concat()));
            }
            ["run", ref words @ ..] => {
                let fill = |word: &&'static str| match *word {
                    "ID" => identity.as_str(),
                    "LIST" => list.as_str(),
                    word => word,
                };
                let outcome = run(&repository, &words.iter().map(fill).collect::<Vec<_>>());
                assert_eq!(outcome.code, Some(0), "{command}: {outcome}");
            }
            _ => {
                let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
                let words: Vec<&str> = command.split(' ').skip(1).take_while(is_word).collect();
                let outcome = run(&repository, &[&words[..], &["--help"]].concat());
                assert_eq!(outcome.code, Some(0), "{command}: {outcome}");
                let flags = command.split(' ').filter(|word| word.starts_with("--"));
                for flag in flags {
                    assert!(
                        outcome.stdout.contains(flag) && reference.contains(flag),
                        "{command}: {flag}"
                    );
                }
            }
        }
    }
}
