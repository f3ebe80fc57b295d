//! `seed …`: seeds and their keys.

use super::super::role;
use super::flags::SealFlags;
use super::list::time;
use crate::peering::values::Role;
use clap::{Args, Subcommand};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const SEED_EXAMPLE: &str = "Example:
  argocd-peering seed new peerings/rome-milan/peering.seed.age \\
    --project peering-consumer=consumer --project peering-provider=provider \\
    --recipient age1…
  argocd-peering seed rotate peerings/rome-milan --role provider \\
    --identity-file ~/identity.txt";

/// `seed …`
#[derive(Debug, Subcommand)]
pub enum Seed {
    /// Create a new seed and seal it
    #[command(after_help = SEED_NEW_EXAMPLE)]
    New(SeedNew),
    /// Seal a seed that was created elsewhere, for instance in a hardware module
    #[command(after_help = IMPORT_EXAMPLE)]
    Import(SeedImport),
    /// Replace a side's key, and print the steps that follow
    #[command(after_help = ROTATE_EXAMPLE)]
    Rotate(SeedRotate),
    /// Raise the key generations that are due, by Git's history and without an identity
    #[command(after_help = ROTATE_DUE_EXAMPLE)]
    RotateDue(SeedRotateDue),
}

const SEED_NEW_EXAMPLE: &str = "Example:
  argocd-peering seed new peerings/rome-milan/peering.seed.age \\
    --project peering-consumer=consumer --project peering-provider=provider \\
    --recipients-file .age-recipients

The cluster IDs come from the peering.yaml beside the file, and with --project the repository and the path from the Git \
checkout, unless flags set them. You confirm each term that no flag sets. If a recipients or certificate file is in a Git \
checkout, you confirm everything: anyone with push access can change it. In Argo CD a missing --project, --repo or --path denies \
everything, and `*` allows any. A missing --revision or --delivery allows any. For a side with `delivery: SealedSecret` add --certificate CLUSTER=FILE.";

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
  head -c 32 /dev/hwrng | base64 > /dev/shm/seed
  argocd-peering seed import --base64 /dev/shm/seed \\
    peerings/rome-milan/peering.seed.age --project peering-consumer=consumer \\
    --project peering-provider=provider --recipients-file .age-recipients

Refused are anything but 32 bytes, 16 or fewer different byte values, and text. No test finds a seed that can be \
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

const ROTATE_EXAMPLE: &str = "Examples:
  argocd-peering seed rotate peerings/rome-milan --role provider \\
    --identity-file ~/identity.txt
  argocd-peering seed rotate peerings/rome-milan --role provider \\
    --identity-file ~/identity.txt --new-seed --recipients-file .age-recipients

The first raises the side's keyGeneration in peering.yaml, which is enough for a routine change of one key. Anyone with \
the seed has the keys of all generations, so use the second after a leak of the seed or of an identity that opens it. \
A new seed is sealed on the terms of the old file, which you confirm: someone with push access may have replaced that file. \
So its certificates do not stay: set each again, or leave it out with --no-certificate. \
A rotation must be alone in its commit: in a Git checkout it is refused while peering.yaml has changes that are not committed.";

/// `seed rotate`
#[derive(Debug, Args)]
pub struct SeedRotate {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// The side whose key is replaced
    #[arg(long, value_name = "consumer|provider", value_parser = role())]
    pub role: Role,
    /// An age identity file that opens the folder's sealed seeds
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
    /// Replace the seed itself; the keys of both sides change if both come from it. The other flags belong to it
    #[arg(long)]
    pub new_seed: bool,
    /// Rotate although peering.yaml has changes that are not committed
    #[arg(long)]
    pub allow_dirty: bool,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: SealFlags,
}

const ROTATE_DUE_EXAMPLE: &str = "Examples:
  argocd-peering seed rotate-due peerings --older-than 90d
  argocd-peering seed rotate-due peerings --older-than 90d --at-most 3

The oldest keys come first, and of one peering one side at a time. Nothing is opened, and only `keyGeneration` and `keyRotated` are written. Left out, \
and named with the reason, are sides whose new key a person has to bring somewhere: a written `publicKey`, `delivery: External`, \
`names.keySecret`. Commit each folder alone, in a maintenance window of its own. docs/howto/rotate-on-schedule.md has a workflow.

The age is that of `list --ages`: the document's `keyRotated`. A key without it is due, and so is one whose day is still to come.";

/// `seed rotate-due`
#[derive(Debug, Args)]
pub struct SeedRotateDue {
    /// A peering.yaml, its folder, or a folder of such folders
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How old a key may become: days or weeks, such as 90d or 12w
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub older_than: Duration,
    /// How many peerings are changed at most
    #[arg(long, value_name = "NUMBER", default_value_t = NonZeroUsize::MIN)]
    pub at_most: NonZeroUsize,
    /// Say what would be changed, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Rotate although a peering.yaml has changes that are not committed
    #[arg(long)]
    pub allow_dirty: bool,
}
