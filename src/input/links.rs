//! What a path has to do with Git checkouts. Anyone with push access decides what is in one: files, and links that
//! lead anywhere.

use super::file::{ReadProblem, Unread, named};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The operating system follows no more links on one way (path_resolution(7)).
const LINKS: usize = 40;

/// Refuses a path on which a link of a checkout is: anyone with push access decides where it leads.
///
/// # Errors
/// With the link, as seen from the working directory.
pub(crate) fn refuse(path: &Path) -> Result<(), Unread> {
    Way::of(path).link.map_or(Ok(()), |link| Err(refusal(&link)))
}

/// The error for a link of a checkout.
pub(crate) fn refusal(link: &Path) -> Unread {
    let here = std::env::current_dir().ok();
    named(here.and_then(|here| link.strip_prefix(here).ok()).unwrap_or(link))(ReadProblem::Link)
}

/// Where a path leads, link by link. What does not exist yet is no link.
#[derive(Debug)]
pub(crate) struct Way {
    /// The first link that is in a checkout.
    pub(crate) link: Option<PathBuf>,
    end: PathBuf,
}

impl Way {
    pub(crate) fn of(path: &Path) -> Self {
        let path = std::path::absolute(Path::new(".").join(path)).unwrap_or_else(|_| path.to_owned());
        let mut way = Self { link: None, end: PathBuf::from("/") };
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

/// The parts of a path, the last one first.
fn parts(path: &Path) -> Vec<OsString> {
    let named = |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    path.components().rev().filter(named).map(|part| part.as_os_str().to_owned()).collect()
}

fn is_in_checkout(path: &Path) -> bool {
    path.ancestors().any(|folder| folder.join(".git").symlink_metadata().is_ok())
}
