//! What a shell offers, asked as a person asks: the script is read by a real shell at a terminal, words are typed, and Tab.
//!
//! bash is everywhere. `.ci/run completions` installs zsh and fish, and asks all three.

use crate::harness::put;
use crate::harness::shell::Shell;
use std::path::Path;

/// What is typed, what is then offered, and what is not.
const CASES: &[(&str, &[&str], &[&str])] = &[
    (
        "argocd-peering s",
        &["schema", "seal", "seed"],
        &["generate"],
    ),
    (
        "argocd-peering seed ",
        &["new", "rotate", "import"],
        &["validate"],
    ),
    (
        "argocd-peering validate --",
        &["--format", "--strict"],
        &["--role"],
    ),
    (
        "argocd-peering seed rotate --",
        &["--new-seed", "--identity-file"],
        &["--strict"],
    ),
    (
        "argocd-peering validate --format ",
        &["text", "json"],
        &["mermaid"],
    ),
    (
        "argocd-peering generate --role ",
        &["consumer", "provider"],
        &["text"],
    ),
    (
        "argocd-peering keys export --format ",
        &["secret", "json"],
        &["svg"],
    ),
    (
        "argocd-peering generate --identity-file i",
        &["identity.txt", "ink.txt"],
        &["plans"],
    ),
];

/// A gap of clap_complete (`src/aot/shells/zsh.rs`, `get_subcommands_of`): after a command with flags of its own, zsh offers the values of
/// that command's flag for the subcommand's flag of the same name. The test fails when the gap is closed.
const GAP: (&str, &str) = ("zsh", "argocd-peering keys export --format ");

/// The shells to ask: bash, or those that `COMPLETION_SHELLS` names.
fn shells() -> Vec<String> {
    let named = std::env::var("COMPLETION_SHELLS").unwrap_or_else(|_| "bash".to_owned());
    named.split_whitespace().map(ToOwned::to_owned).collect()
}

#[test]
fn a_shell_offers_commands_flags_values_and_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["identity.txt", "ink.txt", "plans"] {
        put(folder.path().join(name), "");
    }
    all_are_right(folder.path(), CASES);
}

/// Asks each shell; most of the time a shell is waited for, so several are asked at once.
fn all_are_right(folder: &Path, cases: &[(&str, &[&str], &[&str])]) {
    for name in shells() {
        let shell = &Shell::new(&name, folder);
        let ask = |(typed, offered, others): &(&str, &[&str], &[&str])| {
            let seen = shell.offers(typed, offered);
            let lacks: Vec<_> = offered
                .iter()
                .filter(|word| !seen.contains(**word))
                .collect();
            let has: Vec<_> = others.iter().filter(|word| seen.contains(**word)).collect();
            let is_gap = GAP == (name.as_str(), *typed);
            let is_right = is_gap != (lacks.is_empty() && has.is_empty());
            (!is_right)
                .then(|| format!("{name}: `{typed}`: without {lacks:?}, with {has:?}: {seen:?}"))
        };
        let wrong: Vec<String> = std::thread::scope(|scope| {
            let asked: Vec<_> = cases
                .chunks(cases.len().div_ceil(4))
                .map(|part| scope.spawn(move || part.iter().filter_map(ask).collect::<Vec<_>>()))
                .collect();
            asked
                .into_iter()
                .flat_map(|it| it.join().expect("asked"))
                .collect()
        });
        assert!(
            wrong.is_empty(),
            "{} are wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }
}

/// Where one word is left, it is written in full.
#[test]
fn a_shell_completes_what_is_not_ambiguous() {
    let whole: &[(&str, &[&str], &[&str])] = &[
        ("argocd-peering vali", &["validate"], &[]),
        ("argocd-peering seed rot", &["rotate"], &[]),
        ("argocd-peering validate --str", &["--strict"], &[]),
        ("argocd-peering list --format js", &["json"], &[]),
    ];
    all_are_right(tempfile::tempdir().expect("a folder").path(), whole);
}
