//! The commands of the feature `workstation`.

use crate::command::Streams;
use crate::command::error::Error;
use crate::command::workstation::{
    authenticate, completions, diff, doctor, fleet, graph, import, init, inspect, list, man, ports, render,
    reseal, rights, rotate, seal, seed,
};
use clap::{CommandFactory as _, Subcommand};

/// What a person runs at their own machine, and Argo CD never does.
#[derive(Debug, Subcommand)]
pub enum Workstation {
    /// Create the folder of a peering, with its seed and Applications
    #[command(after_help = init::INIT_EXAMPLE)]
    Init(Box<init::Init>),
    /// Describe the clusters of many peerings once, write their folders
    #[command(subcommand, after_help = fleet::FLEET_EXAMPLE)]
    Fleet(fleet::Fleet),
    /// Make a peering.yaml of what exists: manifests, or live clusters
    #[command(after_help = import::IMPORT_EXAMPLE)]
    Import(import::Import),
    /// Create sealed seeds, rotate keys
    #[command(subcommand, after_help = seed::SEED_EXAMPLE)]
    Seed(seed::Seed),
    /// Seal the other secrets of a peering
    #[command(subcommand, after_help = seal::SEAL_EXAMPLE)]
    Seal(seal::Seal),
    /// Exchange keys as Liqo does: a credential that Liqo renews
    #[command(after_help = authenticate::AUTHENTICATE_EXAMPLE)]
    Authenticate(authenticate::Authenticate),
    /// Seal the same secrets again, for others or on other terms
    #[command(after_help = reseal::RESEAL_EXAMPLE)]
    Reseal(reseal::Reseal),
    /// Print a sealed file's terms, and what is public of its secret
    #[command(after_help = inspect::INSPECT_EXAMPLE)]
    Inspect(inspect::Inspect),
    /// Show what a change does to both clusters, object by object
    #[command(after_help = diff::DIFF_EXAMPLE)]
    Diff(diff::Diff),
    /// Draw peerings: which cluster uses which, and through what
    #[command(after_help = graph::GRAPH_EXAMPLE)]
    Graph(graph::Graph),
    /// List peerings: clusters, gateways, keys, ends of credentials
    #[command(after_help = list::LIST_EXAMPLE)]
    List(list::List),
    /// List what must be open for peerings: who dials whom, and why
    #[command(after_help = ports::PORTS_EXAMPLE)]
    Ports(ports::Ports),
    /// Write each side's manifests as files, where there is no plugin
    #[command(after_help = render::RENDER_EXAMPLE)]
    Render(render::Render),
    /// Print the least rights that Argo CD needs, or the AppProjects
    #[command(after_help = rights::RIGHTS_EXAMPLE)]
    Rights(rights::Rights),
    /// Compare the clusters with the document, read-only, by `kubectl`
    #[command(after_help = doctor::DOCTOR_EXAMPLE)]
    Doctor(doctor::Doctor),
    /// Print the completion script of a shell
    #[command(after_help = completions::COMPLETIONS_EXAMPLE)]
    Completions(completions::Completions),
    /// Print a manual page, as `man` reads it
    #[command(after_help = man::MAN_EXAMPLE)]
    Man(man::Man),
}

pub(super) fn run(command: &Workstation, streams: &mut Streams<'_>) -> Result<(), Error> {
    match command {
        Workstation::Init(arguments) => init::init(arguments, streams),
        Workstation::Fleet(arguments) => fleet::fleet(arguments, streams),
        Workstation::Seed(seed::Seed::New(arguments)) => seed::seed_new(arguments, streams),
        Workstation::Seed(seed::Seed::Import(arguments)) => seed::seed_import(arguments, streams),
        Workstation::Seed(seed::Seed::Rotate(arguments)) => rotate::rotate(arguments, streams),
        Workstation::Seed(seed::Seed::RotateDue(arguments)) => rotate::rotate_due(arguments, streams),
        Workstation::Seal(what) => seal::seal(what, streams),
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
        Workstation::Ports(arguments) => ports::ports(arguments, streams),
        Workstation::Render(arguments) => render::render(arguments, streams),
        Workstation::Graph(arguments) => graph::graph(arguments, streams),
    }
}
