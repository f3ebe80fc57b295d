//! The command line: types and help texts, no behaviour.

mod custody;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

pub use custody::{NewTerms, Recipients, SeedImport, SeedInspect, SeedReseal, SeedRotate, Terms, Uses};

const EXAMPLE: &str = "Example:
  argocd-peering seed new peerings/rome-milan/peering.seed.age --clusters rome,milan --recipient age1…
  argocd-peering validate peerings
  argocd-peering generate peerings/rome-milan --local --role consumer --identity-file ~/identity.txt

Each command has an example in its own --help.";

/// Turns one description of a Liqo peering into the manifests of both clusters.
#[derive(Debug, Parser)]
#[command(name = "argocd-peering", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = EXAMPLE)]
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
    /// Print the JSON Schema of peering.yaml, for editors
    #[command(after_help = SCHEMA_EXAMPLE)]
    Schema,
    /// Explain a diagnostic's code, or list all codes
    #[command(after_help = EXPLAIN_EXAMPLE)]
    Explain(Explain),
    /// Print both sides' public keys
    #[command(after_help = KEYS_EXAMPLE)]
    Keys(Keys),
    /// Make sealed seeds, look into them, change who opens them, rotate keys
    #[command(subcommand, after_help = custody::SEED_EXAMPLE)]
    Seed(Seed),
    /// Seal what a peering needs beside its seed
    #[command(subcommand, after_help = SEAL_EXAMPLE)]
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
    /// The operator's policy: sealed files are opened only if it allows as well; fixed in plugin.yaml
    #[arg(long, value_name = "FILE", conflicts_with_all = ["local", "public"])]
    pub policy_file: Option<PathBuf>,
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
what must be unique on a cluster and what must be the same everywhere. The JSON is described in docs/diagnostics.md.";

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

const SCHEMA_EXAMPLE: &str = "Example:
  argocd-peering schema > peering.schema.json

An editor with the YAML language server then needs this first line in peering.yaml:
  # yaml-language-server: $schema=peering.schema.json";

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
    /// Seal a seed that was made elsewhere, in a hardware module for instance
    #[command(after_help = custody::IMPORT_EXAMPLE)]
    Import(SeedImport),
    /// Seal a sealed file again, for other recipients or on other terms; the secret stays
    #[command(after_help = custody::RESEAL_EXAMPLE)]
    Reseal(SeedReseal),
    /// Print a sealed file's terms and public keys
    #[command(after_help = custody::INSPECT_EXAMPLE)]
    Inspect(SeedInspect),
    /// Replace a side's key, and say what has to be done then
    #[command(after_help = custody::ROTATE_EXAMPLE)]
    Rotate(SeedRotate),
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

const SEAL_EXAMPLE: &str = "Example:
  argocd-peering seal kubeconfig milan.kubeconfig -o peerings/rome-milan/kubeconfig.age \\
    --clusters rome,milan --recipient age1…";

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
    /// Take a kubeconfig that does not verify the server: whoever answers at its address gets the credential
    #[arg(long)]
    pub insecure_skip_tls_verify: bool,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: Terms,
}
