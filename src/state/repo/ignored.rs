//! The files that Git ignores by a `.gitignore` or `.git/info/exclude` (gitignore(5); git `dir.c`, `skip_utf8_bom`), or commits through a
//! filter by a `.gitattributes` (gitattributes(5)). The program git is not run: it would do what the repository's configuration says.

use super::index::{Index, read_index};
use super::pattern::Pattern;
use crate::input::file::{Links, read};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most bytes of a `.gitignore`, and of a file that names a folder of Git.
const CAP: u64 = 64 << 10;

/// How many bytes of patterns a run compares at most.
const COMPARED_MAX: usize = 32 << 20;

/// The purpose of a file of patterns. It has a name in a folder, and a file for this clone alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Ignore,
    Filter,
}

impl Purpose {
    const fn files(self) -> (&'static str, &'static str) {
        match self {
            Self::Ignore => (".gitignore", "info/exclude"),
            Self::Filter => (".gitattributes", "info/attributes"),
        }
    }
}

/// The patterns of a repository, read when they are needed.
pub(super) struct Ignored {
    root: PathBuf,
    /// The folder that all worktrees of the repository share.
    common: PathBuf,
    files: BTreeMap<PathBuf, Vec<Pattern>>,
    /// The line that makes Git ignore a folder, by the parts of the folder's path.
    folders: BTreeMap<Vec<String>, Option<By>>,
    /// The index file, and its content once it was needed.
    index: (PathBuf, OnceCell<Index>),
    left: Option<usize>,
    /// Why it was not known whether Git ignores a file.
    pub(super) unknown: Option<&'static str>,
}

const TOO_LONG: &str = "the `.gitignore` files are too long";
const UNREAD_INDEX: &str = "a file is ignored, and Git's index, which has those that are committed all the same, has a form that is not read";
const UNREAD_FILTER: &str =
    "a line of `.gitattributes` about a filter is a macro or in quotes, which is not read";

/// The line that makes Git ignore a file.
#[derive(Clone)]
pub(crate) struct By {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    /// Whether the line is about a folder above the file.
    pub(crate) is_of_folder: bool,
}

/// The run may compare no more patterns.
struct Cut;

impl Ignored {
    pub(super) fn of(root: &Path) -> Self {
        // in a worktree and in a submodule `.git` is a file (gitrepository-layout(5), `gitdir` and `commondir`)
        let git = named_folder(&root.join(".git"), "gitdir: ").unwrap_or_else(|| root.join(".git"));
        let common = named_folder(&git.join("commondir"), "").unwrap_or_else(|| git.clone());
        let index = (git.join("index"), OnceCell::new());
        let (files, folders, left) = (BTreeMap::new(), BTreeMap::new(), Some(COMPARED_MAX));
        Self {
            root: root.to_owned(),
            common,
            files,
            folders,
            index,
            left,
            unknown: None,
        }
    }

    /// The line by which `git add` ignores a file. `None` also if the file is committed anyway, or if this is not known.
    pub(super) fn by(&mut self, path: &Path) -> Option<By> {
        let place = path.strip_prefix(&self.root).ok()?.to_owned();
        let parts: Vec<String> = place
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        for length in 1..=parts.len() {
            let target = parts.get(..length)?;
            let decided = if length < parts.len() {
                self.decide_folder(target)
            } else {
                self.decide(target, false, Purpose::Ignore)
            };
            // a file in an ignored folder cannot be included again
            if let Some(by) = decided.ok()? {
                let is_tracked = self.is_tracked(&parts.join("/"));
                if is_tracked.is_none() {
                    self.unknown = Some(UNREAD_INDEX);
                }
                return (!is_tracked?).then_some(by);
            }
        }
        None
    }

    /// The line by which Git commits a file through a filter. `None` also if this is not known.
    pub(super) fn filtered_by(&mut self, path: &Path) -> Option<By> {
        let place = path.strip_prefix(&self.root).ok()?;
        let parts: Vec<String> = place
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        self.decide(&parts, false, Purpose::Filter).ok()?
    }

    /// As [`Self::decide`], once for each folder.
    fn decide_folder(&mut self, target: &[String]) -> Result<Option<By>, Cut> {
        if let Some(known) = self.folders.get(target) {
            return Ok(known.clone());
        }
        let decided = self.decide(target, true, Purpose::Ignore)?;
        self.folders.insert(target.to_vec(), decided.clone());
        Ok(decided)
    }

    /// The line that decides about a path: the last matching pattern in the deepest file.
    fn decide(
        &mut self,
        target: &[String],
        is_folder: bool,
        purpose: Purpose,
    ) -> Result<Option<By>, Cut> {
        let mut decided = None;
        let mut folder = self.root.clone();
        let (name, own) = purpose.files();
        let own = Some((0, self.common.join(own)));
        let of_folders = (0..target.len()).map(|depth| {
            let file = folder.join(name);
            folder.extend(target.get(depth));
            (depth, file)
        });
        // for ignoring, the patterns of this clone come first, so that all others win over them; for attributes, they win
        let (first, last) = if purpose == Purpose::Ignore {
            (own, None)
        } else {
            (None, own)
        };
        for (depth, file) in first.into_iter().chain(of_folders).chain(last) {
            let below = target.get(depth..).unwrap_or_default();
            let patterns = self
                .files
                .entry(file.clone())
                .or_insert_with(|| patterns(&file, purpose));
            let bytes = patterns
                .iter()
                .flat_map(|pattern| &pattern.parts)
                .map(|part| part.len() + 1)
                .sum();
            self.left = self.left.and_then(|left| left.checked_sub(bytes));
            if self.left.is_none() {
                self.unknown = Some(TOO_LONG);
                return Err(Cut);
            }
            if patterns.iter().any(|pattern| pattern.is_unread) {
                self.unknown.get_or_insert(UNREAD_FILTER);
            }
            if let Some(last) = patterns
                .iter()
                .rev()
                .find(|pattern| pattern.is_about(below, is_folder))
            {
                decided = (!last.is_negated).then_some(By {
                    file,
                    line: last.line,
                    is_of_folder: is_folder,
                });
            }
        }
        Ok(decided)
    }

    /// Whether a path is in the index, if that is known.
    fn is_tracked(&self, path: &str) -> Option<bool> {
        let (file, index) = &self.index;
        Some(
            index
                .get_or_init(|| read_index(file))
                .as_ref()?
                .contains(path.as_bytes()),
        )
    }
}

/// The folder that a file of Git names, relative to the file's own folder.
fn named_folder(file: &Path, prefix: &str) -> Option<PathBuf> {
    let text = String::from_utf8(read(file, CAP, Links::Refuse).ok()?).ok()?;
    Some(
        file.parent()?
            .join(text.trim_end_matches(['\n', '\r']).strip_prefix(prefix)?),
    )
}

fn patterns(file: &Path, purpose: Purpose) -> Vec<Pattern> {
    let text = read(file, CAP, Links::Refuse).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.trim_start_matches('\u{feff}')
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .enumerate()
        .filter_map(|(index, line)| match purpose {
            Purpose::Ignore => Pattern::of(index + 1, line),
            Purpose::Filter => Pattern::of_filter(index + 1, line),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{By, Ignored};
    use std::fs;

    /// The line that decides, by the text of the root's file, and of that of `a`.
    fn line(root: &str, inner: &str, path: &str) -> Option<usize> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("a")).expect("a folder");
        fs::create_dir(folder.path().join(".git")).expect("a folder");
        fs::write(folder.path().join(".gitignore"), root).expect("written");
        fs::write(folder.path().join("a/.gitignore"), inner).expect("written");
        Ignored::of(folder.path())
            .by(&folder.path().join(path))
            .map(|By { line, .. }| line)
    }

    /// The rows are what `git check-ignore -v` printed.
    #[test]
    fn patterns_are_those_of_git() {
        for (root, inner, path, expected) in [
            ("*.age\n", "", "a/b/x.age", Some(1)),
            ("# x\n\n*.age\n", "", "x.age", Some(3)),
            ("/*.age\n", "", "a/x.age", None),
            ("a/*.age\n", "", "a/x.age", Some(1)),
            ("a/*.age\n", "", "a/b/x.age", None),
            ("a/**\n", "", "a/b/x.age", Some(1)),
            ("a/**\n!a/x.age\n", "", "a/x.age", None),
            ("a/**\n!a/b/x.age\n", "", "a/b/x.age", Some(1)),
            ("a/**/\n", "", "a/x.age", None),
            ("*.age\n", "!b/**\n", "a/b/x.age", None),
            ("*.age\n", "!*/**\n", "a/x.age", Some(1)),
            ("x.age\r", "", "x.age", Some(1)),
            ("**/x.age\n", "", "a/b/x.age", Some(1)),
            ("a/**/x.age\n", "", "a/x.age", Some(1)),
            ("*.age\n!x.age\n", "", "a/x.age", None),
            ("*.age\n", "!x.age\n", "a/x.age", None),
            ("a/\n", "!x.age\n", "a/x.age", Some(1)),
            ("a\n", "", "a/b/x.age", Some(1)),
            ("x.age/\n", "", "a/x.age", None),
            ("x.age  \n", "", "a/x.age", Some(1)),
            ("", "*\n!*.yaml\n", "a/x.age", Some(1)),
            ("[a-x]?age\n", "", "x.age", Some(1)),
            ("[!a-x].age\n", "", "x.age", None),
            ("[[:alpha:]]*.[a[:digit:]]ge\n", "", "x.age", Some(1)),
            ("[^[:upper:]-]*.age\n", "", "x.age", Some(1)),
            ("x[[:space:]]*\n", "", "x y.age", Some(1)),
            ("[[:digit:]]*\n", "", "x.age", None),
            ("[x-].age\n", "", "-.age", Some(1)),
            ("[]x].age\n", "", "].age", Some(1)),
            ("[\\]x].age\n", "", "x.age", Some(1)),
            ("\\x.age\n", "", "x.age", Some(1)),
            ("x*x*.*e\n", "", "xaxb.age", Some(1)),
        ] {
            assert_eq!(
                line(root, inner, path),
                expected,
                "{root:?} {inner:?} {path}"
            );
        }
    }

    /// The rows are what `git check-attr filter` printed.
    #[test]
    fn filters_are_those_of_git() {
        for (text, expected) in [
            ("*.age filter=lfs diff=lfs merge=lfs -text\n", Some(1)),
            ("a/** filter=git-crypt\n", Some(1)),
            ("*.age filter=lfs\nx.age -filter\n", None),
            ("*.age filter=lfs\nx.age !filter\n", None),
            ("*.age -filter\n*.age\tfilter=lfs\n", Some(2)),
            ("*.age text eol=lf\n", None),
            ("*.png filter=lfs\n", None),
            ("a/ filter=lfs\n", None),
            ("# *.age filter=lfs\n", None),
            ("[attr]lfs filter=lfs\n", None),
            ("a/[[:lower:]]*.age filter=lfs\n", Some(1)),
            ("!*.age filter=lfs\n", None),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            fs::write(folder.path().join(".gitattributes"), text).expect("written");
            let by = Ignored::of(folder.path()).filtered_by(&folder.path().join("a/x.age"));
            assert_eq!(by.map(|By { line, .. }| line), expected, "{text:?}");
        }
    }
}
