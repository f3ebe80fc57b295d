//! The errors of a person's commands.

mod screen;

use super::{Error, codes};
use crate::custody::keys::ImportProblem;
use crate::custody::store::Unwritten;
use crate::diagnostic::{Judged, NotJudged, Page, quoted, reasons, shown_name};
use crate::state::repo::DocumentProblem;
use crate::state::{ProgramProblem, StateError};
pub use screen::{report, screens, tally};

/// Why a run of a person's command failed.
#[derive(Debug, thiserror::Error)]
pub enum WorkstationError {
    /// Some of the checked peerings are wrong.
    #[error("{}{}", tally(errors), of_peerings(*wrong, *peerings))]
    Invalid {
        /// The errors and the notes of each peering.
        errors: Vec<Error>,
        /// How many peerings are wrong.
        wrong: usize,
        /// How many peerings were checked.
        peerings: usize,
        /// What was judged and what was not, if that is known.
        judged: Judged,
    },
    /// Some of the peerings are wrong. Standard output has the errors already.
    #[error("reported")]
    Reported,
    /// The bytes to import are not a seed.
    #[error("the seed to import: {0}")]
    Import(#[from] ImportProblem),
    /// A file that the user named could not be written.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    /// A program of the user's machine gave no answer.
    #[error("{name}: {problem}")]
    Program {
        /// The program's name.
        name: &'static str,
        problem: ProgramProblem,
    },
    /// The user was asked and did not answer `yes`.
    #[error("Not confirmed. Nothing was sealed.")]
    Unconfirmed,
    /// A provider's API server issued no credential that can be sealed.
    #[error("context {}: {problem}", shown_name(context))]
    Unissued {
        /// The context of the user's kubeconfig.
        context: String,
        /// Why there is no credential.
        problem: Unissued,
    },
    /// The manifests to import do not make one peering.
    #[error("the manifests do not make one peering:\n  {}", list_lines(.0))]
    Manifests(Vec<String>),
    /// `--strict` requires a judgement that is not possible.
    #[error("{} was not judged: {}", .0.named(), .0.reason.as_str())]
    NotJudged(NotJudged),
    /// Documents to compare are wrong.
    #[error("nothing is compared: {} document(s) cannot be used", .0.len())]
    Uncompared(Vec<Error>),
    /// There is a difference. It was already printed.
    #[error("there is a difference")]
    Differs,
}

impl From<Unwritten> for Error {
    fn from(error: Unwritten) -> Self {
        Self::Workstation(error.into())
    }
}

impl From<DocumentProblem> for Error {
    fn from(error: DocumentProblem) -> Self {
        match error {
            DocumentProblem::Unread(unread) => Self::UnreadDocument(unread),
            DocumentProblem::Invalid(invalid) => Self::Document(invalid),
            DocumentProblem::Bug(bug) => Self::Bug(bug),
        }
    }
}

impl From<StateError> for Error {
    fn from(error: StateError) -> Self {
        match error {
            StateError::Flag { flag, reason } => Self::Flag { flag, reason },
            StateError::Unread(unread) => Self::Unread(unread),
            StateError::Program { name, problem } => {
                WorkstationError::Program { name, problem }.into()
            }
            StateError::Manifest(problem) => WorkstationError::Manifests(vec![problem]).into(),
        }
    }
}

impl WorkstationError {
    /// The errors of some of this many peerings.
    pub fn of_peerings(errors: Vec<Error>, peerings: usize) -> Error {
        Error::from(Self::Invalid {
            wrong: errors.len(),
            errors,
            peerings,
            judged: Judged::default(),
        })
    }

    codes! {
        match self {
            Self::Invalid { .. } | Self::Reported => "invalid", 1, None;
            Self::Import(problem) => "import", 3, Some(problem.help().into());
            Self::Unwritten(file) => "file", 3, file.problem.help().map(Into::into);
            Self::Unconfirmed => "unconfirmed", 2, None;
            Self::Program { name, problem } => "program", 3, problem.help(name);
            Self::Unissued { problem, .. } => "unissued", 3, Some(problem.help().into());
            Self::Manifests(_) => "manifests", 1, None;
            Self::NotJudged(_) => "not-judged", 1, Some("validate what it makes, or set `--allow not-judged`".into());
            Self::Uncompared(_) => "uncompared", 2, Some("correct each, and compare again".into());
            Self::Differs => "differs", 1, None;
        }
    }
}

/// How many peerings are wrong; empty if the errors belong to no document.
fn of_peerings(wrong: usize, peerings: usize) -> String {
    match wrong {
        0 => String::new(),
        wrong => format!(" in {wrong} of {peerings} peerings"),
    }
}

/// The lines of a list, at most the first ones: manifests can have thousands of problems.
fn list_lines(lines: &[String]) -> String {
    const SHOWN: usize = 100;
    let shown = lines.get(..SHOWN).unwrap_or(lines).join("\n  ");
    match lines.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}\n  and {more} more"),
    }
}

reasons! {
    /// Why a provider's API server issued no credential that can be sealed.
    pub enum Unissued {
        /// The ServiceAccount is missing; the provider's stream creates it.
        NoAccount { namespace: String, name: String }
            error("the ServiceAccount {} is missing in {}", quoted(.name), quoted(.namespace))
            help "commit `credential: pending`, and run this again after the provider's sync";
        /// A Secret of the token's name exists with other content.
        OtherSecret { namespace: String, name: String }
            error("the Secret {} in {} is not for this ServiceAccount's token", quoted(.name), quoted(.namespace))
            help "delete it if nothing uses it, and run this again";
        /// Kubernetes did not fill the token's Secret.
        NoToken { namespace: String, name: String, seconds: u64 }
            error("the Secret {} in {} has no token after {seconds} seconds", quoted(.name), quoted(.namespace))
            help "kube-controller-manager fills it: look for its errors";
        /// An approver denied the request.
        Denied { name: String, reason: String }
            error("the CertificateSigningRequest {} was denied: {}", quoted(.name), quoted(.reason))
            help "ask the provider's administrators, or make `subject` a ServiceAccount";
        /// The signer cannot sign the request.
        Failed { name: String, reason: String }
            error("the CertificateSigningRequest {} failed: {}", quoted(.name), quoted(.reason))
            help "make `subject` a ServiceAccount: its token needs no signature";
        /// No signer answers the request.
        NoCertificate { name: String, seconds: u64 }
            error("the CertificateSigningRequest {} has no certificate after {seconds} seconds", quoted(.name))
            help "make `subject` a ServiceAccount: clusters such as EKS sign none";
        /// The request has no certificate, or one for another key.
        OtherKey { name: String }
            error("the certificate of the CertificateSigningRequest {} is for another key", quoted(.name))
            help "find out what wrote it: only the cluster's signer may";
        /// The user may do more than Liqo needs.
        TooPowerful { user: String, may: String }
            error("{} may do more at the provider than Liqo needs: {may}", quoted(.user))
            help "choose a user without rights: the stream's RoleBinding gives them";
    }
}
