//! `docs/commands.md`: every command with its flags and its example, from the command line's own definition.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};

use crate::generated::Made;
use crate::harness::library::Cli;

const INTRODUCTION: &str = "\
<!-- Made from src/command by `UPDATE=1 cargo test --locked` -->

# Commands

This page has every command of `argocd-peering` with its flags and an example. Each one's own `--help` prints the same, and
[`man`](#man) a manual page. The [image](command.md) has only the commands that Argo CD and its probes run.
";

/// The page.
pub(crate) fn made() -> Vec<Made> {
    let mut command = Cli::command();
    command.build();
    let commands = leaves(&command);
    let mut text = INTRODUCTION.to_owned() + "\n| command | what it does |\n| --- | --- |\n";
    for (name, command) in &commands {
        let _ = writeln!(
            text,
            "| [`{name}`](#{}) | {} |",
            name.replace(' ', "-"),
            about(command)
        );
    }
    text += "\nEvery command ends with one of these [exit codes](diagnostics.md#exit-codes).\n";
    let shared = shared(&commands);
    for (name, command) in &commands {
        text += &section(name, command, &shared);
    }
    text +=
        &format!("\n## {SHARED}\n\nThese have the same meaning in each command that names them.\n");
    text += &table(shared.iter().cloned());
    vec![Made {
        path: "docs/commands.md".to_owned(),
        text,
    }]
}

/// The commands that do something, by what is typed after the program's name.
fn leaves(command: &Command) -> Vec<(String, &Command)> {
    let mut found = Vec::new();
    for inner in command
        .get_subcommands()
        .filter(|it| it.get_name() != "help")
    {
        // a group asks for one of its commands
        if !inner.is_subcommand_required_set() {
            found.push((inner.get_name().to_owned(), inner));
        }
        found.extend(
            leaves(inner)
                .into_iter()
                .map(|(name, it)| (format!("{} {name}", inner.get_name()), it)),
        );
    }
    found
}

fn about(command: &Command) -> String {
    command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default()
}

/// The heading of the arguments that many commands have.
const SHARED: &str = "Flags of several commands";

/// The rows of flags that at least four commands have, in the order in which they come first.
fn shared(commands: &[(String, &Command)]) -> Vec<String> {
    let flags = commands
        .iter()
        .flat_map(|(_, command)| rows(command))
        .filter(|row| row.starts_with("| `-"));
    let rows: Vec<String> = flags.collect();
    let mut shared: Vec<String> = Vec::new();
    for row in &rows {
        if rows.iter().filter(|it| *it == row).count() >= 4 && !shared.contains(row) {
            shared.push(row.clone());
        }
    }
    shared
}

/// A row for each argument.
fn rows(command: &Command) -> Vec<String> {
    command
        .get_arguments()
        .filter(|it| !it.is_hide_set() && !matches!(it.get_id().as_str(), "help" | "version"))
        .map(|it| format!("| {} | {} |\n", spelling(it), help(it).replace('|', "\\|")))
        .collect()
}

fn table(rows: impl Iterator<Item = String>) -> String {
    let rows: String = rows.collect();
    if rows.is_empty() {
        rows
    } else {
        format!("\n| argument | what it is |\n| --- | --- |\n{rows}")
    }
}

/// The names of arguments that are explained elsewhere.
fn names(rows: &[String]) -> String {
    let name = |row: &String| {
        row.split('`')
            .nth(1)
            .unwrap_or_default()
            .split(' ')
            .next()
            .map(|it| format!("`{it}`"))
    };
    let names: Vec<String> = rows.iter().filter_map(name).collect();
    let anchor = SHARED.to_lowercase().replace(' ', "-");
    format!(
        "\nAlso {}: [{}](#{anchor}).\n",
        names.join(", "),
        SHARED.to_lowercase()
    )
}

fn section(name: &str, command: &Command, shared: &[String]) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage
        .lines()
        .map(str::trim)
        .collect::<Vec<_>>()
        .join("\n       ");
    let mut text = format!(
        "\n## {name}\n\n{}.\n\n```text\n{usage}\n```\n",
        about(command)
    );
    let (elsewhere, own): (Vec<String>, Vec<String>) = rows(command)
        .into_iter()
        .partition(|row| shared.contains(row));
    text += &table(own.into_iter());
    if !elsewhere.is_empty() {
        text += &names(&elsewhere);
    }
    // the example, then what else is to be said
    let more = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let (example, rest) = more.split_once("\n\n").unwrap_or((&more, ""));
    let (heading, example) = example.split_once('\n').expect("a heading and an example");
    let lines: Vec<&str> = example
        .lines()
        .map(|line| line.strip_prefix("  ").unwrap_or(line))
        .collect();
    let _ = write!(text, "\n{heading}\n\n```sh\n{}\n```\n", lines.join("\n"));
    for paragraph in rest.split("\n\n").filter(|it| !it.is_empty()) {
        // what is indented is shown as it is
        let _ = match linked(paragraph).split_once("\n  ") {
            Some((words, shown)) => {
                write!(
                    text,
                    "\n{words}\n\n```sh\n{}\n```\n",
                    shown.replace("\n  ", "\n")
                )
            }
            None => write!(text, "\n{}\n", linked(paragraph)),
        };
    }
    text
}

/// A page of `docs` becomes a link.
fn linked(text: &str) -> String {
    let mut parts = text.split("docs/");
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (page, rest) = part.split_once(".md").expect("a page of docs");
        let (before, rest) = match (linked.strip_suffix('`'), rest.strip_prefix('`')) {
            (Some(before), Some(rest)) => (before.to_owned(), rest),
            _ => (linked, rest),
        };
        linked = format!("{before}[`docs/{page}.md`]({page}.md){rest}");
    }
    linked
}

/// `-o`, `--output FILE`
fn spelling(argument: &Arg) -> String {
    let values = argument.get_value_names().unwrap_or_default().join(" ");
    let values = if argument.get_action().takes_values() {
        values
    } else {
        String::new()
    };
    let Some(long) = argument.get_long() else {
        return format!("`{values}`");
    };
    let short = argument
        .get_short()
        .map(|short| format!("`-{short}`, "))
        .unwrap_or_default();
    format!("{short}`{}`", format!("--{long} {values}").trim_end()).replace('|', "\\|")
}

/// What it is, its words and its default.
fn help(argument: &Arg) -> String {
    let mut text = argument
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let words = argument.get_possible_values();
    if argument.get_action().takes_values() && words.iter().any(|word| word.get_help().is_some()) {
        let word = |word: &clap::builder::PossibleValue| {
            let help = word
                .get_help()
                .map(|help| format!(" ({help})"))
                .unwrap_or_default();
            format!("`{}`{help}", word.get_name())
        };
        text += &format!(
            ": {}",
            words.iter().map(word).collect::<Vec<_>>().join(", ")
        );
    }
    if argument.get_action().takes_values() {
        let defaults = argument.get_default_values().iter();
        text.extend(defaults.map(|value| format!("; default: `{}`", value.to_string_lossy())));
    }
    if argument.is_required_set() {
        text += "; **required**";
    }
    text
}
