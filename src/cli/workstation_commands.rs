//! The commands of the feature `workstation`.

use crate::argocd::caller::Environment;
use crate::command::keys::{self, Keys};
use crate::command::validate::{self, Validate};
use crate::command::workstation::{
    authenticate, completions, diff, doctor, graph, import, init, inspect, liqo_values, list, man,
    reseal, rights, rotate, seal, seed,
};
use crate::command::{Result, Streams};
use clap::{CommandFactory as _, Subcommand};

/// The commands that a person runs on their own machine, and Argo CD never does.
#[derive(Debug, Subcommand)]
pub enum Workstation {
    Validate(Validate),
    /// Print the JSON Schema of peering.yaml, for editors
    #[command(after_help = "Example:
  argocd-peering schema > peering.schema.json

For the YAML language server, peering.yaml then begins with:
  # yaml-language-server: $schema=peering.schema.json")]
    Schema,
    Keys(Keys),
    /// Print the version
    #[command(after_help = "Example:
  argocd-peering version")]
    Version,
    Init(Box<init::Init>),
    Import(import::Import),
    #[command(subcommand)]
    Seed(seed::Seed),
    #[command(subcommand)]
    Seal(seal::Seal),
    Authenticate(authenticate::Authenticate),
    Reseal(reseal::Reseal),
    Inspect(inspect::Inspect),
    Diff(diff::Diff),
    Graph(graph::Graph),
    LiqoValues(liqo_values::LiqoValues),
    List(list::List),
    Rights(rights::Rights),
    Doctor(doctor::Doctor),
    Completions(completions::Completions),
    Man(man::Man),
}

pub(super) fn run(
    command: &Workstation,
    environment: &Environment,
    streams: &mut Streams<'_>,
) -> Result {
    match command {
        Workstation::Validate(arguments) => validate::validate(arguments, streams),
        Workstation::Schema => streams.deliver(&crate::peering::schema_text()),
        Workstation::Keys(arguments) => keys::keys(arguments, environment, streams),
        Workstation::Version => {
            streams.deliver(concat!("argocd-peering ", env!("CARGO_PKG_VERSION"), "\n"))
        }
        Workstation::Init(arguments) => init::init(arguments, streams),
        Workstation::Seed(seed::Seed::New(arguments)) => seed::seed_new(arguments, streams),
        Workstation::Seed(seed::Seed::Import(arguments)) => seed::seed_import(arguments, streams),
        Workstation::Seed(seed::Seed::Rotate(arguments)) => rotate::rotate(arguments, streams),
        Workstation::Seal(seal::Seal::Kubeconfig(arguments)) => {
            seal::kubeconfig::seal(arguments, streams)
        }
        Workstation::Authenticate(arguments) => authenticate::authenticate(arguments, streams),
        Workstation::Reseal(arguments) => reseal::reseal(arguments, streams),
        Workstation::Inspect(arguments) => inspect::inspect(arguments, streams),
        Workstation::Rights(arguments) => rights::rights(arguments, streams),
        Workstation::Doctor(arguments) => doctor::doctor(arguments, streams),
        Workstation::Completions(arguments) => {
            completions::completions(arguments, super::Cli::command(), streams)
        }
        Workstation::Man(arguments) => man::man(arguments, super::Cli::command(), streams),
        Workstation::Diff(arguments) => diff::diff(arguments, streams),
        Workstation::Import(arguments) => import::import(arguments, streams),
        Workstation::List(arguments) => list::list(arguments, streams),
        Workstation::Graph(arguments) => graph::graph(arguments, streams),
        Workstation::LiqoValues(arguments) => liqo_values::liqo_values(arguments, streams),
    }
}
