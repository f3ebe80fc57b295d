//! What is sealed is confirmed at a terminal; without one, in `confirmed.cases` and `sealing.cases`.

use crate::harness::checkout::demo_identity;
use crate::harness::team::{Needs, TERMS, Team};
use crate::harness::terminal::Pair;
use crate::harness::{Run, Terminal, Text, copy_of, program, quickstart};
use std::process::Command;

const FILE: &str = "peering.seed.age";

#[test]
fn a_person_at_a_terminal_types_yes() {
    let team = Team::new(Needs::Seed, &TERMS);
    let identity = team.identity();
    let arguments = [
        "reseal",
        FILE,
        "--identity-file",
        &identity,
        "--recipient",
        &team.recipient,
    ];
    let mut before = team.sealed(FILE);
    for (typed, code) in [
        ("no\n", 2),
        ("\n", 2),
        ("y\ny\n", 2),
        ("y\nyes\n", 0),
        ("\u{4}", 2),
        ("yes\n", 0),
    ] {
        let seen = Terminal::of(80)
            .typing(typed)
            .run(&arguments, &team.folder(), &[]);
        assert_eq!(seen.code, Some(code), "{typed:?}: {}", seen.shown);
        seen.shown.has(&team.recipient).has("`yes`");
        assert_eq!(team.sealed(FILE) == before, code != 0);
        before = team.sealed(FILE);
    }
    // without a keyboard nobody is asked
    let seen = Terminal::of(80).run(&arguments, &team.folder(), &[]);
    seen.shown.has("to confirm them: --expect sha256:");
    // a question that goes to a file is seen by nobody
    let new = "init a/b --repo https://git.example.org/p --path a/b --recipient";
    let init: Vec<&str> = new.split(' ').chain([team.recipient.as_str()]).collect();
    for (arguments, says) in [
        (&arguments[..], "to confirm them: --expect sha256:"),
        (&init[..], "set what is missing: --consumer-id"),
    ] {
        let Pair { controller, other } = Pair::of(80);
        rustix::io::write(&controller, b"yes\n\x04").expect("typed");
        let mut command = Command::new(program());
        command.args(arguments).current_dir(team.folder());
        let output = command.env_clear().stdin(other).output();
        let output = output.expect("it ends");
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).has(says);
    }
    assert_eq!(team.sealed(FILE), before);
}

/// Terms that only one of several files has stand below that file, and never below all of them.
#[test]
fn the_terms_of_several_files_stand_below_their_files() {
    let root = crate::harness::machine::folder();
    copy_of(&quickstart(), root.path());
    let team = Team::new(Needs::Seed, &TERMS);
    let run = Run::new([
        "reseal",
        ".",
        "--recipient",
        &team.recipient,
        "--identity-file",
    ]);
    let refused = run.arg(demo_identity("")).within(root.path()).run();
    refused
        .fails(2, "flag")
        .says("terms of all 2 files:\n  clusters      \"consumer\" (consumer) \"provider\" (provider)\n  repos ")
        .says("terms of ./kubeconfig.age:\n  projects      \"peering-consumer=consumer\"\n")
        .says("terms of ./peering.seed.age:\n  projects      \"peering-consumer=consumer\" \"peering-provider=provider\"\nrecipients:");
}

/// What Argo CD could never open is said while nothing is sealed yet.
#[test]
fn terms_without_a_project_are_noticed_before_the_question() {
    let team = Team::new(Needs::Seed, &TERMS);
    let new = ["seed", "new", "new.age", "--recipient", &team.recipient];
    let seen = Terminal::of(80)
        .typing("no\n")
        .run(&new, &team.folder(), &[]);
    let note = "Argo CD will not open new.age: that needs --project, --repo and --path";
    let at = |words: &str| {
        seen.shown
            .find(words)
            .unwrap_or_else(|| panic!("no {words}: {}", seen.shown))
    };
    assert!(at(note) < at("Type `yes`"), "{}", seen.shown);
    seen.shown
        .has("error[unconfirmed]: Not confirmed. Nothing was sealed.");
    seen.ends(2);
    assert!(!team.folder().join("new.age").exists());
}
