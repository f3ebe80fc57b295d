//! A rotation is alone in its commit, so nothing else may wait in the folder.

use super::RotationProblem;
use crate::custody::Error;
use std::path::Path;
use std::process::{Command, Stdio};

/// Refuses a folder with uncommitted changes, and one about which Git reports nothing.
pub(crate) fn refuse_uncommitted(folder: &Path) -> Result<(), Error> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        // a repository's configuration can name a program for fsmonitor
        .args(["-c", "core.fsmonitor=false", "--no-optional-locks"])
        .args(["status", "--porcelain", "--untracked-files=all", "--", "."])
        .stdin(Stdio::null())
        .output()
        .map_err(|_| RotationProblem::NoGit("`git` was not found"))?;
    if !output.status.success() {
        let reason = "it is not in a Git repository, or `git status` failed";
        return Err(RotationProblem::NoGit(reason).into());
    }
    if output.stdout.is_empty() { Ok(()) } else { Err(RotationProblem::Uncommitted.into()) }
}
