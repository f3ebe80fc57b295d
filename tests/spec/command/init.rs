//! `init`: the folder of a new peering, from a person; from flags and from a sibling in `init.cases`, from live clusters in `init_live.cases`.

use crate::harness::argocd::yaml;
use crate::harness::machine::command;
use crate::harness::{Outcome, RECIPIENT, Run, Terminal, Text, put};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A Git checkout with a remote.
pub(crate) struct Place(TempDir);

/// All that cannot be known.
pub(super) const FLAGS: [&str; 10] = [
    "--consumer-id",
    "rome",
    "--consumer-pod-cidr",
    "10.42.0.0/16",
    "--provider-id",
    "milan",
    "--provider-pod-cidr",
    "10.52.0.0/16",
    "--gateway-address",
    "192.0.2.10",
];

impl Place {
    pub(super) fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir_all(place.path().join(".git/refs")).expect("a folder");
        for folder in ["objects", "refs/heads"] {
            fs::create_dir_all(place.path().join(".git").join(folder)).expect("a folder");
        }
        put(place.path().join(".git/HEAD"), "ref: refs/heads/main\n");
        let config = "[core]\nrepositoryformatversion = 0\n[remote \"origin\"]\nurl = https://git.example.org/net/peerings.git\n";
        put(place.path().join(".git/config"), config);
        place
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn folder(&self, name: &str) -> PathBuf {
        self.path().join("peerings").join(name)
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Outcome {
        Run::new(arguments.iter().copied()).within(self.path()).env("PATH", "/usr/bin:/bin").run()
    }

    /// `init` of a folder, with a recipient and more, once with what the first run says is to be confirmed.
    pub(super) fn init(&self, name: &str, more: &[&str]) -> Outcome {
        let folder = format!("peerings/{name}");
        self.confirming(&[&["init", &folder, "--recipient", RECIPIENT], more].concat())
    }

    pub(super) fn confirming(&self, arguments: &[&str]) -> Outcome {
        let refusal = self.run(arguments);
        match refusal.expected() {
            Some(digest) => self.run(&[arguments, &["--expect", digest]].concat()),
            None => refusal,
        }
    }

    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join("peerings").join(name)).expect(name)
    }
}

/// What is printed as the next commands works as it is, and what is to be done beside them is right.
#[test]
fn the_next_steps_are_true() {
    let place = Place::new();
    let outcome = place.init("rome-milan", &[&FLAGS[..], &["--namespace", "demo"]].concat());
    outcome.says("argocd-peering rights peerings --repo https://git.example.org/net/peerings.git\n");
    outcome.silent_on("has to permit").says("and apply its Applications");
    let printed = outcome.stderr.clone();
    let commands = printed.lines().filter_map(|line| line.strip_prefix("  argocd-peering "));
    let commands: Vec<&str> = commands.filter(|command| !command.starts_with("seal ")).collect();
    assert_eq!(commands.len(), 3, "{printed}");
    for command in commands {
        place.run(&command.split(' ').collect::<Vec<_>>()).done();
    }
}

/// Secrets in clear are left out of a commit.
#[test]
fn git_ignores_identities_and_kubeconfigs() {
    let place = Place::new();
    place.init("rome-milan", &FLAGS).says("wrote peerings/.gitignore").done();
    for (name, is_ignored) in [
        ("identity.txt", true),
        ("my-identity-2.txt", true),
        ("milan.kubeconfig", true),
        ("kubeconfig", true),
        ("kubeconfig.yaml", true),
        ("tls.key", true),
        ("keys.env", true),
        ("kubeconfig.age", false),
        ("peering.yaml", false),
        ("peering.seed.age", false),
        ("application-consumer.yaml", false),
    ] {
        let path = place.folder("rome-milan").join(name);
        let git = command("git").args(["check-ignore", "-q"]).arg(&path).current_dir(place.path()).status();
        assert_eq!(git.expect("git").success(), is_ignored, "{name}");
    }
}

/// What a person applies is what `argocd-app` explains.
#[test]
fn the_applications_are_those_of_argocd_app() {
    let place = Place::new();
    let flags = "--consumer-id consumer --consumer-pod-cidr 10.42.0.0/16 --provider-id provider \
         --provider-pod-cidr 10.42.0.0/16 --gateway-address 192.0.2.10 --repo \
         https://git.example.org/net/peerings.git";
    let flags: Vec<&str> = flags.split(' ').collect();
    place.init("consumer-provider", &flags).done();
    for role in ["consumer", "provider"] {
        let text = place.read(&format!("consumer-provider/application-{role}.yaml"));
        let written: Value = serde_saphyr::from_str(&text).expect("YAML");
        // also the repository's URL: a server may find it only with `.git`, and Argo CD follows no redirect
        assert_eq!(written, yaml(&format!("argocd-app/{role}.yaml")), "{role}");
    }
}

/// A person answers, at a narrow terminal too. When the answers end, at whatever question, nothing is there.
#[test]
fn a_person_is_asked_and_can_stop_at_every_question() {
    let place = Place::new();
    let path = [("PATH", "/usr/bin:/bin")];
    let init = ["init", "peerings/rome-milan", "--recipient", RECIPIENT];
    let folder = place.folder("rome-milan");
    let seen = Terminal::of(40).typing("\n").run(&init[..2], place.path(), &path);
    assert!(!seen.shown.contains("[rome-milan]"), "nobody is asked for nothing: {}", seen.shown);
    assert!(seen.code == Some(2) && seen.shown.contains("--recipients-file"), "{}", seen.shown);
    for typed in [
        "\u{4}",
        "\nrome\n\u{4}",
        "\nRome\nrome\n10.42.0.0/16\n\n\u{4}",
        "\nrome\n10.42.0.0/16\n\nmilan\n10.52.0.0/16\n\n\n\u{4}",
    ] {
        let seen = Terminal::of(40).typing(typed).run(&init, place.path(), &path);
        seen.ends(2);
        seen.shown.has("nothing was written");
        assert!(!place.path().join("peerings").exists(), "{typed:?}");
    }
    let typed = "\n\nRome\nrome\n10.42.0.0/16, 10.44.0.0/16\n\nmilan\n10.52.0.0/16\n\n1.2\n192.0.2.10\n\n\ndemo, shop\nmaybe\nyes\nyes\n";
    let seen = Terminal::of(40).typing(typed).run(&init, place.path(), &path);
    seen.ends(0);
    seen.shown.has("The peering's name [rome-milan]:");
    let needed = "an answer is needed, for example `rome`";
    seen.shown.has(needed);
    assert!(seen.shown.contains("is not a cluster ID"), "why `Rome` is no answer: {}", seen.shown);
    seen.shown.has("guessed: --name rome-milan").lacks("guessed: --liqo-version");
    assert!(!seen.shown.contains("User name"), "with exchanged keys it is known: {}", seen.shown);
    assert!(folder.join("peering.seed.age").exists());
    let document = place.read("rome-milan/peering.yaml");
    document.has("10.44.0.0/16");
    for name in ["demo", "shop"] {
        let namespace = format!("- name: {name}\n        create: true\n        clusters: thisPeer\n");
        document.has(&namespace);
    }
    seen.shown.has("type `yes` or `no`");
}
