//! The command line: types and help texts, no behaviour.

pub(crate) mod tips;
#[cfg(feature = "workstation")]
mod workstation;

use crate::peering::values::Role;
use crate::report::Form;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

#[cfg(feature = "workstation")]
pub use workstation::*;

#[cfg(feature = "workstation")]
const EXAMPLE: &str = "Example:
  argocd-peering init peerings/rome-milan --recipients-file .age-recipients
  argocd-peering validate peerings
  argocd-peering generate peerings/rome-milan --public --role consumer

Without two clusters, in a clone of the repository, whose demo keys are public:
  argocd-peering generate examples/quickstart --local --role consumer \\
    --identity-file examples/identities/demo-identity.txt --force

Each command's own --help has an example.";

#[cfg(not(feature = "workstation"))]
const EXAMPLE: &str = "Example:
  argocd-peering validate peerings
  argocd-peering generate --role consumer --identity-file /run/identity/identity.txt

This build has what Argo CD and CI run. The commands that create and change peerings are in the complete one.";

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
    /// Print one cluster's manifests
    #[command(after_help = GENERATE_EXAMPLE)]
    Generate(Generate),
    /// Check peerings: report all problems of all of them, for both roles, without an identity
    #[command(after_help = VALIDATE_EXAMPLE)]
    Validate(Validate),
    /// Print the JSON Schema of peering.yaml, for editors
    #[command(after_help = SCHEMA_EXAMPLE)]
    Schema,
    /// Explain an error's code or a field of peering.yaml, or list all codes
    #[command(after_help = EXPLAIN_EXAMPLE)]
    Explain(Explain),
    /// Print both sides' public keys; `keys export` prints one side's private values for a vault
    #[command(after_help = KEYS_EXAMPLE)]
    Keys(Keys),
    /// Check that the sidecar answers Argo CD: for the probes of its container, and after an installation
    #[command(after_help = HEALTHCHECK_EXAMPLE)]
    Healthcheck(Healthcheck),
    /// Print the version
    #[command(after_help = VERSION_EXAMPLE)]
    Version,
    /// What a person runs at their own machine.
    #[cfg(feature = "workstation")]
    #[command(flatten)]
    Workstation(Box<Workstation>),
}

impl Command {
    /// Whether Argo CD runs this. It has little space for an error.
    pub const fn is_argo_cds(&self) -> bool {
        matches!(self, Self::Generate(Generate { local: false, public: false, .. }))
    }
}

const GENERATE_EXAMPLE: &str = "Example:
  argocd-peering generate peerings/rome-milan --local --role consumer \\
    --identity-file ~/identity.txt | kubectl diff --server-side -f -

A terminal keeps what it shows, so private keys go to a pipe or a file, unless --force is set.

Exit codes: 0 success, 1 the document is wrong, 2 usage, 3 the environment (seed, identity, I/O). \
Unless it is 0, nothing is printed to standard output.";

/// `generate`
#[derive(Debug, Args)]
pub struct Generate {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Which cluster's manifests; default: the plugin parameter `role`, then `ARGOCD_ENV_ROLE`
    #[arg(long, value_name = "consumer|provider", value_parser = ["consumer", "provider"])]
    pub role: Option<String>,
    /// An age identity file that opens the folder's sealed files
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// The operator's policy file, set in plugin.yaml: sealed files are opened only if it allows it as well
    #[arg(long, value_name = "FILE", conflicts_with_all = ["local", "public"])]
    pub policy_file: Option<PathBuf>,
    /// Without an identity: secret values are placeholders, everything else is as in the real output
    #[arg(long, conflicts_with = "identity_file")]
    pub public: bool,
    /// This is your own run, not Argo CD's: of the sealed files' terms only clusters and delivery count
    #[arg(long)]
    pub local: bool,
    /// Print private keys to a terminal too
    #[arg(long, requires = "local")]
    pub force: bool,
}

const VALIDATE_EXAMPLE: &str = "Examples:
  argocd-peering validate peerings
  argocd-peering validate peerings --fix

A path is a peering.yaml, its folder, or a folder of such folders. Several peerings are also checked against each \
other: what must be unique on a cluster, and what must be the same everywhere. `-` is a document on standard input, for \
editors: the files beside it are not looked at. docs/diagnostics.md describes the reports.";

/// `validate`
#[derive(Debug, Args)]
pub struct Validate {
    /// What to check; `-` for standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Text on standard error, or a report for programs on standard output
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
    /// An age identity file: whether Argo CD will open the sealed files where they are, and whether their credentials still work
    #[cfg(feature = "workstation")]
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// The Helm values of a cluster's Liqo, or the Application that installs it: its ID and networks are compared; repeatable
    #[cfg(feature = "workstation")]
    #[arg(long, value_name = "CLUSTER=FILE")]
    pub liqo_values: Vec<String>,
    /// Treat notes as errors, except those that no edit can fix, and what cannot be judged
    #[arg(long)]
    pub strict: bool,
    /// Apply the suggested corrections to a document if that makes it valid; otherwise change nothing
    #[cfg(feature = "workstation")]
    #[arg(long)]
    pub fix: bool,
    /// Fix documents with changes that are not committed, too
    #[cfg(feature = "workstation")]
    #[arg(long, requires = "fix")]
    pub allow_dirty: bool,
}

/// How `validate` reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// docs/report.schema.json
    Json,
    /// Annotations of a GitHub workflow
    Github,
    /// A report for GitLab's Code Quality
    Gitlab,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

impl ReportFormat {
    /// None for people.
    pub const fn form(self) -> Option<Form> {
        match self {
            Self::Text => None,
            Self::Json => Some(Form::Json),
            Self::Github => Some(Form::Github),
            Self::Gitlab => Some(Form::Gitlab),
            Self::Sarif => Some(Form::Sarif),
        }
    }
}

/// For people, or for programs.
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
  argocd-peering explain cidr-host-bits
  argocd-peering explain spec.networking";

/// `explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// The code in brackets after `error`, or a field of peering.yaml; without it all codes are listed
    pub code: Option<String>,
}

const KEYS_EXAMPLE: &str = "Example:
  argocd-peering keys peerings/rome-milan --identity-file ~/identity.txt

The last line is a digest of what both sides must agree on. Two organisations with a repository each have the same \
peering if it is the same for both. If a side's seed is not opened, its key is taken from its `publicKey`.";

/// `keys`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Keys {
    /// Instead of the public keys
    #[command(subcommand)]
    pub command: Option<KeysCommand>,
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// An age identity file that opens the folder's sealed seeds
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// Text for people, or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// `keys …`
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Print what one side's Secrets hold, to fill a vault with
    #[command(after_help = EXPORT_EXAMPLE)]
    Export(Export),
}

const HEALTHCHECK_EXAMPLE: &str = "Example:
  argocd-peering healthcheck \\
    --identity-file /etc/argocd-peering/identity/identity.txt

It runs in the sidecar, whose probes leave the files out: a repo-server also serves other Applications, and has to go on \
without an identity.";

/// `healthcheck`
#[derive(Debug, Args)]
pub struct Healthcheck {
    /// Where argocd-cmp-server listens
    #[arg(long, value_name = "FILE", default_value = "/home/argocd/cmp-server/plugins/argocd-peering.sock")]
    pub socket: PathBuf,
    /// Also check that this identity file can be used
    #[arg(long, value_name = "FILE")]
    pub identity_file: Option<PathBuf>,
    /// Also check that this policy file can be used
    #[arg(long, value_name = "FILE")]
    pub policy_file: Option<PathBuf>,
}

const VERSION_EXAMPLE: &str = "Example:
  argocd-peering version";

const EXPORT_EXAMPLE: &str = "Example:
  argocd-peering keys export peerings/rome-milan --role consumer \\
    --identity-file ~/identity.txt -o /dev/shm/rome.json

It prints private keys: on your own machine only, and not to a terminal. Every value is in base64, as the store is to have it. \
`docs/delivery.md` has the command that fills a vault through a pipe.";

/// `keys export`
#[derive(Debug, Args)]
pub struct Export {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Whose Secrets
    #[arg(long, value_name = "consumer|provider", value_parser = role())]
    pub role: Role,
    /// An age identity file that opens the folder's sealed files
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
    /// In which form
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    pub format: ExportFormat,
    /// Write a new file that only you can read; nothing is overwritten
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print to a terminal too
    #[arg(long, conflicts_with = "output")]
    pub force: bool,
}

/// What `keys export` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// The Secrets with their names and labels, for programs
    Json,
    /// The Secrets as manifests, for `kubectl apply`
    Secret,
    /// `WIREGUARD_PRIVATE_KEY=…`, `WIREGUARD_PUBLIC_KEY=…` and `LIQO_KUBECONFIG=…`, for shells
    Env,
}

fn role() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::WORDS).try_map(|word| Role::find(&word).ok_or("not a role"))
}
