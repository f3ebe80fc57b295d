//! What a new user trips over, one row for each thing: what is in the folder, what is typed, and what is then said. Most of it
//! was silent once, or led the wrong way.

use super::sealing::Checkout;
use crate::command::validate::application;
use crate::harness::checkout::REPO;
use crate::harness::machine::command;
use crate::harness::{replaced, root};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

const FOLDER: &str = "peerings/rome-milan";

struct Row {
    what: &'static str,
    prepare: fn(&Checkout),
    command: &'static str,
    code: i32,
    says: &'static [&'static str],
    silent: &'static [&'static str],
}

const fn row(
    what: &'static str,
    prepare: fn(&Checkout),
    command: &'static str,
    code: i32,
    says: &'static [&'static str],
) -> Row {
    Row { what, prepare, command, code, says, silent: &[] }
}

impl Row {
    const fn silent(self, silent: &'static [&'static str]) -> Self {
        Self { silent, ..self }
    }
}

const fn as_it_is(_: &Checkout) {}

fn edit(place: &Checkout, from: &str, to: &str) {
    let path = place.root().join(FOLDER).join("peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    fs::write(path, replaced(&text, from, to)).expect("written");
}

fn put(place: &Checkout, name: &str, text: &str) {
    fs::write(place.root().join(FOLDER).join(name), text).expect(name);
}

fn applications(place: &Checkout) {
    for (role, cluster) in [("consumer", "rome"), ("provider", "milan")] {
        put(place, &format!("application-{role}.yaml"), &application(role, cluster, FOLDER));
    }
}

fn commit(place: &Checkout) {
    for arguments in [
        &["init", "-q"][..],
        &["add", "--all"],
        &["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "a"],
    ] {
        let git = command("git").args(arguments).current_dir(place.root()).status();
        assert!(git.expect("git").success(), "{arguments:?}");
    }
}

/// The peering is in a submodule, and was changed there.
fn submodule(place: &Checkout) {
    let root = place.root();
    let git = |folder: &std::path::Path, words: &[&str]| {
        let git = command("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(words)
            .current_dir(folder)
            .output();
        assert!(git.expect("git").status.success(), "{words:?}");
    };
    let sub = root.join("net");
    fs::remove_dir_all(root.join(".git")).expect("no checkout");
    fs::create_dir(&sub).expect("a folder");
    fs::rename(root.join("peerings"), sub.join("peerings")).expect("moved");
    for folder in [&sub, &root] {
        for words in [&["init", "-q"][..], &["add", "--all"], &["commit", "-q", "-m", "a"]] {
            git(folder, words);
        }
    }
    let path = sub.join(FOLDER).join("peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    fs::write(path, replaced(&text, "nodePort: 32750", "nodePort: 32751")).expect("written");
}

/// Another repository in the consumer's Application than in the provider's.
fn other_repository(place: &Checkout) {
    applications(place);
    let text = application("consumer", "rome", FOLDER);
    put(place, "application-consumer.yaml", &replaced(&text, REPO, "https://git.example.org/net/other.git"));
}

fn exchange(place: &Checkout) {
    applications(place);
    edit(place, "clusterID: milan", "clusterID: naples");
    edit(place, "clusterID: rome #", "clusterID: milan #");
    edit(place, "clusterID: naples", "clusterID: rome");
}

fn kubectl(place: &Checkout, words: &str) {
    let path = place.home().join("kubectl");
    fs::write(&path, format!("#!/bin/sh\n{words}\nexit 1\n")).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a mode");
}

fn home(place: &Checkout, name: &str, text: &str) {
    fs::write(place.home().join(name), text).expect(name);
}

/// A kubeconfig of a user, with a token that ends in 2024.
fn expired(place: &Checkout) {
    let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb21lIiwiZXhwIjoxNzA0MDY3MjAwfQ.c2lnbmF0dXJl";
    home(place, "old.kubeconfig", &kubeconfig(token));
}

fn kubeconfig(token: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{{name: k, cluster: {{server: 'https://192.0.2.1:6443'}}}}]\ncontexts: [{{name: c, context: {{cluster: k, user: u}}}}]\nusers: [{{name: u, user: {{token: {token}}}}}]\n"
    )
}

fn guide(place: &Checkout) {
    for side in ["consumer", "provider"] {
        let to = place.root().join(side);
        fs::create_dir(&to).expect("a folder");
        for file in fs::read_dir(root().join("tests/guide").join(side)).expect("the guide") {
            let file = file.expect("a file");
            fs::copy(file.path(), to.join(file.file_name())).expect("a copy");
        }
    }
}

const VALIDATE: &str = "validate peerings";
const SEAL: &str = "seal kubeconfig ~/milan.kubeconfig -o peerings/rome-milan/new.age --recipient age1…";

/// What said nothing.
const SILENT: &[Row] = &[
    row(
        "an identity in the folder",
        |it| {
            let text = fs::read_to_string(it.home().join("identity.txt")).expect("an identity");
            put(it, "notes.md", &format!("keep this: {text}"));
        },
        VALIDATE,
        1,
        &["error[plaintext-secret]", "peerings/rome-milan/notes.md", "age identity"],
    )
    .silent(&["AGE-SECRET-KEY"]),
    row(
        "a kubeconfig in clear under another name",
        |it| put(it, "access.yml", &kubeconfig("example-token")),
        VALIDATE,
        1,
        &["error[plaintext-secret]", "peerings/rome-milan/access.yml", "kubeconfig"],
    )
    .silent(&["example-token"]),
    row(
        "a folder that was renamed, to validate",
        |it| {
            applications(it);
            fs::rename(it.root().join(FOLDER), it.root().join("peerings/italy")).expect("renamed");
        },
        VALIDATE,
        1,
        &["error[application]", "its `path` is `peerings/rome-milan`, and this folder is `peerings/italy`"],
    ),
    row(
        "a folder that was renamed, to diff",
        |it| {
            commit(it);
            fs::rename(it.root().join(FOLDER), it.root().join("peerings/italy")).expect("renamed");
        },
        "diff peerings",
        1,
        &["argocd-peering reseal"],
    )
    .silent(&["No object changes in 2 peerings."]),
    row(
        "a folder that was renamed, to a person's own run",
        |it| fs::rename(it.root().join(FOLDER), it.root().join("peerings/italy")).expect("renamed"),
        "generate peerings/italy --local --role consumer --identity-file ~/identity.txt",
        0,
        &["note: Argo CD would refuse peering.seed.age here: its terms allow the paths"],
    ),
    row(
        "an Application with the other role",
        |it| {
            applications(it);
            put(it, "application-consumer.yaml", &application("provider", "rome", FOLDER));
        },
        VALIDATE,
        1,
        &["error[application]"],
    ),
    row(
        "an Application of the project default",
        |it| {
            applications(it);
            let text = application("consumer", "rome", FOLDER);
            put(
                it,
                "application-consumer.yaml",
                &replaced(&text, "project: peering-consumer", "project: default"),
            );
        },
        VALIDATE,
        0,
        &["note[application-setting]", "default"],
    ),
    row(
        "a sealed credential that nothing names",
        |it| edit(it, "credential: { kubeconfig: { file: kubeconfig.age } }", "credential: pending"),
        VALIDATE,
        0,
        &["note[unused-file]", "kubeconfig.age"],
    ),
    row(
        "a rotation beside another change",
        |it| {
            commit(it);
            edit(it, "nodePort: 32750", "nodePort: 32751");
        },
        "seed rotate peerings/rome-milan --role consumer",
        2,
        &["peerings/rome-milan/peering.yaml has changes that are not committed"],
    ),
    row(
        "a Liqo that is newer than this program",
        |it| edit(it, "spec:\n", "spec:\n  liqoVersion: \"9.9\"\n"),
        VALIDATE,
        0,
        &["note[unknown-liqo]"],
    ),
    row(
        "a gateway's address that is a pod's",
        |it| edit(it, "addresses: [172.16.183.16]", "addresses: [10.43.0.5]"),
        VALIDATE,
        0,
        &["note[gateway-address]"],
    ),
    row(
        "swapped sides",
        guide,
        "import --consumer provider --provider consumer",
        0,
        &["if you swapped the two sides, swap them back"],
    ),
    row(
        "a protection that goes",
        |it| {
            commit(it);
            edit(it, "spec:\n", "spec:\n  protection: none\n");
        },
        "diff peerings",
        1,
        &["Loses protection"],
    ),
    row(
        "a peering that goes without a drain",
        |it| {
            let credential = "    credential: { kubeconfig: { file: kubeconfig.age } }\n";
            let slices = "  offloading:\n    resourceSlices: [{ resources: { cpu: 1, memory: 1Gi } }]\n";
            edit(it, credential, &format!("{credential}{slices}"));
            commit(it);
            fs::remove_dir_all(it.root().join(FOLDER)).expect("removed");
        },
        "diff peerings",
        1,
        &["Deletes data. This peering was not drained. First commit `state: Drained`"],
    ),
];

/// What led the wrong way.
const WRONG: &[Row] = &[
    row(
        "a conflict of Git",
        |it| edit(it, "spec:\n", "<<<<<<< HEAD\nspec:\n"),
        VALIDATE,
        1,
        &["conflict marker", "resolve the conflict"],
    )
    .silent(&["indent it"]),
    row(
        "a bracket too many",
        |it| edit(it, "{ file: peering.seed.age } ", "{ file: peering.seed.age }} "),
        VALIDATE,
        1,
        &["`}` too many", "remove it"],
    ),
    row(
        "a credential that is there",
        as_it_is,
        "seal kubeconfig ~/milan.kubeconfig -o peerings/rome-milan/kubeconfig.age --recipient age1…",
        3,
        &["already exists", "`seal kubeconfig --replace` renews a credential"],
    ),
    row(
        "an identity that is missing",
        as_it_is,
        "generate peerings/rome-milan --local --role consumer --identity-file ~/nope.txt",
        3,
        &["/nope.txt`: there is no such file", "check --identity-file"],
    )
    .silent(&["age-keygen -o"]),
    row(
        "a peering with other clusters than its files",
        |it| edit(it, "clusterID: rome #", "clusterID: turin #"),
        "generate peerings/rome-milan --local --role provider --identity-file ~/identity.txt",
        3,
        &["it is sealed for \"rome\" (consumer) \"milan\" (provider)", "turin/milan"],
    ),
    row(
        "no peering is left",
        |it| fs::remove_dir_all(it.root().join(FOLDER)).expect("removed"),
        VALIDATE,
        0,
        &["no peering below peerings"],
    ),
    row(
        "no peering is left, for a gate",
        |it| fs::remove_dir_all(it.root().join(FOLDER)).expect("removed"),
        "validate peerings --strict",
        1,
        &["error[not-judged]", "there is no peering in it or below it"],
    ),
    row("a document to inspect", as_it_is, "inspect peerings/rome-milan/peering.yaml", 3, &["it is a peering.yaml, and not a sealed file", "such as peering.seed.age"]),
    row("two revisions to compare", commit, "diff HEAD HEAD~", 2, &["there is no folder HEAD, which is a revision", "`argocd-peering diff --from HEAD`"]),
    row("two words that are nothing", commit, "diff here there", 3, &["here: there is no such file"]),
    row("a cluster's ID for a side", as_it_is, "seed rotate peerings/rome-milan --role milan", 0, &["key generation: 2"]),
    row("a cluster's ID for a stream", as_it_is, "generate peerings/rome-milan --public --role rome", 0, &["kind: \"GatewayClient\""]),
    row("a cluster that has no side", as_it_is, "generate peerings/rome-milan --public --role turin", 2, &["`turin` is neither the consumer, rome, nor the provider, milan"]),
    row("a cluster's ID for the plugin", as_it_is, "generate peerings/rome-milan --role rome", 2, &["--role is `rome`, which is not a role"]),
    row(
        "a credential that is pending",
        |it| {
            fs::remove_file(it.root().join(FOLDER).join("kubeconfig.age")).expect("removed");
            edit(it, "credential: { kubeconfig: { file: kubeconfig.age } }", "credential: pending # later");
        },
        "seal kubeconfig ~/milan.kubeconfig -o peerings/rome-milan/kubeconfig.age --project peering-consumer=consumer --recipient age1…",
        0,
        &["peering.yaml will name the file in place of `pending`", "wrote peerings/rome-milan/peering.yaml"],
    ),
    row(
        "a folder whose name is no peering's",
        as_it_is,
        "init peerings/München --recipients-file .age-recipients --consumer-id turin --provider-id pisa --consumer-pod-cidr 10.42.0.0/16 --provider-pod-cidr 10.42.0.0/16 --gateway-address 192.0.2.10",
        2,
        &["error[flag]: --name: it is missing"],
    ),
    row(
        "a seed that was renamed",
        |it| {
            let folder = it.root().join(FOLDER);
            fs::rename(folder.join("peering.seed.age"), folder.join("seed.age")).expect("renamed");
        },
        VALIDATE,
        1,
        &["no field names `seed.age`, and `peering.seed.age` is not here", "write `{ file: seed.age }`", "rename it to peering.seed.age"],
    ),
    row(
        "another repository in one Application",
        other_repository,
        VALIDATE,
        0,
        &["note[application-setting]: its `repoURL` is ", "--> peerings/rome-milan/application-provider.yaml", "::: peerings/rome-milan/application-consumer.yaml", "the other one"],
    ),
    row(
        "tabs, to --fix",
        |it| edit(it, "    clusterID: milan", "\t\tclusterID: milan"),
        "validate peerings --fix --allow-dirty",
        0,
        &["fixed peerings/rome-milan/peering.yaml: 1 line", "+     clusterID: milan"],
    ),
    row("a role without its flag", as_it_is, "generate consumer peerings/rome-milan", 2, &["the role is a flag: `--role consumer`"]),
    row("a folder before the command", as_it_is, "peerings/rome-milan validate", 2, &["the command comes first: `argocd-peering validate peerings/rome-milan`"]),
    row("the folder of all peerings", as_it_is, "generate peerings --public --role consumer", 3, &["name the folder that holds peering.yaml, such as peerings/rome-milan"]),
    row("a submodule", submodule, "diff .", 2, &["net is a submodule", "`argocd-peering diff net`"]).silent(&["The peering is new"]),
    row("a submodule by itself", submodule, "diff net", 1, &["Interrupts traffic"]),
    row("exchanged sides", exchange, VALIDATE, 1, &["the two sides are exchanged", "exchange them in the document, or in both Applications", "1 problem"])
        .silent(&["its destination is"]),
    row("keys exprt", as_it_is, "keys exprt", 2, &["did you mean `argocd-peering keys export`?"]),
    row("a folder that has files", as_it_is, "init peerings/rome-milan --recipients-file .age-recipients", 2, &["has files already; --force writes", "never a sealed file"]),
    row(
        "a suffix in small letters",
        |it| edit(it, "  networking:", "  offloading: { resourceSlices: [{ resources: { memory: 8gi } }] }\n  networking:"),
        VALIDATE,
        1,
        &["did you mean `8Gi`?"],
    ),
    row(
        "Latin-1",
        |it| {
            let path = it.root().join(FOLDER).join("peering.yaml");
            let text = fs::read(&path).expect("the document");
            fs::write(path, [&b"# M\xfcnchen\n"[..], &text].concat()).expect("written");
        },
        VALIDATE,
        1,
        &["line 1 has the byte FC", "save the file as UTF-8"],
    ),
    row(
        "no-break spaces for an indentation",
        |it| edit(it, "    clusterID: milan", "\u{a0}\u{a0}\u{a0}\u{a0}clusterID: milan"),
        VALIDATE,
        1,
        &["no-break spaces (U+00A0)"],
    ),
    row(
        "another default branch",
        |it| {
            commit(it);
            let git = it.root().join(".git/refs/remotes/origin");
            fs::create_dir_all(&git).expect("a folder");
            fs::write(git.join("HEAD"), "ref: refs/remotes/origin/trunk\n").expect("written");
            fs::write(git.join("trunk"), "0123456789012345678901234567890123456789\n").expect("written");
        },
        "init peerings/turin-milan --like peerings/rome-milan --consumer-id turin --consumer-pod-cidr 10.44.0.0/16 --recipients-file .age-recipients",
        0,
        &["guessed: targetRevision refs/heads/trunk"],
    ),
    row(
        "a remote of this machine",
        |it| {
            commit(it);
            let config = it.root().join(".git/config");
            let text = fs::read_to_string(&config).expect("a configuration");
            fs::write(config, text.replace(REPO, "/srv/git/x.git")).expect("written");
        },
        "init peerings/turin-milan --like peerings/rome-milan --consumer-id turin --consumer-pod-cidr 10.44.0.0/16 --recipients-file .age-recipients",
        0,
        &["Argo CD cannot reach /srv/git/x.git, a path of this machine"],
    ),
    row(
        "an empty folder",
        |it| {
            guide(it);
            fs::create_dir(it.root().join("empty")).expect("a folder");
        },
        "import --consumer empty --provider provider",
        2,
        &["--consumer: empty: no Kubernetes object in a .yaml, .yml or .json file there"],
    ),
    row(
        "kubectl's log lines",
        |it| {
            kubectl(
                it,
                "for i in 1 2 3 4; do echo \"E1122 08:00:00 1 memcache.go:265] couldn't get current server API group list\" >&2; done; echo 'Unable to connect to the server: tls: failed to verify certificate' >&2",
            );
        },
        "doctor peerings/rome-milan --consumer-context rome --provider-context milan",
        3,
        &["Unable to connect to the server: tls: failed to verify certificate"],
    )
    .silent(&["memcache.go"]),
    row(
        "a credential that has expired",
        expired,
        "seal kubeconfig ~/old.kubeconfig -o peerings/rome-milan/new.age --recipient age1…",
        3,
        &["its credential expired on 2024-01-01", "--allow-expired"],
    ),
];

/// What said too little.
const SHORT: &[Row] = &[
    row(
        "an octet with a zero before it",
        |it| edit(it, "podCIDRs: [10.43.0.0/16]", "podCIDRs: [10.043.0.0/16]"),
        VALIDATE,
        1,
        &["leading zero"],
    ),
    row(
        "an octet of 300",
        |it| edit(it, "podCIDRs: [10.43.0.0/16]", "podCIDRs: [10.300.0.0/16]"),
        VALIDATE,
        1,
        &["255"],
    ),
    row(
        "another document than a kubeconfig",
        as_it_is,
        "seal kubeconfig peerings/rome-milan/peering.yaml -o peerings/rome-milan/new.age --recipient age1…",
        3,
        &["this is not a kubeconfig: its `kind` is `Peering`"],
    ),
    row(
        "no project",
        as_it_is,
        SEAL,
        0,
        &["note: Argo CD will not open it: that needs --project, --repo and --path"],
    ),
    row(
        "a slip in a folder",
        as_it_is,
        "seal kubeconfig ~/milan.kubeconfig -o peerings/rome-mailand/new.age --recipient age1…",
        3,
        &["peerings/rome-mailand/new.age: its folder does not exist"],
    ),
    row("-o json", as_it_is, "validate peerings -o json", 2, &["--format json"])
        .silent(&["to pass '-o' as a value"]),
    row("apply", as_it_is, "apply", 2, &["commit"]),
    row("version", as_it_is, "version", 0, &[]),
    row("a field", as_it_is, "explain spec.networking", 0, &[]),
    row(
        "peering.yml",
        |it| {
            let folder = it.root().join(FOLDER);
            fs::rename(folder.join("peering.yaml"), folder.join("peering.yml")).expect("renamed");
        },
        "validate peerings/rome-milan",
        1,
        &["peering.yml is there: rename it to peering.yaml"],
    ),
    row(
        "typographic quotes",
        |it| edit(it, "clusterID: milan", "clusterID: “milan”"),
        VALIDATE,
        1,
        &["typographic quote"],
    ),
    row(
        "a no-break space",
        |it| edit(it, "clusterID: milan", "clusterID: \u{a0}milan"),
        VALIDATE,
        1,
        &["no-break space"],
    ),
    row(
        "a no-break space before a field",
        |it| edit(it, "    clusterID: milan", "    \u{a0}clusterID: milan"),
        VALIDATE,
        1,
        &["a no-break space (U+00A0) is in it"],
    ),
    row("a folder to inspect", as_it_is, "inspect peerings/rome-milan", 2, &["kubeconfig.age"]),
    row(
        "an unknown context",
        |it| {
            kubectl(
                it,
                "case $* in *get-contexts*) printf 'rome-production\\nmilan\\n'; exit 0;; esac\necho 'error: context \"rome\" does not exist' >&2",
            );
        },
        "doctor peerings/rome-milan --consumer-context rome --provider-context milan",
        3,
        &["rome-production"],
    ),
    row(
        "the digest of something else",
        as_it_is,
        "seal kubeconfig ~/milan.kubeconfig -o peerings/rome-milan/new.age --recipients-file .age-recipients --expect sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        2,
        &["is not the digest of these terms"],
    ),
    row(
        "a seed that is not named",
        |it| edit(it, "  seed: { file: peering.seed.age } # sealed\n", ""),
        VALIDATE,
        1,
        &["set `seed: { file: peering.seed.age }` in `spec`, if that file is in the folder"],
    ),
    row(
        "a key twice",
        |it| edit(it, "    clusterID: milan\n", "    clusterID: milan\n    clusterID: milan\n"),
        VALIDATE,
        1,
        &["appears twice"],
    ),
];

#[test]
fn every_row_has_its_words() {
    let mut wrong = Vec::new();
    for row in SILENT.iter().chain(WRONG).chain(SHORT) {
        let place = Checkout::new(FOLDER);
        (row.prepare)(&place);
        let outcome = place.confirm(row.command);
        let everything = outcome.everything();
        let lacks: Vec<_> = row.says.iter().filter(|it| !everything.contains(**it)).collect();
        let has: Vec<_> = row.silent.iter().filter(|it| everything.contains(**it)).collect();
        if outcome.code != Some(row.code) || !lacks.is_empty() || !has.is_empty() {
            wrong.push(format!("{}: lacks {lacks:?}, has {has:?}: {outcome}", row.what));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
