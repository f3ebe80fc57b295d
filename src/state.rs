//! What the commands look at, read once and bounded: a repository at one moment, and a cluster. Nothing is judged here.

#[cfg(feature = "workstation")]
pub(crate) mod cluster;
#[cfg(feature = "workstation")]
pub(crate) mod git;
mod problem;
#[cfg(feature = "workstation")]
pub(crate) mod program;
pub(crate) mod repo;

pub use problem::{Bound, ProgramProblem};

use crate::input::file::Unread;

/// Why a state was not read.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// What a person named is not there, or is too much.
    #[error("{flag}: {reason}")]
    Flag {
        /// With its dashes.
        flag: &'static str,
        reason: String,
    },
    /// A program of the person's machine gave no answer.
    #[error("{name}: {problem}")]
    Program {
        /// As it is called.
        name: &'static str,
        problem: ProgramProblem,
    },
    /// A file or a folder was not read.
    #[error(transparent)]
    Unread(#[from] Unread),
    /// A manifest was not read.
    #[error("{0}")]
    Manifest(String),
}
