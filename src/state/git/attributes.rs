//! Whether git writes a file of a commit to a checkout unchanged, or with other bytes: Argo CD renders a checkout.
//!
//! Anyone with push access writes `.gitattributes`. Git is not asked about them: `git check-attr --source` is missing in many versions of
//! git, and also reads the person's own files, which Argo CD does not have. So the lines are read here, in the way of git `attr.c`. In
//! doubt a line counts: a pattern matches more than git's does, a macro is assumed to be used, and no later line revokes an earlier one.

use super::Entry;
use crate::diagnostic::shown_name;
use crate::input::file::ReadProblem;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of git's attribute files.
pub(crate) const ATTRIBUTES: &str = ".gitattributes";

/// The most bytes of an attribute file.
pub(crate) const ATTRIBUTES_CAP: u64 = 64 * 1024;

/// The attributes that change bytes in a checkout on Linux (git `convert.c`). `text`, and its older name `crlf`, do not: without `eol=crlf`
/// they give Linux line ends. The program of a `filter` is not run. The attribute that changes only some files is the last, so that it
/// hides no other one of its line.
const REWRITES: [&str; 4] = ["eol", "filter", "working-tree-encoding", "ident"];

/// The attribute files of a commit, by their folders.
pub(crate) struct Attributes(BTreeMap<PathBuf, Result<Vec<Line>, ReadProblem>>);

/// A line that changes the bytes of matching files.
struct Line {
    number: usize,
    files: Pattern,
    rewrite: &'static str,
}

/// A pattern of gitattributes(5). Between its first and its last special character, every text matches.
enum Pattern {
    Any,
    /// A pattern without a `/`: the name of a file in any folder below.
    Name(Glob),
    /// A pattern with a `/`: the path from the folder.
    Path(Glob),
}

struct Glob {
    start: Vec<u8>,
    /// The text after the last special character, if there is one.
    end: Option<Vec<u8>>,
}

impl Attributes {
    /// The attributes in files with these contents.
    pub(crate) fn new<'e>(
        files: impl Iterator<Item = (&'e Entry, Result<Vec<u8>, ReadProblem>)>,
    ) -> Self {
        let files = files.map(|(entry, content)| {
            (
                entry.path.parent().unwrap_or(Path::new("")).to_path_buf(),
                content.map(|it| lines(&it)),
            )
        });
        Self(files.collect())
    }

    /// Why a checkout has other bytes of this file, as the end of a sentence.
    pub(crate) fn rewrite(&self, file: &Path, content: &[u8]) -> Option<String> {
        let has_id = content.windows(3).any(|bytes| bytes == b"$Id");
        file.ancestors().skip(1).find_map(|folder| {
            let name = shown_name(&folder.join(ATTRIBUTES).display().to_string());
            let inside = file
                .strip_prefix(folder)
                .ok()?
                .as_os_str()
                .as_encoded_bytes();
            match self.0.get(folder)? {
                // git reads the target of a link as the text; before 2.32 it followed the link
                Err(problem) => Some(format!("of {name}: {problem}")),
                Ok(lines) => {
                    let line = lines.iter().find(|line| {
                        line.files.fits(inside) && (has_id || line.rewrite != "ident")
                    })?;
                    Some(format!(
                        "of `{}` in line {} of {name}",
                        line.rewrite, line.number
                    ))
                }
            }
        })
    }
}

/// The lines that change bytes. For git, a zero byte ends a line, and a byte-order mark is not part of the first line.
fn lines(text: &[u8]) -> Vec<Line> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let numbered = (1..).zip(text.split(|byte| matches!(byte, b'\n' | 0)));
    numbered
        .filter_map(|(number, line)| read(number, line))
        .collect()
}

fn read(number: usize, line: &[u8]) -> Option<Line> {
    let mut words = line
        .split(|byte| b" \t\r".contains(byte))
        .filter(|word| !word.is_empty());
    let first = words.next()?;
    if first.starts_with(b"#") {
        return None;
    }
    if first.starts_with(b"\"") {
        // a pattern in quotes can have escapes and spaces, and the attributes can follow without a space
        let mut rewrites = REWRITES.into_iter();
        let rewrite =
            rewrites.find(|name| line.windows(name.len()).any(|it| it == name.as_bytes()))?;
        return Some(Line {
            number,
            files: Pattern::Any,
            rewrite,
        });
    }
    let words: Vec<&[u8]> = words.collect();
    let rewrite = REWRITES
        .into_iter()
        .find(|name| words.iter().any(|word| sets(word, name)))?;
    Some(Line {
        number,
        files: Pattern::of(first),
        rewrite,
    })
}

/// Whether a word sets an attribute so that bytes change. `-ident` and `!ident` do not set it.
fn sets(word: &[u8], attribute: &str) -> bool {
    word.split(|byte| *byte == b'=').next() == Some(attribute.as_bytes()) && word != b"eol=lf"
}

impl Pattern {
    fn of(text: &[u8]) -> Self {
        if text.starts_with(b"[attr]") {
            return Self::Any;
        }
        let glob = Glob::of(text.strip_prefix(b"/").unwrap_or(text));
        if text.contains(&b'/') {
            Self::Path(glob)
        } else {
            Self::Name(glob)
        }
    }

    /// Whether the pattern may match a file, by the file's path from the folder of the attributes.
    fn fits(&self, file: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Name(glob) => glob.fits(file.rsplit(|byte| *byte == b'/').next().unwrap_or(file)),
            Self::Path(glob) => glob.fits(file),
        }
    }
}

impl Glob {
    fn of(text: &[u8]) -> Self {
        let mut parts = text
            .split(|byte| b"*?[]\\".contains(byte))
            .map(<[u8]>::to_vec);
        let start = parts.next().unwrap_or_default();
        Self {
            start,
            end: parts.next_back(),
        }
    }

    fn fits(&self, text: &[u8]) -> bool {
        let Some(end) = &self.end else {
            return self.start == text;
        };
        // `**/` can also mean no folder (gitignore(5))
        let is_end = text.ends_with(end) || end.strip_prefix(b"/").is_some_and(|end| text == end);
        text.starts_with(&self.start) && is_end
    }
}
