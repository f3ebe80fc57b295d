//! The command line: help, usage, exit codes, and what a terminal or a pipe gets.

use crate::harness::library::{Cli, PayloadKind};
use crate::harness::{Checkout, Outcome, Run, Text, committed, edited, rows, words};
use clap::{CommandFactory as _, Parser as _};

/// A run in no particular folder.
fn run(arguments: &[&str]) -> Outcome {
    Run::new(arguments.iter().copied()).within("/").run()
}

/// Also of those that only group others, and of those that are added one day. The example is copied by people, so it must
/// be one that the program takes.
#[test]
fn every_help_is_printed_to_stdout_and_has_an_example_that_can_be_parsed() {
    let mut commands = vec![(Vec::new(), Cli::command())];
    let mut count = 0;
    while let Some((path, command)) = commands.pop() {
        let help = |flag: &str| {
            let words: Vec<&str> = path.iter().map(String::as_str).chain([flag]).collect();
            let outcome = run(&words);
            assert_eq!(outcome.stderr, "", "{path:?} {flag}");
            outcome.done().to_owned()
        };
        for help in ["--help", "-h"].map(help) {
            assert!(
                help.contains("Usage: argocd-peering"),
                "{path:?}: no usage\n{help}"
            );
            let (_, example) = help
                .split_once("\nExample")
                .unwrap_or_else(|| panic!("{path:?}: no example\n{help}"));
            let example = example
                .split("\n\n")
                .next()
                .unwrap_or_default()
                .replace("\\\n", " ");
            let lines = example
                .lines()
                .filter_map(|line| line.split_once("argocd-peering "));
            let lines: Vec<&str> = lines.map(|(_, line)| line).collect();
            assert!(!lines.is_empty(), "{path:?}: {example}");
            for line in lines {
                let written = line.split([')', '>', '|']).next().unwrap_or_default();
                let words = ["argocd-peering"]
                    .into_iter()
                    .chain(written.split_whitespace());
                if let Err(usage) = Cli::try_parse_from(words) {
                    panic!("{path:?}: {line}: {usage}");
                }
            }
        }
        let text = command
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(fits(&text), "{path:?}\n{text}");
        for inner in command.get_subcommands() {
            let path: Vec<String> = path
                .iter()
                .cloned()
                .chain([inner.get_name().to_owned()])
                .collect();
            commands.push((path, inner.clone()));
        }
        count += 1;
    }
    assert!(count >= 14, "{count} helps");
    let generate = run(&["generate", "--help"]).stdout;
    generate.has("Exit codes: 0 ").has(" 3 the environment");
}

/// A message names it to people who need such a file.
#[test]
fn each_kind_of_sealed_file_has_a_command_that_makes_it() {
    for kind in PayloadKind::ALL {
        let found = kind
            .command()
            .split(' ')
            .try_fold(Cli::command(), |command, name| {
                command.find_subcommand(name).cloned()
            });
        assert!(found.is_some(), "there is no command `{}`", kind.command());
    }
}

/// Whether it is read well at any width: a paragraph is one line, which the terminal wraps, and a line of an example is not
/// wrapped in 80 columns.
fn fits(text: &str) -> bool {
    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let lines: Vec<&str> = text.lines().collect();
    lines
        .iter()
        .all(|line| is_prose(line) || line.chars().count() <= 80)
        && lines
            .windows(2)
            .all(|pair| !pair.iter().all(|line| is_prose(line)))
}

#[test]
fn the_version_is_the_packages() {
    for flag in ["--version", "-V", "version"] {
        let outcome = run(&[flag]);
        assert_eq!(
            outcome.done(),
            concat!("argocd-peering ", env!("CARGO_PKG_VERSION"), "\n")
        );
        assert_eq!(outcome.stderr, "");
    }
}

#[test]
fn what_is_no_command_line_is_2() {
    for (arguments, said) in rows(include_str!("help.txt")) {
        let outcome = Run::new(words(arguments)).within("/").run();
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (Some(2), ""),
            "{arguments}: {outcome}"
        );
        outcome.says(said);
        assert!(
            !said.starts_with("tip: ") || !outcome.stderr.contains("as a value"),
            "{arguments}: {outcome}"
        );
    }
}

/// The first screen has what a person does, by task; what only packages and probes use is in `docs/commands.md`. No line of it
/// is wrapped in 80 columns.
#[test]
fn the_first_screen_is_by_task() {
    let shown = run(&["--help"]).done().to_owned();
    let tasks = [
        "\nBegin:\n  init ",
        "\nSeal:\n  seed ",
        "\nLook:\n  validate ",
        "\nFor Argo CD and CI:\n  generate ",
    ];
    let places = tasks.map(|task| {
        shown
            .find(task)
            .unwrap_or_else(|| panic!("no {task}: {shown}"))
    });
    assert!(places.is_sorted(), "{shown}");
    let names: Vec<String> = Cli::command()
        .get_subcommands()
        .map(|it| it.get_name().to_owned())
        .collect();
    let is_shown = |name: &String| shown.contains(&format!("\n  {name:<8}  "));
    let hidden: Vec<&String> = names.iter().filter(|name| !is_shown(name)).collect();
    assert_eq!(
        hidden,
        ["healthcheck", "schema", "version", "completions", "man"],
        "a command that people run is in `TASKS` of src/cli.rs"
    );
    assert_eq!(run(&["-h"]).done(), shown);
    let long: Vec<&str> = shown
        .lines()
        .filter(|line| line.chars().count() > 80)
        .collect();
    assert!(long.is_empty(), "{long:?}");
    let reference = committed("docs/commands.md");
    for name in hidden {
        reference.has(&format!("\n## {name}\n"));
    }
}

/// The seed's key is not the one that the document has: one of the two is wrong, and the person decides which.
#[test]
fn the_key_of_the_seed_is_named_where_another_one_is_written() {
    let key = "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=";
    let with = |key: &str| {
        let line = format!("clusterID: consumer\n    publicKey: {key}");
        Checkout::of(edited("clusterID: consumer", &line))
    };
    for role in ["consumer", "provider"] {
        let outcome = with(key).local(role).run();
        outcome
            .fails(1, "unexpected-key")
            .says("consumer's key is not the `publicKey`")
            .silent_on(key);
        let derived = outcome
            .stderr
            .split('`')
            .find(|word| word.ends_with('='))
            .expect("the key");
        with(derived).local(role).run().stream();
    }
}
