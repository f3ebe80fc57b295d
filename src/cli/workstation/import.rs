//! `import`.

use clap::Args;
use std::path::PathBuf;

pub(super) const IMPORT_EXAMPLE: &str = "Examples:
  argocd-peering import --consumer net-local auth-local offloading-local \\
    --provider net-remote auth-remote
  argocd-peering import --consumer-context rome --provider-context milan \\
    --output peerings/rome-milan

What no field of peering.yaml has, and what a sync would change, is listed on standard error. Manifests that contradict each \
other are refused. Of Secrets only names, labels and public keys are read. docs/howto/adopt-a-live-peering.md has the steps before and after.";

/// `import`
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("of the consumer").args(["consumer", "consumer_context"]).required(true))]
#[command(group = clap::ArgGroup::new("of the provider").args(["provider", "provider_context"]).required(true))]
pub struct Import {
    /// The consumer's manifests: files, or folders with .yaml, .yml and .json files
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub consumer: Vec<PathBuf>,
    /// The provider's manifests
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub provider: Vec<PathBuf>,
    /// The consumer itself: a context of your kubeconfig, read with `kubectl get`
    #[arg(long, value_name = "CONTEXT")]
    pub consumer_context: Option<String>,
    /// The provider itself
    #[arg(long, value_name = "CONTEXT")]
    pub provider_context: Option<String>,
    /// Whether the Secrets stay in the clusters as they are, or sealed files replace them
    #[arg(long, value_enum, default_value_t = Secrets::Keep)]
    pub secrets: Secrets,
    /// The consumer's cluster ID; needed where the provider's objects name several clusters
    #[arg(long, value_name = "ID")]
    pub consumer_id: Option<String>,
    /// The provider's cluster ID
    #[arg(long, value_name = "ID")]
    pub provider_id: Option<String>,
    /// The peering's name; default: both cluster IDs
    #[arg(long)]
    pub name: Option<String>,
    /// Write peering.yaml into this folder, and overwrite nothing; default: print it
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// What becomes of the Secrets that exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Secrets {
    /// They stay in the clusters, and the folder has nothing of them: `delivery: External`, `existingSecret`.
    Keep,
    /// They come from sealed files: new keys of both gateways, and the credential that you seal.
    Seal,
}
