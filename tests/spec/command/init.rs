//! `init`: the folder of a new peering, from flags, from live clusters, from a sibling, and from a person.

use crate::harness::argocd::yaml;
use crate::harness::machine::{self, command};
use crate::harness::{Outcome, RECIPIENT, Run, Terminal, Text, demo_identity, put};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A Git checkout with a remote, and a folder beside it for a `kubectl` that answers from files: none of a checkout is run.
pub(crate) struct Place(TempDir, TempDir);

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
        let folder = || tempfile::tempdir().expect("a folder");
        let place = Self(folder(), folder());
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
        let path = format!("{}:/usr/bin:/bin", self.1.path().display());
        Run::new(arguments.iter().copied()).within(self.path()).env("PATH", path).run()
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

    /// Makes `kubectl` answer: a file for each context and resource, in the order of the script's arguments.
    fn kubectl(&self, answers: &[(&str, &str, &str)]) {
        let bin = self.1.path();
        for (context, resource, answer) in answers {
            put(bin.join(format!("{context}.{resource}")), answer);
        }
        let script = format!(
            "#!/bin/sh\ncontext=${{1#--context=}}\nfile=\"{}\"/$context.${{4%%/*}}\nif [ -f \"$file\" ]; then exec cat \"$file\"; fi\necho \"Error from server (Forbidden): $4 is forbidden\" >&2\nexit 1\n",
            bin.display()
        );
        machine::script(&bin.join("kubectl"), script);
    }
}

fn of(items: &str) -> String {
    format!("{{\"items\":[{items}]}}")
}

fn cluster_id(id: &str) -> String {
    of(&format!("{{\"metadata\":{{\"namespace\":\"liqo-system\"}},\"data\":{{\"CLUSTER_ID\":\"{id}\"}}}}"))
}

fn network(name: &str, kind: &str, cidr: &str) -> String {
    format!(
        "{{\"metadata\":{{\"name\":\"{name}\",\"labels\":{{\"ipam.liqo.io/network-type\":\"{kind}\"}}}},\"spec\":{{\"cidr\":\"192.0.2.0/24\"}},\"status\":{{\"cidr\":\"{cidr}\"}}}}"
    )
}

fn manager(tag: &str) -> String {
    format!(
        "{{\"kind\":\"Deployment\",\"spec\":{{\"template\":{{\"spec\":{{\"containers\":[{{\"image\":\"ghcr.io/liqotech/liqo-controller-manager:{tag}\"}}]}}}}}}}}"
    )
}

#[test]
fn flags_are_enough_and_the_streams_are_generated() {
    let place = Place::new();
    let outcome = place.init("rome-milan", &FLAGS);
    outcome.done();
    for guess in [
        "--name rome-milan",
        "--liqo-version 1.0",
        "--node-port 32750",
        "--user rome",
        "--cpu 4",
        "--project peering-consumer=consumer",
        "--project peering-provider=provider",
        "--repo https://git.example.org/net/peerings.git",
        "--path peerings/rome-milan",
    ] {
        outcome.says(&format!("guessed: {guess}\n"));
    }
    outcome.silent_on("guessed: --provider-id ").says("kubeconfig.age --project peering-consumer=consumer");
    place.run(&["validate", "peerings"]).done();
    let identity = demo_identity("").display().to_string();
    for role in ["consumer", "provider"] {
        let generate =
            ["generate", "peerings/rome-milan", "--local", "--role", role, "--identity-file", &identity];
        place.run(&generate).stream();
    }
    let inspected =
        place.run(&["inspect", "peerings/rome-milan/peering.seed.age", "--identity-file", &identity]);
    for line in [
        "clusters: \"rome\" (consumer) \"milan\" (provider)",
        "projects: \"peering-consumer=rome\" \"peering-provider=milan\"",
        "namespaces: \"liqo-tenant-milan=rome\" \"liqo-tenant-rome=milan\"",
        "repos: \"https://git.example.org/net/peerings\"",
        "paths: \"peerings/rome-milan\"",
    ] {
        inspected.done().has(line);
    }
    assert!(
        place
            .read("rome-milan/peering.yaml")
            .starts_with("# yaml-language-server: $schema=../peering.schema.json\n")
    );
    assert_eq!(place.read("peering.schema.json"), crate::harness::library::schema());
}

/// What is printed as the next commands works as it is, and what is to be done beside them is right.
#[test]
fn the_next_steps_are_true() {
    let place = Place::new();
    let outcome = place.init("rome-milan", &[&FLAGS[..], &["--namespace", "demo"]].concat());
    outcome.says("argocd-peering rights peerings --repo https://git.example.org/net/peerings.git\n");
    // at the root of the repository, too
    let at_root = place.confirming(&[&["init", "rome-milan", "--recipient", RECIPIENT], &FLAGS[..]].concat());
    at_root.says("argocd-peering rights . --repo https://git.example.org/net/peerings.git\n");
    outcome.silent_on("has to permit").says("and apply its Applications");
    let printed = outcome.stderr.clone();
    let commands = printed.lines().filter_map(|line| line.strip_prefix("  argocd-peering "));
    let commands: Vec<&str> = commands.filter(|command| !command.starts_with("seal ")).collect();
    assert_eq!(commands.len(), 3, "{printed}");
    for command in commands {
        place.run(&command.split(' ').collect::<Vec<_>>()).done();
    }
    // `rights` has no other names of projects
    place
        .init(
            "rome-bari",
            &[&FLAGS.map(|it| if it == "milan" { "bari" } else { it })[..], &["--project", "own"]].concat(),
        )
        .says("the AppProject own has to permit rome and these namespaces there: liqo-tenant-bari\n")
        .says("the AppProject own has to permit bari and these namespaces there: liqo-tenant-rome\n")
        .silent_on("argocd-peering rights");
    place
        .init(
            "turin-milan",
            &[&FLAGS.map(|it| if it == "rome" { "turin" } else { it })[..], &["--no-applications"]].concat(),
        )
        .silent_on("apply its Applications")
        .says("the ApplicationSet makes its Applications");
}

/// Liqo 1.2 renews what it makes itself. A user's name asks for a kubeconfig.
#[test]
fn keys_are_exchanged_where_liqo_renews_them() {
    let place = Place::new();
    let newer = [&FLAGS[..], &["--liqo-version", "1.2"]].concat();
    place
        .init("rome-milan", &newer)
        .silent_on("guessed: --user")
        .silent_on("seal kubeconfig")
        .says("argocd-peering authenticate consumer peerings/rome-milan --from-context CONTEXT\n")
        .says("synced: argocd-peering authenticate provider peerings/rome-milan --from-context CONTEXT\n");
    let document = place.read("rome-milan/peering.yaml");
    let (_, authentication) = document.split_once("  authentication:\n").expect("one");
    document.lacks("subject:");
    for line in ["1. argocd-peering authenticate consumer", "4. commit again", "keysExchange: pending"] {
        assert!(authentication.contains(line), "{line}: {document}");
    }
    place.run(&["validate", "peerings"]).done();
    let turin = newer.iter().map(|it| if *it == "rome" { "turin" } else { it });
    let turin: Vec<&str> = turin.chain(["--user", "turin"]).collect();
    place.init("turin-milan", &turin).says("seal kubeconfig").silent_on("authenticate").done();
    assert!(place.read("turin-milan/peering.yaml").contains("credential: pending"));
}

/// Secrets in clear are left out of a commit, and a person's own list stays.
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
    put(place.folder(".gitignore"), "mine\n");
    // as after `git init` and `git push`, with no default branch of a remote
    put(place.path().join(".git/HEAD"), "ref: refs/heads/master\n");
    place
        .init("turin-milan", &FLAGS.map(|it| if it == "rome" { "turin" } else { it }))
        .silent_on(".gitignore")
        .says("guessed: targetRevision refs/heads/master")
        .done();
    assert!(place.read("turin-milan/application-consumer.yaml").contains("refs/heads/master"));
    assert_eq!(place.read(".gitignore"), "mine\n");
}

/// `peerings/CONSUMER/PROVIDER` is what the ApplicationSet looks for.
#[test]
fn the_layout_of_the_application_set_has_its_names() {
    let place = Place::new();
    place.init("rome/milan", &FLAGS).says("guessed: --name rome-milan").done();
    let document = place.read("rome/milan/peering.yaml");
    assert!(
        document.starts_with("# yaml-language-server: $schema=../../peering.schema.json\n"),
        "{document}"
    );
    document.has("nodePort: 32750\n");
    assert!(
        place.folder("peering.schema.json").exists() && !place.folder("rome/peering.schema.json").exists()
    );
    place.read("rome/milan/application-consumer.yaml").has("name: \"rome-milan-consumer\"");
    // the nodes of `milan` are those of both
    let turin = FLAGS.map(|word| if word == "rome" { "turin" } else { word });
    place.init("turin/milan", &turin).says("guessed: --node-port 32751").done();
    place.init("asti-milan", &FLAGS.map(|word| if word == "rome" { "asti" } else { word })).done();
    assert!(place.read("asti-milan/peering.yaml").contains("nodePort: 32752\n"));
    place.run(&["validate", "peerings"]).done();
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
    place.init("other", &[&FLAGS[..], &["--no-applications"]].concat()).done();
    assert!(!place.folder("other").join("application-consumer.yaml").exists());
}

#[test]
fn without_a_terminal_all_that_is_missing_is_named_at_once() {
    let place = Place::new();
    let outcome = place.init("rome-milan", &[]);
    outcome.fails(2, "flag").says(
        "these are missing: --consumer-id, --consumer-pod-cidr, --provider-id, --provider-pod-cidr, --gateway-address",
    );
    assert!(!place.path().join("peerings").exists(), "nothing was written");
    for (flag, value, rule) in [
        ("--consumer-id", "Rome", "not a cluster ID"),
        ("--provider-pod-cidr", "10.52.0.1/16", "host bits"),
        ("--gateway-address", "192.0.2", "address"),
        ("--liqo-version", "0.9", "1.0"),
        ("--cpu", "many", "quantity"),
        ("--namespace", "De Mo", "namespace"),
        ("--name", "-", "name"),
        ("--user", "", "is not a name"),
    ] {
        let mut flags: Vec<&str> =
            FLAGS.chunks(2).filter(|pair| pair[0] != flag).flatten().copied().collect();
        flags.extend([flag, value]);
        let outcome = place.init("rome-milan", &flags);
        outcome.fails(2, "flag").says(&format!("error[flag]: {flag}: "));
        assert!(outcome.stderr.contains(rule), "{flag} {value}: {outcome}");
    }
    // rules across fields are the document's
    let same = FLAGS.map(|word| if word == "milan" { "rome" } else { word });
    place.init("rome-milan", &same).fails(2, "flag").says("--clusters");
    place.run(&[&["init", "peerings/x"], &FLAGS[..]].concat()).fails(2, "flag").says("no recipient");
    assert!(!place.path().join("peerings").exists(), "nothing was written");
}

#[test]
fn a_folder_that_has_files_is_left_alone() {
    let place = Place::new();
    place.init("rome-milan", &FLAGS).done();
    let before = [place.read("rome-milan/peering.yaml"), place.read("rome-milan/peering.seed.age")];
    let again = [&FLAGS[..], &["--cpu", "8"]].concat();
    place.init("rome-milan", &again).fails(2, "flag").says("--force");
    assert_eq!(place.read("rome-milan/peering.yaml"), before[0]);
    place.init("rome-milan", &[&again[..], &["--force", "--keep-seed"]].concat()).done();
    assert_ne!(place.read("rome-milan/peering.yaml"), before[0]);
    assert_eq!(place.read("rome-milan/peering.seed.age"), before[1], "a sealed seed is never replaced");
    // an empty folder, and the working directory
    fs::create_dir(place.folder("empty")).expect("a folder");
    place.init("empty", &FLAGS).done();
    put(place.path().join("peerings/file"), "");
    place.init("file", &FLAGS).fails(3, "file");
    place.init("file/below", &FLAGS).fails(3, "file");
}

/// The folder above is the repository's: a link there writes and reads nothing elsewhere.
#[test]
fn a_schema_that_is_a_link_is_left_alone() {
    let place = Place::new();
    let elsewhere = tempfile::tempdir().expect("a folder");
    fs::create_dir(place.path().join("peerings")).expect("a folder");
    let link = place.path().join("peerings/peering.schema.json");
    for (name, target) in [("new", elsewhere.path().join("written")), ("endless", "/dev/zero".into())] {
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        place.init(name, &FLAGS).ends(0).says("peering.schema.json: it is a symbolic link");
        assert_eq!(fs::read_link(&link).expect("it is still a link"), target);
        fs::remove_file(&link).expect("removed");
    }
    assert_eq!(fs::read_dir(elsewhere.path()).expect("a folder").count(), 0);
}

#[test]
fn a_sibling_gives_the_hub() {
    let place = Place::new();
    let hub = ["--liqo-version", "1.2", "--provider-external-cidr", "10.90.0.0/16", "--node-port", "32760"];
    place.init("rome-milan", &[&FLAGS[..], &hub].concat()).done();
    let spoke =
        ["--like", "peerings/rome-milan", "--consumer-id", "turin", "--consumer-pod-cidr", "10.42.0.0/16"];
    place.init("turin-milan", &spoke).done();
    let document = place.read("turin-milan/peering.yaml");
    for line in [
        "clusterID: milan\n",
        "podCIDRs: [10.52.0.0/16]\n",
        "externalCIDR: 10.90.0.0/16",
        "liqoVersion: \"1.2\"",
        "addresses: [\"192.0.2.10\"]",
    ] {
        document.has(line);
    }
    let dated = format!("    keyRotated: \"{}\"", crate::harness::today());
    assert_eq!(document.matches(&dated).count(), 2, "{document}");
    assert!(document.contains("nodePort: 32750\n"), "not the sibling's: {document}");
    place
        .init(
            "asti-milan",
            &[
                "--like",
                "peerings/turin-milan",
                "--consumer-id",
                "asti",
                "--consumer-pod-cidr",
                "10.42.0.0/16",
            ],
        )
        .done();
    assert!(place.read("asti-milan/peering.yaml").contains("nodePort: 32751\n"));
    place.run(&["validate", "peerings"]).done();
    place.init("x", &["--like", "peerings/none"]).fails(3, "document-file");
    // each load balancer has an address of its own
    let balancer = ["--service-type", "LoadBalancer", "--provider-external-cidr", "10.90.0.0/16"];
    place.init("como-milan", &[&FLAGS[..], &balancer].concat()).done();
    let like =
        ["--like", "peerings/como-milan", "--consumer-id", "lodi", "--consumer-pod-cidr", "10.42.0.0/16"];
    place.init("lodi-milan", &like).fails(2, "flag").says("--gateway-address");
}

#[test]
fn live_clusters_are_read_and_each_command_is_shown() {
    let place = Place::new();
    let nodes = of(
        "{\"status\":{\"addresses\":[{\"type\":\"Hostname\",\"address\":\"n\"},{\"type\":\"InternalIP\",\"address\":\"192.0.2.77\"}]}}",
    );
    let services = of(
        "{\"spec\":{\"ports\":[{\"port\":1},{\"nodePort\":32750}]}},{\"spec\":{\"ports\":[{\"nodePort\":32751}]}}",
    );
    let pods = |more: &str| {
        of(&format!(
            "{}{more},{}",
            network("pod-cidr", "pod-cidr", "10.42.0.0/16"),
            network("external-cidr", "external-cidr", "10.71.0.0/16")
        ))
    };
    // Helm's `ipam.podCIDRs` (Liqo 1.2) names a Network after its CIDR
    let second = format!(",{}", network("pod-cidr-10-44-0-0-16", "pod-cidr", "10.44.0.0/16"));
    let ids = [cluster_id("rome"), cluster_id("mallory")]
        .map(|it| it["{\"items\":[".len()..it.len() - 2].to_owned());
    let two = of(&ids.join(","));
    let answers = [
        ("rome", "configmaps", cluster_id("rome")),
        ("rome", "networks.ipam.liqo.io", pods(&second)),
        ("rome", "deployment", manager("v1.2.1")),
        ("milan", "configmaps", cluster_id("milan")),
        ("milan", "networks.ipam.liqo.io", pods("")),
        ("milan", "deployment", manager("v1.2.0@sha256:00")),
        ("milan", "nodes", nodes),
        ("milan", "services", services),
        ("other", "configmaps", of("")),
        ("two", "configmaps", two),
    ];
    let answers: Vec<_> =
        answers.iter().map(|(context, kind, text)| (*context, *kind, text.as_str())).collect();
    place.kubectl(&answers);
    let outcome = place.init("rome-milan", &["--consumer-context", "rome", "--provider-context", "milan"]);
    outcome.says("+ kubectl --context=rome get networks.ipam.liqo.io -n liqo-system -o json");
    outcome.says("guessed: --gateway-address 192.0.2.77").says("guessed: --node-port 32752").done();
    let document = place.read("rome-milan/peering.yaml");
    for line in [
        "liqoVersion: \"1.2\"",
        "podCIDRs: [10.42.0.0/16, 10.44.0.0/16]\n",
        "externalCIDR: 10.71.0.0/16",
        "addresses: [\"192.0.2.77\"]",
    ] {
        document.has(line);
    }
    place
        .init("x", &["--provider-context", "other"])
        .fails(3, "program")
        .says("no ConfigMap `liqo-clusterid-configmap`");
    // whoever has a namespace there can make a second one
    place.init("x", &["--provider-context", "two"]).fails(3, "program").says("several namespaces");
    place.init("x", &["--provider-context", "forbidden"]).fails(3, "program").says("(Forbidden)");
    assert!(!place.folder("x").exists());
    fs::remove_file(place.1.path().join("kubectl")).expect("removed");
    let path = place.1.path().display().to_string();
    let init = ["init", "y", "--provider-context", "milan", "--recipient", RECIPIENT];
    // no git is needed for what flags set
    let flags = ["--repo", "https://git.example.org/net/peerings.git", "--path", "y"];
    let run = Run::new(init.into_iter().chain(flags)).within(place.path()).env("PATH", path);
    run.run().fails(3, "program").says("kubectl: it is not in a folder of PATH");
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

/// An artifact has tags and no branches.
#[test]
fn an_oci_repository_gets_a_tag() {
    let place = Place::new();
    let oci = ["--repo", "oci://registry.example.org/net/peerings", "--path", "peerings/rome-milan"];
    place.init("rome-milan", &[&FLAGS[..], &oci].concat()).done();
    for role in ["consumer", "provider"] {
        let application = place.read(&format!("rome-milan/application-{role}.yaml"));
        application.has("repoURL: \"oci://registry.example.org/net/peerings\"");
        application.has("targetRevision: \"latest\"");
    }
}
