//! Since when the sides of peerings have their key generations, as Git's history dates it.
//!
//! The first-parent history counts, by the committers' dates: these are the commits that Argo CD can have synced, and the day on
//! which a change came to the branch, not the day on which its author wrote it. Whoever pushes sets these dates, so an age is
//! for planning, and no rule rests on it. A document that was moved counts from its move.

use crate::command::error::Error;
use crate::custody::rotation::written_generations;
use crate::diagnostic::shown_name;
use crate::input::folder::{DOCUMENT, DOCUMENT_CAP};
use crate::peering::values::{Role, Sides};
use crate::state::git::Checkout;
use crate::state::git::Git;
use crate::state::repo::Described;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most versions of documents that are read: a fleet of 1,000 with 50 changes each.
const VERSIONS_MAX: usize = 50_000;

/// Contents that are in memory at the same time; together less than git may print.
const VERSIONS_AT_ONCE: usize = 500;

/// A document as a commit left it.
struct Version {
    committed: Duration,
    blob: String,
}

/// A document's versions, the newest first.
type Versions = BTreeMap<String, Vec<Version>>;

/// For each document since when its sides have the generations that it has now; none where no commit has them. The flag is the one
/// that asks.
pub(super) fn generations_since(
    flag: &'static str,
    read: &[Described],
) -> Result<Vec<Sides<Option<Duration>>>, Error> {
    let mut since = vec![Sides::make(|_| None); read.len()];
    let mut checkouts: BTreeMap<PathBuf, BTreeMap<String, usize>> = BTreeMap::new();
    let mut of_root = BTreeMap::new();
    for (at, described) in read.iter().enumerate() {
        let folder = described.path.parent().unwrap_or(Path::new("."));
        let checkout = Checkout::of(folder).ok_or_else(|| no_checkout(flag, &described.path))?;
        let name = described.path.file_name().and_then(OsStr::to_str).unwrap_or(DOCUMENT);
        let file = match checkout.folder() {
            "." => name.to_owned(),
            folder => format!("{folder}/{name}"),
        };
        checkouts.entry(checkout.root().to_owned()).or_default().insert(file, at);
        of_root.insert(checkout.root().to_owned(), checkout);
    }
    for (root, checkout) in of_root {
        let git = Git::new(checkout)?;
        let files = checkouts.remove(&root).unwrap_or_default();
        let versions = versions(flag, &git, &files)?;
        let generations = generations(&git, &versions)?;
        for (file, at) in files {
            let (Some(described), Some(since)) = (read.get(at), since.get_mut(at)) else { continue };
            let versions = versions.get(&file).map_or(&[][..], Vec::as_slice);
            *since = Sides::make(|role| {
                let now = described.peering.clusters.of(role).generation.get();
                begin(versions, &generations, role, now)
            });
        }
    }
    Ok(since)
}

/// The oldest commit of the newest ones that have this generation without a break. A version that is not readable, such as one in
/// the middle of a bad merge, breaks nothing.
fn begin(
    versions: &[Version],
    generations: &BTreeMap<&str, Sides<u32>>,
    role: Role,
    now: u32,
) -> Option<Duration> {
    let readable =
        versions.iter().filter_map(|version| Some((version, generations.get(version.blob.as_str())?)));
    let same = readable.take_while(|(_, generations)| *generations.of(role) == now);
    same.last().map(|(version, _)| version.committed)
}

fn versions(flag: &'static str, git: &Git, files: &BTreeMap<String, usize>) -> Result<Versions, Error> {
    refuse_shallow(flag, git)?;
    let mut input = String::from("HEAD\n--\n");
    // git reads a line for each, and a name with a line break would be two: that document has no age
    for file in files.keys().filter(|file| !file.contains('\n')) {
        input += file;
        input.push('\n');
    }
    let output = git.answer(input.as_bytes(), &LOG)?;
    let text = String::from_utf8_lossy(&output);
    let mut words = text.split('\0');
    let (mut committed, mut count, mut versions) = (Duration::ZERO, 0, Versions::new());
    while let Some(word) = words.next() {
        // the line break after a commit's header; a file's name is kept as it is
        let word = word.trim_start_matches('\n');
        if let Some(seconds) = word.strip_prefix(COMMIT) {
            committed = Duration::from_secs(seconds.parse().unwrap_or_default());
        } else if let Some(change) = word.strip_prefix(':') {
            // git-diff(1), "Raw output format": both modes, both blobs, the kind of change; then the file
            let (Some(blob), Some(file)) = (change.split(' ').nth(3), words.next()) else { continue };
            count += 1;
            if count > VERSIONS_MAX {
                return Err(too_many(flag));
            }
            versions.entry(file.to_owned()).or_default().push(Version { committed, blob: blob.to_owned() });
        }
    }
    Ok(versions)
}

/// What the header of a commit begins with, before the committer's date.
const COMMIT: &str = "commit ";

/// Nothing that a configuration names runs: `log.showSignature` would run `gpg.program`, and an external diff its program.
const LOG: [&str; 14] = [
    "log",
    "--stdin",
    "--first-parent",
    "-m",
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-follow",
    "--no-color",
    "--format=tformat:commit %ct",
];

/// The generations of each version that has both.
fn generations<'v>(git: &Git, versions: &'v Versions) -> Result<BTreeMap<&'v str, Sides<u32>>, Error> {
    // a file that a commit removed has zeros
    let is_there = |blob: &&str| blob.bytes().any(|byte| byte != b'0');
    let blobs: BTreeSet<&str> =
        versions.values().flatten().map(|it| it.blob.as_str()).filter(is_there).collect();
    let blobs: Vec<&str> = git.blobs_of_at_most(DOCUMENT_CAP, blobs)?;
    let mut generations = BTreeMap::new();
    for some in blobs.chunks(VERSIONS_AT_ONCE) {
        for (blob, content) in some.iter().zip(git.contents(some)?) {
            if let Some(both) = readable(&content) {
                generations.insert(*blob, both);
            }
        }
    }
    Ok(generations)
}

fn readable(content: &[u8]) -> Option<Sides<u32>> {
    written_generations(std::str::from_utf8(content).ok()?)
}

/// A shallow clone's oldest commit seems to have added every file.
fn refuse_shallow(flag: &'static str, git: &Git) -> Result<(), Error> {
    let answer = git.answer(b"", &["rev-parse", "--is-shallow-repository"])?;
    if answer.starts_with(b"false") {
        return Ok(());
    }
    let reason = "the clone is shallow, so since when a key is used is not known: `git fetch --unshallow`, in GitHub Actions `fetch-depth: 0`".into();
    Err(Error::Flag { flag, reason })
}

fn no_checkout(flag: &'static str, path: &Path) -> Error {
    let reason = format!("{} is not in a Git checkout", shown_name(&path.display().to_string()));
    Error::Flag { flag, reason }
}

fn too_many(flag: &'static str) -> Error {
    let reason = format!(
        "the history has more than {VERSIONS_MAX} versions of these documents; name fewer folders at once"
    );
    Error::Flag { flag, reason }
}
