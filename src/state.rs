//! What the commands look at, read once and bounded: a repository at one moment, and a cluster. Nothing is judged here.

pub(crate) mod cluster;
pub(crate) mod git;
pub(crate) mod program;
pub(crate) mod repo;

use crate::input::file::Unread;

/// Why a state was not read.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// A flag names a file or folder that is missing, or too large.
    #[error("{flag}: {reason}")]
    Flag {
        /// The flag, with its dashes.
        flag: &'static str,
        reason: String,
    },
    /// A program of the user's machine gave no answer.
    #[error("{name}: {problem}")]
    Program {
        /// The program's name.
        name: &'static str,
        problem: ProgramProblem,
    },
    /// A file or a folder was not read.
    #[error(transparent)]
    Unread(#[from] Unread),
    /// A manifest was not read.
    #[error("the manifests do not make one peering:\n  {0}")]
    Manifest(String),
}

impl StateError {
    /// A flag or argument that is wrong, named as a person types it.
    pub(crate) fn flag(flag: &'static str, reason: impl Into<String>) -> Self {
        Self::Flag {
            flag,
            reason: reason.into(),
        }
    }

    /// Whether a program failed with these words.
    fn has_words(&self, words: &str) -> bool {
        matches!(self, Self::Program { problem: ProgramProblem::Failed(text), .. } if text.contains(words))
    }
}

/// Why a program gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramProblem {
    /// It is not in `PATH`.
    #[error("it is not in PATH")]
    Missing,
    /// The operating system could not run it.
    #[error("it cannot be run: {0}")]
    Unstartable(std::io::ErrorKind),
    #[error("no answer after {} seconds", Self::TIMEOUT_SECONDS)]
    TimedOut,
    #[error("it printed more than {} MiB", Self::OUTPUT_MIB)]
    TooLarge,
    /// The program printed more than a run may keep.
    #[error("its answers together have more than {0}")]
    OverBudget(#[from] Bound),
    /// It reports an error, in its own words.
    #[error("{}", .0.trim_end())]
    Failed(String),
    /// The output does not have the form that these arguments give.
    #[error("its output is not {0}")]
    Unexpected(&'static str),
}

impl From<std::io::Error> for ProgramProblem {
    fn from(error: std::io::Error) -> Self {
        Self::Unstartable(error.kind())
    }
}

impl ProgramProblem {
    /// More time than a busy API server needs, and than a person waits.
    pub const TIMEOUT_SECONDS: u64 = 60;

    /// More than all objects of thousands of peerings.
    pub const OUTPUT_MIB: u64 = 64;

    /// What to do about it.
    pub(crate) fn help(&self, name: &str) -> Option<String> {
        match self {
            Self::Missing => Some(format!(
                "install {name}, or add its folder to PATH; relative folders and the checkout's do not count"
            )),
            Self::TimedOut => Some(format!(
                "run the same command yourself, to see what {name} waits for"
            )),
            Self::OverBudget(_) => {
                Some("ask for one cluster at a time; `import` also takes files".into())
            }
            Self::Unstartable(_) | Self::TooLarge | Self::Failed(_) | Self::Unexpected(_) => None,
        }
    }
}

impl ProgramProblem {
    /// Whether the cluster answers that it does not have this, or does not show it.
    pub fn is_refusal(&self) -> bool {
        self.is_forbidden() || self.is_unknown_kind()
    }

    /// Whether the person may not read this. kubectl prints the API server's status (kubernetes
    /// `staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go`).
    pub fn is_forbidden(&self) -> bool {
        matches!(self, Self::Failed(text) if text.contains("(Forbidden)"))
    }

    /// Whether the cluster does not have the kind: Liqo is missing, or older.
    pub fn is_unknown_kind(&self) -> bool {
        matches!(self, Self::Failed(text) if text.contains("the server doesn't have a resource type"))
    }
}

/// The bounds of what a run reads of clusters and manifests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Bound {
    #[error("{} MiB", Self::BYTES >> 20)]
    Bytes,
    /// Texts, numbers, lists and maps.
    #[error("{} values", Self::VALUES)]
    Values,
}

impl Bound {
    /// The bytes of two answers.
    pub const BYTES: usize = 128 << 20;

    /// The objects of two thousand peerings. A map counts as four, for the memory that it takes.
    pub const VALUES: usize = 2_000_000;
}
