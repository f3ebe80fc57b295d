//! READ: one file, bounded, without waiting for a FIFO or a device.

use crate::diagnostic::{shell_word, shown_name, shown_parts};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf};

/// What to do when too many files are open.
pub(crate) const TOO_MANY_OPEN: &str = "raise the limit of open files (`ulimit -n`)";

/// Why the bytes of a file were not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadProblem {
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// The operating system refuses.
    #[error("it cannot be read: {0}")]
    Unreadable(ErrorKind),
    /// This process, or the machine, has as many files open as it may. [`ErrorKind`] has no word for it.
    #[error("too many files are open")]
    TooManyOpen,
    /// A folder, a FIFO, a device.
    #[error("it is not a regular file")]
    NotAFile,
    /// A symbolic link where none is followed.
    #[error("it is a symbolic link")]
    Link,
    /// Larger than its cap, in bytes.
    #[error("it is larger than {cap} bytes")]
    TooLarge { cap: u64 },
}

impl From<std::io::Error> for ReadProblem {
    fn from(error: std::io::Error) -> Self {
        match Errno::from_io_error(&error) {
            Some(Errno::NOENT) => Self::Missing,
            Some(Errno::MFILE | Errno::NFILE) => Self::TooManyOpen,
            _ => Self::Unreadable(error.kind()),
        }
    }
}

/// Why the text of a file was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextProblem {
    /// The bytes were not read.
    #[error(transparent)]
    Read(#[from] ReadProblem),
    /// The file is not UTF-8: the line of the first wrong byte, and this byte.
    #[error("it is not UTF-8: line {0} has the byte {1:02X}")]
    NotUtf8(usize, u8),
}

/// Why a file that a person named was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", shown_name(.name))]
pub struct Unread {
    /// As the person named it.
    pub name: String,
    pub problem: TextProblem,
}

impl Unread {
    /// What to do about it.
    pub const fn help(&self) -> Option<&'static str> {
        match self.problem {
            TextProblem::NotUtf8(..) => Some("save the file as UTF-8"),
            TextProblem::Read(ReadProblem::TooManyOpen) => Some(TOO_MANY_OPEN),
            TextProblem::Read(ReadProblem::Link) => {
                Some("name the file itself, or replace the link with it")
            }
            TextProblem::Read(ReadProblem::Unreadable(ErrorKind::PermissionDenied)) => {
                Some("make it readable, or name only the folders of peerings")
            }
            TextProblem::Read(_) => None,
        }
    }
}

/// Adds the name of a file to what is wrong with it.
pub(crate) fn named<P: Into<TextProblem>>(path: &Path) -> impl Fn(P) -> Unread {
    let name = path.display().to_string();
    move |problem| Unread {
        name: name.clone(),
        problem: problem.into(),
    }
}

/// A path that a person named, for a message. In a folder that exists, each part of the path is checked for a secret by itself: a folder is
/// not named like half of a key by accident.
pub(crate) fn shown_path(path: &Path) -> String {
    shown_place(path, &path.display().to_string())
}

/// A path as a word of a command that a person copies.
pub(crate) fn shell_path(path: &Path) -> String {
    shell_word(&current_if_empty(path).display().to_string())
}

/// The path, or `.` in place of an empty one, which is the parent of a name alone.
pub(crate) fn current_if_empty(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}

/// A path in a message by which a person decides. Letters that only look like others, and characters that break a line, are shown as their
/// codes.
pub(crate) fn shown_path_in_ascii(path: &Path) -> String {
    let mut ascii = String::new();
    for c in path.display().to_string().chars() {
        match c {
            '\\' => ascii += "\\\\",
            ' '..='~' => ascii.push(c),
            _ => ascii.extend(c.escape_unicode()),
        }
    }
    shown_place(path, &ascii)
}

fn shown_place(path: &Path, text: &str) -> String {
    if path.parent().is_some_and(Path::is_dir) {
        shown_parts(text)
    } else {
        shown_name(text)
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    current_if_empty(path.parent().unwrap_or(path))
}

/// Visits a folder, the regular files in it, and what is below, in the order of their names, which is the same on every machine; a
/// folder comes with `true`. Hidden entries are Git's and other tools'. Links are not followed: they could lead anywhere, also in a
/// circle. The depth is limited by the operating system's longest path.
///
/// # Errors
/// When a folder cannot be read: what is looked for could be in it.
pub(crate) fn walk(folder: &Path, visit: &mut dyn FnMut(&Path, bool)) -> Result<(), Unread> {
    visit(folder, true);
    let unreadable = named::<ReadProblem>(folder);
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = entries.map_err(Into::into).map_err(&unreadable)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(Into::into).map_err(&unreadable)?;
        let path = entry.path();
        if is_hidden(&path) {
            continue;
        }
        if kind.is_dir() {
            walk(&path, visit)?;
        } else if kind.is_file() {
            visit(&path, false);
        }
    }
    Ok(())
}

/// Whether a file has the extension of a manifest.
pub(crate) fn is_manifest(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    matches!(extension, Some("yaml" | "yml" | "json"))
}

pub(crate) fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Whether the last part of a path may be a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// It may: files of the operator (a mounted Secret's files are links).
    Follow,
    /// It may not: files of a repository.
    Refuse,
}

/// The bytes of a regular file of at most `cap` bytes. Never blocks on a FIFO or a device.
pub(crate) fn load(path: &Path, cap: u64, links: Links) -> Result<Vec<u8>, ReadProblem> {
    within_cap(read_beginning(path, cap + 1, links)?, cap)
}

/// The bytes of standard input, at most `cap` of them.
pub(crate) fn read_input(cap: u64) -> Result<Vec<u8>, ReadProblem> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(cap + 1)
        .read_to_end(&mut bytes)?;
    within_cap(bytes, cap)
}

fn within_cap(bytes: Vec<u8>, cap: u64) -> Result<Vec<u8>, ReadProblem> {
    if bytes.len() as u64 > cap {
        Err(ReadProblem::TooLarge { cap })
    } else {
        Ok(bytes)
    }
}

/// The first bytes of a regular file, at most `most` of them. Never blocks on a FIFO or a device.
pub(crate) fn read_beginning(path: &Path, most: u64, links: Links) -> Result<Vec<u8>, ReadProblem> {
    let mut flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => std::fs::File::from(file),
        Err(Errno::LOOP) => return Err(ReadProblem::Link),
        Err(errno) => return Err(std::io::Error::from(errno).into()),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadProblem::NotAFile);
    }
    let mut bytes =
        Vec::with_capacity(usize::try_from(metadata.len().min(most)).unwrap_or_default());
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a regular file that a person named.
pub(crate) fn read_text(path: &Path, cap: u64, links: Links) -> Result<String, Unread> {
    let bytes = load(path, cap, links).map_err(named(path))?;
    utf8(&bytes).map(ToOwned::to_owned).map_err(named(path))
}

pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, TextProblem> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let (valid, rest) = bytes
        .split_at_checked(error.valid_up_to())
        .unwrap_or_default();
    let line = valid.split(|byte| *byte == b'\n').count();
    let byte = rest.first().copied().unwrap_or_default();
    Err(TextProblem::NotUtf8(line, byte))
}

/// Whether anyone may write to a file. Anyone who can change the operator's file would decide in the operator's place. Reading is allowed:
/// the files of a Secret in a pod are readable by all (`defaultMode` 0644). A missing file is reported when it is read.
pub(crate) fn is_world_writable(path: &Path) -> bool {
    const OTHERS_WRITE: u32 = 0o002;
    matches!(std::fs::metadata(path), Ok(file) if has_mode(&file, OTHERS_WRITE))
}

/// Whether a file's mode has one of these bits.
#[cfg(unix)]
pub(crate) fn has_mode(file: &std::fs::Metadata, bits: u32) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.permissions().mode() & bits != 0
}

#[cfg(not(unix))]
pub(crate) fn has_mode(_: &std::fs::Metadata, _: u32) -> bool {
    false
}

/// Linux follows no more symbolic links in one path (path_resolution(7)).
const LINKS: usize = 40;

/// Refuses a path that has a symbolic link in a checkout: anyone with push access decides where the link leads.
///
/// # Errors
/// With the link, as seen from the working directory.
pub(crate) fn refuse(path: &Path) -> Result<(), Unread> {
    match FollowedPath::new(path).link {
        Some(link) => Err(refusal(&link)),
        None => Ok(()),
    }
}

/// The error for a link of a checkout.
pub(crate) fn refusal(link: &Path) -> Unread {
    let here = std::env::current_dir().unwrap_or_default();
    named(link.strip_prefix(here).unwrap_or(link))(ReadProblem::Link)
}

/// Where a path leads, link by link. A part that does not exist yet is not a link.
#[derive(Debug)]
pub(crate) struct FollowedPath {
    /// The first link that is in a checkout.
    pub(crate) link: Option<PathBuf>,
    end: PathBuf,
}

impl FollowedPath {
    pub(crate) fn new(path: &Path) -> Self {
        let path =
            std::path::absolute(Path::new(".").join(path)).unwrap_or_else(|_| path.to_owned());
        let mut way = Self {
            link: None,
            end: PathBuf::from("/"),
        };
        let mut rest = parts(&path);
        let mut links = 0;
        while let Some(part) = rest.pop() {
            if part == ".." {
                way.end.pop();
                continue;
            }
            let next = way.end.join(&part);
            match std::fs::read_link(&next) {
                Ok(target) if links < LINKS => {
                    links += 1;
                    if way.link.is_none() && is_in_checkout(&way.end) {
                        way.link = Some(next);
                    }
                    if target.is_absolute() {
                        way.end = PathBuf::from("/");
                    }
                    rest.extend(parts(&target));
                }
                _ => way.end = next,
            }
        }
        way
    }

    /// Whether anyone with push access decides what is there.
    pub(crate) fn is_of_checkout(&self) -> bool {
        self.link.is_some() || is_in_checkout(&self.end)
    }
}

/// A path without `.` and `..`.
pub(crate) fn cleaned(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(cleaned.pop()),
            Component::CurDir => {}
            part => cleaned.push(part),
        }
    }
    cleaned
}

/// Whether a path leads out of the folder in which it begins.
pub(crate) fn leads_out(path: &Path) -> bool {
    let step = |depth: usize, part| match part {
        Component::ParentDir => depth.checked_sub(1),
        Component::Normal(_) => Some(depth + 1),
        _ => Some(depth),
    };
    path.components().try_fold(0, step).is_none()
}

/// The parts of a path, the last one first.
fn parts(path: &Path) -> Vec<OsString> {
    let mut parts = Vec::new();
    for part in path.components().rev() {
        if matches!(part, Component::Normal(_) | Component::ParentDir) {
            parts.push(part.as_os_str().to_owned());
        }
    }
    parts
}

fn is_in_checkout(path: &Path) -> bool {
    repository(path).is_some()
}

/// The repository of a path without links: the nearest folder with `.git`. The program `git` is not run: it would do what the repository's
/// configuration says.
pub(crate) fn repository(path: &Path) -> Option<&Path> {
    path.ancestors()
        .find(|folder| folder.join(".git").symlink_metadata().is_ok())
}

#[cfg(test)]
mod tests;
