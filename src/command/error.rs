//! The errors of a run, each with its stable code and its exit code. What to do about an error is declared with the error.

#[cfg(feature = "workstation")]
pub(crate) mod workstation;

use crate::argocd::parameters::ParameterProblem;
use crate::custody;
use crate::diagnostic::{Bug, Invalid, Look, Page, shown_name};
use crate::input::file::Unread;
use crate::input::folder::UnreadDocument;
use std::fmt;
use std::io::ErrorKind;
#[cfg(feature = "workstation")]
use workstation::WorkstationError;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The document is wrong. Everything that was found is listed.
    #[error(transparent)]
    Document(#[from] Invalid),
    /// The document could not be read.
    #[error(transparent)]
    UnreadDocument(#[from] UnreadDocument),
    /// Nothing was opened, sealed or rotated.
    #[error(transparent)]
    Custody(#[from] custody::Error),
    /// A plugin parameter is wrong.
    #[error(transparent)]
    Parameter(#[from] ParameterProblem),
    /// A file that the user named could not be read.
    #[error(transparent)]
    Unread(#[from] Unread),
    /// A flag's value is wrong, or what it names was not read.
    #[error("{flag}: {reason}")]
    Flag {
        /// The flag, with its dashes.
        flag: &'static str,
        reason: String,
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
    /// Argo CD asks for manifests that it will commit to Git.
    #[error("refusing to print private keys: KUBE_VERSION is empty or not set")]
    Hydration,
    /// The output cannot be written.
    #[error("the output cannot be written: {0}")]
    Output(ErrorKind),
    /// A bug in this program.
    #[error(transparent)]
    Bug(#[from] Bug),
    /// What only a person's commands can find.
    #[cfg(feature = "workstation")]
    #[error(transparent)]
    Workstation(#[from] WorkstationError),
}

impl Error {
    /// An error for a wrong flag or argument, with its name as a user types it.
    pub(crate) fn flag(flag: &'static str, reason: impl Into<String>) -> Self {
        Self::Flag {
            flag,
            reason: reason.into(),
        }
    }

    /// What Argo CD shows in an Application's condition: at most 20 lines of plain text, the code first.
    pub fn brief(&self) -> String {
        match self {
            Self::Document(invalid) => invalid.brief(),
            _ => self.screen(Look::PLAIN),
        }
    }

    /// The error as text for stderr, the same on every run. Secrets are masked when it is written.
    pub fn screen(&self, look: Look) -> String {
        match self {
            Self::Document(invalid) => return invalid.screen(look),
            // the reader has closed the pipe, as `| head` does
            Self::Output(ErrorKind::BrokenPipe) => return String::new(),
            #[cfg(feature = "workstation")]
            Self::Workstation(error) => return error.screen(look),
            _ => {}
        }
        line_of(self.code(), self, self.help())
    }
}

/// The pages of all errors of a run, each code once.
pub fn pages() -> Vec<Page> {
    #[allow(unused_mut, reason = "the image has no such errors")]
    let mut pages = Error::PAGES.to_vec();
    #[cfg(feature = "workstation")]
    for page in WorkstationError::PAGES {
        if pages.iter().all(|known| known.name != page.name) {
            pages.push(*page);
        }
    }
    pages
}

/// An error without a place, and what to do about it.
pub(super) fn line_of(code: &str, error: &impl fmt::Display, help: Option<String>) -> String {
    let help = help.map(|help| format!("  help: {help}\n"));
    format!("error[{code}]: {error}\n{}", help.unwrap_or_default())
}

/// Declares the properties of the errors, a row for each: its code, its exit code, and its help. The last row can be errors that have their
/// own.
macro_rules! codes {
    (match self { $( $error:pat => $code:literal, $exit:expr, $help:expr; )* $(#[$other:meta] $others:pat => $inner:ident;)? }) => {
        /// The pages of all errors, in the order of the table.
        pub const PAGES: &'static [Page] =
            &[$($crate::diagnostic::page!($code)),*];

        /// The page of this error.
        #[allow(unused_variables)]
        pub const fn page(&self) -> Page {
            match self {
                $($error => $crate::diagnostic::page!($code),)*
                $(#[$other] $others => $inner.page(),)?
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
                $(#[$other] $others => $inner.exit_code(),)?
            }
        }

        /// What to do about it.
        #[allow(unused_variables)]
        pub fn help(&self) -> Option<String> {
            match self {
                $($error => $help,)*
                $(#[$other] $others => $inner.help(),)?
            }
        }
    };
}

#[cfg(feature = "workstation")]
pub(super) use codes;

/// Helps that need no value of the error.
const ON_OUTPUT: &str = "standard output is read-only; redirect it to a file or `>/dev/null`";
const ON_LOST_OUTPUT: &str = "standard output is closed, or is Python's `subprocess.DEVNULL`; redirect it to a file or `>/dev/null`";
const ON_HYDRATION: &str = "the Source Hydrator would commit them: set `delivery: SealedSecret` or `External`, or use a plugin source; your own run needs --local";
const ON_SIDECAR: &str = "this check is for the sidecar; its log: `kubectl -n argocd logs deployment/argocd-repo-server -c argocd-peering`";

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
        Error::Unread(file) | Error::Custody(custody::Error::Unread(file)) => file.help(),
        _ => None,
    }
    .map(Into::into)
}

impl Error {
    codes! {
        match self {
            Self::Document(_) => "document", 1, None;
            Self::UnreadDocument(file) => "document-file", exit_code_of(file), Some(file.help().into_owned());
            Self::Custody(error @ (custody::Error::SealedFile { .. } | custody::Error::NotSent { .. })) => "sealed-file", 3, error.help();
            Self::Custody(error @ custody::Error::Identity(_)) => "identity", 3, error.help();
            Self::Custody(error @ custody::Error::Payload { .. }) => "sealed-payload", 3, error.help();
            Self::Custody(error @ (custody::Error::Denied { .. } | custody::Error::Policied { .. } | custody::Error::Refused { .. } | custody::Error::Label { .. })) => "denied", 3, error.help();
            Self::Custody(error @ custody::Error::Destination { .. }) => "delivery-denied", 3, error.help();
            Self::Custody(error @ custody::Error::CertificateMissing { .. }) => "certificate-missing", 3, error.help();
            Self::Custody(error @ custody::Error::Policy(_)) => "policy", 3, error.help();
            Self::Custody(error @ custody::Error::Kubeconfig { .. }) => "kubeconfig", 3, error.help();
            Self::Custody(error @ (custody::Error::UnexpectedKey { .. } | custody::Error::OwnKey { .. })) => "unexpected-key", 1, error.help();
            Self::Custody(error @ custody::Error::SeedElsewhere { .. }) => "seed-elsewhere", 1, error.help();
            Self::Parameter(problem) => "parameter", 2, Some(problem.help().into());
            Self::Hydration => "hydration", 3, Some(ON_HYDRATION.into());
            Self::Custody(error @ custody::Error::Sealing { .. }) => "sealing", 3, error.help();
            Self::Custody(error @ custody::Error::Rotation(_)) => "rotation", 3, error.help();
            error @ (Self::Unread(_) | Self::Custody(custody::Error::Unread(_))) => "file", 3, help_of_file(error);
            Self::Flag { .. } => "flag", 2, None;
            Self::Sidecar { .. } => "sidecar", 3, Some(ON_SIDECAR.into());
            Self::Output(kind) => "output", 3, help_of_output(*kind);
            Self::Custody(error @ custody::Error::Randomness(_)) => "randomness", 3, error.help();
            Self::Bug(bug) | Self::Custody(custody::Error::Bug(bug)) => "bug", 3, Some(bug.help().into());
            #[cfg(feature = "workstation")] Self::Workstation(error) => error;
        }
    }
}
