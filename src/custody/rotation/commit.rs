//! A rotation is alone in its commit, so nothing else may wait in the folder.

use super::RotationProblem;
use crate::custody::Error;
use std::path::Path;
use std::process::{Command, Stdio};

/// Refuses a folder with uncommitted changes.
///
/// # Errors
/// Also when Git cannot say.
pub fn refuse_uncommitted(folder: &Path) -> Result<(), Error> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        // a repository's configuration can name a program for fsmonitor
        .args(["-c", "core.fsmonitor=false", "--no-optional-locks"])
        .args(["status", "--porcelain", "--untracked-files=all", "--", "."])
        .stdin(Stdio::null())
        .output()
        .map_err(|_| RotationProblem::NoGit("there is no `git`"))?;
    if !output.status.success() {
        let reason = "it is in no Git repository, or `git status` fails there";
        return Err(RotationProblem::NoGit(reason).into());
    }
    if output.stdout.is_empty() { Ok(()) } else { Err(RotationProblem::Uncommitted.into()) }
}
