//! Whether git writes a file of a commit to a checkout as it is, or with other bytes: Argo CD renders a checkout.
//!
//! Anyone with push access writes `.gitattributes`. Git is not asked what they mean: `git check-attr --source` is newer than many
//! gits, and counts the person's own files, which Argo CD does not have. So the lines are read here, as git `attr.c` reads
//! them, and in doubt a line counts: a pattern fits more than git's does, a macro is used, and no later line takes
//! anything back.

use super::Entry;
use crate::diagnostic::shown_name;
use crate::input::file::ReadProblem;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of git's files of attributes.
pub(crate) const ATTRIBUTES: &str = ".gitattributes";

/// Of one of these files.
pub(crate) const ATTRIBUTES_CAP: u64 = 64 * 1024;

/// What changes bytes on the way to a checkout on Linux (git `convert.c`). `text`, and `crlf`, its older name, do not: without
/// `eol=crlf` they end lines as Linux does. No program that a `filter` names is run for this. What changes only some files is
/// the last, so that it hides no other in its line.
const REWRITES: [&str; 4] = ["eol", "filter", "working-tree-encoding", "ident"];

/// The files of attributes of a commit, by their folders.
pub(crate) struct Attributes(BTreeMap<PathBuf, Result<Vec<Line>, ReadProblem>>);

/// A line that rewrites the files that fit.
struct Line {
    number: usize,
    files: Pattern,
    rewrite: &'static str,
}

/// Files, as gitattributes(5) names them. Of what is between the first and the last special character, anything fits.
enum Pattern {
    Any,
    /// Without a `/`: the name of a file in any folder below.
    Name(Glob),
    /// With one: its path from the folder.
    Path(Glob),
}

struct Glob {
    start: Vec<u8>,
    /// After the last special character, if there is one.
    end: Option<Vec<u8>>,
}

impl Attributes {
    /// Of files with their contents.
    pub(crate) fn new<'e>(files: impl Iterator<Item = (&'e Entry, Result<Vec<u8>, ReadProblem>)>) -> Self {
        let files = files.map(|(entry, content)| {
            (entry.path.parent().unwrap_or(Path::new("")).to_path_buf(), content.map(|it| lines(&it)))
        });
        Self(files.collect())
    }

    /// Why a checkout has other bytes of this file: as the end of a sentence.
    pub(crate) fn rewrite(&self, file: &Path, content: &[u8]) -> Option<String> {
        let has_id = content.windows(3).any(|bytes| bytes == b"$Id");
        file.ancestors().skip(1).find_map(|folder| {
            let name = shown_name(&folder.join(ATTRIBUTES).display().to_string());
            let inside = file.strip_prefix(folder).ok()?.as_os_str().as_encoded_bytes();
            match self.0.get(folder)? {
                // of a link, git takes the target for the text; before 2.32 it followed it
                Err(problem) => Some(format!("of {name}: {problem}")),
                Ok(lines) => {
                    let line = lines
                        .iter()
                        .find(|line| line.files.fits(inside) && (has_id || line.rewrite != "ident"))?;
                    Some(format!("of `{}` in line {} of {name}", line.rewrite, line.number))
                }
            }
        })
    }
}

/// The lines that rewrite files. To git a zero byte ends a line, and a byte-order mark is not part of its first line.
fn lines(text: &[u8]) -> Vec<Line> {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let numbered = (1..).zip(text.split(|byte| matches!(byte, b'\n' | 0)));
    numbered.filter_map(|(number, line)| read(number, line)).collect()
}

fn read(number: usize, line: &[u8]) -> Option<Line> {
    let mut words = line.split(|byte| b" \t\r".contains(byte)).filter(|word| !word.is_empty());
    let first = words.next()?;
    if first.starts_with(b"#") {
        return None;
    }
    if first.starts_with(b"\"") {
        // in quotes a pattern has escapes and spaces, and attributes may follow without any
        let mut rewrites = REWRITES.into_iter();
        let rewrite = rewrites.find(|name| line.windows(name.len()).any(|it| it == name.as_bytes()))?;
        return Some(Line { number, files: Pattern::Any, rewrite });
    }
    let words: Vec<&[u8]> = words.collect();
    let rewrite = REWRITES.into_iter().find(|name| words.iter().any(|word| sets(word, name)))?;
    Some(Line { number, files: Pattern::of(first), rewrite })
}

/// Whether a word sets an attribute, to what changes bytes. `-ident` and `!ident` do not set it.
fn sets(word: &[u8], attribute: &str) -> bool {
    word.split(|byte| *byte == b'=').next() == Some(attribute.as_bytes()) && word != b"eol=lf"
}

impl Pattern {
    fn of(text: &[u8]) -> Self {
        if text.starts_with(b"[attr]") {
            return Self::Any;
        }
        let glob = Glob::of(text.strip_prefix(b"/").unwrap_or(text));
        if text.contains(&b'/') { Self::Path(glob) } else { Self::Name(glob) }
    }

    /// Whether a file may fit, by its path from the folder of the attributes.
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
        let mut parts = text.split(|byte| b"*?[]\\".contains(byte)).map(<[u8]>::to_vec);
        let start = parts.next().unwrap_or_default();
        Self { start, end: parts.next_back() }
    }

    fn fits(&self, text: &[u8]) -> bool {
        let Some(end) = &self.end else { return self.start == text };
        // `**/` may be no folder at all (gitignore(5))
        let is_end = text.ends_with(end) || end.strip_prefix(b"/").is_some_and(|end| text == end);
        text.starts_with(&self.start) && is_end
    }
}
