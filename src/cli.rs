//! The command line and the process: which command is run, and how it ends.

pub mod process;
#[cfg(feature = "workstation")]
mod workstation_commands;

use crate::argocd::caller::Environment;
use crate::command::explain::{self, Explain};
use crate::command::generate::{self, Generate};
use crate::command::healthcheck::{self, Healthcheck};
use crate::command::{Result, Streams};
use clap::{CommandFactory as _, Parser, Subcommand};
#[cfg(feature = "workstation")]
use workstation_commands::Workstation;

#[cfg(feature = "workstation")]
const EXAMPLE: &str = "Example:
  argocd-peering init peerings/rome-milan --recipients-file .age-recipients
  argocd-peering validate peerings
  argocd-peering generate peerings/rome-milan --public --role consumer";

#[cfg(not(feature = "workstation"))]
const EXAMPLE: &str = "Example:
  argocd-peering generate --role consumer --identity-file /run/identity/identity.txt
  argocd-peering explain cidr-host-bits

This is the build for the sidecar.";

/// Turns one description of a Liqo peering into the manifests of both clusters.
#[derive(Debug, Parser)]
#[command(name = "argocd-peering", version, max_term_width = 100)]
#[command(after_help = EXAMPLE)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Generate(Generate),
    Explain(Explain),
    Healthcheck(Healthcheck),
    /// The commands that a person runs on their own machine.
    #[cfg(feature = "workstation")]
    #[command(flatten)]
    Workstation(Box<Workstation>),
}

impl Command {
    /// Whether Argo CD runs this command. Argo CD has little space for an error.
    pub const fn is_argo_cds(&self) -> bool {
        matches!(
            self,
            Self::Generate(Generate {
                local: false,
                public: false,
                ..
            })
        )
    }
}

/// The first screen: the commands by what a person wants to do.
const TASKS: [(&str, &[&str]); 4] = [
    ("Begin", &["init", "import", "liqo-values"]),
    (
        "Seal",
        &["seed", "seal", "authenticate", "reseal", "inspect"],
    ),
    (
        "Look",
        &["validate", "diff", "list", "graph", "doctor", "explain"],
    ),
    ("For Argo CD and CI", &["generate", "rights", "keys"]),
];

/// The command line. Its help leaves out what only packages and probes use.
fn command_line() -> clap::Command {
    let command = Cli::command();
    let tasks = TASKS
        .map(|(task, names)| section(&command, task, names))
        .concat();
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{tasks}Options:\n{{options}}{{after-help}}"
    ))
}

/// The commands of a task, without those that this build does not have.
fn section(command: &clap::Command, task: &str, names: &[&str]) -> String {
    let mut lines = String::new();
    for name in names {
        let command = command.find_subcommand(name);
        if let Some(about) = command.and_then(clap::Command::get_about) {
            lines += &format!("  {name:<12}  {about}\n");
        }
    }
    if lines.is_empty() {
        return lines;
    }
    format!("{task}:\n{lines}\n")
}

/// Runs a command.
///
/// # Errors
/// Whatever goes wrong; then nothing was written to `out`, unless `out` itself failed.
pub fn run(command: &Command, environment: &Environment, streams: &mut Streams<'_>) -> Result {
    match command {
        Command::Generate(arguments) => generate::generate(arguments, environment, streams),
        Command::Explain(arguments) => explain::explain(arguments, streams),
        Command::Healthcheck(arguments) => healthcheck::healthcheck(arguments, streams),
        #[cfg(feature = "workstation")]
        Command::Workstation(command) => workstation_commands::run(command, environment, streams),
    }
}
