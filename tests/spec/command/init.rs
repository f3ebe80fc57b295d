//! `init`: the folder of a new peering, from a person; from flags and from a sibling in `init.cases`, from live clusters in `init_live.cases`.

use crate::harness::argocd::yaml;
use crate::harness::machine::command;
use crate::harness::{Outcome, RECIPIENT, Repository, Terminal, Text, read};
use serde_json::Value;

/// All that cannot be known.
const FLAGS: &str = "--consumer-id rome --consumer-pod-cidr 10.42.0.0/16 --provider-id milan --provider-pod-cidr 10.52.0.0/16 \
     --gateway-address 192.0.2.10";

/// `init` of a folder, with a recipient and more, once with what the first run says is to be confirmed.
fn init(place: &Repository, name: &str, more: &str) -> Outcome {
    let line = format!("init peerings/{name} --recipient {RECIPIENT} {more}");
    place.confirming(&line.split(' ').collect::<Vec<_>>())
}

/// A file of the peerings.
fn written(place: &Repository, name: &str) -> String {
    read(&place.root().join("peerings").join(name))
}

/// What is printed as the next commands works as it is, and what is to be done beside them is right.
#[test]
fn the_next_steps_are_true() {
    let place = Repository::with_remote();
    let outcome = init(&place, "rome-milan", &format!("{FLAGS} --namespace demo"));
    outcome
        .says("argocd-peering rights peerings --repo https://git.example.org/net/peerings.git\n");
    outcome
        .silent_on("has to permit")
        .says("and apply its Applications");
    let printed = outcome.stderr.clone();
    let commands = printed
        .lines()
        .filter_map(|line| line.strip_prefix("  argocd-peering "));
    let commands: Vec<&str> = commands
        .filter(|command| !command.starts_with("seal "))
        .collect();
    assert_eq!(commands.len(), 3, "{printed}");
    for command in commands {
        place
            .command(&command.split(' ').collect::<Vec<_>>())
            .run()
            .done();
    }
}

/// Secrets in clear are left out of a commit.
#[test]
fn git_ignores_identities_and_kubeconfigs() {
    let place = Repository::with_remote();
    init(&place, "rome-milan", FLAGS)
        .says("wrote peerings/.gitignore")
        .done();
    let ignored = "identity.txt my-identity-2.txt milan.kubeconfig kubeconfig kubeconfig.yaml tls.key keys.env";
    let kept = "kubeconfig.age peering.yaml peering.seed.age application-consumer.yaml";
    let names = [(ignored, true), (kept, false)];
    let names = names
        .iter()
        .flat_map(|(names, is_ignored)| names.split(' ').map(move |name| (name, *is_ignored)));
    for (name, is_ignored) in names {
        let path = place.root().join("peerings/rome-milan").join(name);
        let git = command("git")
            .args(["check-ignore", "-q"])
            .arg(&path)
            .current_dir(place.root())
            .status();
        assert_eq!(git.expect("git").success(), is_ignored, "{name}");
    }
}

/// What a person applies is what `argocd-app` explains.
#[test]
fn the_applications_are_those_of_argocd_app() {
    let place = Repository::with_remote();
    let flags = "--consumer-id consumer --consumer-pod-cidr 10.42.0.0/16 --provider-id provider \
         --provider-pod-cidr 10.42.0.0/16 --gateway-address 192.0.2.10 --repo \
         https://git.example.org/net/peerings.git";
    init(&place, "consumer-provider", flags).done();
    for role in ["consumer", "provider"] {
        let text = written(
            &place,
            &format!("consumer-provider/application-{role}.yaml"),
        );
        let written: Value = serde_saphyr::from_str(&text).expect("YAML");
        // also the repository's URL: a server may find it only with `.git`, and Argo CD follows no redirect
        assert_eq!(written, yaml(&format!("argocd-app/{role}.yaml")), "{role}");
    }
}

/// A person answers, at a narrow terminal too. When the answers end, at whatever question, nothing is there.
#[test]
fn a_person_is_asked_and_can_stop_at_every_question() {
    let place = Repository::with_remote();
    let path = [("PATH", "/usr/bin:/bin")];
    let init = ["init", "peerings/rome-milan", "--recipient", RECIPIENT];
    let folder = place.root().join("peerings/rome-milan");
    let seen = Terminal::of(40)
        .typing("\n")
        .run(&init[..2], &place.root(), &path);
    assert!(
        !seen.shown.contains("[rome-milan]"),
        "nobody is asked for nothing: {}",
        seen.shown
    );
    assert!(
        seen.code == Some(2) && seen.shown.contains("--recipients-file"),
        "{}",
        seen.shown
    );
    // without a keyboard nobody is asked
    let seen = Terminal::of(40).run(&init, &place.root(), &path);
    seen.shown.has("set what is missing: --consumer-id");
    let [ssh, https] = [
        "ssh://git@git.example.org:22/p",
        "https://git.example.org/p",
    ];
    let [http, plain] = ["http://git.example.org:8080/p", "git.example.org/p"];
    // other machines may not know this host
    let alias = "work:p.git";
    for (typed, [remote, form]) in [
        ("\u{4}", [alias; 2]),
        ("\n\nrome\n\u{4}", [http; 2]),
        ("\n\nRome\nrome\n\n10.42.0.0/16\n\n\u{4}", [plain; 2]),
        (
            "\n\nrome\n\n10.42.0.0/16\n\nmilan\n\n10.52.0.0/16\n\n\n\u{4}",
            [ssh, https],
        ),
    ] {
        place.git(&["remote", "set-url", "origin", remote]);
        let seen = Terminal::of(40)
            .typing(typed)
            .run(&init, &place.root(), &path);
        seen.ends(2);
        seen.shown.has("nothing was written");
        seen.shown.has(&format!("has it [{form}]:"));
        assert!(!place.root().join("peerings").exists(), "{typed:?}");
    }
    place.git(&[
        "remote",
        "set-url",
        "origin",
        "git@git.example.org:net/peerings.git",
    ]);
    let typed = "\n\n\nRome\nrome\nin-cluster\n10.42.0.0/16, 10.44.0.0/16\n\nmilan\n\n10.52.0.0/16\n\n1.2\n192.0.2.10\n\n\ndemo, shop\nmaybe\nyes\nyes\n";
    let seen = Terminal::of(40)
        .typing(typed)
        .run(&init, &place.root(), &path);
    seen.ends(0);
    seen.shown.has("The peering's name [rome-milan]:");
    // most Argo CDs have the https form
    seen.shown
        .has("has it [https://git.example.org/net/peerings.git]:");
    seen.shown.has("in Argo CD, such as `in-cluster` [rome]:");
    let needed = "an answer is missing, such as `rome`";
    seen.shown.has(needed);
    assert!(
        seen.shown.contains("is not a cluster ID"),
        "why `Rome` is no answer: {}",
        seen.shown
    );
    seen.shown
        .has("guessed: --name rome-milan")
        .lacks("guessed: --liqo-version");
    assert!(
        !seen.shown.contains("User name"),
        "with exchanged keys it is known: {}",
        seen.shown
    );
    assert!(folder.join("peering.seed.age").exists());
    let document = written(&place, "rome-milan/peering.yaml");
    document
        .has("10.44.0.0/16")
        .has("argocdCluster: in-cluster");
    written(&place, "rome-milan/application-consumer.yaml")
        .has("repoURL: \"https://git.example.org/net/peerings.git\"")
        .has("  destination:\n    name: \"in-cluster\"\n");
    for name in ["demo", "shop"] {
        let namespace =
            format!("- name: {name}\n        create: true\n        clusters: thisPeer\n");
        document.has(&namespace);
    }
    seen.shown.has("type `yes` or `no`");
}
