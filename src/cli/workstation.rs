//! The commands of the feature `workstation`.

mod diff;

use clap::{Args, Subcommand};

pub use diff::{Diff, DiffFormat};

/// What a person runs at their own machine, and Argo CD never does.
#[derive(Debug, Subcommand)]
pub enum Workstation {
    /// Print the completion script of a shell
    #[command(after_help = COMPLETIONS_EXAMPLE)]
    Completions(Completions),
    /// Print a manual page, as `man` reads it
    #[command(after_help = MAN_EXAMPLE)]
    Man(Man),
    /// Show what a change does to both clusters, object by object, without an identity
    #[command(after_help = diff::DIFF_EXAMPLE)]
    Diff(Diff),
}

const COMPLETIONS_EXAMPLE: &str = "Examples:
  source <(argocd-peering completions bash)
  argocd-peering completions zsh > \"${fpath[1]}/_argocd-peering\"
  argocd-peering completions fish > ~/.config/fish/completions/argocd-peering.fish";

/// `completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

const MAN_EXAMPLE: &str = "Examples:
  argocd-peering man generate | man -l -
  argocd-peering man seed rotate > argocd-peering-seed-rotate.1";

/// `man`
#[derive(Debug, Args)]
pub struct Man {
    /// The command; without one the page of the whole program
    pub command: Vec<String>,
}
