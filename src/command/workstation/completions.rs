//! `completions`: prints a completion script, generated from the definition of the command line. The script is static: no program runs at
//! each Tab. The gaps of clap_complete 4.6.11 are mended in its text, and `tests/spec/cli/completion.rs` types in real shells.

use crate::command::{Result, Streams, explain};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::Shell;

/// Print the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  source <(argocd-peering completions bash)
  argocd-peering completions zsh > \"${fpath[1]}/_argocd-peering\"
  argocd-peering completions fish | source")]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

pub(crate) fn completions(
    arguments: &Completions,
    program: Command,
    streams: &mut Streams<'_>,
) -> Result {
    let mut script = Vec::new();
    let mut command = with_words(program);
    clap_complete::generate(arguments.shell, &mut command, PROGRAM, &mut script);
    let script = String::from_utf8_lossy(&script);
    streams.deliver(&match arguments.shell {
        Shell::Bash => mend_bash(&script),
        Shell::Zsh => mend_zsh(&script),
        Shell::Fish => mend_fish(&script, &command),
        _ => script.into_owned(),
    })
}

const PROGRAM: &str = "argocd-peering";

/// The start of the flags of `keys` in zsh's script.
const KEYS_IN_ZSH: &str = "(keys)\n_arguments \"${_arguments_options[@]}\" : \\\n'--identity-file";

/// The command line with the words that only completion needs.
fn with_words(program: Command) -> Command {
    let commands = commands(&program);
    program
        .mut_subcommand("explain", |it| {
            offer(
                it,
                "code",
                explain::pages()
                    .iter()
                    .map(|page| page.name.to_owned())
                    .collect(),
            )
        })
        .mut_subcommand("man", |it| offer(it, "command", commands))
}

fn offer(command: Command, argument: &'static str, words: Vec<String>) -> Command {
    command.mut_arg(argument, |it| {
        it.value_parser(PossibleValuesParser::new(words))
    })
}

/// The names of all commands, each once.
fn commands(command: &Command) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for inner in command.get_subcommands() {
        let below = commands(inner);
        for name in std::iter::once(inner.get_name().to_owned()).chain(below) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Fixes the labels and the files. clap_complete sets `argocd__peering__subcmd__…` and asks for `argocd__subcmd__peering__subcmd__…`, since
/// it takes the hyphen of the program's name for the one before a subcommand (`src/aot/shells/bash.rs`, `subcommand_details`). It also
/// offers flags where the user has typed none, so that bash never offers file names (`complete -o default`).
fn mend_bash(script: &str) -> String {
    let labelled = script.replace("argocd__subcmd__peering", "argocd__peering");
    labelled.replace(
        "complete -F _argocd__peering ",
        "complete -F _argocd__peering_words ",
    ) + BASH
}

const BASH: &str = r#"
_argocd__peering_words() {
    local word words=()
    _argocd__peering "$@"
    [[ $2 == -* ]] && return
    for word in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do
        [[ $word == -* ]] || words+=("$word")
    done
    COMPREPLY=(${words[@]+"${words[@]}"})
}
"#;

/// Fixes `keys`, which has a folder or a command: clap_complete puts the folder first, so that the command is never
/// found (`src/aot/shells/zsh.rs`, `get_args_of` and `get_subcommands_of`).
fn mend_zsh(script: &str) -> String {
    let ours = "'argocd-peering keys commands' commands \"$@\"\n";
    script
        .replace(
            "'::folder -- The folder of peering.yaml:_files' \\\n\":: :",
            "\":: :",
        )
        .replace("$line[2]", "$line[1]")
        // the flags of a subcommand follow its first word, and can have the same names (zshcompsys(1), `_arguments -A`)
        .replace(
            KEYS_IN_ZSH,
            &KEYS_IN_ZSH.replacen("_arguments", "_arguments -A '-*'", 1),
        )
        .replace(ours, &format!("{ours}    _files\n"))
}

/// Adds the words of arguments without a flag, which clap_complete leaves out (`src/aot/shells/fish.rs`).
fn mend_fish(script: &str, command: &Command) -> String {
    let mut script = script.to_owned();
    for inner in command.get_subcommands() {
        let words = inner.get_positionals().flat_map(Arg::get_possible_values);
        let words: Vec<String> = words.map(|word| word.get_name().to_owned()).collect();
        if !words.is_empty() {
            let (name, words) = (inner.get_name(), words.join(" "));
            script += &format!(
                "complete -c {PROGRAM} -n \"__fish_argocd_peering_using_subcommand {name}\" -f -a \"{words}\"\n"
            );
        }
    }
    script
}
