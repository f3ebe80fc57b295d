//! The commands of the feature `workstation`.

use super::Format;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What a person runs at their own machine, and Argo CD never does.
#[derive(Debug, Subcommand)]
pub enum Workstation {
    /// Check the clusters of a peering against its document, read-only, through `kubectl`
    #[command(after_help = DOCTOR_EXAMPLE)]
    Doctor(Doctor),
    /// Print the completion script of a shell
    #[command(after_help = COMPLETIONS_EXAMPLE)]
    Completions(Completions),
    /// Print a manual page, as `man` reads it
    #[command(after_help = MAN_EXAMPLE)]
    Man(Man),
}

const DOCTOR_EXAMPLE: &str = "Example:
  argocd-peering doctor peerings/rome-milan --consumer-context rome --provider-context milan --argocd-context hub

One cluster is enough: leave out the other one's context. Only `kubectl get` is run, each command is shown on standard
error, and values of Secrets are not read. docs/doctor.md lists what is checked.

Exit codes: 0 no errors, 1 errors were found, 2 usage, 3 the environment (kubectl, a cluster that does not answer).";

/// `doctor`
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("clusters").required(true).multiple(true))]
pub struct Doctor {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// The consumer's context in your kubeconfig
    #[arg(long, value_name = "CONTEXT", group = "clusters")]
    pub consumer_context: Option<String>,
    /// The provider's context
    #[arg(long, value_name = "CONTEXT", group = "clusters")]
    pub provider_context: Option<String>,
    /// The context of the cluster that runs Argo CD; without it the Applications are not checked
    #[arg(long, value_name = "CONTEXT")]
    pub argocd_context: Option<String>,
    /// The namespace of the Applications
    #[arg(long, value_name = "NAMESPACE", default_value = "argocd", requires = "argocd_context")]
    pub argocd_namespace: String,
    /// Text for people, or JSON for programs; both on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
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
