//! `seed …` and `seal …`: the commands that make and change sealed files.

use super::flags::{ResealFlags, SealFlags};
use crate::peering::values::Role;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(super) const SEED_EXAMPLE: &str = "Example:
  argocd-peering seed new peerings/rome-milan/peering.seed.age --clusters rome,milan --recipient age1…
  argocd-peering seed inspect peerings/rome-milan/peering.seed.age --identity-file identity.txt";

/// `seed …`
#[derive(Debug, Subcommand)]
pub enum Seed {
    /// Create a new seed and seal it
    #[command(after_help = SEED_NEW_EXAMPLE)]
    New(SeedNew),
    /// Seal a seed that was created elsewhere, for instance in a hardware module
    #[command(after_help = IMPORT_EXAMPLE)]
    Import(SeedImport),
    /// Seal a sealed file again, for other recipients or on other terms; the secret stays the same
    #[command(after_help = RESEAL_EXAMPLE)]
    Reseal(SeedReseal),
    /// Print a sealed file's terms and public keys
    #[command(after_help = INSPECT_EXAMPLE)]
    Inspect(SeedInspect),
    /// Replace a side's key, and print the steps that follow
    #[command(after_help = ROTATE_EXAMPLE)]
    Rotate(SeedRotate),
}

const SEED_NEW_EXAMPLE: &str = "Example:
  argocd-peering seed new peerings/rome-milan/peering.seed.age --clusters rome,milan \\
    --project peering-consumer=consumer --project peering-provider=provider \\
    --repo https://git.example.org/net/peerings.git --path peerings/rome-milan \\
    --recipient age1…

Inside Argo CD a term that is left out denies, and `*` allows any. Left out, --revision and --delivery allow any.
For a side with `delivery: SealedSecret` add --certificate CLUSTER=FILE.";

/// `seed new`
#[derive(Debug, Args)]
pub struct SeedNew {
    /// The sealed file to write; nothing is overwritten
    #[arg(default_value = "peering.seed.age")]
    pub output: PathBuf,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: SealFlags,
}

const IMPORT_EXAMPLE: &str = "Example:
  head -c 32 /dev/hwrng | base64 | argocd-peering seed import --base64 - peerings/rome-milan/peering.seed.age \\
    --clusters rome,milan --recipient age1…

Refused are anything but 32 bytes, 16 or fewer different byte values, and text. No test finds a seed that can be
guessed: `seed new` is the safe way.";

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
    pub seal: SealFlags,
}

const RESEAL_EXAMPLE: &str = "Example:
  argocd-peering seed reseal peerings/rome-milan/peering.seed.age --identity-file identity.txt \\
    --recipients-file .age-recipients --path peerings/rome-milan --path peerings/new-place

Sealed kubeconfigs work as well. A sealed file does not name its recipients, so give all of them again. Terms that you
give replace the old ones, the others stay, except `*`; and so do certificates, cluster by cluster. Anyone with push access
can have replaced the file by one on other terms, so terms, certificates and recipients are shown, and you confirm them. No
key changes, so nothing restarts; and anyone with an old version of the file, for instance from Git's history, can still
open it.";

/// `seed reseal`
#[derive(Debug, Args)]
pub struct SeedReseal {
    /// The sealed file; replaced in one step
    pub file: PathBuf,
    /// An age identity file that opens it
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
    /// Write a new file instead; nothing is overwritten
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: ResealFlags,
}

const INSPECT_EXAMPLE: &str = "Example:
  argocd-peering seed inspect peerings/rome-milan/peering.seed.age --identity-file recovery.txt

The seed itself is never printed. The public keys are those of key generation 1.";

/// `seed inspect`
#[derive(Debug, Args)]
pub struct SeedInspect {
    /// The sealed file: a seed or a kubeconfig
    pub file: PathBuf,
    /// An age identity file that opens it
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
}

const ROTATE_EXAMPLE: &str = "Examples:
  argocd-peering seed rotate peerings/rome-milan --side provider --identity-file identity.txt
  argocd-peering seed rotate peerings/rome-milan --side provider --identity-file identity.txt \\
    --new-seed --recipients-file .age-recipients

The first raises the side's keyGeneration in peering.yaml, which is enough for a routine change of one key. Anyone with
the seed has the keys of all generations, so use the second after a leak of the seed or of an identity that opens it.
A new seed is sealed on the terms of the old file, which you confirm: anyone with push access can have replaced that file.
A rotation must be alone in its commit: commit or stash other changes first.";

/// `seed rotate`
#[derive(Debug, Args)]
pub struct SeedRotate {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// The side whose key is replaced
    #[arg(long, value_name = "consumer|provider", value_parser = role())]
    pub side: Role,
    /// An age identity file that opens the folder's sealed seeds
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
    /// Replace the seed itself; the keys of both sides change if both come from it. The other flags belong to it
    #[arg(long)]
    pub new_seed: bool,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: ResealFlags,
}

pub(super) fn role() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::WORDS).try_map(|word| Role::find(&word).ok_or("not a role"))
}

pub(super) const SEAL_EXAMPLE: &str = "Example:
  argocd-peering seal kubeconfig milan.kubeconfig -o peerings/rome-milan/kubeconfig.age \\
    --clusters rome,milan --recipient age1…";

/// `seal …`
#[derive(Debug, Subcommand)]
pub enum Seal {
    /// Seal the kubeconfig with which one cluster uses the other
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
    /// Accept `insecure-skip-tls-verify: true`: any server that answers at the address gets the credential
    #[arg(long)]
    pub insecure_skip_tls_verify: bool,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: SealFlags,
}
