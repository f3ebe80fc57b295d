//! Completion scripts and manual pages: of every command, from the command line's own definition.

use crate::harness::library::Cli;
use crate::harness::{Outcome, Run, machine, program, put};
use clap::{Command, CommandFactory as _};

fn run(arguments: &[&str]) -> Outcome {
    Run::new(arguments.iter().copied()).within("/").run()
}

/// The names of a command and of those in it.
fn names(command: &Command, path: &[String], found: &mut Vec<Vec<String>>) {
    found.push(path.to_vec());
    for inner in command.get_subcommands() {
        names(
            inner,
            &[path, &[inner.get_name().to_owned()]].concat(),
            found,
        );
    }
}

#[test]
fn every_shell_completes_every_command() {
    let mut commands = Vec::new();
    names(&Cli::command(), &[], &mut commands);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let outcome = run(&["completions", shell]);
        let script = outcome.done();
        for name in commands.iter().filter_map(|path| path.last()) {
            assert!(script.contains(name.as_str()), "{shell}: {name}");
        }
        assert!(
            script.contains("--identity-file") || script.contains("identity-file"),
            "{shell}"
        );
    }
    run(&["completions", "tcsh"]).says("possible values");
}

/// What the script's function fills in for bash, which calls it with the program, the word and the one before it (bash(1),
/// "Programmable Completion").
const ASKED: &str = r#"source <("$0" completions bash)
read -ra COMP_WORDS <<<"$1"; [[ $1 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_argocd__peering argocd-peering "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s ' "${COMPREPLY[@]}""#;

#[test]
fn bash_offers_commands_flags_values_and_files() {
    let folder = crate::harness::machine::folder();
    for name in ["identity.txt", "ink.txt", "plans"] {
        put(folder.path().join(name), "");
    }
    for (typed, offered, other) in [
        ("s", "schema seal seed", "generate"),
        ("vali", "validate", "version"),
        ("seed ", "new rotate import", "validate"),
        ("validate --", "--format --strict", "--role"),
        ("seed rotate --", "--new-seed --identity-file", "--strict"),
        ("validate --format ", "text json", "mermaid"),
        ("list --format js", "json", "text"),
        ("generate --role ", "consumer provider", "text"),
        ("keys export --format ", "json secret", "mermaid"),
        (
            "generate --identity-file i",
            "identity.txt ink.txt",
            "plans",
        ),
    ] {
        let mut bash = machine::command("bash");
        bash.args(["-c", ASKED]).arg(program());
        bash.arg(format!("argocd-peering {typed}"))
            .current_dir(folder.path());
        let output = bash.output().expect("bash");
        let shown = String::from_utf8(output.stdout).expect("UTF-8");
        let words: Vec<&str> = shown.split_whitespace().collect();
        assert!(
            offered.split(' ').all(|word| words.contains(&word)) && !words.contains(&other),
            "{typed}: {shown} {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let mut commands = Vec::new();
    names(&Cli::command(), &[], &mut commands);
    assert!(commands.len() > 15, "{}", commands.len());
    for path in commands {
        let words: Vec<&str> = ["man"]
            .into_iter()
            .chain(path.iter().map(String::as_str))
            .collect();
        let outcome = run(&words);
        let page = outcome.done();
        let name = ["argocd-peering"]
            .into_iter()
            .chain(words.iter().skip(1).copied())
            .collect::<Vec<_>>()
            .join("-");
        for part in [
            ".TH ",
            &name.replace('-', "\\-"),
            ".SH SYNOPSIS",
            ".SH EXAMPLES\n.nf\nExample",
        ] {
            assert!(page.contains(part), "{words:?}: {part}\n{page}");
        }
        // the examples are not filled, and what follows them is
        let examples = page.split(".SH EXAMPLES\n.nf\n").nth(1).expect("examples");
        let (copied, filled) = examples.split_once("\n.fi\n").unwrap_or((examples, ""));
        assert!(
            !copied.contains("\n\n") && !filled.contains("\n.fi\n"),
            "{words:?}:\n{examples}"
        );
    }
    run(&["man", "bogus"])
        .fails(2, "flag")
        .says("`argocd-peering` has no command `bogus`");
    run(&["man", "seed", "bogus"])
        .fails(2, "flag")
        .says("`argocd-peering seed` has no command `bogus`");
}
