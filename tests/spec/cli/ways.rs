//! The commands that helps name: each is run with what called for it, or is one that exists, or has the reason why it is not run here.

use crate::harness::checkout::{RECIPIENT, demo_identity};
use crate::harness::repository::Repository;
use crate::harness::run::Outcome;
use crate::harness::{committed, root};
use std::collections::BTreeSet;
use std::fs;

const FOLDER: &str = "peerings/consumer-provider";

/// What is done with a command.
enum Way {
    /// It is run in the folder of the quickstart, with these words.
    Run(&'static [&'static str]),
    /// It is the name of a command, or a part of one, for the reader to complete: the command has these flags.
    Named,
    /// It is not run, for this reason.
    Elsewhere(&'static str),
}
use Way::{Elsewhere, Named, Run};

const CLUSTER: &str = "it asks a cluster";
const OTHER_PROGRAM: &str = "it is a program that the tests do not need";

const WAYS: &[(&str, Way)] = &[
    ("age-keygen -y", Elsewhere(OTHER_PROGRAM)),
    ("argocd-peering authenticate consumer", Elsewhere(CLUSTER)),
    ("argocd-peering authenticate provider", Elsewhere(CLUSTER)),
    ("argocd-peering authenticate provider --from-context …", Elsewhere(CLUSTER)),
    (
        "argocd-peering inspect FILE --identity-file ID",
        Run(&["inspect", "peering.seed.age", "--identity-file", "ID"]),
    ),
    ("argocd-peering explain cidr-overlap", Run(&["explain", "cidr-overlap"])),
    ("argocd-peering keys", Run(&["keys", "--identity-file", "ID"])),
    (
        "argocd-peering reseal italy --identity-file FILE --recipients-file FILE --path italy",
        Run(&["reseal", ".", "--identity-file", "ID", "--recipients-file", "LIST", "--path", "italy"]),
    ),
    (
        "argocd-peering reseal peering.seed.age --identity-file FILE --recipients-file FILE",
        Run(&["reseal", "peering.seed.age", "--identity-file", "ID", "--recipients-file", "LIST"]),
    ),
    (
        "argocd-peering reseal peering.seed.age --recipients-file .age-recipients --certificate rome=rome.pem",
        Named,
    ),
    ("argocd-peering reseal … --clusters CONSUMER,PROVIDER", Named),
    ("argocd-peering reseal … --delivery", Named),
    ("argocd-peering reseal … --secret-namespace", Named),
    ("argocd-peering schema > peering.schema.json", Run(&["schema"])),
    ("argocd-peering seal kubeconfig", Named),
    ("argocd-peering seed new", Named),
    ("base64 -w0 FILE", Elsewhere(OTHER_PROGRAM)),
    ("base64 -w0 NEW", Elsewhere(OTHER_PROGRAM)),
    ("git add -f", Run(&["git", "add", "-f", "peering.seed.age"])),
    ("git checkout --ours -- FILE", Elsewhere("it needs a merge that is not done")),
    ("git log -- peering.seed.age", Run(&["git", "log", "--", "peering.seed.age"])),
    ("kubectl -n argocd logs deployment/argocd-repo-server -c argocd-peering", Elsewhere(CLUSTER)),
    ("kubectl apply", Elsewhere(CLUSTER)),
    ("kubectl config view --raw --minify --flatten", Elsewhere(OTHER_PROGRAM)),
    ("kubectl get -o yaml", Elsewhere(CLUSTER)),
    ("kubectl get secret NAME -n NAMESPACE -o jsonpath='{.data.token}' | base64 -d", Elsewhere(CLUSTER)),
    (
        "kubectl get secret NAME -n NAMESPACE -o jsonpath='{.data.value}' | base64 -d > kubeconfig",
        Elsewhere(CLUSTER),
    ),
    ("kubectl label namespace NAME argocd.argoproj.io/managed-by=gitops", Elsewhere(CLUSTER)),
    ("openssl pkey -in KEY -out NEW", Elsewhere(OTHER_PROGRAM)),
];

const PROGRAMS: [&str; 6] = ["age-keygen", "argocd-peering", "base64", "git", "kubectl", "openssl"];

/// Those of the helps of all screens.
fn commands() -> BTreeSet<String> {
    let mut commands = BTreeSet::new();
    for page in fs::read_dir(root().join("tests/diagnostics")).expect("the screens") {
        let text = fs::read_to_string(page.expect("a page").path()).expect("a page");
        for help in text.lines().filter_map(|line| line.split_once("help: ")) {
            let in_code = help.1.split('`').skip(1).step_by(2);
            let is_command =
                |it: &&str| it.split_once(' ').is_some_and(|(program, _)| PROGRAMS.contains(&program));
            commands.extend(in_code.filter(is_command).map(ToOwned::to_owned));
        }
    }
    commands
}

#[test]
fn each_command_of_a_help_is_known() {
    let known: BTreeSet<String> = WAYS.iter().map(|(command, _)| (*command).to_owned()).collect();
    assert_eq!(commands(), known);
}

/// With what is confirmed, if it asks for that.
fn run(repository: &Repository, words: &[&str]) -> Outcome {
    let folder = repository.root().join(FOLDER);
    let outcome = repository.command(words).within(&folder).run();
    let Some((_, digest)) = outcome.stderr.split_once("--expect ") else { return outcome };
    let digest = digest.split_whitespace().next().expect("a digest");
    repository.command(&[words, &["--expect", digest]].concat()).within(&folder).run()
}

#[test]
fn what_a_help_names_works() {
    let reference = committed("docs/commands.md");
    for (command, way) in WAYS {
        if let Elsewhere(reason) = way {
            assert!(!reason.is_empty(), "{command}");
            continue;
        }
        let repository = Repository::new(FOLDER);
        let list = repository.root().join("recipients.txt");
        fs::write(&list, RECIPIENT).expect("written");
        let (identity, list) = (demo_identity("").display().to_string(), list.display().to_string());
        let fill = |word: &&'static str| match *word {
            "ID" => identity.clone(),
            "LIST" => list.clone(),
            word => word.to_owned(),
        };
        match way {
            Run(["git", words @ ..]) => {
                drop(repository.git(&[&["-C", FOLDER][..], words].concat()));
            }
            Run(words) => {
                let words: Vec<String> = words.iter().map(fill).collect();
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let outcome = run(&repository, &words);
                assert_eq!(outcome.code, Some(0), "{command}: {outcome}");
            }
            Named => {
                let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
                let words: Vec<&str> = command.split(' ').skip(1).take_while(is_word).collect();
                let outcome = run(&repository, &[&words[..], &["--help"]].concat());
                assert_eq!(outcome.code, Some(0), "{command}: {outcome}");
                let flags = command.split(' ').filter(|word| word.starts_with("--"));
                for flag in flags {
                    assert!(outcome.stdout.contains(flag) && reference.contains(flag), "{command}: {flag}");
                }
            }
            Elsewhere(_) => {}
        }
    }
}
