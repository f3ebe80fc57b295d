//! What can go wrong with a run: the errors of its steps, each with its stable code and the exit code. What to do about an
//! error is declared with the error.

mod program;
mod screen;

pub use screen::{fleet, tally};

use crate::argocd::parameters::ParameterProblem;
use crate::custody;
use crate::custody::keys::ImportProblem;
use crate::custody::store::Unwritten;
use crate::diagnostic::{Bug, Invalid, shown_name};
use crate::input::file::Unread;
use crate::input::folder::UnreadDocument;
use std::io::ErrorKind;

pub use program::{Bound, ProgramProblem};

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The document is wrong; everything found is listed.
    #[error(transparent)]
    Document(#[from] Invalid),
    /// Peerings were checked, and something is wrong with them.
    #[error("{} in {wrong} of {peerings} peerings", tally(errors))]
    Invalid {
        /// What is wrong with each, and the notes.
        errors: Vec<Self>,
        /// How many peerings are wrong.
        wrong: usize,
        /// How many there are.
        peerings: usize,
        /// Whether it was reported already.
        silent: bool,
    },
    /// The document was not read.
    #[error(transparent)]
    UnreadDocument(#[from] UnreadDocument),
    /// Nothing was opened, sealed or rotated.
    #[error(transparent)]
    Custody(#[from] custody::Error),
    /// A plugin parameter is wrong.
    #[error(transparent)]
    Parameter(#[from] ParameterProblem),
    /// Bytes from elsewhere are not a seed.
    #[error("the seed to import: {0}")]
    Import(#[from] ImportProblem),
    /// A file that a person named was not read.
    #[error(transparent)]
    Unread(#[from] Unread),
    /// A file that a person named was not written.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    /// A flag's value is wrong.
    #[error("{flag}: {reason}")]
    Flag {
        /// With its dashes.
        flag: &'static str,
        /// Why.
        reason: String,
    },
    /// A person was asked and did not say `yes`.
    #[error("Not confirmed. Nothing was sealed.")]
    Unconfirmed,
    /// A program of the person's machine gave no answer.
    #[error("{name}: {problem}")]
    Program {
        /// As it is called.
        name: &'static str,
        /// Why not.
        problem: ProgramProblem,
    },
    /// Argo CD's server in the sidecar did not answer.
    #[error("argocd-cmp-server does not answer at `{}`: {problem}", shown_name(name))]
    Sidecar {
        /// The socket's last path component.
        name: String,
        /// Why not.
        problem: ErrorKind,
    },
    /// Manifests to import are not one peering.
    #[error("the manifests do not make one peering:\n  {}", listed(.0))]
    Manifests(Vec<String>),
    /// Documents that were to be compared are wrong.
    #[error("nothing is compared: {} document(s) cannot be used", .0.len())]
    Uncompared(Vec<Self>),
    /// What was compared differs, and that was printed.
    #[error("there is a difference")]
    Differs,
    /// Argo CD asks for manifests that it will commit to Git.
    #[error("refusing to print private keys: KUBE_VERSION is empty or not set")]
    Hydration,
    /// The output cannot be written.
    #[error("the output cannot be written: {0}")]
    Output(ErrorKind),
    /// A bug in this program.
    #[error(transparent)]
    Bug(#[from] Bug),
}

/// Lines of a list. Manifests can have thousands of problems.
fn listed(lines: &[String]) -> String {
    const SHOWN: usize = 100;
    let more = lines.len().saturating_sub(SHOWN);
    let shown = lines.get(..SHOWN).unwrap_or(lines).join("\n  ");
    if more == 0 { shown } else { format!("{shown}\n  and {more} more") }
}

/// Declares [`Error::code`] and the list of all codes from one table.
macro_rules! codes {
    (match self { $( $error:pat => $code:literal, )* }) => {
        /// All codes, in the order of the table.
        pub const CODES: &'static [&'static str] = &[$($code),*];

        /// The page about each, in the same order.
        pub const PAGES: &'static [&'static str] =
            &[$(include_str!(concat!("../diagnostic/codes/", $code, ".md"))),*];

        /// The stable name of this error.
        pub const fn code(&self) -> &'static str {
            match self {
                $($error => $code,)*
            }
        }
    };
}

impl Error {
    codes! {
        match self {
            Self::Document(_) => "document",
            Self::Invalid { .. } => "invalid",
            Self::UnreadDocument(_) => "document-file",
            Self::Custody(custody::Error::SealedFile { .. }) => "sealed-file",
            Self::Custody(custody::Error::Identity(_)) => "identity",
            Self::Custody(custody::Error::Payload { .. }) => "sealed-payload",
            Self::Custody(custody::Error::Denied { .. }) => "denied",
            Self::Custody(custody::Error::Destination { .. }) => "delivery-denied",
            Self::Custody(custody::Error::CertificateMissing { .. }) => "certificate-missing",
            Self::Custody(custody::Error::Policy(_)) => "policy",
            Self::Custody(custody::Error::Kubeconfig { .. }) => "kubeconfig",
            Self::Custody(custody::Error::UnexpectedKey { .. }) => "unexpected-key",
            Self::Custody(custody::Error::OwnKey { .. }) => "own-key",
            Self::Custody(custody::Error::SeedElsewhere { .. }) => "seed-elsewhere",
            Self::Parameter(_) => "parameter",
            Self::Hydration => "hydration",
            Self::Custody(custody::Error::Sealing { .. }) => "sealing",
            Self::Import(_) => "import",
            Self::Custody(custody::Error::Rotation(_)) => "rotation",
            Self::Unread(_) | Self::Unwritten(_) | Self::Custody(custody::Error::Unread(_)) => "file",
            Self::Flag { .. } => "flag",
            Self::Unconfirmed => "unconfirmed",
            Self::Program { .. } => "program",
            Self::Sidecar { .. } => "sidecar",
            Self::Manifests(_) => "manifests",
            Self::Uncompared(_) => "uncompared",
            Self::Differs => "differs",
            Self::Output(_) => "output",
            Self::Custody(custody::Error::Randomness(_)) => "randomness",
            Self::Bug(_) | Self::Custody(custody::Error::Bug(_)) => "bug",
        }
    }

    /// The exit code: 1 the document is wrong, 2 usage, 3 the environment (seed, identity, policy, I/O).
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::UnreadDocument(file) if !file.is_the_documents_fault() => 3,
            Self::Document(_)
            | Self::Invalid { .. }
            | Self::Differs
            | Self::UnreadDocument(_)
            | Self::Manifests(_)
            | Self::Custody(
                custody::Error::UnexpectedKey { .. }
                | custody::Error::OwnKey { .. }
                | custody::Error::SeedElsewhere { .. },
            ) => 1,
            Self::Parameter(_) | Self::Flag { .. } | Self::Unconfirmed | Self::Uncompared(_) => 2,
            Self::Custody(_)
            | Self::Import(_)
            | Self::Unread(_)
            | Self::Unwritten(_)
            | Self::Program { .. }
            | Self::Sidecar { .. }
            | Self::Hydration
            | Self::Output(_)
            | Self::Bug(_) => 3,
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Document(_)
            | Self::Invalid { .. }
            | Self::Flag { .. }
            | Self::Unconfirmed
            | Self::Manifests(_)
            | Self::Differs => None,
            Self::Uncompared(_) => Some("correct what is reported above, and compare again".into()),
            Self::Output(kind) => (*kind == ErrorKind::PermissionDenied).then(|| {
                "standard output is open for reading only; redirect it to a file, to a pipe, or with `>/dev/null`".into()
            }),
            Self::UnreadDocument(file) => Some(file.help().into()),
            Self::Custody(error) => error.help(),
            Self::Hydration => Some("Argo CD's Source Hydrator would commit them to Git; set `delivery: SealedSecret` or `External` for this side, or sync the folder with a plugin source; for your own run use --local".into()),
            Self::Program { name, problem } => problem.help(name),
            Self::Sidecar { .. } => Some("read the sidecar's log: `kubectl -n argocd logs deployment/argocd-repo-server -c argocd-peering`".into()),
            Self::Parameter(problem) => Some(problem.help().into()),
            Self::Import(problem) => Some(problem.help().into()),
            Self::Unread(file) => file.help().map(Into::into),
            Self::Unwritten(file) => file.help().map(Into::into),
            Self::Bug(bug) => Some(bug.help().into()),
        }
    }
}
