//! A checkout on the disk, and the one command by which git is run in it.

use crate::input::file::repository;
use crate::state::StateError;
use crate::state::program::{Command, Program};
use crate::uri::Uri;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A checkout, and a folder of it. Git never searches the repository: in a folder that looks like a bare repository, which anyone with push
/// access can make, it would use the settings of that one (git-config(1), `safe.bareRepository`). A `.git` folder cannot be pushed.
#[derive(Debug, Clone)]
pub(crate) struct Checkout {
    root: PathBuf,
    /// The folder's path from the root, with `/`; `.` for the root itself.
    folder: String,
}

impl Checkout {
    /// The checkout of a folder; `None` if the folder is not in one. The folder need not exist.
    pub(crate) fn open(folder: &Path) -> Option<Self> {
        let folder = std::path::absolute(Path::new(".").join(folder)).ok()?;
        let existing = folder.ancestors().find(|folder| folder.exists())?;
        let inside = folder.strip_prefix(existing).ok()?;
        let folder = existing.canonicalize().ok()?.join(inside);
        let root = repository(&folder)?.to_owned();
        let inside = folder.strip_prefix(&root).ok()?.to_str()?;
        let folder = if inside.is_empty() { "." } else { inside };
        let folder = folder.to_owned();
        Some(Self { root, folder })
    }

    pub(in crate::state) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder, as in an Application's `path`.
    pub(crate) fn folder(&self) -> &str {
        &self.folder
    }

    /// A git command for this checkout. It runs no program that the checkout's files or a transport name, and reads only this checkout.
    pub(super) fn command(&self, git: &Program) -> Command {
        let mut command = git.command();
        let mut directory = OsString::from("--git-dir=");
        directory.push(self.root.join(".git"));
        command.current_dir("/").arg(directory);
        command.args(["--no-pager", "--literal-pathspecs", "--no-replace-objects"]);
        for setting in [
            "core.fsmonitor=false",
            "core.hooksPath=/dev/null",
            "core.warnAmbiguousRefs=true",
        ] {
            command.args(["-c", setting]);
        }
        command.envs([
            // a partial clone would fetch missing objects, with any program that its configuration names
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_ALLOW_PROTOCOL", ""),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("LC_ALL", "C"),
        ]);
        for variable in OF_A_REPOSITORY {
            command.env_remove(variable);
        }
        command
    }

    /// The content of a file of the folder in the newest commit; `None` if the commit does not have it.
    pub(crate) fn committed(&self, name: &str) -> Result<Option<String>, StateError> {
        let folder = match self.folder.as_str() {
            "." => String::new(),
            folder => format!("{folder}/"),
        };
        match self.answer(&["cat-file", "blob", &format!("HEAD:{folder}{name}")]) {
            Ok(text) => Ok(Some(text)),
            // git `object-name.c`, `diagnose_invalid_oid_path` and `die_verify_filename`
            Err(error) if NOT_COMMITTED.iter().any(|it| error.has_words(it)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The output of git for this checkout.
    fn answer(&self, arguments: &[&str]) -> Result<String, StateError> {
        let git = Program::find("git", &self.root)?;
        let output = git.output(self.command(&git).args(arguments));
        let output = output.map_err(|problem| git.failed(problem))?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }

    /// The full name of the default branch of the remote `origin`, if the clone has noted it (git-clone(1)); otherwise that of the branch
    /// that is checked out, as after `git init` and `git push`.
    pub(crate) fn usual_branch(&self) -> Option<String> {
        let mut names = ["refs/remotes/origin/HEAD", "HEAD"].into_iter();
        let name = names.find_map(|name| self.answer(&["symbolic-ref", name]).ok())?;
        let name = name.trim_end();
        let branch = name.strip_prefix("refs/remotes/origin/");
        let branch = branch.or_else(|| name.strip_prefix("refs/heads/"))?;
        Some(format!("refs/heads/{branch}"))
    }

    /// The newest commit of a ref that touches the folder and is not in another commit. `None` if git does not know one of
    /// them: nothing is fetched.
    pub(crate) fn newer(&self, than: &str, name: &str) -> Option<String> {
        let range = format!("{than}..{name}");
        // `git log` would run the program that verifies signatures, if the checkout's configuration has `log.showSignature`
        let newest = ["rev-list", "--max-count=1", "--end-of-options", &range];
        let output = self.answer(&[&newest[..], &["--", &self.folder]].concat());
        let output = output.ok()?;
        Some(output.trim().to_owned()).filter(|it| !it.is_empty())
    }

    /// When a folder was first committed, in seconds since 1970; `None` if it was not.
    pub(crate) fn first_commit_time(folder: &Path) -> Option<u64> {
        let it = Self::open(folder)?;
        let all = ["rev-list", "--timestamp", "HEAD", "--", &it.folder];
        let commits = it.answer(&all).ok()?;
        let (time, _) = commits.lines().last()?.split_once(' ')?;
        time.parse().ok()
    }

    /// Whether the folder differs between two commits. After a squash the commits differ, but the files do not.
    pub(crate) fn differs(&self, one: &str, other: &str) -> bool {
        // (git-diff-tree(1): it ends with 1)
        let compare = ["diff-tree", "-r", "--quiet", "--no-ext-diff"];
        let commits = [one, other, "--", &self.folder];
        self.answer(&[compare, commits].concat()).is_err()
    }

    /// The URLs of the remotes, by name, without the users in HTTP URLs: people put tokens there.
    pub(crate) fn remotes(&self) -> Result<Vec<(String, String)>, StateError> {
        let text = match self.answer(&["config", "-z", "--get-regexp", r"^remote\..*\.url$"]) {
            // git-config(1): without such a setting, it ends with 1 and prints nothing
            Err(error) if error.has_words("exit status: 1") => String::new(),
            text => text?,
        };
        Ok(text.split('\0').filter_map(remote).collect())
    }
}

/// The variables with the places of a repository's parts. Git sets some of them for its hooks, relative to where it runs these
/// (git-rev-parse(1), `--local-env-vars`). From that list, those of objects are kept, since an object's name follows from its content; and
/// `GIT_CONFIG_PARAMETERS` and `GIT_CONFIG_COUNT`, since settings by `git -c` and by the environment are the person's, such as
/// `safe.directory`.
const OF_A_REPOSITORY: [&str; 7] = [
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// The name and the URL of a remote, as `git config` prints them.
fn remote(line: &str) -> Option<(String, String)> {
    let (key, url) = line.split_once('\n')?;
    let name = key.strip_prefix("remote.")?.strip_suffix(".url")?;
    Some((name.to_owned(), without_user(url)))
}

/// Git's messages for a file that is in no commit.
const NOT_COMMITTED: [&str; 4] = [
    "does not exist in 'HEAD'",
    "but not in 'HEAD'",
    "invalid object name 'HEAD'",
    "Not a valid object name",
];

fn without_user(url: &str) -> String {
    let Uri { scheme, user, .. } = Uri::split(url);
    match (scheme, user) {
        (Some(scheme), Some(user)) if scheme.to_ascii_lowercase().starts_with("http") => {
            url.replacen(&format!("{user}@"), "", 1)
        }
        _ => url.to_owned(),
    }
}
