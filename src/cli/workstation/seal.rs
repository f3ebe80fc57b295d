//! Sealed files of any kind: `seal …` makes them, `reseal` and `inspect` take any.

use super::flags::SealFlags;
use crate::cli::Format;
use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(super) const SEAL_EXAMPLE: &str = "Example:
  argocd-peering seal kubeconfig milan.kubeconfig \\
    -o peerings/rome-milan/kubeconfig.age --project peering-consumer=consumer \\
    --recipients-file .age-recipients";

/// `seal …`
#[derive(Debug, Subcommand)]
pub enum Seal {
    /// Seal the kubeconfig with which one cluster uses the other
    #[command(after_help = SEAL_KUBECONFIG_EXAMPLE)]
    Kubeconfig(SealKubeconfig),
}

const SEAL_KUBECONFIG_EXAMPLE: &str = "Example:
  kubectl config view --raw --minify --flatten --context milan \\
    > /dev/shm/milan.kubeconfig
  argocd-peering seal kubeconfig /dev/shm/milan.kubeconfig \\
    -o peerings/rome-milan/kubeconfig.age --project peering-consumer=consumer \\
    --recipients-file .age-recipients

The terms that no flag sets are found as for `seed new`, which has the rules in its help. With --replace they are those of \
the old file; a certificate that it has is set again, or left out with --no-certificate.";

/// `seal kubeconfig`
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct SealKubeconfig {
    /// The kubeconfig; only its current context is used; `-` for standard input
    pub file: PathBuf,
    /// The sealed file to write; without --replace nothing is overwritten
    #[arg(short, long, value_name = "FILE", default_value = "kubeconfig.age")]
    pub output: PathBuf,
    /// Renew the credential of an existing sealed file, on its terms
    #[arg(long, requires = "identity_file")]
    pub replace: bool,
    /// An age identity file that opens the sealed file to replace
    #[arg(long, value_name = "FILE", requires = "replace")]
    pub identity_file: Option<PathBuf>,
    /// Accept `insecure-skip-tls-verify: true`: any server that answers at the address gets the credential
    #[arg(long)]
    pub insecure_skip_tls_verify: bool,
    /// Seal a credential that has expired
    #[arg(long)]
    pub allow_expired: bool,
    /// Seal the credential of a user that the document's `subject` does not name
    #[arg(long)]
    pub allow_other_user: bool,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: SealFlags,
}

pub(super) const RESEAL_EXAMPLE: &str = "Example:
  argocd-peering reseal peerings --identity-file ~/identity.txt \\
    --recipients-file .age-recipients

A sealed file does not name its recipients, so give all of them again. Terms that you give replace the old ones; the \
others stay, except `*`. Certificates do not stay: set each again, or leave it out with --no-certificate. With several \
files, each certificate is for those whose terms name its cluster. Someone with push access may have replaced a file by one on \
other terms, so all of them are shown, and you confirm them.

No key changes, so nothing restarts. Anyone who could open an old version of a file, for instance from Git's history, still \
can.";

/// `reseal`
#[derive(Debug, Args)]
pub struct Reseal {
    /// Sealed files, and folders: all `*.age` files in them; all are replaced, or none
    #[arg(required = true, value_name = "PATH")]
    pub files: Vec<PathBuf>,
    /// An age identity file that opens them
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
    /// Write a new file instead, of one sealed file; nothing is overwritten
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: SealFlags,
}

pub(super) const INSPECT_EXAMPLE: &str = "Example:
  argocd-peering inspect peerings/rome-milan/peering.seed.age \\
    --identity-file ~/identity.txt

The seed itself is never printed. The public keys are those of key generation 1.";

/// `inspect`
#[derive(Debug, Args)]
pub struct Inspect {
    /// The sealed file: a seed or a kubeconfig
    pub file: PathBuf,
    /// An age identity file that opens it
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
    /// Text for people, or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}
