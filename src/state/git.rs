//! The files of a Git revision, read with the person's own git.
//!
//! Anyone with push access writes the files of a checkout, and none of them may cause a program to run. So git does not search its
//! repository itself ([`Checkout`]), and only commands are used that run no filter, hook, pager or transport (git-cat-file(1),
//! git-check-attr(1), git-check-ignore(1), git-ls-files(1), git-ls-tree(1), git-read-tree(1), git-rev-parse(1)).

mod checkout;

use crate::diagnostic::{is_unseen, shown_name};
use crate::input::file::{self, ReadProblem, shown_path};
use crate::state::program::{Command, Program};
use crate::state::{ProgramProblem, StateError};
pub(crate) use checkout::Checkout;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

#[cfg(unix)]
use std::os::unix::ffi::OsStrExt as _;
#[cfg(target_os = "wasi")]
use std::os::wasi::ffi::OsStrExt as _;

/// The name of git's attribute files.
pub(crate) const ATTRIBUTES: &str = ".gitattributes";

/// The attributes that change bytes in a checkout on Linux (git `convert.c`). `text`, and its older name `crlf`, do not: without `eol=crlf`
/// they give Linux line ends. The program of a `filter` is not run. The attribute that changes only some files is the last.
const REWRITES: [&str; 4] = ["eol", "filter", "working-tree-encoding", "ident"];

#[derive(Debug, Clone)]
pub(crate) struct Git {
    program: std::rc::Rc<Program>,
    checkout: Checkout,
}

/// A file of a revision.
pub(crate) struct CommitFile {
    /// The path from the checkout's root.
    pub(crate) path: PathBuf,
    /// Why the entry cannot be read, if it is not a regular file.
    pub(crate) problem: Option<ReadProblem>,
    pub(crate) size: u64,
    pub(crate) id: String,
}

impl Git {
    /// The checkout that a folder is in, and the folder's path from the root. The folder itself need not exist. A symbolic link of the
    /// checkout in its path is refused: another folder would be compared, in both revisions.
    pub(crate) fn open(folder: &Path) -> Result<(Self, PathBuf), StateError> {
        file::refuse(folder)?;
        let Some(checkout) = Checkout::open(folder) else {
            let name = shown_name(&folder.display().to_string());
            let reason = format!("{name} is not in a Git checkout");
            return Err(StateError::flag("FOLDER", reason));
        };
        let is_root = checkout.folder() == ".";
        let prefix = if is_root { "" } else { checkout.folder() }.into();
        Ok((Self::new(checkout)?, prefix))
    }

    pub(crate) fn new(checkout: Checkout) -> Result<Self, StateError> {
        Ok(Self {
            program: std::rc::Rc::new(Program::find("git", checkout.root())?),
            checkout,
        })
    }

    /// The input of git, in a file without a name: with a pipe, git could print before it has read all of the input.
    fn input(&self, bytes: &[u8]) -> Result<Stdio, StateError> {
        let file = file_with(bytes);
        Ok(file.map_err(|error| self.failed(error.into()))?.into())
    }

    /// The output of git for this input.
    fn output_for(&self, input: &[u8], command: &mut Command) -> Result<Vec<u8>, StateError> {
        let output = self.program.output_for(self.input(input)?, command);
        output.map_err(|problem| self.failed(problem))
    }

    fn output(&self, command: &mut Command) -> Result<Vec<u8>, StateError> {
        let output = self.program.output(command);
        output.map_err(|problem| self.failed(problem))
    }

    fn failed(&self, problem: ProgramProblem) -> StateError {
        self.program.failed(problem)
    }

    /// The commit of a revision.
    pub(crate) fn commit(&self, flag: &'static str, revision: &str) -> Result<String, StateError> {
        if revision.is_empty()
            || revision.starts_with(['-', '^'])
            || revision.chars().any(is_unseen)
        {
            return Err(not_a_revision(flag, revision, ""));
        }
        let mut command = self.command();
        command.args(["rev-parse", "--verify", "--end-of-options"]);
        command.arg(format!("{revision}^{{commit}}"));
        let (output, warnings) = match self.program.run(Stdio::null(), &mut command) {
            Ok(printed) => printed,
            Err(ProgramProblem::Failed(_)) => {
                let why = match revision {
                    "HEAD" => ": it has no commit yet",
                    _ => NOT_IN_CLONE,
                };
                return Err(not_a_revision(flag, revision, why));
            }
            Err(problem) => return Err(self.failed(problem)),
        };
        let id = String::from_utf8_lossy(&output).trim().to_owned();
        if id.is_empty() || !id.as_bytes().iter().all(u8::is_ascii_hexdigit) {
            return Err(self.failed(ProgramProblem::Unexpected("the name of a commit")));
        }
        // if a tag and a branch have the same name, git takes the tag, with a warning: anyone who may push a tag would choose what is
        // compared (gitrevisions(7)). A whole commit ID always means that commit, and `HEAD`, in short `@`, means the checked out commit,
        // whatever was pushed under this name
        if id != revision && warnings.lines().any(is_ambiguous) {
            let reason = format!(
                "`{}` is ambiguous here: write the whole name, such as `refs/heads/main`",
                shown_name(revision)
            );
            return Err(StateError::flag(flag, reason));
        }
        Ok(id)
    }

    /// The files in a folder of a commit and below it, and the attribute files of the folders above. Empty if the commit does not have the
    /// folder.
    pub(crate) fn files(&self, commit: &str, folder: &Path) -> Result<Vec<CommitFile>, StateError> {
        let mut command = self.command();
        command.args(["ls-tree", "-r", "-l", "-z", "--full-tree", commit]);
        if !folder.as_os_str().is_empty() {
            // with a `/` at its end
            command.arg("--").arg(folder.join(""));
            for above in folder.ancestors().skip(1) {
                command.arg(above.join(ATTRIBUTES));
            }
        }
        let output = self.output(&mut command)?;
        let files: Option<_> = entries(&output).map(entry).collect();
        files.ok_or_else(|| self.failed(ProgramProblem::Unexpected("a list of files")))
    }

    /// The paths of all files of a commit.
    pub(crate) fn names(&self, commit: &str) -> Result<BTreeSet<PathBuf>, StateError> {
        let mut command = self.command();
        command.args(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit]);
        let output = self.output(&mut command)?;
        Ok(entries(&output).map(path_of).collect())
    }

    /// The files of a folder that a sparse checkout leaves out, from the checkout's root (git-ls-files(1), `-t`).
    pub(crate) fn excluded_paths(&self, folder: &Path) -> Result<Vec<PathBuf>, StateError> {
        let mut command = self.command();
        command
            .args(["ls-files", "-t", "-z", "--full-name", "--"])
            .arg(Path::new(".").join(folder));
        let output = self.output(&mut command)?;
        let lines = entries(&output).filter_map(|line| line.strip_prefix(b"S "));
        Ok(lines.map(path_of).collect())
    }

    /// The contents of files, in the order of their IDs.
    pub(crate) fn contents(&self, ids: &[&str]) -> Result<Vec<Vec<u8>>, StateError> {
        let names = ids.join("\n");
        let mut command = self.command();
        command.args(["cat-file", "--batch"]);
        let output = self.output_for(names.as_bytes(), &mut command)?;
        let (mut rest, mut contents) = (output.as_slice(), Vec::new());
        for id in ids {
            let Some(content) = content(&mut rest, id) else {
                let lacks = "the partial clone lacks a file of the revision: `git fetch --refetch --no-filter`";
                return Err(self.failed(ProgramProblem::Failed(lacks.into())));
            };
            contents.push(content);
        }
        Ok(contents)
    }

    /// The files of the disk that git ignores and that are not in its index, each with the line that has the pattern.
    pub(crate) fn ignored(
        &self,
        files: &BTreeSet<PathBuf>,
    ) -> Result<BTreeMap<PathBuf, String>, StateError> {
        let mut command = self.disk_command();
        // it knows no literal pathspecs; a path that begins with `./` has no magic either
        command.args(["--no-literal-pathspecs", "check-ignore"]);
        command.args(["-z", "-v", "--stdin"]);
        let here = files.iter().map(|it| Path::new(".").join(it)).collect();
        let input = self.input(&zero_ended(&here))?;
        let ended = self.program.end(input, &mut command);
        let ended = ended.map_err(|problem| self.failed(problem))?;
        // 1: it ignores none
        if !matches!(ended.status.code(), Some(0 | 1)) {
            return Err(self.failed(ProgramProblem::Failed(ended.errors)));
        }
        let parts: Vec<&[u8]> = ended.output.split(|byte| *byte == 0).collect();
        let mut ignored = BTreeMap::new();
        for [file, line, pattern, path] in parts.as_chunks::<4>().0 {
            if !pattern.starts_with(b"!") {
                let file = path_of(file);
                let file = shown_path(file.strip_prefix(self.root()).unwrap_or(&file));
                let line = String::from_utf8_lossy(line);
                let path = path.strip_prefix(b"./").unwrap_or(path);
                ignored.insert(path_of(path), format!("line {line} of {file}"));
            }
        }
        Ok(ignored)
    }

    /// The files of the disk that git commits through a filter.
    pub(crate) fn filtered(
        &self,
        files: &BTreeSet<PathBuf>,
    ) -> Result<BTreeSet<PathBuf>, StateError> {
        let mut command = self.disk_command();
        let set = self.set_attributes(command.args(["check-attr", "filter"]), files)?;
        Ok(set.into_iter().map(|(path, _)| path).collect())
    }

    /// The files of a commit that a checkout of it has with other bytes, each with the attribute that changes them. The person's own
    /// attributes do not count: Argo CD does not have them.
    pub(crate) fn rewritten(
        &self,
        commit: &str,
        files: &BTreeSet<PathBuf>,
    ) -> Result<BTreeMap<PathBuf, &'static str>, StateError> {
        // the option `--source` of check-attr is missing before git 2.40, so the commit is read into an index of its own
        let folder = tempfile::tempdir().map_err(|error| self.failed(error.into()))?;
        let index = folder.path().join("index");
        self.output(self.index_command(&index).args(["read-tree", commit]))?;
        let mut command = self.index_command(&index);
        command.args(["check-attr", "--cached"]).args(REWRITES);
        let mut rewritten = BTreeMap::new();
        for (path, attribute) in self.set_attributes(&mut command, files)? {
            rewritten.entry(path).or_insert(attribute);
        }
        Ok(rewritten)
    }

    /// A command with its own index, and no attributes from outside the checkout.
    fn index_command(&self, index: &Path) -> Command {
        let mut command = self.command();
        command
            .env("GIT_INDEX_FILE", index)
            .env("GIT_ATTR_NOSYSTEM", "1")
            .args(["-c", "core.attributesFile=/dev/null"])
            .args(["-c", "core.splitIndex=false", "-c", "index.sparse=false"]);
        command
    }

    /// The attributes that `git check-attr` reports as set, in the order of the command.
    fn set_attributes(
        &self,
        command: &mut Command,
        files: &BTreeSet<PathBuf>,
    ) -> Result<Vec<(PathBuf, &'static str)>, StateError> {
        command.args(["-z", "--stdin"]);
        let output = self.output_for(&zero_ended(files), command)?;
        // with empty ones: the attribute `filter=` has an empty value
        let parts: Vec<&[u8]> = output.split(|byte| *byte == 0).collect();
        let mut set = Vec::new();
        for [path, name, value] in parts.as_chunks::<3>().0 {
            let known = REWRITES.into_iter().find(|it| it.as_bytes() == *name);
            if let Some(attribute) = known
                && !matches!(*value, b"unspecified" | b"unset" | b"lf")
            {
                set.push((path_of(path), attribute));
            }
        }
        Ok(set)
    }

    /// A command that looks at the files of this checkout, whatever its configuration names as its folder.
    fn disk_command(&self) -> Command {
        let mut command = self.command();
        command.current_dir(self.root()).arg("--work-tree=.");
        command
    }

    /// The root of the checkout, without links.
    pub(crate) fn root(&self) -> &Path {
        self.checkout.root()
    }

    fn command(&self) -> Command {
        self.checkout.command(&self.program)
    }
}

const NOT_IN_CLONE: &str = "; a shallow clone has only the newest: `git fetch --unshallow`, in GitHub Actions `fetch-depth: 0`";

/// Whether git warns that a name is ambiguous, other than that of the commit that is checked out.
fn is_ambiguous(warning: &str) -> bool {
    warning.contains(" is ambiguous")
        && !warning.contains(" 'HEAD' is ambiguous")
        && !warning.contains(" '@' is ambiguous")
}

/// The error for a text that is not a revision of the checkout.
fn not_a_revision(flag: &'static str, revision: &str, why: &str) -> StateError {
    let revision = shown_name(revision);
    let reason = format!("`{revision}` is not a revision of this checkout{why}");
    StateError::flag(flag, reason)
}

/// A file without a name, at its beginning.
fn file_with(bytes: &[u8]) -> std::io::Result<std::fs::File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// The entries of a list that git prints with the option `-z`.
fn entries(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    let parts = output.split(|byte| *byte == 0);
    parts.filter(|part| !part.is_empty())
}

/// Paths for an option `-z`.
fn zero_ended(paths: &BTreeSet<PathBuf>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for path in paths {
        bytes.extend_from_slice(path.as_os_str().as_bytes());
        bytes.push(0);
    }
    bytes
}

/// A line of `ls-tree -l`: mode, type, name, size, a tab, path. A file that a partial clone lacks has no size.
fn entry(line: &[u8]) -> Option<CommitFile> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (head, path) = line.split_at_checked(tab)?;
    let mut words = std::str::from_utf8(head).ok()?.split_ascii_whitespace();
    let (mode, _, id, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let problem = match mode {
        "120000" => Some(ReadProblem::Link),
        // a submodule belongs to another repository
        "160000" => Some(ReadProblem::NotAFile),
        _ => None,
    };
    let path = path_of(path.get(1..)?);
    Some(CommitFile {
        path,
        problem,
        size: size.parse().unwrap_or_default(),
        id: id.to_owned(),
    })
}

/// A path as git writes it.
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

/// Takes the next content from the output of `cat-file --batch`: name, type, size and a line break, then the bytes and a line break.
fn content(rest: &mut &[u8], id: &str) -> Option<Vec<u8>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (head, content) = rest.split_at_checked(end)?;
    let head = std::str::from_utf8(head).ok()?.strip_prefix(id)?;
    let size = head.strip_prefix(" blob ")?.parse().ok()?;
    let (content, after) = content.get(1..)?.split_at_checked(size)?;
    *rest = after.strip_prefix(b"\n")?;
    Some(content.to_vec())
}
