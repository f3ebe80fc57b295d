//! The commands that the documentation shows are commands that the program takes.

use crate::harness::library::Cli;
use crate::harness::{files_below, read, root};
use clap::Parser as _;
use std::path::PathBuf;

/// Every page for people.
fn pages() -> Vec<PathBuf> {
    let pages = ["README.md", "SECURITY.md", "argocd-app/README.md"].map(|page| root().join(page));
    let folders = ["docs", "examples", "src/diagnostic/codes"]
        .map(|folder| files_below(&root().join(folder), ".md"));
    pages.into_iter().chain(folders.concat()).collect()
}

/// What stands in blocks of shell commands and between backticks, and names the program or one of its groups.
pub(super) fn commands(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (index, part) in page.replace(RECIPIENT, "age1…").split("```").enumerate() {
        let code: Vec<String> = if index % 2 == 1 {
            let lines = part.replace("\\\n", " ").replace("|\n", "| ");
            lines
                .split('\n')
                .flat_map(|line| line.split(" | "))
                .map(ToOwned::to_owned)
                .collect()
        } else {
            let inline = part.split('`').enumerate().filter(|(at, _)| at % 2 == 1);
            inline
                .map(|(_, code)| code.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect()
        };
        for line in code {
            let line = line
                .split(" #")
                .next()
                .unwrap_or_default()
                .rsplit(" | ")
                .next()
                .unwrap_or_default();
            let line = line.split(" > ").next().unwrap_or_default().trim();
            let command = line
                .strip_prefix("argocd-peering ")
                .or(in_a_container(line));
            let group = [
                "seed new ",
                "seed import ",
                "reseal ",
                "inspect ",
                "seed rotate ",
                "seal kubeconfig ",
            ];
            let grouped = group
                .iter()
                .any(|group| line.starts_with(group))
                .then_some(line);
            let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
            found.extend(command.or(grouped).map(words));
        }
    }
    found
}

/// What the page of a code shows as wrong is wrong.
fn without_mistakes(text: &str) -> String {
    let mistakes = text
        .split("\nWrong:\n")
        .nth(1)
        .and_then(|rest| rest.split("\nRight:\n").next());
    text.replace(mistakes.unwrap_or("\0"), "")
}

/// The fenced blocks of a page in this language.
pub(super) fn blocks(page: &str, language: &str) -> Vec<String> {
    let fenced = page.split("```").skip(1).step_by(2);
    fenced
        .filter_map(|it| it.strip_prefix(&format!("{language}\n")))
        .map(ToOwned::to_owned)
        .collect()
}

/// The recipient of one's own identity, as the pages write it to be copied.
pub(super) const RECIPIENT: &str = "\"$(age-keygen -y ~/.config/argocd-peering/identity.txt)\"";

/// What follows the image of this release.
fn in_a_container(line: &str) -> Option<&str> {
    let repository = env!("CARGO_PKG_REPOSITORY").replacen("https://github.com", "ghcr.io", 1);
    let image = format!("{repository}:{} ", env!("CARGO_PKG_VERSION"));
    line.strip_prefix("docker run --rm ")?
        .split_once(&image)
        .map(|(_, command)| command)
}

/// A command with `…` in it is a part of one: its words must be known, and what is left out may be missing.
fn is_taken(command: &str) -> Result<(), String> {
    let words: Vec<&str> = command
        .split_whitespace()
        .filter(|word| !word.starts_with('…'))
        .collect();
    let whole = !command.contains('…') || command.contains("age1…");
    match Cli::try_parse_from(["argocd-peering"].into_iter().chain(words)) {
        Ok(_) => Ok(()),
        Err(usage) => match usage.kind() {
            clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion => Ok(()),
            // the name of a command in a sentence, or one whose rest is left out
            clap::error::ErrorKind::MissingRequiredArgument
            | clap::error::ErrorKind::MissingSubcommand
                if !whole || !command.contains("--") =>
            {
                Ok(())
            }
            clap::error::ErrorKind::InvalidValue if command.contains('…') => Ok(()),
            _ => Err(format!("{command}: {usage}")),
        },
    }
}

/// A block of YAML can be copied: it is YAML, wherever it stands.
#[test]
fn every_block_of_yaml_is_yaml() {
    let mut count = 0;
    for page in pages() {
        for block in blocks(&without_mistakes(&read(&page)), "yaml") {
            count += 1;
            if let Err(error) = serde_saphyr::from_multiple::<serde_json::Value>(&block) {
                panic!("{}: {error}\n{block}", page.display());
            }
        }
    }
    assert!(count > 30, "{count} blocks");
}

#[test]
fn every_command_of_the_documentation_is_taken() {
    let mut count = 0;
    for page in pages() {
        for command in commands(&without_mistakes(&read(&page))) {
            count += 1;
            if let Err(problem) = is_taken(&command) {
                panic!("{}: {problem}", page.display());
            }
        }
    }
    assert!(count > 30, "{count} commands");
}
