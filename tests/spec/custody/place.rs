//! Sealing without flags: what the peering.yaml beside the sealed file and the Git checkout say is shown, and confirmed.

use super::team::{Needs, PATH, TERMS, TOKEN, Team};
use crate::harness::machine::command;
use crate::harness::{Checkout, Outcome, RECIPIENT, REPO, Text, put};
use std::fs;
use std::path::Path;

/// A repository of Git with these remotes, and the settings of this machine left out.
fn init(root: &Path, remotes: &[(&str, &str)]) {
    let git = |arguments: &[&str]| {
        let status = command("git")
            .arg("-C")
            .arg(root)
            .args(arguments)
            .status()
            .expect("git starts");
        assert!(status.success(), "{arguments:?}");
    };
    git(&["init", "--quiet"]);
    for (name, url) in remotes {
        git(&["config", &format!("remote.{name}.url"), url]);
    }
}

/// A person whose `PATH` has git.
fn person(team: &Team, line: &str) -> Outcome {
    team.typing(line).env("PATH", "/usr/bin:/bin").run()
}

fn confirming(team: &Team, line: &str) -> Outcome {
    let refusal = person(team, line);
    let digest = refusal.fails(2, "flag").expected().expect("a digest");
    person(team, &format!("{line} --expect {digest}"))
}

#[test]
fn terms_come_from_the_document_and_the_checkout_and_are_confirmed() {
    let team = Team::new(Needs::Both, &[]);
    init(
        &team.root(),
        &[(
            "origin",
            "https://me:canary-Token-of-rome-0123456789@git.example.org/net/peerings.git",
        )],
    );
    let to = "--project net=consumer --recipient TO";
    for (command, file) in [
        ("seed new new.age", "new.age"),
        ("seal kubeconfig ~/kubeconfig -o k.age", "k.age"),
    ] {
        let line = format!("{command} {to}");
        let refusal = person(&team, &line);
        refusal.fails(2, "flag").says("not confirmed").says(PATH);
        refusal
            .says("\"rome\" (consumer) \"milan\" (provider)")
            .silent_on(TOKEN);
        assert!(!team.folder().join(file).exists());
        confirming(&team, &line).done();
        let shown = team.inspected(file);
        for line in [
            "clusters: \"rome\" (consumer) \"milan\" (provider)",
            &format!("paths: \"{PATH}\""),
            "projects: \"net=rome\"",
            "repos: \"https://git.example.org/net/peerings\"",
        ] {
            shown.has(line);
        }
    }
    // what a flag sets is taken, and if flags set all of it there is nothing to confirm
    person(
        &team,
        &format!("seed new all.age {to} --clusters a,b --repo {REPO} --path x"),
    )
    .done();
    confirming(&team, &format!("seed new one.age {to} --path x")).done();
    for file in ["all.age", "one.age"] {
        team.inspected(file).has("paths: \"x\"");
    }
}

#[test]
fn what_cannot_be_known_is_asked_for() {
    let team = Team::new(Needs::Seed, &[]);
    let new = "seed new new.age --project net --recipient TO";
    person(&team, new)
        .fails(2, "flag")
        .says("--repo")
        .says("not in a Git checkout");
    init(&team.root(), &[]);
    person(&team, new)
        .fails(2, "flag")
        .says("--repo")
        .says("no remote");
    team.types(new)
        .fails(3, "program")
        .says("git: it is not in a folder of PATH");
    init(
        &team.root(),
        &[
            ("origin", "git@git.example.org:me/p.git"),
            ("upstream", "git@git.example.org:net/p.git"),
        ],
    );
    person(&team, new)
        .fails(2, "flag")
        .says("--repo")
        .says("origin, upstream");
    fs::remove_file(team.folder().join("peering.yaml")).expect("removed");
    person(&team, new)
        .fails(2, "flag")
        .says("--clusters")
        .says("peering.yaml: there is no such file");
    assert!(!team.folder().join("new.age").exists());
}

#[test]
fn a_new_seed_has_public_keys_for_the_other_organisation() {
    let team = Team::new(Needs::Seed, &[]);
    let outcome = team.types("seed new new.age --clusters rome,milan --recipient TO");
    let inspected = team.inspected("new.age");
    let keys: Vec<&str> = inspected
        .lines()
        .filter(|line| line.starts_with("  "))
        .collect();
    assert_eq!(keys.len(), 2);
    for key in keys {
        outcome.says(key);
    }
}

#[test]
fn a_credential_is_renewed_on_the_terms_of_the_old_file() {
    let uses = ["--project", "net=consumer", "--repo", REPO, "--path", PATH];
    let team = Team::new(Needs::Both, &uses);
    let before = team.inspected("kubeconfig.age");
    let renewed = fs::read_to_string(team.path("kubeconfig"))
        .expect("it")
        .replace("192.0.2.1", "192.0.2.9");
    put(team.path("renewed"), renewed);
    let seal = "seal kubeconfig ~/renewed --recipient TO";
    let replace = |file: &str| format!("{seal} -o {file} --replace --identity-file ID");
    confirming(&team, &replace("kubeconfig.age")).done();
    let after = team.inspected("kubeconfig.age");
    assert_eq!(after, before.replace("192.0.2.1", "192.0.2.9"));
    assert_ne!(after, before);
    person(&team, &replace("peering.seed.age")).fails(3, "sealed-payload");
    person(&team, &replace("missing.age")).fails(3, "file");
    // what is replaced is opened
    person(&team, &format!("{seal} --replace"))
        .fails(3, "identity")
        .says("--identity-file");
    person(&team, &format!("{seal} --identity-file ID")).says("--replace");
}

#[test]
fn a_kubeconfig_can_come_from_standard_input() {
    let team = Team::new(Needs::Seed, &[]);
    let seal = "seal kubeconfig - --clusters a,b --recipient TO";
    let kubeconfig = fs::read(team.path("kubeconfig")).expect("it");
    team.typing(seal).given(kubeconfig).run().done();
    assert!(
        team.inspected("kubeconfig.age")
            .contains("server: https://192.0.2.1:6443")
    );
    let script = "\"$0\" \"$@\" < /dev/zero";
    let other = team
        .typing(&format!("{seal} -o other.age"))
        .through(&["sh", "-c", script]);
    other.run().fails(3, "file").says("standard input");
}

/// A folder of sealed files is replaced as a whole, or not at all.
#[test]
fn a_fleet_is_resealed_in_one_command() {
    let team = Team::new(Needs::Seed, &TERMS);
    let sealed = team.sealed("peering.seed.age");
    let folders: Vec<_> = (0..30)
        .map(|n| team.root().join(format!("fleet/{n}")))
        .collect();
    for folder in &folders {
        put(folder.join("peering.seed.age"), &sealed);
        put(folder.join("notes.txt"), "not sealed");
    }
    let (other, text) = crate::harness::seal::identity();
    put(team.path("new"), &text);
    let to = format!("--recipient {}", other.to_public());
    let reseal = format!("reseal ../../fleet --identity-file ID {to}");
    // one of them does not open
    let damaged = folders[17].join("peering.seed.age");
    put(&damaged, "-----BEGIN AGE ENCRYPTED FILE-----\n");
    person(&team, &reseal)
        .fails(3, "sealed-payload")
        .says("fleet/17");
    put(&damaged, &sealed);
    let done = confirming(&team, &reseal);
    done.done();
    for n in 0..30 {
        let file = format!("../../fleet/{n}/peering.seed.age");
        done.says(&format!("sealed {file} to 1 recipient:"));
        person(&team, &format!("inspect {file} --identity-file ~/new")).done();
        person(&team, &format!("inspect {file} --identity-file ID")).fails(3, "sealed-payload");
    }
    person(&team, &format!("{reseal} -o x.age"))
        .fails(2, "flag")
        .says("--output");
    fs::create_dir(team.root().join("empty")).expect("a folder");
    person(
        &team,
        &format!("reseal ../../empty --identity-file ~/new {to}"),
    )
    .fails(3, "file");
}

/// The files of a checkout of somebody else's are never taken for those of this one.
#[test]
fn the_nearest_checkout_counts() {
    let checkout = Checkout::new();
    init(
        checkout.temp(),
        &[("origin", "https://git.example.org/outer.git")],
    );
    init(&checkout.root(), &[("origin", REPO)]);
    let arguments = [
        "seed",
        "new",
        "x.age",
        "--project",
        "p",
        "--recipient",
        RECIPIENT,
    ];
    let run = checkout
        .program(arguments)
        .typed(checkout.temp())
        .env("PATH", "/usr/bin:/bin");
    run.run()
        .fails(2, "flag")
        .says("net/peerings")
        .silent_on("outer");
}
