//! What is on the disk after a file was written, replaced or refused.

use super::{Replacement, Unwritten, WriteProblem as P};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tempfile::TempDir;

fn replacement(path: &Path) -> Replacement<'_> {
    Replacement {
        path,
        old: b"old",
        new: b"new",
        keeps_mode: true,
    }
}

fn create(path: &Path, bytes: &[u8]) -> Result<(), P> {
    super::create(path, bytes).map_err(|Unwritten { problem, .. }| problem)
}

fn count(folder: &TempDir) -> usize {
    fs::read_dir(folder.path()).expect("a folder").count()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it").permissions().mode() & 0o7777
}

fn write(files: [(&PathBuf, &str); 2]) {
    for (path, text) in files {
        fs::write(path, text).expect("written");
    }
}

fn replace(path: &Path, bytes: &[u8], keep_mode: bool) -> Result<(), P> {
    let read = fs::read(path).unwrap_or_default();
    super::replace(path, &read, bytes, keep_mode).map_err(|Unwritten { problem, .. }| problem)
}

/// Only a file of the same folder can be put in its place in one step.
#[test]
fn a_temporary_file_is_beside_its_place() {
    assert_eq!(super::folder_of(Path::new("a/b.age")), Path::new("a"));
    assert_eq!(super::folder_of(Path::new("b.age")), Path::new("."));
}

/// Until all of it is there. Where there are no such files, a temporary name is written to.
#[test]
fn a_new_file_has_no_name_before_it_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("key");
    let Some(file) = super::create_unnamed(&path) else {
        return;
    };
    super::fill(&file, b"all of it").expect("written");
    assert_eq!(count(&folder), 0);
    super::link(&file, &path).expect("a name");
    assert_eq!(
        (count(&folder), fs::read(&path).expect("read")),
        (1, b"all of it".to_vec())
    );
    assert_eq!(mode(&path), 0o600);
    assert_eq!(super::link(&file, &path), Err(rustix::io::Errno::EXIST));
    let late = super::temporary(&path, b"late", None).expect("written");
    let late = late.persist_noclobber(&path).expect_err("late");
    assert_eq!(P::from(late.error), P::Exists);
}

/// All of them stay, also where the length is the same.
#[test]
fn what_has_changed_meanwhile_is_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    let files = [&two, &one].map(|path| replacement(path));
    for other in ["OLD", "old and more", "more and old", ""] {
        write([(&one, other), (&two, "old")]);
        let problem = super::replace_all(files).map_err(|Unwritten { problem, .. }| problem);
        assert_eq!(problem, Err(P::Changed), "{other}");
        let has = [&one, &two].map(|path| fs::read_to_string(path).expect("read"));
        assert_eq!(has, [other, "old"]);
    }
    for mark in ["", "\u{feff}"] {
        write([(&one, &format!("{mark}old")), (&two, "old")]);
        assert_eq!(super::replace_all(files), Ok(()));
        assert_eq!(
            fs::read_to_string(&one).expect("read"),
            format!("{mark}new")
        );
    }
    assert_eq!(count(&folder), 2);
}

/// A run that begins while another one writes compares with what that one wrote, and does not wait for ever.
#[test]
fn another_run_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one");
    fs::write(&path, "old").expect("written");
    let held = super::lock(&[&path], 0).expect("held");
    let begin = Instant::now();
    let problem = super::lock(&[&path], 1).map_err(|Unwritten { problem, .. }| problem);
    assert_eq!(problem.err(), Some(P::Busy));
    assert!(begin.elapsed() >= super::PAUSE, "{:?}", begin.elapsed());
    let other = path.clone();
    let other = std::thread::spawn(move || super::replace(&other, b"old", b"new", true));
    std::thread::sleep(std::time::Duration::from_millis(200));
    fs::write(&path, "theirs").expect("written");
    drop(held);
    let problem = other
        .join()
        .expect("it ends")
        .map_err(|Unwritten { problem, .. }| problem);
    assert_eq!(problem, Err(P::Changed));
    assert_eq!(fs::read(&path).expect("read"), b"theirs");
}

#[test]
fn what_is_replaced_before_an_error_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    write([(&one, "old"), (&two, "old")]);
    let half = P::Half(ErrorKind::NotFound, super::shown_path(&one));
    for (missing, problem) in [(0, P::NoFolder), (1, half)] {
        let staged = [&one, &two].map(|path| {
            let file = super::stage(replacement(path)).expect("staged");
            (path.as_path(), file)
        });
        fs::remove_file(&staged[missing].1).expect("removed");
        let found = super::rename_all(staged.into()).map_err(|Unwritten { problem, .. }| problem);
        assert_eq!(found, Err(problem));
    }
    assert_eq!(fs::read(&one).expect("read"), b"new");
}

/// The others are counted: a fleet has thousands.
#[test]
fn of_many_files_that_are_replaced_the_first_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths: Vec<_> = (0..10)
        .map(|number| folder.path().join(number.to_string()))
        .collect();
    let stage = |path: &PathBuf| {
        fs::write(path, "old").expect("written");
        super::stage(replacement(path)).expect("staged")
    };
    let staged: Vec<_> = paths
        .iter()
        .map(|path| (path.as_path(), stage(path)))
        .collect();
    let (_, last) = staged.last().expect("the tenth");
    fs::remove_file(last).expect("removed");
    let problem = super::rename_all(staged).map_err(|Unwritten { problem, .. }| problem);
    let first: Vec<_> = paths
        .iter()
        .take(8)
        .map(|path| super::shown_path(path))
        .collect();
    let named = format!("{} and 1 more", first.join(", "));
    assert_eq!(problem, Err(P::Half(ErrorKind::NotFound, named)));
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.age");
    assert_eq!(
        replace(&path, b"x", false),
        Err(P::Unwritable(ErrorKind::NotFound))
    );
    assert_eq!(create(&path, b"one"), Ok(()));
    assert_eq!(create(&path, b"two"), Err(P::Exists));
    assert_eq!(fs::read(&path).expect("read"), b"one");
    assert_eq!(mode(&path), 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("set");
    assert_eq!(replace(&path, b"three", true), Ok(()));
    assert_eq!(
        (fs::read(&path).expect("read"), mode(&path)),
        (b"three".to_vec(), 0o644)
    );
    assert_eq!(replace(&path, b"four", false), Ok(()));
    assert_eq!(
        (fs::read(&path).expect("read"), mode(&path)),
        (b"four".to_vec(), 0o600)
    );
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    assert_eq!(replace(&link, b"five", false), Err(P::NotAFile));
    let dangling = folder.path().join("dangling");
    std::os::unix::fs::symlink("nowhere", &dangling).expect("a link");
    assert_eq!(create(&dangling, b"six"), Err(P::Exists));
    assert_eq!(replace(folder.path(), b"seven", false), Err(P::NotAFile));
    assert_eq!(
        create(&folder.path().join("no/b"), b"eight"),
        Err(P::NoFolder)
    );
    assert_eq!(
        replace(&folder.path().join("c"), b"nine", false),
        Err(P::Unwritable(ErrorKind::NotFound))
    );
    assert_eq!(count(&folder), 3, "the file and the two links");
}
