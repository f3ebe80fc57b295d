//! What a shell offers, asked as a person asks: the script is read by a real shell at a terminal, words are typed, and Tab.
//!
//! bash is everywhere. `.ci/run completions` installs zsh and fish, and asks all three.

use crate::harness::shell::Shell;
use crate::harness::{Run, Text, put};
use std::fs;

/// What is typed, what is then offered, and what is not.
const CASES: &[(&str, &[&str], &[&str])] = &[
    ("argocd-peering s", &["schema", "seal", "seed"], &["generate"]),
    ("argocd-peering seed ", &["new", "rotate", "import"], &["validate"]),
    ("argocd-peering keys ", &["export", "help"], &["explain"]),
    ("argocd-peering validate --", &["--format", "--strict"], &["--role"]),
    ("argocd-peering seed rotate --", &["--new-seed", "--identity-file"], &["--strict"]),
    ("argocd-peering validate --format ", &["text", "json"], &["mermaid"]),
    ("argocd-peering generate --role ", &["consumer", "provider"], &["text"]),
    ("argocd-peering keys export --format ", &["secret", "env"], &["svg"]),
    ("argocd-peering completions ", &["bash", "fish"], &["generate"]),
    ("argocd-peering explain cidr-", &["cidr-overlap", "cidr-host-bits"], &["alias"]),
    (
        "argocd-peering explain spec.networking.gatewayClient.endpoint.",
        &["endpoint.addresses", "endpoint.port"],
        &["cidr-overlap"],
    ),
    ("argocd-peering man se", &["seal", "seed"], &["validate"]),
    ("argocd-peering validate ", &["peerings", "plans"], &["--format"]),
    ("argocd-peering keys p", &["peerings", "plans"], &[]),
    ("argocd-peering seed new p", &["peerings", "plans"], &[]),
    ("argocd-peering inspect s", &["sealed.age", "sun.age"], &["plans"]),
    ("argocd-peering generate --identity-file i", &["identity.txt", "ink.txt"], &["plans"]),
    ("argocd-peering seal kubeconfig k", &["kube.yaml", "key.yaml"], &[]),
];

/// The shells to ask: bash, or those that `COMPLETION_SHELLS` names.
fn shells() -> Vec<String> {
    let named = std::env::var("COMPLETION_SHELLS").unwrap_or_else(|_| "bash".to_owned());
    named.split_whitespace().map(ToOwned::to_owned).collect()
}

#[test]
fn a_shell_offers_commands_flags_values_codes_and_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["peerings", "plans"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    for name in ["identity.txt", "ink.txt", "sealed.age", "sun.age", "kube.yaml", "key.yaml"] {
        put(folder.path().join(name), "");
    }
    let mut missed = Vec::new();
    for name in shells() {
        let shell = Shell::new(&name, folder.path());
        for (typed, offered, others) in CASES {
            let seen = shell.offers(typed, offered);
            let lacks: Vec<_> = offered.iter().filter(|word| !seen.contains(**word)).collect();
            let has: Vec<_> = others.iter().filter(|word| seen.contains(**word)).collect();
            if !lacks.is_empty() || !has.is_empty() {
                missed.push(format!("{name}: `{typed}`: without {lacks:?}, with {has:?}: {seen:?}"));
            }
        }
    }
    assert!(missed.is_empty(), "{} are wrong:\n{}", missed.len(), missed.join("\n"));
}

/// clap_complete leaves them out.
#[test]
fn fish_has_the_words_of_arguments_without_a_flag() {
    let script = Run::new(["completions", "fish"]).run();
    let line =
        "complete -c argocd-peering -n \"__fish_argocd_peering_using_subcommand completions\" -f -a \"bash";
    script.done().has(line);
}

/// Where one word is left, it is written in full.
#[test]
fn a_shell_completes_what_is_not_ambiguous() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in shells() {
        let shell = Shell::new(&name, folder.path());
        for (typed, whole) in [
            ("argocd-peering vali", "validate"),
            ("argocd-peering seed rot", "rotate"),
            ("argocd-peering validate --str", "--strict"),
            ("argocd-peering graph --format mer", "mermaid"),
            ("argocd-peering explain cidr-host", "cidr-host-bits"),
            ("argocd-peering explain spec.networking.mt", "spec.networking.mtu"),
        ] {
            let seen = shell.offers(typed, &[whole]);
            assert!(seen.contains(whole), "{name}: `{typed}`: {seen:?}");
        }
    }
}
