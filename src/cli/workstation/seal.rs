//! Sealed files of any kind: `seal …` makes them, `reseal` and `inspect` take any.

use super::flags::SealFlags;
use crate::cli::Format;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::str::FromStr;

pub(super) const SEAL_EXAMPLE: &str = "Example:
  argocd-peering seal kubeconfig --from-context milan \\
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
  argocd-peering seal kubeconfig --from-context milan \\
    -o peerings/rome-milan/kubeconfig.age --project peering-consumer=consumer \\
    --recipients-file .age-recipients
  argocd-peering seal kubeconfig /dev/shm/milan.kubeconfig \\
    -o peerings/rome-milan/kubeconfig.age --project peering-consumer=consumer \\
    --recipients-file .age-recipients

With --from-context, the credential is made at the provider: a client certificate for a user, with a \
CertificateSigningRequest that you approve, or a ServiceAccount's token, from the Secret that the stream makes. You see what is \
done there and confirm it together with the terms. The private key and the token are on no disk and in no argument. Before it is \
sealed, the credential is tried: whether Liqo's objects may be written with it, and whether it may do more, for example read \
Secrets in kube-system, which is refused.

The terms that no flag sets are found as for `seed new`, which has the rules in its help. With --replace they are those of \
the old file; a certificate that it has is set again, or left out with --no-certificate.";

/// `seal kubeconfig`
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct SealKubeconfig {
    /// The kubeconfig; only its current context is used; `-` for standard input
    #[arg(required_unless_present = "from_context", conflicts_with = "from_context")]
    pub file: Option<PathBuf>,
    /// Or a new credential
    #[command(flatten)]
    pub issue: IssueFlags,
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

/// A new credential, made at the provider.
#[derive(Debug, Args)]
pub struct IssueFlags {
    /// Make a credential at the provider with your kubectl, through this context of your kubeconfig
    #[arg(long, value_name = "CONTEXT")]
    pub from_context: Option<String>,
    /// A client certificate for this user; default: the document's `subject`
    #[arg(long, value_name = "NAME", requires = "from_context", conflicts_with = "service_account")]
    pub user: Option<String>,
    /// The token of this ServiceAccount of the provider's tenant namespace; default: the document's `subject`
    #[arg(long, value_name = "NAME", requires = "from_context")]
    pub service_account: Option<String>,
    /// How long the certificate is asked for, in days or hours, such as `90d`; the provider may give less
    #[arg(long, value_name = "TIME", requires = "from_context", default_value = "365d")]
    pub expires: Expiry,
    /// The https:// URL at which the consumer reaches the provider's API server; default: the context's
    #[arg(long, value_name = "URL", requires = "from_context")]
    pub server: Option<String>,
}

/// How long a certificate is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expiry {
    /// As `expirationSeconds` has it.
    pub seconds: u32,
}

impl FromStr for Expiry {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const HOUR: u32 = 60 * 60;
        let (count, unit) = match (text.strip_suffix('d'), text.strip_suffix('h')) {
            (Some(days), _) => (days, 24 * HOUR),
            (_, Some(hours)) => (hours, HOUR),
            _ => return Err("write days or hours, such as `365d` or `12h`"),
        };
        let count: u32 = count.parse().map_err(|_| "write days or hours, such as `365d` or `12h`")?;
        // `expirationSeconds` is an int32
        let seconds = count.checked_mul(unit).filter(|seconds| i32::try_from(*seconds).is_ok());
        let seconds = seconds.filter(|seconds| *seconds > 0).ok_or("write 1h to 24855d")?;
        Ok(Self { seconds })
    }
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
