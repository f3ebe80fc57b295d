//! What can go wrong with a run: one error, its stable code, what to do next, and the exit code.
//!
//! Nothing here holds a secret: an error says which file and which rule, never what the file contains.

mod file;
mod help;
mod screen;

use crate::custody::keys::ImportProblem;
use crate::custody::rotation::RotationProblem;
use crate::custody::{Denied, PayloadProblem, PolicyProblem};
use crate::diagnostic::Invalid;
use crate::peering::authentication::credential::kubeconfig::KubeconfigProblem;

pub use file::FileProblem;

/// Why the identity file could not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityProblem {
    /// None was named.
    #[error("the folder has sealed files, and no identity to open them was given")]
    NotGiven,
    /// The file itself.
    #[error("the identity file `{name}`: {problem}")]
    File {
        /// Its last path component.
        name: String,
        /// What is wrong with it.
        problem: FileProblem,
    },
    /// A line that is no X25519 identity.
    #[error("the identity file `{name}`, line {line}: {reason}")]
    Line {
        /// The file's last path component.
        name: String,
        /// Counted from 1.
        line: usize,
        /// Which kind of thing it is, and that it cannot be used.
        reason: &'static str,
    },
    /// No identity in the file.
    #[error("the identity file `{0}` has no identity in it")]
    Empty(String),
    /// The file stands in the repository that it opens.
    #[error("the identity file stands inside the repository it is to open")]
    Inside,
}

/// Why `role` or another parameter cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParameterProblem {
    /// No role anywhere.
    #[error("the plugin parameter `role` is missing")]
    RoleMissing,
    /// A role that is none.
    #[error("{0} is {1}, which is no role")]
    RoleUnknown(&'static str, String),
    /// `role` is a list or a map.
    #[error("the plugin parameter `role` must be a `string`, not {0}")]
    RoleType(&'static str),
    /// The same parameter twice.
    #[error("the plugin parameter {0} is given twice")]
    Duplicate(String),
    /// A parameter that does not exist.
    #[error("there is no plugin parameter {0}")]
    Unknown(String),
    /// `ARGOCD_APP_PARAMETERS` is not what Argo CD makes.
    #[error("the environment variable ARGOCD_APP_PARAMETERS is not the JSON that Argo CD writes")]
    Malformed,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The document is wrong; everything found is listed.
    #[error(transparent)]
    Document(#[from] Invalid),
    /// Several peerings were checked, and something is wrong with them.
    #[error("{} problem(s)", errors.len())]
    Invalid {
        /// What is wrong with each.
        errors: Vec<Self>,
        /// Whether it was reported already.
        silent: bool,
    },
    /// The document's file is wrong.
    #[error("{name}: {problem}")]
    DocumentFile {
        /// Relative to the folder.
        name: String,
        /// What is wrong with it.
        problem: FileProblem,
    },
    /// A sealed file's file is wrong.
    #[error("{name}: {problem}")]
    SealedFile {
        /// Relative to the folder.
        name: String,
        /// What is wrong with it.
        problem: FileProblem,
    },
    /// No usable identity.
    #[error("{0}")]
    Identity(#[from] IdentityProblem),
    /// The sealed file does not open.
    #[error("{name}: {problem}")]
    Payload {
        /// Relative to the folder.
        name: String,
        /// Why not.
        problem: PayloadProblem,
    },
    /// The sealed file's terms do not allow this caller.
    #[error("{name} may not be opened here: {denied}")]
    Denied {
        /// Relative to the folder.
        name: String,
        /// Which term denies.
        denied: Denied,
    },
    /// The operator's policy cannot be taken, so nothing is opened.
    #[error("{0}")]
    Policy(#[from] PolicyProblem),
    /// A kubeconfig that Liqo could not use.
    #[error("{name}: {problem}")]
    Kubeconfig {
        /// The file's name.
        name: String,
        /// Why not.
        problem: KubeconfigProblem,
    },
    /// The derived key is not the one the document expects.
    #[error("the {side}'s key is not the `publicKey` that {} expects", crate::input::folder::DOCUMENT)]
    UnexpectedKey {
        /// `consumer` or `provider`.
        side: &'static str,
        /// The key that was derived; public.
        derived: String,
    },
    /// The key that is written down as the other side's is this side's own.
    #[error("the {side}'s `publicKey` is the other cluster's own key")]
    OwnKey {
        /// `consumer` or `provider`.
        side: &'static str,
    },
    /// This side's stream needs a private key whose seed is somewhere else.
    #[error("the {side}'s seed is not in this folder, so its stream cannot be made here")]
    SeedElsewhere {
        /// `consumer` or `provider`.
        side: &'static str,
    },
    /// A plugin parameter is wrong.
    #[error("{0}")]
    Parameter(#[from] ParameterProblem),
    /// Argo CD asks for manifests that it will commit to Git.
    #[error("refusing to print private keys: KUBE_VERSION is empty or not set")]
    Hydration,
    /// What would be sealed is more than any run opens.
    #[error("{name}: sealed it would be larger than is opened: {cap} bytes, or too many recipients")]
    Sealing {
        /// As given by the person.
        name: String,
        /// The cap in bytes.
        cap: u64,
    },
    /// Bytes from elsewhere that are no seed.
    #[error("the seed to import: {0}")]
    Import(#[from] ImportProblem),
    /// A key cannot be rotated here.
    #[error("{0}")]
    Rotation(#[from] RotationProblem),
    /// A command's input, read or written outside a peering's folder.
    #[error("{name}: {problem}")]
    File {
        /// As given by the person.
        name: String,
        /// What is wrong with it.
        problem: FileProblem,
    },
    /// A flag's value is wrong.
    #[error("{flag}: {reason}")]
    Flag {
        /// With its dashes.
        flag: &'static str,
        /// Why.
        reason: String,
    },
    /// The output cannot be written.
    #[error("the output cannot be written: {0}")]
    Output(std::io::ErrorKind),
    /// The operating system gives no randomness.
    #[error("the operating system gives no random bytes")]
    Randomness,
    /// A bug in a template.
    #[error("this is a bug in argocd-peering: {0}")]
    Template(#[from] crate::object::Bug),
    /// A bug in this program.
    #[error("this is a bug in argocd-peering: {0}")]
    Bug(String),
}

/// Declares [`Error::code`] and the list of all codes from one table.
macro_rules! codes {
    (match self { $( $error:pat => $code:literal, )* }) => {
        /// All codes, in the order of the variants.
        pub const CODES: &'static [&'static str] = &[$($code),*];

        /// The stable name of this error.
        #[must_use]
        pub const fn code(&self) -> &'static str {
            match self {
                $($error => $code,)*
            }
        }
    };
}

impl Error {
    pub(crate) fn document_file(name: &str, problem: FileProblem) -> Self {
        Self::DocumentFile { name: name.into(), problem }
    }

    pub(crate) fn sealed_file(name: &str, problem: FileProblem) -> Self {
        Self::SealedFile { name: name.into(), problem }
    }

    codes! {
        match self {
            Self::Document(_) => "document",
            Self::Invalid { .. } => "invalid",
            Self::DocumentFile { .. } => "document-file",
            Self::SealedFile { .. } => "sealed-file",
            Self::Identity(_) => "identity",
            Self::Payload { .. } => "sealed-payload",
            Self::Denied { .. } => "denied",
            Self::Policy(_) => "policy",
            Self::Kubeconfig { .. } => "kubeconfig",
            Self::UnexpectedKey { .. } => "unexpected-key",
            Self::OwnKey { .. } => "own-key",
            Self::SeedElsewhere { .. } => "seed-elsewhere",
            Self::Parameter(_) => "parameter",
            Self::Hydration => "hydration",
            Self::Sealing { .. } => "sealing",
            Self::Import(_) => "import",
            Self::Rotation(_) => "rotation",
            Self::File { .. } => "file",
            Self::Flag { .. } => "flag",
            Self::Output(_) => "output",
            Self::Randomness => "randomness",
            Self::Template(_) | Self::Bug(_) => "bug",
        }
    }

    /// The exit code: 1 the document is wrong, 2 usage, 3 the environment (seed, identity, policy, I/O).
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Document(_)
            | Self::Invalid { .. }
            | Self::UnexpectedKey { .. }
            | Self::OwnKey { .. }
            | Self::SeedElsewhere { .. }
            | Self::DocumentFile {
                problem: FileProblem::TooLarge { .. } | FileProblem::NotUtf8(_), ..
            } => 1,
            Self::Parameter(_) | Self::Flag { .. } => 2,
            _ => 3,
        }
    }
}
