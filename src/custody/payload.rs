//! What is inside a sealed file: `{"v":1,"type":"seed","seed":"…","bind":{…}}`.

use super::keys::{Seed, SeedProblem};
use super::payload_kind::{PayloadJson, PayloadKind, VERSION};
use super::terms::Terms;
use crate::diagnostic::reasons;
use crate::diagnostic::secrecy::remember;
use serde::Deserialize;
use zeroize::Zeroizing;

/// An opened file: the secret and its terms.
pub struct Payload {
    /// What it is for; unknown in a file that was made with `age` alone.
    pub kind: Option<PayloadKind>,
    pub secret: Zeroizing<String>,
    /// The terms; none in a file that was made with `age` alone.
    pub terms: Option<Terms>,
}

const RESTORE: &str = "restore the file from Git's history";
const X25519: &str = "seal it to an X25519 recipient as well: `age-keygen` (without -pq) prints one, `age1…`";

reasons! {
    /// Why a sealed file gives no secret. Says nothing of what is inside.
    pub enum PayloadProblem -> String {
        /// A secret that was committed as it is.
        Plaintext(kind: &'static str)
            error("it is not sealed: it is a plaintext {0}")
            help "if it was pushed, everyone who can read the repository has it, also from Git's history: revoke it, and seal a new one".into();
        Empty
            error("it is empty")
            help RESTORE.into();
        /// Not an age file.
        NotAge
            error("it is not an age file of version 1")
            help RESTORE.into();
        /// Truncated or changed.
        Damaged
            error("it is damaged: truncated, changed, or not an age file")
            help RESTORE.into();
        /// What Git has in place of a file that is in Git LFS (git-lfs `docs/spec.md`, The Pointer).
        LfsPointer
            error("it is a pointer of Git LFS, and not the file itself")
            help "a sealed file is small: take it out of LFS, and commit the file itself".into();
        /// Sealed to other recipients.
        OtherRecipient
            error("none of the identities opens it")
            help "seal it to this Argo CD's recipient (`age-keygen -y` prints it), or use an identity that it is sealed to".into();
        /// Sealed to no X25519 recipient at all, but to these.
        OtherKind(kinds: &'static str)
            error("it is sealed to {0} only, which this program cannot use")
            help X25519.into();
        /// More than are tried.
        Recipients
            error("it is sealed to more recipients than are tried")
            help "seal it to fewer recipients: one identity is enough for a whole Argo CD".into();
        /// Sealed with a passphrase.
        Passphrase
            error("it is sealed with a passphrase, which cannot be entered here")
            help X25519.into();
        Unbound(kind: PayloadKind)
            error("it has no terms, so nothing says where it may be opened")
            help format!("create it with `argocd-peering {}`, which adds the terms: clusters, projects, repos, paths", kind.command());
        /// JSON, but not a payload.
        Malformed
            error("its content is not a payload of argocd-peering")
            help format!("create it with {}; if a later version of them made it, upgrade the plugin", PayloadKind::commands());
        /// Made by a later version of this program.
        Version(version: u64)
            error("its content has version {0}, and this program reads version 1")
            help "upgrade the plugin".into();
        Kind {
            expected: PayloadKind,
            found: PayloadKind,
        }
            error("it holds a {}, and a {} is needed here", found.word(), expected.word())
            help format!("create it with `argocd-peering {}`", expected.command());
        Seed(problem: SeedProblem)
            error("its seed is not valid: {0}")
            help format!("create it with `argocd-peering {}`", PayloadKind::Seed.command());
    }
}

/// Read first, so that a later version is not called malformed.
#[derive(Deserialize)]
struct VersionJson {
    v: u64,
}

impl Payload {
    /// Reads a plaintext. A bare secret without terms is one too; whether that is taken is the caller's rule.
    ///
    /// # Errors
    /// When it is no payload of this version. Nothing of it is quoted.
    pub fn parse(plaintext: &[u8]) -> Result<Self, PayloadProblem> {
        let text = std::str::from_utf8(plaintext).map_err(|_| PayloadProblem::Malformed)?;
        // serde's own words could quote the secret, so none of them are used
        let Ok(VersionJson { v }) = serde_json::from_str(text) else {
            let secret = Zeroizing::new(text.trim_end().to_owned());
            remember(&secret);
            return Ok(Self { kind: None, secret, terms: None });
        };
        if v != VERSION {
            return Err(PayloadProblem::Version(v));
        }
        let json: PayloadJson = serde_json::from_str(text).map_err(|_| PayloadProblem::Malformed)?;
        let (kind, secret, terms) = json.read().ok_or(PayloadProblem::Malformed)?;
        remember(&secret);
        let terms = Terms::from_json(&terms).ok_or(PayloadProblem::Malformed)?;
        Ok(Self { kind: Some(kind), secret, terms: Some(terms) })
    }

    /// The payload, if it is of this kind. A bare secret is of any kind until it is read.
    ///
    /// # Errors
    /// When it is of another kind.
    pub fn of_kind(self, expected: PayloadKind) -> Result<Self, PayloadProblem> {
        match self.kind {
            Some(found) if found != expected => Err(PayloadProblem::Kind { expected, found }),
            _ => Ok(self),
        }
    }

    /// The seed that it holds.
    ///
    /// # Errors
    /// When it holds none.
    pub fn seed(&self) -> Result<Seed, PayloadProblem> {
        self.secret.parse().map_err(PayloadProblem::Seed)
    }
}
