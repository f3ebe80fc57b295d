//! What stands inside a sealed file: `{"v":1,"type":"seed","seed":"…","bind":{…}}`.

use super::bind::{Bind, BindJson};
use crate::custody::keys::SeedProblem;
use crate::diagnostic::Bug;
use crate::diagnostic::redact::remember;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use zeroize::Zeroizing;

/// The payload's version that this program writes and reads.
const VERSION: u64 = 1;

/// What a sealed file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A peering's seed.
    Seed,
    /// A consumer's credential.
    Kubeconfig,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Seed, Self::Kubeconfig];

    /// The payload's `type`, and the name of the field that holds the secret.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Kubeconfig => "kubeconfig",
        }
    }

    /// The most that is read of such a file.
    #[must_use]
    pub const fn cap(self) -> u64 {
        match self {
            Self::Seed => super::SEED_CAP,
            Self::Kubeconfig => super::KUBECONFIG_CAP,
        }
    }

    /// The command that makes such a file.
    #[must_use]
    pub const fn command(self) -> &'static str {
        match self {
            Self::Seed => "seed new",
            Self::Kubeconfig => "seal kubeconfig",
        }
    }
}

/// An opened file: the secret and its terms.
pub struct Payload {
    /// What it is for; a file that somebody made with `age` alone does not say.
    pub kind: Option<Kind>,
    /// The secret's text.
    pub secret: Zeroizing<String>,
    /// The terms; a file that somebody made with `age` alone has none.
    pub bind: Option<Bind>,
}

/// Why a sealed file gives no secret. Says nothing of what is inside.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PayloadProblem {
    /// Not an age file.
    #[error("it is not an age file of version 1")]
    NotAge,
    /// Truncated or tampered with.
    #[error("it is damaged: truncated, changed, or not an age file")]
    Damaged,
    /// Sealed to somebody else.
    #[error("none of the identities opens it")]
    OtherRecipient,
    /// Sealed to nobody that this program could be.
    #[error("it is sealed to {0} only, which this program cannot use")]
    OtherKind(&'static str),
    /// More than are tried.
    #[error("it is sealed to more recipients than any run would try")]
    Recipients,
    /// Sealed with a passphrase.
    #[error("it is sealed with a passphrase, which nobody can type here")]
    Passphrase,
    /// No terms.
    #[error("it has no terms that say where it may be opened")]
    Unbound(Kind),
    /// JSON, but not a payload.
    #[error("what is inside is not a payload of argocd-peering")]
    Malformed,
    /// Made by a later version of this program.
    #[error("what is inside has version {0}, and this program knows 1")]
    Version(u64),
    /// Something else.
    #[error("it holds a {found}, and a {expected} is needed here")]
    Kind {
        /// What is needed.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// Not a seed.
    #[error("the seed inside is none: {0}")]
    Seed(SeedProblem),
}

impl PayloadProblem {
    /// The way out.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::NotAge | Self::Damaged => {
                "restore the file from Git's history; a checkout that changes line ends would be another cause"
            }
            Self::OtherRecipient => {
                "seal it to this Argo CD's recipient (`age-keygen -y` prints it), or give the identity it was sealed to"
            }
            Self::Recipients => "seal it to fewer: one identity serves a whole Argo CD",
            Self::Passphrase | Self::OtherKind(_) => {
                "seal it to an X25519 recipient as well: `age-keygen` (without -pq) prints one, `age1…`"
            }
            Self::Unbound(Kind::Seed) => {
                "make it with `argocd-peering seed new`, which writes the terms: clusters, projects, repos, paths"
            }
            Self::Unbound(Kind::Kubeconfig) => {
                "make it with `argocd-peering seal kubeconfig`, which writes the terms: clusters, projects, repos, paths"
            }
            Self::Malformed | Self::Kind { .. } | Self::Seed(_) => {
                "make it with `argocd-peering seed new` or `argocd-peering seal kubeconfig`"
            }
            Self::Version(_) => "upgrade the plugin",
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PayloadJson {
    v: u64,
    r#type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<Zeroizing<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kubeconfig: Option<Zeroizing<String>>,
    bind: BindJson,
}

/// Read first, so that a later version is not called malformed.
#[derive(Deserialize)]
struct VersionJson {
    v: u64,
}

impl Payload {
    /// Reads a plaintext. A bare secret without terms is one too; whether that is taken is the caller's rule.
    pub(super) fn parse(plaintext: &[u8]) -> Result<Self, PayloadProblem> {
        let text = std::str::from_utf8(plaintext).map_err(|_| PayloadProblem::Malformed)?;
        // serde's own words could quote the secret, so none of them are used
        let Ok(VersionJson { v }) = serde_json::from_str(text) else {
            let secret = Zeroizing::new(text.trim_end().to_owned());
            remember(&secret);
            return Ok(Self { kind: None, secret, bind: None });
        };
        if v != VERSION {
            return Err(PayloadProblem::Version(v));
        }
        let json: PayloadJson = serde_json::from_str(text).map_err(|_| PayloadProblem::Malformed)?;
        let kind =
            Kind::ALL.into_iter().find(|kind| kind.word() == json.r#type).ok_or(PayloadProblem::Malformed)?;
        let ((Kind::Seed, Some(secret), None) | (Kind::Kubeconfig, None, Some(secret))) =
            (kind, json.seed, json.kubeconfig)
        else {
            return Err(PayloadProblem::Malformed);
        };
        remember(&secret);
        let bind = Bind::of_json(&json.bind).ok_or(PayloadProblem::Malformed)?;
        Ok(Self { kind: Some(kind), secret, bind: Some(bind) })
    }

    /// The same, if it is of this kind. A bare secret is of any kind until it is read.
    pub(crate) fn of_kind(self, expected: Kind) -> Result<Self, PayloadProblem> {
        match self.kind {
            Some(found) if found != expected => {
                Err(PayloadProblem::Kind { expected: expected.word(), found: found.word() })
            }
            _ => Ok(self),
        }
    }
}

/// An armored age file with a secret and its terms, for these recipients.
///
/// # Errors
/// Only when the recipients are none, which the caller has checked, or the randomness ends.
pub fn seal(
    kind: Kind,
    secret: &Zeroizing<String>,
    bind: &Bind,
    recipients: &[age::x25519::Recipient],
) -> Result<Vec<u8>, Bug> {
    let secret = Some(secret.clone());
    let (seed, kubeconfig) = match kind {
        Kind::Seed => (secret, None),
        Kind::Kubeconfig => (None, secret),
    };
    let json = PayloadJson { v: VERSION, r#type: kind.word().into(), seed, kubeconfig, bind: bind.to_json() };
    let bug = |what: &str| Bug::new(format!("sealing: {what}"));
    let plaintext = Zeroizing::new(serde_json::to_vec(&json).map_err(|_| bug("the payload"))?);
    let recipients = recipients.iter().map(|recipient| recipient as &dyn age::Recipient);
    let encryptor = age::Encryptor::with_recipients(recipients).map_err(|_| bug("no recipients"))?;
    let mut sealed = Vec::new();
    let write = || -> std::io::Result<()> {
        let armor = age::armor::ArmoredWriter::wrap_output(&mut sealed, age::armor::Format::AsciiArmor)?;
        let mut writer = encryptor.wrap_output(armor)?;
        writer.write_all(&plaintext)?;
        writer.finish()?.finish()?;
        Ok(())
    };
    write().map_err(|_| bug("writing to memory"))?;
    Ok(sealed)
}
