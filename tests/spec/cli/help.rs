//! The command line: help, usage, exit codes, and what a terminal or a pipe gets.

use crate::harness::checkout::{Checkout, edited};
use crate::harness::run::{Outcome, Run};
use argocd_peering::cli::Cli;
use clap::{CommandFactory as _, Parser as _};

/// A run in no particular folder.
fn run(arguments: &[&str]) -> Outcome {
    Run::new(arguments.iter().copied()).within("/").run()
}

/// Every command, and an option that its help must speak of.
const COMMANDS: [(&[&str], &str); 3] = [
    (&["generate"], "--identity-file"),
    (&["seed", "new"], "--recipient"),
    (&["seal", "kubeconfig"], "--clusters"),
];

#[test]
fn help_is_printed_to_stdout_and_has_an_example() {
    for (command, option) in COMMANDS {
        for flag in ["--help", "-h"] {
            let outcome = run(&[command, &[flag]].concat());
            let help = outcome.done();
            assert_eq!(outcome.stderr, "");
            for part in ["Usage: argocd-peering", option, "Example:\n", "  argocd-peering"] {
                assert!(help.contains(part), "{command:?} {flag}: no `{part}` in\n{help}");
            }
            let example = help.split("Example:\n").nth(1).unwrap_or_default();
            assert!(example.contains(&format!("argocd-peering {}", command.join(" "))), "{help}");
        }
    }
    let generate = run(&["generate", "--help"]).stdout;
    assert!(generate.contains("Exit codes: 0 ") && generate.contains(" 3 the environment"), "{generate}");
    for group in [[].as_slice(), &["seed"], &["seal"]] {
        let outcome = run(&[group, &["--help"]].concat());
        assert!(outcome.done().contains("Usage: argocd-peering"), "{outcome}");
        assert_eq!(outcome.stderr, "");
    }
}

/// Also of those that only group others, and of those that are added one day.
#[test]
fn every_help_has_an_example_that_can_be_parsed() {
    let mut commands = vec![(Vec::new(), Cli::command())];
    let mut count = 0;
    while let Some((path, command)) = commands.pop() {
        let words: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
        let help = run(&words).done().to_owned();
        let (_, example) =
            help.split_once("\nExample").unwrap_or_else(|| panic!("{path:?}: no example\n{help}"));
        let example = example.split("\n\n").next().unwrap_or_default().replace("\\\n", " ");
        let lines: Vec<&str> =
            example.lines().filter_map(|line| line.split_once("argocd-peering ")).map(|(_, it)| it).collect();
        assert!(!lines.is_empty(), "{path:?}: {example}");
        for line in lines {
            let written = line.split(" > ").next().unwrap_or_default();
            let words = ["argocd-peering"].into_iter().chain(written.split_whitespace());
            if let Err(usage) = Cli::try_parse_from(words) {
                panic!("{path:?}: {line}: {usage}");
            }
        }
        for inner in command.get_subcommands() {
            let path: Vec<String> = path.iter().cloned().chain([inner.get_name().to_owned()]).collect();
            commands.push((path, inner.clone()));
        }
        count += 1;
    }
    assert!(count >= 14, "{count} helps");
}

/// The example in a help text is copied by people, so it must be one that the program takes.
#[test]
fn the_examples_options_exist() {
    for (command, _) in COMMANDS {
        let help = run(&[command, &["--help"]].concat()).stdout;
        let (options, example) = help.split_once("Example:\n").expect("an example");
        let ours = example.split_once("argocd-peering ").expect("ours").1;
        let words = ours.split("\n\n").next().unwrap_or_default().split_whitespace();
        let flags: Vec<&str> = words.filter(|word| word.starts_with('-')).collect();
        assert!(!flags.is_empty(), "{example}");
        for flag in flags {
            assert!(
                options.contains(&format!("{flag} ")) || options.contains(&format!("{flag},")),
                "{flag}: {help}"
            );
        }
    }
}

#[test]
fn the_version_is_the_packages() {
    for flag in ["--version", "-V"] {
        let outcome = run(&[flag]);
        assert_eq!(outcome.done(), concat!("argocd-peering ", env!("CARGO_PKG_VERSION"), "\n"));
        assert_eq!(outcome.stderr, "");
    }
}

#[test]
fn what_is_no_command_line_is_2() {
    for (arguments, words) in [
        (&[][..], "Usage"),
        (&["seed"], "Usage"),
        (&["seal"], "Usage"),
        (&["bogus"], "'bogus'"),
        (&["help"], "'help'"),
        (&["Generate"], "'Generate'"),
        (&["generat"], "'generate'"),
        (&["--bogus"], "'--bogus'"),
        (&["-x"], "'-x'"),
        (&["generate", "--bogus"], "'--bogus'"),
        (&["generate", "--Local"], "'--Local'"),
        (&["generate", "--role"], "--role"),
        (&["generate", "--role", "both"], "consumer"),
        (&["generate", "--role", "Consumer"], "provider"),
        (&["generate", "--role", ""], "--role"),
        (&["generate", "--role=consumer", "--role=provider"], "--role"),
        (&["generate", "--local=true"], "--local"),
        (&["generate", "--identity-file"], "--identity-file"),
        (&["generate", "--identity", "x"], "--identity"),
        (&["generate", "a", "b"], "'b'"),
        (&["generate", "--policies", "x"], "--policies"),
        (&["seed", "new"], "--clusters"),
        (&["seed", "new", "--clusters", "a,b"], "--recipient"),
        (&["seed", "new", "--recipient", "age1"], "--clusters"),
        (&["seal", "kubeconfig"], "<FILE>"),
        (&["seal", "seed"], "'seed'"),
    ] {
        let outcome = run(arguments);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome}");
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        outcome.says(words);
    }
}

#[test]
fn a_run_without_a_role_is_2() {
    run(&["generate"]).fails(2, "parameter").says("`role` is missing");
    run(&["generate", "--local"]).fails(2, "parameter").says("`role` is missing");
}

/// The four exit codes, as the help says them.
#[test]
fn the_exit_codes() {
    let checkout = Checkout::new();
    checkout.local("consumer").run().stream();
    checkout.program(["generate", "--local", "--role", "consumer"]).run().fails(3, "identity");
    checkout.program(["generate", "--local"]).run().fails(2, "parameter");
    checkout.write("peering.yaml", "kind: Peering\n");
    checkout.local("consumer").run().fails(1, "missing-field");
}

/// The key that the seed gives is not the one that the document expects: the document or the seed is wrong.
#[test]
fn an_unexpected_key_is_1_and_the_derived_one_is_named() {
    let key = "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=";
    let with = |key: &str| {
        let line = format!("clusterID: consumer\n    publicKey: {key}");
        Checkout::of(edited("clusterID: consumer", &line))
    };
    for role in ["consumer", "provider"] {
        let outcome = with(key).local(role).run();
        outcome.fails(1, "unexpected-key").says("consumer's key is not the `publicKey`").silent_on(key);
        let derived = outcome.stderr.split('`').find(|word| word.ends_with('=')).expect("the key");
        with(derived).local(role).run().stream();
    }
}
