//! Anyone can seal a file for public recipients, so what a file says of itself is shown and confirmed before a secret is
//! sealed on its terms.

use super::team::{Needs, PATH, TERMS, Team};
use crate::harness::terminal::Pair;
use crate::harness::{RECIPIENT as SOMEBODY, REPO, Terminal, Text, program};
use std::process::Command;

const FILE: &str = "peering.seed.age";
const RESEAL: &str = "reseal peering.seed.age --identity-file ID";
const ROTATE: &str = "seed rotate . --role provider --new-seed --identity-file ID";

#[test]
fn terms_and_recipients_are_shown_and_must_be_expected() {
    for command in [RESEAL, ROTATE] {
        let team = Team::new(Needs::Seed, &TERMS);
        let before = team.sealed(FILE);
        let run = |more: &str| team.types(&format!("{command} --recipient TO {more}"));
        let refusal = run("");
        refusal.fails(2, "flag");
        for shown in [
            "net",
            PATH,
            "https://git.example.org/net/peerings",
            &team.recipient,
        ] {
            refusal.says(shown);
        }
        assert_eq!(team.sealed(FILE), before);
        let digest = refusal.expected().expect("a digest");
        assert!(
            digest.starts_with("sha256:") && digest.len() == 71,
            "{digest}"
        );
        // the digest of other terms, of other recipients, and no digest
        let others = [
            format!("--path elsewhere --expect {digest}"),
            "--expect yes".to_owned(),
        ];
        for other in others
            .into_iter()
            .chain([format!("--recipient {SOMEBODY} --expect {digest}")])
        {
            run(&other).fails(2, "flag");
        }
        assert_eq!(team.sealed(FILE), before);
        run(&format!("--expect {digest}")).done();
        assert_ne!(team.sealed(FILE), before);
    }
}

/// She seals a seed of hers to the public recipients, on terms that allow everyone, and pushes it in the seed's place.
#[test]
fn nobody_leads_a_new_seed_onto_terms_that_allow_any() {
    for (flags, refusal) in [
        (
            ["--project", "*", "--repo", REPO, "--path", PATH],
            "--project",
        ),
        (
            ["--project", "net", "--repo", "*", "--path", PATH],
            "--repo",
        ),
        (
            ["--project", "net", "--repo", REPO, "--path", "*"],
            "--path",
        ),
    ] {
        let team = Team::new(Needs::Seed, &flags);
        let before = team.sealed(FILE);
        for command in [RESEAL, ROTATE] {
            let command = format!("{command} --recipient TO");
            team.types(&command)
                .fails(2, "flag")
                .says(&format!("{refusal}: "));
            assert_eq!(team.sealed(FILE), before);
            // who means it writes it again
            let again = format!("{command} {refusal} *");
            team.types(&again).fails(2, "flag");
            team.confirms(&again).done();
            team.write(FILE, &before);
        }
    }
}

/// What could be read as something else where terms are shown is not sealed.
#[test]
fn a_term_is_written_so_that_it_can_be_shown() {
    let team = Team::new(Needs::Seed, &TERMS);
    for flag in ["--project", "--repo", "--path"] {
        for value in [
            "x; repos",
            "x;",
            " x",
            "x ",
            "x\"y",
            "x\\y",
            "x\u{202e}y",
            "x\u{200b}y",
            "x\ty",
        ] {
            let value = serde_json::json!(value);
            let line = format!("seed new x.age --clusters a,b --recipient TO {flag} {value}");
            team.types(&line).fails(2, "flag").says(flag);
        }
    }
}

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
    // a question that goes to a file is seen by nobody
    let Pair { controller, other } = Pair::of(80);
    rustix::io::write(&controller, b"yes\n").expect("typed");
    let mut command = Command::new(program());
    let output = command
        .args(arguments)
        .current_dir(team.folder())
        .env_clear()
        .stdin(other)
        .output();
    assert_eq!(
        (
            output.expect("it ends").status.code(),
            team.sealed(FILE) == before
        ),
        (Some(2), true)
    );
}

/// Terms would have no effect without a new seed.
#[test]
fn terms_belong_to_a_new_seed() {
    let team = Team::new(Needs::Seed, &TERMS);
    let rotate = ROTATE.replace("--new-seed ", "");
    for flag in [
        "--project x",
        "--recipient TO",
        "--expect sha256:0",
        "--clusters a,b",
        "--delivery Secret",
    ] {
        team.types(&format!("{rotate} {flag}")).fails(2, "flag");
    }
}
