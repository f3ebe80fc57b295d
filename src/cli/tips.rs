//! Tips for a person who types what another program understands.

use super::Cli;
use crate::peering::values::Role;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Command, CommandFactory as _};
use std::path::Path;

/// Replaces clap's tips where they do not help. `typed` is the whole command line.
pub fn advise(mut usage: Error, typed: &[String]) -> Error {
    let words =
        [ContextKind::InvalidSubcommand, ContextKind::InvalidArg].map(|kind| usage.get(kind));
    let tip = match (usage.kind(), words) {
        (ErrorKind::InvalidSubcommand, [Some(ContextValue::String(word)), _]) => {
            order_tip(word, typed).or_else(|| task_tip(word).map(ToOwned::to_owned))
        }
        (ErrorKind::UnknownArgument, [_, Some(ContextValue::String(word))]) => {
            match word.as_str() {
                "-o" => format_tip(typed),
                "-v" => Some("`argocd-peering -V` prints the version".to_owned()),
                _ => role_tip(typed),
            }
        }
        (ErrorKind::MissingRequiredArgument, [_, Some(ContextValue::Strings(missing))]) => {
            context_tip(missing, typed)
        }
        _ => None,
    };
    drop_value_tips(&mut usage);
    if let Some(tip) = tip {
        usage.remove(ContextKind::SuggestedSubcommand);
        usage.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![StyledStr::from(tip)]),
        );
    }
    usage
}

/// What to run here for a command that another program has, or for a word of another command of this one.
fn task_tip(word: &str) -> Option<&'static str> {
    Some(match word {
        "apply" | "create" | "sync" => {
            "nothing is applied from here: commit the folder, and Argo CD applies it"
        }
        "check" | "lint" | "test" => "`argocd-peering validate` checks documents",
        "get" | "show" | "status" => {
            "`argocd-peering list` shows all peerings, and `argocd-peering doctor` compares one with its clusters"
        }
        "diffs" | "plan" | "preview" => {
            "`argocd-peering diff` shows what a change does to both clusters"
        }
        "add" | "new" => "`argocd-peering init` creates the folder of a new peering",
        "decrypt" | "open" => {
            "`argocd-peering inspect` prints a sealed file's terms, and no command its secret"
        }
        "encrypt" | "kubeconfig" => {
            "`argocd-peering seal kubeconfig` seals a credential, and `argocd-peering seed new` makes a sealed seed"
        }
        "render" | "template" => "`argocd-peering generate` prints one cluster's manifests",
        "rotate" => "`argocd-peering seed rotate` replaces a key",
        "delete" | "drain" | "remove" | "unpeer" => {
            "a peering is removed with two commits: docs/howto/take-down.md has the steps"
        }
        _ => return None,
    })
}

/// The tip if a folder was typed before the command.
fn order_tip(word: &str, typed: &[String]) -> Option<String> {
    let line = Cli::command();
    let command = typed
        .iter()
        .skip_while(|it| *it != word)
        .find(|it| line.find_subcommand(it).is_some())?;
    Some(format!(
        "the command comes first: `argocd-peering {command} {word}`"
    ))
}

/// The tip if a role was typed without its flag.
fn role_tip(typed: &[String]) -> Option<String> {
    let role = typed.windows(2).find_map(|pair| match pair {
        [before, role] if before != "--role" && Role::find(role).is_some() => Some(role),
        _ => None,
    })?;
    Some(format!("the role is a flag: `--role {role}`"))
}

/// The tip if a context was typed without its flag: as the last word, which is neither a flag's value nor a folder.
fn context_tip(missing: &[String], typed: &[String]) -> Option<String> {
    let missing = missing
        .iter()
        .find(|it| it.contains("-context <CONTEXT>"))?;
    let flag = missing.trim_start_matches('<').split(' ').next()?;
    let [.., before, word] = typed else {
        return None;
    };
    let is_other = word.starts_with('-') || before.starts_with('-') || word.contains('/');
    let is_context = !is_other && !Path::new(word).exists() && Role::find(word).is_none();
    is_context.then(|| format!("a context is a flag: `{flag} {word}`"))
}

/// Removes clap's tip to pass an unknown flag as a value. No folder begins like a flag.
fn drop_value_tips(usage: &mut Error) {
    let Some(ContextValue::StyledStrs(mut tips)) = usage.remove(ContextKind::Suggested) else {
        return;
    };
    tips.retain(|tip| !tip.to_string().starts_with("to pass "));
    if !tips.is_empty() {
        usage.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
}

/// kubectl has `-o json`. Here the flag of a command with several forms is `--format`.
fn format_tip(typed: &[String]) -> Option<String> {
    let mut command = Cli::command();
    for word in typed {
        command = command.find_subcommand(word).cloned().unwrap_or(command);
    }
    let words = words_of_format(&command)?;
    let after = typed
        .iter()
        .skip_while(|word| !word.starts_with("-o"))
        .take(2);
    let wanted = after
        .map(|word| word.trim_start_matches("-o").trim_start_matches('='))
        .find(|word| !word.is_empty());
    let format = wanted.filter(|wanted| words.iter().any(|word| word == wanted));
    Some(format!(
        "did you mean '--format {}'?",
        format.map_or_else(|| words.join("|"), ToOwned::to_owned)
    ))
}

fn words_of_format(command: &Command) -> Option<Vec<String>> {
    let format = command
        .get_arguments()
        .find(|it| it.get_long() == Some("format"))?;
    Some(
        format
            .get_possible_values()
            .iter()
            .map(|word| word.get_name().to_owned())
            .collect(),
    )
}
