//! The Git checkout that a folder is in, as its own `git` reads it.
//!
//! Git is never left to find the repository: in a folder that looks like a bare repository, which anyone with push access can
//! make, it would take that one's settings (git-config(1), `safe.bareRepository`). A `.git` cannot be pushed.

use crate::input::file::repository;
use crate::state::program::{Command, Program};
use crate::state::{ProgramProblem, StateError};
use crate::uri::Uri;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A checkout, and a folder of it.
#[derive(Debug, Clone)]
pub(crate) struct Checkout {
    root: PathBuf,
    /// From the root, with `/`; `.` for the root itself.
    folder: String,
}

impl Checkout {
    /// The checkout of a folder, which may not exist yet, if it is in one.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        let folder = std::path::absolute(Path::new(".").join(folder)).ok()?;
        let existing = folder.ancestors().find(|folder| folder.exists())?;
        let folder = existing.canonicalize().ok()?.join(folder.strip_prefix(existing).ok()?);
        let root = repository(&folder)?.to_owned();
        let inside = folder.strip_prefix(&root).ok()?.to_str()?;
        Some(Self { folder: if inside.is_empty() { ".".into() } else { inside.into() }, root })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder, as an Application's `path` has it.
    pub(crate) fn folder(&self) -> &str {
        &self.folder
    }

    /// Git for this checkout, which runs nothing that the checkout's files or a transport name.
    pub(crate) fn command(&self, git: &Program) -> Command {
        let mut command = git.command();
        let mut directory = OsString::from("--git-dir=");
        directory.push(self.root.join(".git"));
        command.current_dir("/").arg(directory).args([
            "--no-pager",
            "--literal-pathspecs",
            "--no-replace-objects",
        ]);
        command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]);
        command.args(["-c", "core.warnAmbiguousRefs=true"]);
        // a partial clone fetches what it lacks: through any program that its configuration names
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "");
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        command
    }

    /// A file of the folder as the newest commit has it, if it has one.
    pub(crate) fn committed(&self, name: &str) -> Result<Option<String>, StateError> {
        let git = Program::find("git")?;
        let mut command = self.command(&git);
        let file = if self.folder == "." { name.to_owned() } else { format!("{}/{name}", self.folder) };
        match git.output(command.args(["cat-file", "blob", &format!("HEAD:{file}")])) {
            Ok(output) => Ok(Some(String::from_utf8_lossy(&output).into_owned())),
            // git `object-name.c`, `diagnose_invalid_oid_path` and `die_verify_filename`
            Err(ProgramProblem::Failed(text)) if NOT_COMMITTED.iter().any(|it| text.contains(it)) => Ok(None),
            Err(problem) => Err(git.failed(problem)),
        }
    }

    /// The default branch of the remote `origin` by its full name, if the clone has noted it (git-clone(1)).
    pub(crate) fn default_branch(&self) -> Option<String> {
        let git = Program::find("git").ok()?;
        let output =
            git.output(self.command(&git).args(["symbolic-ref", "refs/remotes/origin/HEAD"])).ok()?;
        let name = String::from_utf8(output).ok()?;
        Some(format!("refs/heads/{}", name.trim_end().strip_prefix("refs/remotes/origin/")?))
    }

    /// The newest commit of a ref that touches the folder and that another commit does not have, and when it was made. None if git does
    /// not know one of them: nothing is fetched.
    pub(crate) fn newer(&self, than: &str, name: &str) -> Option<(String, Duration)> {
        let git = Program::find("git").ok()?;
        let mut command = self.command(&git);
        let range = format!("{than}..{name}");
        // `git log` runs the program that verifies signatures, if the checkout's configuration has `log.showSignature`
        command.args([
            "rev-list",
            "--max-count=1",
            "--timestamp",
            "--end-of-options",
            &range,
            "--",
            &self.folder,
        ]);
        let output = String::from_utf8(git.output(&mut command).ok()?).ok()?;
        let (time, commit) = output.trim().split_once(' ')?;
        Some((commit.to_owned(), Duration::from_secs(time.parse().ok()?)))
    }

    /// The URLs of its remotes, by their names, without users of HTTP: people put tokens there.
    pub(crate) fn remotes(&self) -> Result<Vec<(String, String)>, StateError> {
        let git = Program::find("git")?;
        let mut command = self.command(&git);
        let output = git.output(command.args(["config", "-z", "--get-regexp", r"^remote\..*\.url$"]));
        let text = match output {
            Ok(output) => String::from_utf8_lossy(&output).into_owned(),
            // git-config(1): it ends with 1, and prints nothing, if there is no such setting
            Err(ProgramProblem::Failed(text)) if text.starts_with("exit status: 1") => String::new(),
            Err(problem) => return Err(git.failed(problem)),
        };
        Ok(text.split('\0').filter_map(remote).collect())
    }
}

/// The name and the URL of a remote, as `git config` prints them.
fn remote(line: &str) -> Option<(String, String)> {
    let (key, url) = line.split_once('\n')?;
    let name = key.strip_prefix("remote.")?.strip_suffix(".url")?;
    Some((name.to_owned(), without_user(url)))
}

/// What git says of a file that no commit has.
const NOT_COMMITTED: [&str; 4] = [
    "does not exist in 'HEAD'",
    "but not in 'HEAD'",
    "invalid object name 'HEAD'",
    "Not a valid object name",
];

fn without_user(url: &str) -> String {
    let Uri { scheme, authority, .. } = Uri::split(url);
    match (scheme, authority.user) {
        (Some(scheme), Some(user)) if scheme.to_ascii_lowercase().starts_with("http") => {
            url.replacen(&format!("{user}@"), "", 1)
        }
        _ => url.to_owned(),
    }
}
