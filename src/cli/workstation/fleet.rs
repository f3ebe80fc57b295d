//! `fleet …`: the clusters of many peerings described once.

use super::flags::{RecipientFlags, UseFlags};
use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(super) const FLEET_EXAMPLE: &str = "Example:
  argocd-peering fleet write peerings/fleet.yaml \\
    --recipients-file .age-recipients

The folders are beside the file, CONSUMER/PROVIDER each by Argo CD's names, as the ApplicationSet of argocd-app finds them. A \
peering that is in another folder below stays there. docs/howto/describe-a-fleet.md has the way.";

/// `fleet …`
#[derive(Debug, Subcommand)]
pub enum Fleet {
    /// Write the folders that are missing, and what fleet.yaml says into those that are there
    #[command(after_help = WRITE_EXAMPLE)]
    Write(Box<FleetWrite>),
    /// Say in which documents fleet.yaml is not followed; exit code 1 if there is one
    #[command(after_help = CHECK_EXAMPLE)]
    Check(FleetCheck),
    /// Print the fleet.yaml of peerings that exist
    #[command(after_help = IMPORT_EXAMPLE)]
    Import(FleetImport),
    /// Print the JSON Schema of fleet.yaml
    #[command(after_help = SCHEMA_EXAMPLE)]
    Schema,
}

const WRITE_EXAMPLE: &str = "Example:
  argocd-peering fleet write peerings/fleet.yaml \\
    --recipients-file .age-recipients

Only what fleet.yaml says is changed in a document: comments, credentials, and what you added stay. A node port that a document has \
stays too, unless fleet.yaml sets another one. Nothing is deleted: a peering that fleet.yaml no longer has is named, and \
docs/howto/take-down.md removes it. You confirm once, with their terms, the new seeds of all new folders.";

const CHECK_EXAMPLE: &str = "Example:
  argocd-peering fleet check peerings/fleet.yaml

It lists each folder that is missing, each field that differs, and each peering that fleet.yaml does not have. Nothing is written.";

const IMPORT_EXAMPLE: &str = "Example:
  argocd-peering fleet import peerings > peerings/fleet.yaml

Each cluster has its facts once; if two documents do not agree on one, both are named. Node ports and addresses of load balancers are \
left out: they stay in the documents.";

const SCHEMA_EXAMPLE: &str = "Example:
  argocd-peering fleet schema > peerings/fleet.schema.json";

/// `fleet write`
#[derive(Debug, Args)]
pub struct FleetWrite {
    /// The fleet
    #[arg(default_value = "fleet.yaml")]
    pub file: PathBuf,
    /// For which uses the new seeds may be opened inside Argo CD; default of --project: as `init`
    #[command(flatten)]
    pub uses: UseFlags,
    /// Who can open the new seeds
    #[command(flatten)]
    pub recipients: RecipientFlags,
    /// The digest of the terms and recipients that you have seen, instead of typing `yes` at a terminal
    #[arg(long, value_name = "sha256:…")]
    pub expect: Option<String>,
}

/// `fleet check`
#[derive(Debug, Args)]
pub struct FleetCheck {
    /// The fleet
    #[arg(default_value = "fleet.yaml")]
    pub file: PathBuf,
}

/// `fleet import`
#[derive(Debug, Args)]
pub struct FleetImport {
    /// A peering.yaml, its folder, or a folder of such folders
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}
