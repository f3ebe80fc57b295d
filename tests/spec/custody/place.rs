//! Sealing without flags: what the peering.yaml beside the sealed file and the Git checkout say is shown, and confirmed.

use super::team::{Needs, PATH, TOKEN, Team};
use crate::harness::machine::command;
use crate::harness::{Checkout, Outcome, REPO, Text, put};
use std::fs;
use std::path::Path;

/// A repository of Git with these remotes, and the settings of this machine left out.
fn init(root: &Path, remotes: &[(&str, &str)]) {
    let git = |arguments: &[&str]| {
        let status = command("git").arg("-C").arg(root).args(arguments).status().expect("git starts");
        assert!(status.success(), "{arguments:?}");
    };
    git(&["init", "--quiet"]);
    for (name, url) in remotes {
        git(&["config", &format!("remote.{name}.url"), url]);
    }
}

/// A person whose `PATH` has git.
fn person(team: &Team, arguments: &[&str]) -> Outcome {
    team.as_person(arguments).env("PATH", "/usr/bin:/bin").run()
}

fn confirming(team: &Team, arguments: &[&str]) -> Outcome {
    let refusal = person(team, arguments);
    let digest = refusal.fails(2, "flag").expected().expect("a digest");
    person(team, &[arguments, &["--expect", digest]].concat())
}

fn inspected(team: &Team, file: &str) -> String {
    person(team, &["inspect", file, "--identity-file", &team.identity()]).done().to_owned()
}

#[test]
fn terms_come_from_the_document_and_the_checkout_and_are_confirmed() {
    let team = Team::new(Needs::Both, &[]);
    init(
        &team.root(),
        &[("origin", "https://me:canary-Token-of-rome-0123456789@git.example.org/net/peerings.git")],
    );
    let kubeconfig = team.path("kubeconfig").display().to_string();
    let to = ["--project", "net=consumer", "--recipient", &team.recipient];
    for (command, file) in [
        (&["seed", "new", "new.age"][..], "new.age"),
        (&["seal", "kubeconfig", &kubeconfig, "-o", "k.age"], "k.age"),
    ] {
        let arguments = [command, &to].concat();
        let refusal = person(&team, &arguments);
        refusal.fails(2, "flag").says("not confirmed").says(PATH);
        refusal.says("\"rome\" (consumer) \"milan\" (provider)").silent_on(TOKEN);
        assert!(!team.folder().join(file).exists());
        confirming(&team, &arguments).done();
        let shown = inspected(&team, file);
        for line in [
            "clusters: \"rome\" (consumer) \"milan\" (provider)",
            &format!("paths: \"{PATH}\""),
            "projects: \"net=rome\"",
        ] {
            shown.has(line);
        }
        shown.has("repos: \"https://git.example.org/net/peerings\"");
    }
    // what a flag sets is taken, and if flags set all of it there is nothing to confirm
    let all = ["--clusters", "a,b", "--repo", REPO, "--path", "x"];
    person(&team, &[&["seed", "new", "all.age"], &to[..], &all].concat()).done();
    assert!(inspected(&team, "all.age").contains("paths: \"x\""));
    confirming(&team, &[&["seed", "new", "one.age"], &to[..], &["--path", "x"]].concat()).done();
    assert!(inspected(&team, "one.age").contains("paths: \"x\""));
}

#[test]
fn what_cannot_be_known_is_asked_for() {
    let team = Team::new(Needs::Seed, &[]);
    let to = ["--project", "net", "--recipient", &team.recipient];
    let new = [&["seed", "new", "new.age"], &to[..]].concat();
    person(&team, &new).fails(2, "flag").says("--repo").says("not in a Git checkout");
    init(&team.root(), &[]);
    person(&team, &new).fails(2, "flag").says("--repo").says("no remote");
    team.as_person(&new).run().fails(3, "program").says("git: it is not in a folder of PATH");
    init(
        &team.root(),
        &[("origin", "git@git.example.org:me/p.git"), ("upstream", "git@git.example.org:net/p.git")],
    );
    person(&team, &new).fails(2, "flag").says("--repo").says("origin, upstream");
    fs::remove_file(team.folder().join("peering.yaml")).expect("removed");
    person(&team, &new).fails(2, "flag").says("--clusters").says("peering.yaml: there is no such file");
    assert!(!team.folder().join("new.age").exists());
}

/// A folder that looks like a bare repository can be pushed, with settings that run a program. And so can a `git`.
#[test]
fn nothing_of_the_repository_is_run() {
    let team = Team::new(Needs::Seed, &[]);
    init(&team.root(), &[("origin", REPO)]);
    let marker = team.path("marker");
    let run = format!("touch '{}'", marker.display());
    for (name, content) in [
        ("HEAD", "ref: refs/heads/main\n".to_owned()),
        (
            "config",
            format!(
                "[core]\nbare = true\nfsmonitor = {run}\npager = {run}\n[remote \"evil\"]\nurl = https://evil.example.org/x\n"
            ),
        ),
        ("git", format!("#!/bin/sh\n{run}\n")),
    ] {
        team.write(name, content);
    }
    for folder in ["objects", "refs"] {
        fs::create_dir(team.folder().join(folder)).expect("a folder");
    }
    let git = team.folder().join("git");
    fs::set_permissions(&git, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("set");
    let new = ["seed", "new", "new.age", "--project", "net", "--recipient", &team.recipient];
    let refusal = team.as_person(&new).env("PATH", ":.:/usr/bin:/bin").run();
    refusal.fails(2, "flag").says("https://git.example.org/net/peerings").silent_on("evil");
    assert!(!marker.exists(), "a program of the repository was run");
}

#[test]
fn a_new_seed_has_public_keys_for_the_other_organisation() {
    let team = Team::new(Needs::Seed, &[]);
    let new = ["seed", "new", "new.age", "--clusters", "rome,milan", "--recipient", &team.recipient];
    let outcome = person(&team, &new);
    let keys = inspected(&team, "new.age");
    let keys: Vec<&str> = keys.lines().filter(|line| line.starts_with("  ")).collect();
    assert_eq!(keys.len(), 2);
    for key in keys {
        outcome.says(key);
    }
}

#[test]
fn a_credential_is_renewed_on_the_terms_of_the_old_file() {
    let uses = ["--project", "net=consumer", "--repo", REPO, "--path", PATH];
    let team = Team::new(Needs::Both, &uses);
    let (identity, before) = (team.identity(), inspected(&team, "kubeconfig.age"));
    let renewed = fs::read_to_string(team.path("kubeconfig")).expect("it").replace("192.0.2.1", "192.0.2.9");
    put(team.path("renewed"), renewed);
    let renewed = team.path("renewed").display().to_string();
    let replace = |file: &'static str| {
        vec!["seal", "kubeconfig", &renewed, "-o", file, "--replace", "--identity-file", &identity]
    };
    let to = ["--recipient", &team.recipient];
    confirming(&team, &[replace("kubeconfig.age"), to.to_vec()].concat()).done();
    let after = inspected(&team, "kubeconfig.age");
    assert_eq!(after, before.replace("192.0.2.1", "192.0.2.9"));
    assert_ne!(after, before);
    person(&team, &[replace("peering.seed.age"), to.to_vec()].concat()).fails(3, "sealed-payload");
    person(&team, &[replace("missing.age"), to.to_vec()].concat()).fails(3, "file");
    // what is replaced is opened
    let new = ["seal", "kubeconfig", &renewed, "--replace", to[0], to[1]];
    person(&team, &new).fails(3, "identity").says("--identity-file");
    let unused = ["seal", "kubeconfig", &renewed, "--identity-file", &identity, to[0], to[1]];
    person(&team, &unused).says("--replace");
}

#[test]
fn a_kubeconfig_can_come_from_standard_input() {
    let team = Team::new(Needs::Seed, &[]);
    let seal = ["seal", "kubeconfig", "-", "--clusters", "a,b", "--recipient", &team.recipient];
    let kubeconfig = fs::read(team.path("kubeconfig")).expect("it");
    team.as_person(&seal).given(kubeconfig).run().done();
    assert!(inspected(&team, "kubeconfig.age").contains("server: https://192.0.2.1:6443"));
    let script = "\"$0\" \"$@\" < /dev/zero";
    let other = [&seal[..], &["-o", "other.age"]].concat();
    team.as_person(&other).through(&["sh", "-c", script]).run().fails(3, "file").says("standard input");
}

/// A folder of sealed files is replaced as a whole, or not at all.
#[test]
fn a_fleet_is_resealed_in_one_command() {
    let team = Team::new(Needs::Seed, &["--project", "net", "--repo", REPO, "--path", PATH]);
    let sealed = fs::read(team.folder().join("peering.seed.age")).expect("the seed");
    let folders: Vec<_> = (0..30).map(|n| team.root().join(format!("fleet/{n}"))).collect();
    for folder in &folders {
        put(folder.join("peering.seed.age"), &sealed);
        put(folder.join("notes.txt"), "not sealed");
    }
    let (other, text) = crate::harness::seal::identity();
    let new = team.path("new-identity.txt");
    put(&new, &text);
    let recipient = other.to_public().to_string();
    let (identity, fleet) = (team.identity(), team.root().join("fleet").display().to_string());
    let reseal = ["reseal", &fleet, "--identity-file", &identity, "--recipient", &recipient];
    // one of them does not open
    let damaged = folders[17].join("peering.seed.age");
    put(&damaged, "-----BEGIN AGE ENCRYPTED FILE-----\n");
    person(&team, &reseal).fails(3, "sealed-payload").says("fleet/17");
    put(&damaged, &sealed);
    let done = confirming(&team, &reseal);
    done.done();
    let new = new.display().to_string();
    for folder in &folders {
        let file = folder.join("peering.seed.age").display().to_string();
        done.says(&format!("sealed {file} to 1 recipient:"));
        person(&team, &["inspect", &file, "--identity-file", &new]).done();
        person(&team, &["inspect", &file, "--identity-file", &identity]).fails(3, "sealed-payload");
    }
    person(&team, &[&reseal[..], &["-o", "x.age"]].concat()).fails(2, "flag").says("--output");
    let empty = team.root().join("empty");
    fs::create_dir(&empty).expect("a folder");
    let empty = empty.display().to_string();
    person(&team, &["reseal", &empty, "--identity-file", &new, "--recipient", &recipient]).fails(3, "file");
}

/// The files of a checkout of somebody else's are never taken for those of this one.
#[test]
fn the_nearest_checkout_counts() {
    let checkout = Checkout::new();
    init(checkout.temp(), &[("origin", "https://git.example.org/outer.git")]);
    init(&checkout.root(), &[("origin", REPO)]);
    let arguments =
        ["seed", "new", "x.age", "--project", "p", "--recipient", crate::harness::checkout::RECIPIENT];
    let run = checkout.program(arguments).typed(checkout.temp()).env("PATH", "/usr/bin:/bin");
    run.run().fails(2, "flag").says("net/peerings").silent_on("outer");
}
