//! `completions`: prints a completion script, generated from the definition of the command line. The script is static: no program runs at
//! each Tab.

use crate::command::{Result, Streams};
use clap::{Args, Command};
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
    mut program: Command,
    streams: &mut Streams<'_>,
) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "argocd-peering", &mut script);
    // in bash it offers nothing after the first word otherwise: clap_complete 4.6.11 sets `argocd__peering__subcmd__…` and asks for
    // `argocd__subcmd__peering__subcmd__…`, since the program's name has a hyphen (`src/aot/shells/bash.rs`, `subcommand_details`)
    let script =
        String::from_utf8_lossy(&script).replace("argocd__subcmd__peering", "argocd__peering");
    streams.deliver(&script)
}
