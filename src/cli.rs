//! The command line: types and help texts, no behaviour.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Turns one description of a Liqo peering into the manifests of both clusters.
#[derive(Debug, Parser)]
#[command(name = "argocd-peering", version, max_term_width = 100, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print one cluster's manifests
    #[command(after_help = GENERATE_EXAMPLE)]
    Generate(Generate),
    /// Check peerings: all problems of all of them, for both roles, without any identity
    #[command(after_help = VALIDATE_EXAMPLE)]
    Validate(Validate),
    /// Explain a diagnostic's code, or list all codes
    #[command(after_help = EXPLAIN_EXAMPLE)]
    Explain(Explain),
    /// Print both sides' public keys
    #[command(after_help = KEYS_EXAMPLE)]
    Keys(Keys),
    /// Make sealed seeds
    #[command(subcommand)]
    Seed(Seed),
    /// Seal what a peering needs beside its seed
    #[command(subcommand)]
    Seal(Seal),
}

impl Command {
    /// Whether this is a run of Argo CD's, which shows what goes wrong in a small space.
    #[must_use]
    pub const fn is_argo_cds(&self) -> bool {
        matches!(self, Self::Generate(Generate { local: false, public: false, .. }))
    }
}

const GENERATE_EXAMPLE: &str = "Example:
  argocd-peering generate peerings/rome-milan --local --role consumer --identity-file ~/identity.txt

Exit codes: 0 done, 1 the document is wrong, 2 usage, 3 the environment (seed, identity, I/O).
Unless it is 0, nothing is printed to standard output.";

/// `generate`
#[derive(Debug, Args)]
pub struct Generate {
    /// The folder that holds peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Which cluster's manifests; default: the plugin parameter `role`, then `ARGOCD_ENV_ROLE`
    #[arg(long, value_name = "consumer|provider", value_parser = ["consumer", "provider"])]
    pub role: Option<String>,
    /// An age identity file that opens the folder's sealed files
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// Without any identity: secret values are placeholders, everything else is as in the real stream
    #[arg(long, conflicts_with = "identity_file")]
    pub public: bool,
    /// This is a run of your own, not Argo CD's: of the sealed files' terms only the clusters count
    #[arg(long)]
    pub local: bool,
}

const VALIDATE_EXAMPLE: &str = "Example:
  argocd-peering validate peerings

A path is a peering.yaml, its folder, or a folder of such folders. Between several peerings it is also checked
what must be unique on a cluster and what must be the same everywhere.";

/// `validate`
#[derive(Debug, Args)]
pub struct Validate {
    /// What to check
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Text for people on standard error, or JSON for programs on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How `validate` reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

const EXPLAIN_EXAMPLE: &str = "Example:
  argocd-peering explain cidr-host-bits";

/// `explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// What stands in brackets behind `error`; left out: all codes with their rules
    pub code: Option<String>,
}

const KEYS_EXAMPLE: &str = "Example:
  argocd-peering keys peerings/rome-milan --identity-file ~/identity.txt

The last line is a digest of the terms that both sides must share. Two organisations that keep a repository each
have the same peering if it is the same for both. A side's key is taken from its `publicKey` if that is written down.";

/// `keys`
#[derive(Debug, Args)]
pub struct Keys {
    /// The folder that holds peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// An age identity file that opens the folder's sealed seeds
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
}

/// `seed …`
#[derive(Debug, Subcommand)]
pub enum Seed {
    /// Make a new seed and seal it
    #[command(after_help = SEED_NEW_EXAMPLE)]
    New(SeedNew),
}

const SEED_NEW_EXAMPLE: &str = "Example:
  argocd-peering seed new peerings/rome-milan/peering.seed.age --clusters rome,milan \\
    --project peering-consumer --project peering-provider \\
    --repo https://git.example.org/net/peerings.git --path peerings/rome-milan \\
    --recipient age1…

Inside Argo CD a term that is left out denies, and `*` allows any.";

/// `seed new`
#[derive(Debug, Args)]
pub struct SeedNew {
    /// The sealed file to write; nothing is overwritten
    #[arg(default_value = "peering.seed.age")]
    pub output: PathBuf,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: Terms,
}

/// `seal …`
#[derive(Debug, Subcommand)]
pub enum Seal {
    /// Seal the consumer's kubeconfig for the provider
    #[command(after_help = SEAL_KUBECONFIG_EXAMPLE)]
    Kubeconfig(SealKubeconfig),
}

const SEAL_KUBECONFIG_EXAMPLE: &str = "Example:
  kubectl config view --raw --minify --flatten --context milan > /dev/shm/milan.kubeconfig
  argocd-peering seal kubeconfig /dev/shm/milan.kubeconfig -o peerings/rome-milan/kubeconfig.age \\
    --clusters rome,milan --project peering-consumer \\
    --repo https://git.example.org/net/peerings.git --path peerings/rome-milan \\
    --recipient age1…";

/// `seal kubeconfig`
#[derive(Debug, Args)]
pub struct SealKubeconfig {
    /// The kubeconfig; only its current context is used
    pub file: PathBuf,
    /// The sealed file to write; nothing is overwritten
    #[arg(short, long, value_name = "FILE", default_value = "kubeconfig.age")]
    pub output: PathBuf,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: Terms,
}

/// The terms and the recipients of a sealed file.
#[derive(Debug, Args)]
pub struct Terms {
    /// The two cluster IDs it may be used for; repeatable
    #[arg(long, value_name = "ID,ID", required = true)]
    pub clusters: Vec<String>,
    /// An Argo CD project whose Applications may have it opened; repeatable
    #[arg(long = "project", value_name = "NAME")]
    pub projects: Vec<String>,
    /// A repository from which it may be opened; repeatable
    #[arg(long = "repo", value_name = "URL")]
    pub repos: Vec<String>,
    /// A folder of the repository in which it may be opened; repeatable
    #[arg(long = "path", value_name = "FOLDER")]
    pub paths: Vec<String>,
    /// An age recipient that can open it; repeatable
    #[arg(long = "recipient", value_name = "age1…", required_unless_present = "recipients_files")]
    pub recipients: Vec<String>,
    /// A file with one age recipient a line; repeatable
    #[arg(long = "recipients-file", value_name = "FILE")]
    pub recipients_files: Vec<PathBuf>,
}
