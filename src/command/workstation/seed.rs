//! `seed …`: creates seeds and rotates keys.

use super::confirmation::NewFile;
use super::flags::SealFlags;
use super::inspect;
use super::rotate::SeedRotate;
use super::seal::read_input;
use crate::command::error::workstation::WorkstationError;
use crate::command::{Result, Streams};
use crate::custody::{self, PayloadKind, keys, store};
use crate::input::file::{named, utf8};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Create sealed seeds, rotate keys
#[derive(Debug, Subcommand)]
#[command(after_help = "Example:
  argocd-peering seed new peerings/rome-milan/peering.seed.age \\
    --project peering-consumer=consumer --project peering-provider=provider \\
    --recipient age1…")]
pub enum Seed {
    New(SeedNew),
    Import(SeedImport),
    Rotate(SeedRotate),
}

/// Create a new seed and seal it
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering seed new peerings/rome-milan/peering.seed.age \\
    --project peering-consumer=consumer --project peering-provider=provider \\
    --recipients-file .age-recipients

You confirm terms that no flag sets, and everything if a recipients or certificate file is in a checkout. Argo CD opens \
nothing without --project; --repo and --path come from the checkout. `*` allows any.")]
pub struct SeedNew {
    /// The sealed file to write; nothing is overwritten
    #[arg(default_value = "peering.seed.age")]
    pub output: PathBuf,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: SealFlags,
}

/// Seal a seed that was created elsewhere, for instance in a hardware module
#[derive(Debug, Args)]
#[command(after_help = "Example:
  head -c 32 /dev/hwrng | base64 > /dev/shm/seed
  argocd-peering seed import --base64 /dev/shm/seed \\
    peerings/rome-milan/peering.seed.age --project peering-consumer=consumer \\
    --project peering-provider=provider --recipients-file .age-recipients

No test finds every guessable seed: `seed new` is safe.")]
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

/// The cap of the input: 32 bytes in base64 are 44 characters, and more is read only to report its length.
const IMPORT_CAP: u64 = 1024;

pub(crate) fn seed_new(arguments: &SeedNew, streams: &mut Streams<'_>) -> Result {
    let output = arguments.output.as_path();
    let seed = keys::Seed::generate().map_err(custody::Error::from)?;
    create_seed(&seed, &arguments.seal, (output, output), streams)
}

pub(crate) fn seed_import(arguments: &SeedImport, streams: &mut Streams<'_>) -> Result {
    let path = &arguments.base64;
    let bytes = Zeroizing::new(read_input(path, IMPORT_CAP)?);
    let text = utf8(&bytes).map_err(named(path))?;
    let seed = keys::Seed::import(text).map_err(WorkstationError::from)?;
    create_seed(&seed, &arguments.seal, (path, &arguments.output), streams)
}

/// Seals a seed, and prints the public keys for the other organisation, if the peering has two.
fn create_seed(
    seed: &keys::Seed,
    flags: &SealFlags,
    (from, output): (&Path, &Path),
    streams: &mut Streams<'_>,
) -> Result {
    store::check_new(output)?;
    let file = NewFile::new(flags, output, None)?;
    let confirmed = file.confirm(streams)?;
    let sealed = custody::seal(PayloadKind::Seed, &seed.expose_text(), &confirmed, from)?;
    store::create(output, &sealed)?;
    streams.sealed(output);
    streams.note(inspect::public_keys(seed, &file.terms).trim_end());
    Ok(())
}
