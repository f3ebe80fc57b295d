//! The commands about sealed files that exist already.

use clap::Args;
use std::path::PathBuf;

pub(super) const SEED_EXAMPLE: &str = "Example:
  argocd-peering seed new peerings/rome-milan/peering.seed.age --clusters rome,milan --recipient age1…
  argocd-peering seed inspect peerings/rome-milan/peering.seed.age --identity-file identity.txt";

pub(super) const IMPORT_EXAMPLE: &str = "Example:
  head -c 32 /dev/hwrng | base64 | argocd-peering seed import --base64 - peerings/rome-milan/peering.seed.age \\
    --clusters rome,milan --recipient age1…

Refused: anything but 32 bytes, 16 or fewer different bytes, and text. No test finds a seed that can be guessed:
`seed new` is the safe way.";

/// `seed import`
#[derive(Debug, Args)]
pub struct SeedImport {
    /// A file with the seed's 32 bytes in base64; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub base64: PathBuf,
    /// The sealed file to write; nothing is overwritten
    #[arg(default_value = "peering.seed.age")]
    pub output: PathBuf,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: Terms,
}

pub(super) const RESEAL_EXAMPLE: &str = "Example:
  argocd-peering seed reseal peerings/rome-milan/peering.seed.age --identity-file identity.txt \\
    --recipients-file .age-recipients --path peerings/rome-milan --path peerings/new-place

It takes sealed kubeconfigs as well. Recipients cannot be read from a file, so all of them are named again. Of the terms,
those that are named replace the old ones, the others stay. No key changes, so nothing restarts; and who has an old
version of the file, from Git's history for instance, can open it as before.";

/// `seed reseal`
#[derive(Debug, Args)]
pub struct SeedReseal {
    /// The sealed file; replaced in one step
    pub file: PathBuf,
    /// An age identity file that opens it
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
    /// Write a new file instead; nothing is overwritten then
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: NewTerms,
}

pub(super) const INSPECT_EXAMPLE: &str = "Example:
  argocd-peering seed inspect peerings/rome-milan/peering.seed.age --identity-file recovery.txt

The seed itself is never printed. Public keys are those of key generation 1.";

/// `seed inspect`
#[derive(Debug, Args)]
pub struct SeedInspect {
    /// The sealed file: a seed or a kubeconfig
    pub file: PathBuf,
    /// An age identity file that opens it
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
}

pub(super) const ROTATE_EXAMPLE: &str = "Examples:
  argocd-peering seed rotate peerings/rome-milan --side provider --identity-file identity.txt
  argocd-peering seed rotate peerings/rome-milan --side provider --identity-file identity.txt \\
    --new-seed --recipients-file .age-recipients

The first raises the side's keyGeneration in peering.yaml: enough for a routine change of one key. Whoever has the seed
has every generation's keys, so after a leak of the seed or of an identity that opens it use the second.";

/// `seed rotate`
#[derive(Debug, Args)]
pub struct SeedRotate {
    /// The folder that holds peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Whose key is replaced
    #[arg(long, value_name = "consumer|provider", value_parser = ["consumer", "provider"])]
    pub side: String,
    /// An age identity file that opens the folder's sealed seeds
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
    /// Replace the seed itself, on the same terms; the keys of both sides change if both come from it
    #[arg(long)]
    pub new_seed: bool,
    /// With --new-seed: an age recipient that can open it; repeatable
    #[arg(long = "recipient", value_name = "age1…", requires = "new_seed")]
    pub recipients: Vec<String>,
    /// With --new-seed: a file with one age recipient a line; repeatable
    #[arg(long = "recipients-file", value_name = "FILE", requires = "new_seed")]
    pub recipients_files: Vec<PathBuf>,
    /// Although the folder has uncommitted changes, or is in no Git repository
    #[arg(long)]
    pub force: bool,
}

/// The terms and the recipients of a new sealed file.
#[derive(Debug, Args)]
pub struct Terms {
    /// The two cluster IDs it may be used for; repeatable
    #[arg(long, value_name = "ID,ID", required = true)]
    pub clusters: Vec<String>,
    /// By whom inside Argo CD.
    #[command(flatten)]
    pub uses: Uses,
    /// For whom.
    #[command(flatten)]
    pub recipients: Recipients,
}

/// Terms that replace those of a sealed file, and its recipients.
#[derive(Debug, Args)]
pub struct NewTerms {
    /// The two cluster IDs it may be used for; repeatable
    #[arg(long, value_name = "ID,ID")]
    pub clusters: Vec<String>,
    /// By whom inside Argo CD.
    #[command(flatten)]
    pub uses: Uses,
    /// For whom.
    #[command(flatten)]
    pub recipients: Recipients,
}

/// By whom a sealed file may be opened inside Argo CD.
#[derive(Debug, Args)]
pub struct Uses {
    /// An Argo CD project whose Applications may have it opened; repeatable
    #[arg(long = "project", value_name = "NAME")]
    pub projects: Vec<String>,
    /// A repository from which it may be opened; repeatable
    #[arg(long = "repo", value_name = "URL")]
    pub repos: Vec<String>,
    /// A folder of the repository in which it may be opened; repeatable
    #[arg(long = "path", value_name = "FOLDER")]
    pub paths: Vec<String>,
}

/// Who can open a sealed file.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub struct Recipients {
    /// An age recipient that can open it; repeatable
    #[arg(long = "recipient", value_name = "age1…")]
    pub recipients: Vec<String>,
    /// A file with one age recipient a line; repeatable
    #[arg(long = "recipients-file", value_name = "FILE")]
    pub recipients_files: Vec<PathBuf>,
}
