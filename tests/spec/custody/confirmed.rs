//! Anyone can seal a file for public recipients, so what a file says of itself is shown and confirmed before a secret is
//! sealed on its terms.

use super::team::{Needs, PATH, Team};
use crate::harness::terminal::Pair;
use crate::harness::{Outcome, RECIPIENT as SOMEBODY, REPO, Terminal, Text, program, put};
use std::fs;
use std::process::Command;

const TERMS: [&str; 6] = ["--project", "net", "--repo", REPO, "--path", PATH];

fn run(team: &Team, command: &[&str], more: &[&str]) -> Outcome {
    let identity = team.identity();
    team.person(&[command, &["--identity-file", &identity], more].concat())
}

const RESEAL: [&str; 2] = ["reseal", "peering.seed.age"];
const ROTATE: [&str; 6] = ["seed", "rotate", ".", "--role", "provider", "--new-seed"];

fn sealed(team: &Team) -> Vec<u8> {
    fs::read(team.folder().join("peering.seed.age")).expect("the sealed file")
}

#[test]
fn terms_and_recipients_are_shown_and_must_be_expected() {
    for command in [&RESEAL[..], &ROTATE] {
        let team = Team::new(Needs::Seed, &TERMS);
        let before = sealed(&team);
        let to = ["--recipient", team.recipient.as_str()];
        let refusal = run(&team, command, &to);
        refusal.fails(2, "flag");
        for shown in ["net", PATH, "https://git.example.org/net/peerings", &team.recipient] {
            refusal.says(shown);
        }
        assert_eq!(sealed(&team), before);
        let (flag, digest) = ("--expect", refusal.expected().expect("a digest"));
        assert!(digest.starts_with("sha256:") && digest.len() == 71, "{digest}");
        // the digest of other terms, of other recipients, and no digest
        for other in [&["--path", "elsewhere"][..], &["--recipient", SOMEBODY]] {
            let more = [&to, other, &[flag, digest]].concat();
            run(&team, command, &more).fails(2, "flag");
        }
        run(&team, command, &[&to[..], &["--expect", "yes"]].concat()).fails(2, "flag");
        assert_eq!(sealed(&team), before);
        run(&team, command, &[&to[..], &[flag, digest]].concat()).done();
        assert_ne!(sealed(&team), before);
    }
}

/// She seals a seed of hers to the public recipients, on terms that allow everyone, and pushes it in the seed's place.
#[test]
fn nobody_leads_a_new_seed_onto_terms_that_allow_any() {
    for (flags, refusal) in [
        (["--project", "*", "--repo", REPO, "--path", PATH], "--project"),
        (["--project", "net", "--repo", "*", "--path", PATH], "--repo"),
        (["--project", "net", "--repo", REPO, "--path", "*"], "--path"),
    ] {
        let team = Team::new(Needs::Seed, &flags);
        let before = sealed(&team);
        for command in [&RESEAL[..], &ROTATE] {
            let to = ["--recipient", team.recipient.as_str()];
            run(&team, command, &to).fails(2, "flag").says(&format!("{refusal}: "));
            assert_eq!(sealed(&team), before);
            // who means it writes it again
            let again = [&to[..], &[refusal, "*"]].concat();
            let shown = run(&team, command, &again);
            let digest = shown.fails(2, "flag").expected().expect("a digest");
            run(&team, command, &[&again[..], &["--expect", digest]].concat()).done();
            team.write("peering.seed.age", &before);
        }
    }
}

/// What could be read as something else where terms are shown is not sealed.
#[test]
fn a_term_is_written_so_that_it_can_be_shown() {
    let team = Team::new(Needs::Seed, &TERMS);
    for flag in ["--project", "--repo", "--path"] {
        for value in ["x; repos", "x;", " x", "x ", "x\"y", "x\\y", "x\u{202e}y", "x\u{200b}y", "x\ty"] {
            let arguments =
                ["seed", "new", "x.age", "--clusters", "a,b", "--recipient", SOMEBODY, flag, value];
            team.person(&arguments).fails(2, "flag").says(flag);
        }
    }
}

/// A recipients file in the repository is named: she can add herself to it.
#[test]
fn a_recipients_file_of_the_repository_is_named() {
    let team = Team::new(Needs::Seed, &TERMS);
    let root = team.root();
    fs::create_dir(root.join(".git")).expect("a folder");
    let list = format!("{}\n{SOMEBODY}\n", team.recipient);
    put(root.join(".age-recipients"), &list);
    put(team.path("list"), &list);
    let shown = |file: &str| run(&team, &ROTATE, &["--recipients-file", file]);
    let inside = shown("../../.age-recipients");
    inside.fails(2, "flag").says(&format!("{SOMEBODY} (../../.age-recipients, line 2)"));
    inside.says("../../.age-recipients is in a Git checkout");
    let outside = team.path("list").display().to_string();
    shown(&outside).fails(2, "flag").silent_on("is in a Git checkout");
}

#[test]
fn a_person_at_a_terminal_types_yes() {
    let team = Team::new(Needs::Seed, &TERMS);
    let identity = team.identity();
    let arguments = [&RESEAL[..], &["--identity-file", &identity, "--recipient", &team.recipient]].concat();
    let mut before = sealed(&team);
    for (typed, code) in [("no\n", 2), ("\n", 2), ("y\ny\n", 2), ("y\nyes\n", 0), ("\u{4}", 2), ("yes\n", 0)]
    {
        let seen = Terminal::of(80).typing(typed).run(&arguments, &team.folder(), &[]);
        assert_eq!(seen.code, Some(code), "{typed:?}: {}", seen.shown);
        seen.shown.has(&team.recipient).has("`yes`");
        assert_eq!(sealed(&team) == before, code != 0);
        before = sealed(&team);
    }
    // a question that goes to a file is seen by nobody
    let Pair { controller, other } = Pair::of(80);
    rustix::io::write(&controller, b"yes\n").expect("typed");
    let mut command = Command::new(program());
    let output = command.args(&arguments).current_dir(team.folder()).env_clear().stdin(other).output();
    assert_eq!((output.expect("it ends").status.code(), sealed(&team) == before), (Some(2), true));
}

/// Terms would have no effect without a new seed.
#[test]
fn terms_belong_to_a_new_seed() {
    let team = Team::new(Needs::Seed, &TERMS);
    for flags in [
        ["--project", "x"],
        ["--recipient", SOMEBODY],
        ["--expect", "sha256:0"],
        ["--clusters", "a,b"],
        ["--delivery", "Secret"],
    ] {
        run(&team, &ROTATE[..5], &flags).fails(2, "flag");
    }
}
