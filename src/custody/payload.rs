//! What is inside a sealed file: `{"v":1,"type":"seed","seed":"…","bind":{…}}`.

use super::keys::{Seed, SeedProblem};
use super::terms::{Terms, TermsJson};
use crate::diagnostic::secrecy::remember;
use crate::diagnostic::{list_or, reasons};
use crate::peering::authentication::credential::kubeconfig::{self, Kubeconfig};
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};
use zeroize::Zeroizing;

/// An opened file: the secret and its terms.
pub struct Payload {
    /// The kind of the secret; unknown in a file that was made with `age` alone.
    pub kind: Option<PayloadKind>,
    pub secret: Zeroizing<String>,
    /// The terms; none in a file that was made with `age` alone.
    pub terms: Option<Terms>,
}

const RESTORE: &str = "restore it from Git's history";
const X25519: &str = "seal it to an X25519 recipient too: `age-keygen` (without -pq) prints one";

const OTHER_IDENTITY: &str = "use another --identity-file, or have someone who can open it add this one's public key (`age-keygen -y`) to .age-recipients and run `argocd-peering reseal FOLDER --recipients-file .age-recipients`";

reasons! {
    /// Why a sealed file gives no secret. The error shows nothing of the content.
    pub enum PayloadProblem -> String {
        /// A secret that was committed as plaintext.
        Plaintext(kind: &'static str)
            error("it is not sealed: it is a plaintext {0}")
            help "once pushed, it stays in Git's history: revoke it, and seal a new one".into();
        /// The `peering.yaml` of the folder.
        Document
            error("it is a peering.yaml, not a sealed file")
            help "name a sealed file".into();
        Empty
            error("it is empty")
            help RESTORE.into();
        /// Not an age file.
        NotAge
            error("it is not an age file of version 1")
            help RESTORE.into();
        /// Truncated or changed.
        Damaged
            error("it is damaged, or not an age file")
            help RESTORE.into();
        /// Two versions of the file, with the marks of a merge conflict.
        Conflict
            error("it has a merge conflict")
            help "keep one version: `git checkout --ours -- FILE`, or `--theirs`".into();
        /// Another tool encrypted it.
        OtherFormat(tool: &'static str)
            error("it is a file of {0}, not of age")
            help format!("create it with {}", PayloadKind::commands());
        /// The pointer that Git has in place of a file in Git LFS (git-lfs `docs/spec.md`, The Pointer).
        LfsPointer
            error("it is only a pointer of Git LFS")
            help "commit the file itself, without LFS".into();
        /// The encrypted file in a checkout that git-crypt has not unlocked (git-crypt `commands.cpp`, `check_if_header_is_git_crypt`).
        GitCrypt
            error("it is locked by git-crypt, which Argo CD does not unlock")
            help "set `NAME !filter !diff` in .gitattributes, run `git-crypt unlock`, and commit the file itself".into();
        /// Sealed to other recipients.
        OtherRecipient
            error("none of the identities opens it")
            help OTHER_IDENTITY.into();
        /// Sealed to other recipients than the identities in the kept file.
        NotForKept(kept: String)
            error("none of the identities in {0} opens it")
            help OTHER_IDENTITY.into();
        /// Sealed to other recipients, and a line of the identity file was not tried.
        NotTried(what: String)
            error("none of the X25519 identities opens it, and {0}")
            help X25519.into();
        /// Sealed to recipients of other kinds only.
        OtherKind(kinds: &'static str)
            error("it is sealed to {0} only, which this program cannot use")
            help X25519.into();
        /// Sealed to more recipients than are tried.
        Recipients
            error("it is sealed to more recipients than are tried")
            help "seal it to fewer recipients".into();
        /// Sealed with a passphrase.
        Passphrase
            error("it is sealed with a passphrase, which cannot be entered here")
            help X25519.into();
        Unbound
            error("it has no terms about where it may be opened")
            help "add them with `argocd-peering reseal`".into();
        /// JSON, but not a payload.
        Malformed
            error("its content is not argocd-peering's")
            help format!("create it with {}, or upgrade the plugin", PayloadKind::commands());
        /// Terms of another form: unordered clusters, and projects without a role, before 0.1.0.
        Terms
            error("this version cannot read its terms")
            help "seal its secret (`age --decrypt --identity IDENTITY FILE`) again with `seed import` or `seal kubeconfig`, or upgrade the plugin".into();
        /// Made by a later version of this program.
        Version(version: u64)
            error("its version is {0}, and this program reads 1")
            help "upgrade the plugin".into();
        Kind {
            expected: PayloadKind,
            found: PayloadKind,
        }
            error("it holds a {}, not a {}", found.word(), expected.word())
            help creation(*expected);
        Seed(problem: SeedProblem)
            error("its seed is invalid: {0}")
            help creation(PayloadKind::Seed);
    }
}

fn creation(kind: PayloadKind) -> String {
    format!("create it with `argocd-peering {}`", kind.command())
}

/// Only the version. It is read first, so that a later version is not reported as malformed.
#[derive(Deserialize)]
struct VersionJson {
    v: u64,
}

impl PayloadProblem {
    /// Whether the problem is that of a file for other recipients.
    pub(super) const fn is_for_others(&self) -> bool {
        matches!(
            self,
            Self::OtherRecipient | Self::NotForKept(_) | Self::NotTried(_)
        )
    }
}

impl Payload {
    /// Reads a plaintext. A bare secret without terms is also a payload; the caller decides whether to accept it.
    ///
    /// # Errors
    /// When it is not a payload of this version. Nothing of it is quoted.
    pub fn parse(plaintext: &[u8]) -> Result<Self, PayloadProblem> {
        let text = std::str::from_utf8(plaintext).map_err(|_| PayloadProblem::Malformed)?;
        // serde's own messages could quote the secret, so they are not used
        let Ok(VersionJson { v }) = serde_json::from_str(text) else {
            let secret = Zeroizing::new(text.trim_end().to_owned());
            remember(&secret);
            return Ok(Self {
                kind: None,
                secret,
                terms: None,
            });
        };
        if v != VERSION {
            return Err(PayloadProblem::Version(v));
        }
        let json: PayloadJson<TermsJson> = match serde_json::from_str(text) {
            Ok(json) => json,
            // all but the terms is right
            Err(_) if serde_json::from_str::<PayloadJson<IgnoredAny>>(text).is_ok() => {
                return Err(PayloadProblem::Terms);
            }
            Err(_) => return Err(PayloadProblem::Malformed),
        };
        let kind = json.r#type;
        let ((PayloadKind::Seed, Some(secret), None)
        | (PayloadKind::Kubeconfig, None, Some(secret))) = (kind, json.seed, json.kubeconfig)
        else {
            return Err(PayloadProblem::Malformed);
        };
        remember(&secret);
        let terms = Terms::from_json(&json.bind).ok_or(PayloadProblem::Terms)?;
        Ok(Self {
            kind: Some(kind),
            secret,
            terms: Some(terms),
        })
    }

    /// The payload, if it is of this kind. A bare secret has no kind and passes.
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

/// The payload's version that this program writes and reads.
pub(super) const VERSION: u64 = 1;

/// What a sealed file is for: the payload's `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PayloadKind {
    /// The seed of a peering, or of one side of it.
    Seed,
    /// The credential with which one cluster uses the other one.
    Kubeconfig,
}

/// The payload's JSON: the secret is in the field of its kind. serde copies it from the text once, and that copy is wiped.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PayloadJson<T> {
    v: u64,
    #[serde(deserialize_with = "read_kind")]
    r#type: PayloadKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<Zeroizing<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kubeconfig: Option<Zeroizing<String>>,
    bind: T,
}

/// serde itself would also take a map for a kind: `{"seed": null}`.
fn read_kind<'j, D: Deserializer<'j>>(json: D) -> Result<PayloadKind, D::Error> {
    let word = String::deserialize(json)?;
    let mut kinds = PayloadKind::ALL.into_iter();
    let kind = kinds.find(|kind| kind.word() == word);
    kind.ok_or_else(|| D::Error::custom("another kind"))
}

impl PayloadJson<TermsJson> {
    pub(super) fn new(kind: PayloadKind, secret: Zeroizing<String>, terms: &Terms) -> Self {
        let (seed, kubeconfig) = match kind {
            PayloadKind::Seed => (Some(secret), None),
            PayloadKind::Kubeconfig => (None, Some(secret)),
        };
        Self {
            v: VERSION,
            r#type: kind,
            seed,
            kubeconfig,
            bind: terms.to_json(),
        }
    }
}

impl PayloadKind {
    pub const ALL: [Self; 2] = [Self::Seed, Self::Kubeconfig];

    /// The payload's `type`, and the name of the field that holds the secret.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Kubeconfig => "kubeconfig",
        }
    }

    /// The most that is read of such a file. A seed has 79 characters, its terms, and up to 3 KB for a
    /// certificate; a kubeconfig has certificates.
    pub const fn cap(self) -> u64 {
        match self {
            Self::Seed => 16 * 1024,
            Self::Kubeconfig => 128 * 1024,
        }
    }

    /// The command that makes such a file.
    pub const fn command(self) -> &'static str {
        match self {
            Self::Seed => "seed new",
            Self::Kubeconfig => kubeconfig::COMMAND,
        }
    }

    /// The commands that make sealed files, in words.
    pub(super) fn commands() -> String {
        let commands = Self::ALL.map(|kind| format!("argocd-peering {}", kind.command()));
        list_or(&commands.each_ref().map(String::as_str))
    }

    /// Why a secret of this kind cannot be used, if it cannot.
    pub(crate) fn problem(self, secret: &str) -> Option<String> {
        match self {
            Self::Seed => Some(secret.parse::<Seed>().err()?.to_string()),
            Self::Kubeconfig => Some(Kubeconfig::parse(secret).err()?.to_string()),
        }
    }
}
