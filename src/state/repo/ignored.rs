//! The files that Git passes over by a `.gitignore` or `.git/info/exclude` (gitignore(5); git `dir.c`, `skip_utf8_bom`), or commits through a
//! filter by a `.gitattributes` (gitattributes(5)). Git itself is not asked: it would do what the repository says.

use super::Files;
use super::index::{Index, read_index};
use crate::input::file::{Links, read};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Of one `.gitignore`, and of a file that names a folder of Git's.
const CAP: u64 = 64 << 10;

/// How many bytes of patterns are compared in a run.
const COMPARED_MAX: usize = 4 << 20;

/// What a file of patterns is for: its name in a folder, and for this clone alone.
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

/// A line of one.
struct Pattern {
    line: usize,
    /// Its parts between `/`; one alone counts at any depth.
    parts: Vec<String>,
    is_anchored: bool,
    is_negated: bool,
    is_of_folders: bool,
}

/// The patterns of a repository, read when they are needed.
pub(crate) struct Ignored {
    root: PathBuf,
    /// What all worktrees of the repository have together.
    common: PathBuf,
    files: BTreeMap<PathBuf, Vec<Pattern>>,
    /// The file, and what is in it once it was needed.
    index: (PathBuf, OnceCell<Index>),
    left: Option<usize>,
    is_index_unknown: bool,
}

/// Why nothing of a file was judged.
pub(crate) const IGNORED: &str = "Git ignores it, so no commit has it";

/// The files that Git passes over below the paths of a run, unless it passes over a path itself.
pub(crate) struct IgnoredFiles {
    repositories: BTreeMap<PathBuf, Ignored>,
    is_wanted: bool,
}

impl IgnoredFiles {
    pub(crate) fn below(paths: &[PathBuf], there: &mut Files) -> Self {
        let mut all = Self { repositories: BTreeMap::new(), is_wanted: !there.are_committed() };
        all.is_wanted &= !paths.iter().any(|it| all.has(&it.join("x"), there));
        all
    }

    /// Whether a file is one.
    pub(crate) fn has(&mut self, file: &Path, there: &mut Files) -> bool {
        let (Some((folder, Some(root))), Some(name)) = (there.place(file), file.file_name()) else {
            return false;
        };
        let repository = self.repositories.entry(root).or_insert_with_key(|root| Ignored::of(root));
        self.is_wanted && repository.by(&folder.join(name)).is_some()
    }
}

/// The line that makes Git pass over a file.
pub(crate) struct By {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    /// Whether it is about a folder that the file is in.
    pub(crate) is_of_folder: bool,
}

/// Nothing more is compared in this run.
struct Cut;

impl Ignored {
    pub(crate) fn of(root: &Path) -> Self {
        // in a worktree and in a submodule `.git` is a file (gitrepository-layout(5), `gitdir` and `commondir`)
        let git = named_folder(&root.join(".git"), "gitdir: ").unwrap_or_else(|| root.join(".git"));
        let common = named_folder(&git.join("commondir"), "").unwrap_or_else(|| git.clone());
        let index = (git.join("index"), OnceCell::new());
        let (root, left) = (root.to_owned(), Some(COMPARED_MAX));
        Self { root, common, files: BTreeMap::new(), index, left, is_index_unknown: false }
    }

    /// Why it is not known of each file whether Git passes over it.
    pub(crate) const fn unknown(&self) -> Option<&'static str> {
        if self.left.is_none() {
            Some("the `.gitignore` files are too long")
        } else if self.is_index_unknown {
            Some(
                "a file is ignored, and Git's index, which has those that are committed all the same, has a form that is not read",
            )
        } else {
            None
        }
    }

    /// Why `git add` passes over a file of the repository. None also for one that is committed all the same, or where that is not
    /// known.
    pub(crate) fn by(&mut self, path: &Path) -> Option<By> {
        let place = path.strip_prefix(&self.root).ok()?.to_owned();
        let parts: Vec<String> = place.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        for length in 1..=parts.len() {
            let target = parts.get(..length)?;
            // what is in a folder that is passed over cannot be taken in again
            if let Some(by) = self.decide(target, length < parts.len(), Purpose::Ignore).ok()? {
                let is_tracked = self.is_tracked(&parts.join("/"));
                self.is_index_unknown |= is_tracked.is_none();
                return (!is_tracked?).then_some(by);
            }
        }
        None
    }

    /// The line that has Git commit a file of the repository through a filter. None also where that is not known.
    pub(crate) fn filtered_by(&mut self, path: &Path) -> Option<By> {
        let place = path.strip_prefix(&self.root).ok()?;
        let parts: Vec<String> = place.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        self.decide(&parts, false, Purpose::Filter).ok()?
    }

    /// The last pattern that is about a path decides, of the deepest file.
    fn decide(&mut self, target: &[String], is_folder: bool, purpose: Purpose) -> Result<Option<By>, Cut> {
        let mut decided = None;
        let mut folder = self.root.clone();
        let (name, own) = purpose.files();
        let own = Some((0, self.common.join(own)));
        let of_folders = (0..target.len()).map(|depth| {
            let file = folder.join(name);
            folder.extend(target.get(depth));
            (depth, file)
        });
        // what of ignoring is only for this clone comes first, so that all others win over it; its attributes win
        let (first, last) = if purpose == Purpose::Ignore { (own, None) } else { (None, own) };
        for (depth, file) in first.into_iter().chain(of_folders).chain(last) {
            let below = target.get(depth..).unwrap_or_default();
            let patterns = self.files.entry(file.clone()).or_insert_with(|| patterns(&file, purpose));
            let bytes = patterns.iter().flat_map(|pattern| &pattern.parts).map(|part| part.len() + 1).sum();
            self.left = self.left.and_then(|left| left.checked_sub(bytes));
            self.left.ok_or(Cut)?;
            if let Some(last) = patterns.iter().rev().find(|pattern| pattern.is_about(below, is_folder)) {
                decided = (!last.is_negated).then_some(By { file, line: last.line, is_of_folder: is_folder });
            }
        }
        Ok(decided)
    }

    /// Whether a path is in the index, if that is known.
    fn is_tracked(&self, path: &str) -> Option<bool> {
        let (file, index) = &self.index;
        Some(index.get_or_init(|| read_index(file)).as_ref()?.contains(path.as_bytes()))
    }
}

/// The folder that a file of Git's names, from its own.
fn named_folder(file: &Path, prefix: &str) -> Option<PathBuf> {
    let text = String::from_utf8(read(file, CAP, Links::Refuse).ok()?).ok()?;
    Some(file.parent()?.join(text.trim_end_matches(['\n', '\r']).strip_prefix(prefix)?))
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

impl Pattern {
    fn of(line: usize, text: &str) -> Option<Self> {
        let text = if text.ends_with("\\ ") { text } else { text.trim_end_matches(' ') };
        if text.is_empty() || text.starts_with('#') {
            return None;
        }
        let (is_negated, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let (is_of_folders, text) = text.strip_suffix('/').map_or((false, text), |rest| (true, rest));
        let is_anchored = text.contains('/');
        let text = text.strip_prefix('/').unwrap_or(text);
        let parts = text.split('/').map(ToOwned::to_owned).collect();
        Some(Self { line, parts, is_anchored, is_negated, is_of_folders })
    }

    /// The last of a line's words about a filter counts. A pattern in quotes and a macro are not read.
    fn of_filter(line: usize, text: &str) -> Option<Self> {
        let (pattern, words) = text.trim_start().split_once([' ', '\t'])?;
        let mut words = words.split_ascii_whitespace();
        let word = words.rfind(|it| it.trim_start_matches(['-', '!']).split('=').next() == Some("filter"))?;
        let is_read = !pattern.starts_with(['"', '!']) && !pattern.starts_with("[attr]");
        let it = Self::of(line, pattern).filter(|_| is_read)?;
        Some(Self { is_negated: !word.starts_with("filter="), ..it })
    }

    /// Whether it is about a path, which is from its folder on.
    fn is_about(&self, path: &[String], is_folder: bool) -> bool {
        if self.is_of_folders && !is_folder {
            return false;
        }
        if self.is_anchored {
            return are_about(&self.parts, path);
        }
        let (Some(part), Some(name)) = (self.parts.first(), path.last()) else { return false };
        matches(part.as_bytes(), name.as_bytes())
    }
}

/// Whether parts of a pattern, where `**` is any number of folders, are about all parts of a path.
fn are_about(parts: &[String], path: &[String]) -> bool {
    // for each number of the path's parts, whether the parts so far are about them
    let mut reached = vec![false; path.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    for (index, part) in parts.iter().enumerate() {
        // at the end it is what is inside
        let least = usize::from(index + 1 == parts.len());
        let mut next = vec![false; path.len() + 1];
        for (at, _) in reached.iter().enumerate().filter(|(_, is_reached)| **is_reached) {
            if part == "**" {
                next.iter_mut().skip(at + least).for_each(|it| *it = true);
            } else if path.get(at).is_some_and(|name| matches(part.as_bytes(), name.as_bytes()))
                && let Some(it) = next.get_mut(at + 1)
            {
                *it = true;
            }
        }
        reached = next;
    }
    reached.last() == Some(&true)
}

/// Whether a pattern is a name: `*`, `?`, `[…]` and `\`, as fnmatch(3) has them.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // after the last `*`, and where it was tried
    let mut star: Option<(usize, usize)> = None;
    while place < name.len() || at < pattern.len() {
        let byte = name.get(place).copied();
        let step = match (pattern.get(at), byte) {
            (Some(b'*'), _) => {
                star = Some((at + 1, place));
                at += 1;
                continue;
            }
            (Some(b'?'), Some(_)) => Some(1),
            (Some(b'['), Some(byte)) => class(pattern.get(at..).unwrap_or_default(), byte),
            (Some(b'\\'), Some(byte)) => (pattern.get(at + 1) == Some(&byte)).then_some(2),
            (Some(expected), Some(byte)) => (*expected == byte).then_some(1),
            _ => None,
        };
        match (step, star) {
            (Some(length), _) => (at, place) = (at + length, place + 1),
            (None, Some((after, tried))) if tried < name.len() => {
                star = Some((after, tried + 1));
                (at, place) = (after, tried + 1);
            }
            (None, _) => return false,
        }
    }
    true
}

/// The length of `[…]`, if a byte is of it.
fn class(pattern: &[u8], byte: u8) -> Option<usize> {
    let is_negated = matches!(pattern.get(1), Some(b'!' | b'^'));
    let begin = 1 + usize::from(is_negated);
    // `]` first is itself
    let length = pattern.iter().skip(begin + 1).position(|it| *it == b']')? + begin + 1;
    let inner = pattern.get(begin..length)?;
    let is_in = inner.contains(&byte)
        || inner.windows(3).any(|three| matches!(three, [from, b'-', to] if (*from..=*to).contains(&byte)));
    (is_in != is_negated).then_some(length + 1)
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
        Ignored::of(folder.path()).by(&folder.path().join(path)).map(|By { line, .. }| line)
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
            ("\\x.age\n", "", "x.age", Some(1)),
            ("x*x*.*e\n", "", "xaxb.age", Some(1)),
        ] {
            assert_eq!(line(root, inner, path), expected, "{root:?} {inner:?} {path}");
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
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            fs::write(folder.path().join(".gitattributes"), text).expect("written");
            let by = Ignored::of(folder.path()).filtered_by(&folder.path().join("a/x.age"));
            assert_eq!(by.map(|By { line, .. }| line), expected, "{text:?}");
        }
    }
}
