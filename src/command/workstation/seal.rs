//! `seal …`: seals a secret with its terms into a new file.

mod issue;
mod issued;
pub(crate) mod kubeconfig;

use crate::command::Result;
use crate::command::workstation::flags::{IdentityFlag, SealFlags, seconds};
use crate::input::file::{self, Links, named};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

/// Seal the other secrets of a peering
#[derive(Debug, Subcommand)]
#[command(after_help = "Example:
  argocd-peering seal kubeconfig --from-context milan \\
    -o peerings/rome-milan/kubeconfig.age --project peering-consumer=consumer \\
    --recipients-file .age-recipients")]
pub enum Seal {
    Kubeconfig(SealKubeconfig),
}

/// Seal the kubeconfig with which one cluster uses the other
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering seal kubeconfig --from-context milan \\
    -o peerings/rome-milan/kubeconfig.age --project peering-consumer=consumer \\
    --recipients-file .age-recipients

--from-context makes the credential at the provider, once you confirm: a client certificate, by a \
CertificateSigningRequest that you approve, or a ServiceAccount's token. A credential that may do more than Liqo needs is \
refused and deleted.

With --replace, terms without a flag come from the old file; set its certificates again, or --no-certificate.")]
#[command(mut_arg("identity_file", |flag| flag.requires("replace")))]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct SealKubeconfig {
    /// The kubeconfig; only its current context is used; `-` for standard input
    #[arg(
        required_unless_present = "from_context",
        conflicts_with = "from_context"
    )]
    pub file: Option<PathBuf>,
    /// Or a new credential
    #[command(flatten)]
    pub issue: IssueFlags,
    /// The sealed file to write; without --replace nothing is overwritten
    #[arg(short, long, value_name = "FILE", default_value = "kubeconfig.age")]
    pub output: PathBuf,
    /// Renew the credential of an existing sealed file, on its terms
    #[arg(long)]
    pub replace: bool,
    /// What opens the file to replace
    #[command(flatten)]
    pub identity: IdentityFlag,
    /// Accept `insecure-skip-tls-verify: true`: any server that answers at the address gets the credential
    #[arg(long)]
    pub insecure_skip_tls_verify: bool,
    /// Seal a credential that has expired, or does not count yet
    #[arg(long)]
    pub allow_expired: bool,
    /// Seal the credential of a user that the document's `subject` does not name
    #[arg(long)]
    pub allow_other_user: bool,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: SealFlags,
}

/// A new credential, made at the provider.
#[derive(Debug, Args)]
pub struct IssueFlags {
    /// Make a credential at the provider with your kubectl, through this context of your kubeconfig
    #[arg(long, value_name = "CONTEXT")]
    pub from_context: Option<String>,
    /// A client certificate for this user; default: the document's `subject`
    #[arg(
        long,
        value_name = "NAME",
        requires = "from_context",
        conflicts_with = "service_account"
    )]
    pub user: Option<String>,
    /// The token of this ServiceAccount of the provider's tenant namespace; default: the document's `subject`
    #[arg(long, value_name = "NAME", requires = "from_context")]
    pub service_account: Option<String>,
    /// How long the certificate is asked for, in days or hours, such as `90d`; the provider may give less
    #[arg(long, value_name = "TIME", requires = "from_context", default_value = "365d", value_parser = expiry)]
    pub expires: u32,
    /// The https:// URL at which the consumer reaches the provider's API server; default: the context's
    #[arg(long, value_name = "URL", requires = "from_context")]
    pub server: Option<String>,
}

/// The validity of a certificate in seconds. `expirationSeconds` is an int32.
fn expiry(text: &str) -> Result<u32, &'static str> {
    let asked = seconds(text, &['d', 'h']).ok_or("write days or hours, such as `365d` or `12h`")?;
    let asked = i32::try_from(asked).ok().filter(|seconds| *seconds > 0);
    asked.map(i32::unsigned_abs).ok_or("write 1h to 24855d")
}

/// Reads a file that the user names, or standard input.
pub(super) fn read_input(path: &Path, cap: u64) -> Result<Vec<u8>> {
    if path.as_os_str() == "-" {
        return Ok(file::read_input(cap).map_err(named(Path::new("standard input")))?);
    }
    Ok(file::load(path, cap, Links::Follow).map_err(named(path))?)
}
