//! The files of a Git revision, by the person's own git.
//!
//! Anyone with push access writes what is in a checkout, and nothing of it may get a program run. So git is not left to find
//! its repository ([`Checkout`]), and only commands that run no filter, hook, pager or transport are used (git-cat-file(1),
//! git-ls-tree(1), git-rev-parse(1)).

mod attributes;
mod checkout;

pub(crate) use attributes::{ATTRIBUTES, ATTRIBUTES_CAP, Attributes};
pub(crate) use checkout::Checkout;

use super::program::{Command, Program};
use super::{ProgramProblem, StateError};
use crate::diagnostic::{is_unseen, shown_name};
use crate::input::file;
use crate::input::file::ReadProblem;
use std::ffi::OsStr;
use std::io::{Seek as _, Write as _};
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt as _;
#[cfg(target_os = "wasi")]
use std::os::wasi::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

#[derive(Debug, Clone)]
pub(crate) struct Git {
    program: std::rc::Rc<Program>,
    checkout: Checkout,
}

/// A file of a revision.
pub(crate) struct Entry {
    /// From the checkout's root.
    pub(crate) path: PathBuf,
    /// Why it is not read, if it is no file.
    pub(crate) problem: Option<ReadProblem>,
    pub(crate) size: u64,
    pub(crate) id: String,
}

impl Git {
    /// The checkout that a folder is in, and the folder's path from the root. The folder itself need not exist. A link of the
    /// checkout on its path would have another folder compared, in both revisions.
    pub(crate) fn of(folder: &Path) -> Result<(Self, PathBuf), StateError> {
        let no_checkout = || StateError::Flag {
            flag: "FOLDER",
            reason: format!(
                "{} is not in a Git checkout, so it has no revisions",
                shown_name(&folder.display().to_string())
            ),
        };
        file::refuse(folder)?;
        let checkout = Checkout::of(folder).ok_or_else(no_checkout)?;
        let prefix = if checkout.folder() == "." { "" } else { checkout.folder() }.into();
        Ok((Self::new(checkout)?, prefix))
    }

    pub(crate) fn new(checkout: Checkout) -> Result<Self, StateError> {
        Ok(Self { program: std::rc::Rc::new(Program::find("git")?), checkout })
    }

    /// What git prints for this input.
    pub(crate) fn answer(&self, input: &[u8], arguments: &[&str]) -> Result<Vec<u8>, StateError> {
        let unwritable =
            |error: std::io::Error| self.program.failed(ProgramProblem::Unstartable(error.kind()));
        let mut file = tempfile::tempfile().map_err(unwritable)?;
        file.write_all(input).map_err(unwritable)?;
        file.rewind().map_err(unwritable)?;
        let output = self.program.output_for(Stdio::from(file), self.command().args(arguments));
        output.map_err(|problem| self.program.failed(problem))
    }

    /// The commit of a revision.
    pub(crate) fn commit(&self, flag: &'static str, revision: &str) -> Result<String, StateError> {
        let unknown = |reason: &str| StateError::Flag {
            flag,
            reason: format!("`{}` is not a revision of this checkout{reason}", shown_name(revision)),
        };
        if revision.is_empty() || revision.starts_with(['-', '^']) || revision.chars().any(is_unseen) {
            return Err(unknown(""));
        }
        let mut command = self.command();
        command.args(["rev-parse", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")]);
        let run = self.program.run(Stdio::null(), &mut command);
        let (output, warnings) = run.map_err(|problem| match problem {
            ProgramProblem::Failed(_) if revision == "HEAD" => unknown(": it has no commit yet"),
            ProgramProblem::Failed(_) => unknown(
                "; a shallow clone has only the newest: `git fetch --unshallow`, in GitHub Actions `fetch-depth: 0`",
            ),
            problem => self.program.failed(problem),
        })?;
        let id = String::from_utf8_lossy(&output).trim().to_owned();
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(self.program.failed(ProgramProblem::Unexpected("the name of a commit")));
        }
        // git takes a tag before a branch of the same name, with a warning: whoever may push a tag would choose what is
        // compared (gitrevisions(7)). A commit's whole ID is that commit, and `HEAD`, in short `@`, is what is checked out,
        // whatever was pushed under this name
        let is_head =
            |line: &str| ["HEAD", "@"].iter().any(|it| line.contains(&format!(" '{it}' is ambiguous")));
        if id != revision && warnings.lines().any(|line| line.contains(" is ambiguous") && !is_head(line)) {
            return Err(StateError::flag(
                flag,
                format!(
                    "`{}` is more than one thing in this checkout, such as a branch and a tag: write the whole name, such as `refs/heads/main`",
                    shown_name(revision)
                ),
            ));
        }
        Ok(id)
    }

    /// The files in a folder of a commit, and in its folders, and the attributes of the folders above. None if the commit does
    /// not have the folder.
    pub(crate) fn files(&self, commit: &str, folder: &Path) -> Result<Vec<Entry>, StateError> {
        let mut command = self.command();
        command.args(["ls-tree", "-r", "-l", "-z", "--full-tree", commit]);
        if !folder.as_os_str().is_empty() {
            // with a `/` at its end
            command.arg("--").arg(folder.join(""));
            command.args(folder.ancestors().skip(1).map(|above| above.join(ATTRIBUTES)));
        }
        let output = self.program.output(&mut command).map_err(|problem| self.program.failed(problem))?;
        let lines = output.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        let entries: Option<_> = lines.map(entry).collect();
        entries.ok_or_else(|| self.program.failed(ProgramProblem::Unexpected("a list of files")))
    }

    /// The contents of files, in their order.
    pub(crate) fn contents(&self, ids: &[&str]) -> Result<Vec<Vec<u8>>, StateError> {
        let names = ids.join("\n");
        let output = self.answer(names.as_bytes(), &["cat-file", "--batch"])?;
        let mut rest = output.as_slice();
        let contents = ids.iter().map(|id| content(&mut rest, id));
        contents.collect::<Option<_>>().ok_or_else(|| {
            let lacks = "the clone is a partial one and lacks a file of the revision: `git fetch --refetch --no-filter`";
            self.program.failed(ProgramProblem::Failed(lacks.into()))
        })
    }

    /// The root of the checkout, without links.
    pub(crate) fn root(&self) -> &Path {
        self.checkout.root()
    }

    fn command(&self) -> Command {
        self.checkout.command(&self.program)
    }
}

/// A line of `ls-tree -l`: mode, type, name, size, a tab, path. A file that a partial clone lacks has no size.
fn entry(line: &[u8]) -> Option<Entry> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (head, path) = line.split_at_checked(tab)?;
    let mut words = std::str::from_utf8(head).ok()?.split_ascii_whitespace();
    let (mode, _, id, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let problem = match mode {
        "120000" => Some(ReadProblem::Link),
        // a submodule is another repository's
        "160000" => Some(ReadProblem::NotAFile),
        _ => None,
    };
    let path = path_of(path.get(1..)?);
    Some(Entry { path, problem, size: size.parse().unwrap_or_default(), id: id.to_owned() })
}

/// A path as git writes it.
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

/// The next content of `cat-file --batch`: name, type, size and a line break, then the bytes and a line break.
fn content(rest: &mut &[u8], id: &str) -> Option<Vec<u8>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (head, content) = rest.split_at_checked(end)?;
    let size = std::str::from_utf8(head).ok()?.strip_prefix(id)?.strip_prefix(" blob ")?.parse().ok()?;
    let (content, after) = content.get(1..)?.split_at_checked(size)?;
    *rest = after.strip_prefix(b"\n")?;
    Some(content.to_vec())
}
