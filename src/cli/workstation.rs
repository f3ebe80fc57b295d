//! The commands of the feature `workstation`.

mod diff;
mod doctor;
mod flags;
mod fleet;
mod graph;
mod import;
mod init;
mod list;
mod rights;
mod seal;
mod seed;

use clap::{Args, Subcommand};

pub use diff::{Diff, DiffFormat};
pub use doctor::Doctor;
pub use flags::{CertificateFlags, PeeringPaths, RecipientFlags, SealFlags, UseFlags};
pub use fleet::{Fleet, FleetCheck, FleetImport, FleetWrite};
pub use graph::{Drawing, Graph};
pub use import::{Import, Secrets};
pub use init::Init;
pub use list::List;
pub use rights::Rights;
pub use seal::{Inspect, IssueFlags, Reseal, Seal, SealKubeconfig};
pub use seed::{Seed, SeedImport, SeedNew, SeedRotate, SeedRotateDue};

/// What a person runs at their own machine, and Argo CD never does.
#[derive(Debug, Subcommand)]
pub enum Workstation {
    /// Create the folder of a new peering, with its seed and its Applications
    #[command(after_help = init::INIT_EXAMPLE)]
    Init(Box<Init>),
    /// Describe the clusters of many peerings once, and write their folders
    #[command(subcommand, after_help = fleet::FLEET_EXAMPLE)]
    Fleet(Fleet),
    /// Make a peering.yaml from objects that exist: manifests, or two live clusters
    #[command(after_help = import::IMPORT_EXAMPLE)]
    Import(Import),
    /// Create sealed seeds, rotate keys
    #[command(subcommand, after_help = seed::SEED_EXAMPLE)]
    Seed(Seed),
    /// Seal the other secrets of a peering
    #[command(subcommand, after_help = seal::SEAL_EXAMPLE)]
    Seal(Seal),
    /// Seal sealed files again, for other recipients or on other terms; the secrets stay the same
    #[command(after_help = seal::RESEAL_EXAMPLE)]
    Reseal(Reseal),
    /// Print a sealed file's terms, and what is public of its secret
    #[command(after_help = seal::INSPECT_EXAMPLE)]
    Inspect(Inspect),
    /// Show what a change does to both clusters, object by object, without an identity
    #[command(after_help = diff::DIFF_EXAMPLE)]
    Diff(Diff),
    /// Draw peerings: which cluster uses which, through what, and what is shared
    #[command(after_help = graph::GRAPH_EXAMPLE)]
    Graph(Graph),
    /// List peerings: clusters, gateways, keys, and when credentials end
    #[command(after_help = list::LIST_EXAMPLE)]
    List(List),
    /// Print the least rights that Argo CD needs for peerings: Roles and accounts of a cluster, or the AppProjects
    #[command(after_help = rights::RIGHTS_EXAMPLE)]
    Rights(Rights),
    /// Check the clusters of a peering against its document, read-only, through `kubectl`
    #[command(after_help = doctor::DOCTOR_EXAMPLE)]
    Doctor(Doctor),
    /// Print the completion script of a shell
    #[command(after_help = COMPLETIONS_EXAMPLE)]
    Completions(Completions),
    /// Print a manual page, as `man` reads it
    #[command(after_help = MAN_EXAMPLE)]
    Man(Man),
}

const COMPLETIONS_EXAMPLE: &str = "Examples:
  source <(argocd-peering completions bash)
  argocd-peering completions zsh > \"${fpath[1]}/_argocd-peering\"
  argocd-peering completions fish | source";

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
