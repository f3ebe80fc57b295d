//! The errors of a run, each with its stable code and its exit code. What to do about an error is declared with the error.

mod screen;

use crate::argocd::parameters::ParameterProblem;
use crate::custody;
use crate::custody::keys::ImportProblem;
use crate::custody::store::Unwritten;
use crate::diagnostic::{Bug, Invalid, Judged, NotJudged, Page, quoted, reasons, shown_name};
use crate::input::file::Unread;
use crate::input::folder::UnreadDocument;
use crate::state::StateError;
use crate::state::repo::Undescribed;
pub use screen::{fleet, report, tally};
use std::io::ErrorKind;

/// Why a run failed. It has the errors of all commands, so that a code has one meaning in every build.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The document is wrong. Everything that was found is listed.
    #[error(transparent)]
    Document(#[from] Invalid),
    /// Some of the checked peerings are wrong.
    #[error("{}{}", tally(errors), of_peerings(*wrong, *peerings))]
    Invalid {
        /// The errors and the notes of each peering.
        errors: Vec<Self>,
        /// How many peerings are wrong.
        wrong: usize,
        /// How many peerings were checked.
        peerings: usize,
        /// Whether the errors were already reported.
        silent: bool,
        /// What was judged and what was not, if that is known.
        judged: Judged,
    },
    /// The document could not be read.
    #[error(transparent)]
    UnreadDocument(#[from] UnreadDocument),
    /// Nothing was opened, sealed or rotated.
    #[error(transparent)]
    Custody(#[from] custody::Error),
    /// A plugin parameter is wrong.
    #[error(transparent)]
    Parameter(#[from] ParameterProblem),
    /// The bytes to import are not a seed.
    #[error("the seed to import: {0}")]
    Import(#[from] ImportProblem),
    /// A file that the user named could not be read.
    #[error(transparent)]
    Unread(#[from] Unread),
    /// A file that the user named could not be written.
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    /// A flag's value is wrong, or what it names was not read.
    #[error(transparent)]
    State(#[from] StateError),
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
    /// Argo CD's server in the sidecar did not answer.
    #[error(
        "argocd-cmp-server does not answer at `{}`: {problem}",
        shown_name(name)
    )]
    Sidecar {
        /// The last component of the socket's path.
        name: String,
        problem: ErrorKind,
    },
    /// The manifests to import do not make one peering.
    #[error("the manifests do not make one peering:\n  {}", list_lines(.0))]
    Manifests(Vec<String>),
    /// `--strict` requires a judgement that is not possible.
    #[error("{} was not judged: {}", .0.named(), .0.reason.as_str())]
    NotJudged(NotJudged),
    /// Documents to compare are wrong.
    #[error("nothing is compared: {} document(s) cannot be used", .0.len())]
    Uncompared(Vec<Self>),
    /// There is a difference. It was already printed.
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

impl From<Undescribed> for Error {
    fn from(error: Undescribed) -> Self {
        match error {
            Undescribed::Unread(unread) => Self::UnreadDocument(unread),
            Undescribed::Invalid(invalid) => Self::Document(invalid),
            Undescribed::Bug(bug) => Self::Bug(bug),
        }
    }
}

impl Error {
    /// An error for a wrong flag or argument, with its name as a user types it.
    pub(crate) fn flag(flag: &'static str, reason: impl Into<String>) -> Self {
        StateError::flag(flag, reason).into()
    }

    /// The errors of some of this many peerings.
    pub fn of_peerings(errors: Vec<Self>, peerings: usize) -> Self {
        let wrong = errors.len();
        Self::Invalid {
            errors,
            wrong,
            peerings,
            silent: false,
            judged: Judged::default(),
        }
    }

    /// The result for peerings that are wrong, where the printed report has the errors already.
    pub fn reported(wrong: usize, peerings: usize) -> Self {
        Self::Invalid {
            errors: Vec::new(),
            wrong,
            peerings,
            silent: true,
            judged: Judged::default(),
        }
    }
}

/// How many peerings are wrong; empty if the errors belong to no document.
fn of_peerings(wrong: usize, peerings: usize) -> String {
    if wrong == 0 {
        String::new()
    } else {
        format!(" in {wrong} of {peerings} peerings")
    }
}

/// The lines of a list, at most the first ones: manifests can have thousands of problems.
fn list_lines(lines: &[String]) -> String {
    const SHOWN: usize = 100;
    let more = lines.len().saturating_sub(SHOWN);
    let shown = lines.get(..SHOWN).unwrap_or(lines).join("\n  ");
    if more == 0 {
        shown
    } else {
        format!("{shown}\n  and {more} more")
    }
}

/// Declares the properties of the errors, a row for each: its code, its exit code, and its help.
macro_rules! codes {
    (match self { $( $error:pat => $code:literal, $exit:expr, $help:expr; )* }) => {
        /// The pages of all errors, in the order of the table.
        pub const PAGES: &'static [Page] =
            &[$(Page { name: $code, text: include_str!(concat!("../diagnostic/codes/", $code, ".md")) }),*];

        /// The page of this error.
        #[allow(unused_variables)]
        pub const fn page(&self) -> Page {
            match self {
                $($error => Page { name: $code, text: include_str!(concat!("../diagnostic/codes/", $code, ".md")) },)*
            }
        }

        /// The error's stable name.
        pub const fn code(&self) -> &'static str {
            self.page().name
        }

        /// The exit code: 1 the document is wrong, 2 usage, 3 the environment (seed, identity, policy, I/O).
        #[allow(unused_variables)]
        pub const fn exit_code(&self) -> u8 {
            match self {
                $($error => $exit,)*
            }
        }

        /// What to do about it.
        #[allow(unused_variables)]
        pub fn help(&self) -> Option<String> {
            match self {
                $($error => $help,)*
            }
        }
    };
}

/// Helps that need no value of the error.
const ON_OUTPUT: &str = "standard output is open for reading only; redirect it to a file, to a pipe, or with `>/dev/null`";
const ON_LOST_OUTPUT: &str = "standard output is closed, or it is /dev/null open both ways, as Python's `subprocess.DEVNULL` opens it; redirect it to a file or to a pipe, or with `>/dev/null` if it is not needed";
const ON_HYDRATION: &str = "Argo CD's Source Hydrator would commit them to Git; set `delivery: SealedSecret` or `External` for this side, or sync the folder with a plugin source; for your own run use --local";
const ON_SIDECAR: &str = "read the sidecar's log: `kubectl -n argocd logs deployment/argocd-repo-server -c argocd-peering`";

/// The exit code if the document cannot be read: its content is wrong, or its location.
const fn exit_code_of(document: &UnreadDocument) -> u8 {
    if document.is_the_documents_fault() {
        1
    } else {
        3
    }
}

fn help_of_output(kind: ErrorKind) -> Option<String> {
    match kind {
        ErrorKind::PermissionDenied => Some(ON_OUTPUT.into()),
        ErrorKind::NotConnected => Some(ON_LOST_OUTPUT.into()),
        _ => None,
    }
}

/// What to do about a file that the user named.
fn help_of_file(error: &Error) -> Option<String> {
    match error {
        Error::Unwritten(file) => file.problem.help(),
        Error::Unread(file)
        | Error::State(StateError::Unread(file))
        | Error::Custody(custody::Error::Unread(file)) => file.help(),
        _ => None,
    }
    .map(Into::into)
}

impl Error {
    codes! {
        match self {
            Self::Document(_) => "document", 1, None;
            Self::Invalid { .. } => "invalid", 1, None;
            Self::UnreadDocument(file) => "document-file", exit_code_of(file), Some(file.help().into_owned());
            Self::Custody(error @ custody::Error::SealedFile { .. }) => "sealed-file", 3, error.help();
            Self::Custody(error @ custody::Error::Identity(_)) => "identity", 3, error.help();
            Self::Custody(error @ custody::Error::Payload { .. }) => "sealed-payload", 3, error.help();
            Self::Custody(error @ (custody::Error::Denied { .. } | custody::Error::Policied { .. } | custody::Error::Refused { .. })) => "denied", 3, error.help();
            Self::Custody(error @ custody::Error::Destination { .. }) => "delivery-denied", 3, error.help();
            Self::Custody(error @ custody::Error::CertificateMissing { .. }) => "certificate-missing", 3, error.help();
            Self::Custody(error @ custody::Error::Policy(_)) => "policy", 3, error.help();
            Self::Custody(error @ custody::Error::Kubeconfig { .. }) => "kubeconfig", 3, error.help();
            Self::Custody(error @ custody::Error::UnexpectedKey { .. }) => "unexpected-key", 1, error.help();
            Self::Custody(error @ custody::Error::OwnKey { .. }) => "own-key", 1, error.help();
            Self::Custody(error @ custody::Error::SeedElsewhere { .. }) => "seed-elsewhere", 1, error.help();
            Self::Parameter(problem) => "parameter", 2, Some(problem.help().into());
            Self::Hydration => "hydration", 3, Some(ON_HYDRATION.into());
            Self::Custody(error @ custody::Error::Sealing { .. }) => "sealing", 3, error.help();
            Self::Import(problem) => "import", 3, Some(problem.help().into());
            Self::Custody(error @ custody::Error::Rotation(_)) => "rotation", 3, error.help();
            error @ (Self::Unread(_) | Self::Unwritten(_) | Self::State(StateError::Unread(_)) | Self::Custody(custody::Error::Unread(_))) => "file", 3, help_of_file(error);
            Self::State(StateError::Flag { .. }) => "flag", 2, None;
            Self::Unconfirmed => "unconfirmed", 2, None;
            Self::State(StateError::Program { name, problem }) => "program", 3, problem.help(name);
            Self::Unissued { problem, .. } => "unissued", 3, Some(problem.help().into());
            Self::Sidecar { .. } => "sidecar", 3, Some(ON_SIDECAR.into());
            Self::Manifests(_) | Self::State(StateError::Manifest(_)) => "manifests", 1, None;
            Self::NotJudged(_) => "not-judged", 1, Some("write it so that it can be judged, or leave out --strict".into());
            Self::Uncompared(_) => "uncompared", 2, Some("correct what is reported above, and compare again".into());
            Self::Differs => "differs", 1, None;
            Self::Output(kind) => "output", 3, help_of_output(*kind);
            Self::Custody(error @ custody::Error::Randomness(_)) => "randomness", 3, error.help();
            Self::Bug(bug) | Self::Custody(custody::Error::Bug(bug)) => "bug", 3, Some(bug.help().into());
        }
    }
}

reasons! {
    /// Why a provider's API server issued no credential that can be sealed.
    pub enum Unissued {
        /// The ServiceAccount is missing; the provider's stream creates it.
        NoAccount { namespace: String, name: String }
            error("there is no ServiceAccount {} in the namespace {}", quoted(.name), quoted(.namespace))
            help "the provider's stream makes it: commit with `credential: pending`, wait for the provider's sync, and run this again";
        /// A Secret of the token's name exists with other content.
        OtherSecret { namespace: String, name: String }
            error("the Secret {} in the namespace {} is not for a token of this ServiceAccount", quoted(.name), quoted(.namespace))
            help "delete it if nothing uses it, and run this again";
        /// Kubernetes did not fill the token's Secret.
        NoToken { namespace: String, name: String, seconds: u64 }
            error("the Secret {} in the namespace {} has no token after {seconds} seconds", quoted(.name), quoted(.namespace))
            help "kube-controller-manager fills it: look for its errors, and run this again";
        /// An approver denied the request.
        Denied { name: String, reason: String }
            error("the CertificateSigningRequest {} was denied: {}", quoted(.name), quoted(.reason))
            help "ask the provider's administrators, or use a ServiceAccount as the document's `subject`";
        /// The signer cannot sign the request.
        Failed { name: String, reason: String }
            error("the CertificateSigningRequest {} failed: {}", quoted(.name), quoted(.reason))
            help "use a ServiceAccount as the document's `subject`: its token needs no signature";
        /// No signer answers the request.
        NoCertificate { name: String, seconds: u64 }
            error("the CertificateSigningRequest {} has no certificate after {seconds} seconds", quoted(.name))
            help "some managed clusters, such as EKS, sign no client certificates: use a ServiceAccount as the document's `subject`";
        /// The request has no certificate, or one for another key.
        OtherKey { name: String }
            error("the certificate of the CertificateSigningRequest {} is not for the key that was made here", quoted(.name))
            help "only the cluster's signer may write certificates: find out what else wrote this one";
        /// The user may do more than Liqo needs.
        TooPowerful { user: String, may: String }
            error("{} may do more at the provider than Liqo needs: {may}", quoted(.user))
            help "choose a user that has no rights yet: the stream's RoleBinding gives it those that Liqo needs; or remove the bindings that give it more";
    }
}
