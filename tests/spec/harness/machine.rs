//! What the tests need of the machine: programs, and files that are not regular ones.

use super::put;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{StatVfsMountFlags, statvfs};
use tempfile::TempDir;

/// Every program that a test runs, and Debian's package of it. CONTRIBUTING.md lists them.
pub(crate) const PROGRAMS: [(&str, &str); 12] = [
    ("bash", "bash"),
    ("chmod", "coreutils"),
    ("cp", "coreutils"),
    ("env", "coreutils"),
    ("git", "git"),
    ("grep", "grep"),
    ("gzip", "gzip"),
    ("jq", "jq"),
    ("mkfifo", "coreutils"),
    ("sh", "dash"),
    ("sha256sum", "coreutils"),
    ("tar", "tar"),
];

/// A folder of a test's own: in memory, if the machine has room there and runs programs from there. On ext4 without a journal each new file
/// is looked for among all that were just deleted (Linux `fs/ext4/ialloc.c`, `recently_deleted`): an eighth of the tests' time.
pub(crate) fn folder() -> TempDir {
    const MEMORY: &str = "/dev/shm";
    // all tests had at most 139 MB at a time
    const ROOM: u64 = 1 << 30;
    let is_usable = statvfs(MEMORY).is_ok_and(|memory| {
        let has_room = memory.f_bavail * memory.f_frsize >= ROOM;
        has_room && !memory.f_flag.contains(StatVfsMountFlags::NOEXEC)
    });
    let made = if is_usable {
        tempfile::tempdir_in(MEMORY)
    } else {
        tempfile::tempdir()
    };
    made.expect("a folder")
}

/// A program in a folder of `PATH`. Without it the test ends with its name and the package that has it.
#[track_caller]
pub(crate) fn tool(name: &str) -> PathBuf {
    let listed = PROGRAMS.iter().find(|(listed, _)| *listed == name);
    let (_, package) = listed.unwrap_or_else(|| panic!("`{name}` is not in PROGRAMS"));
    let path = std::env::var_os("PATH").expect("PATH");
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(name));
    places
        .find(|place| place.is_file())
        .unwrap_or_else(|| panic!("this test needs `{name}`: install Debian's package `{package}`"))
}

/// A run of it.
#[track_caller]
pub(crate) fn command(name: &str) -> Command {
    Command::new(tool(name))
}

/// It ends well.
#[track_caller]
fn does(name: &str, arguments: &[&OsStr]) {
    let status = command(name).args(arguments).status();
    assert!(status.expect("it starts").success(), "{name} {arguments:?}");
}

/// A copy of a program. By another process: a file that is open for writing in this one, whose threads start programs, is busy.
#[track_caller]
pub(crate) fn copy(from: &Path, to: &Path) {
    does("cp", &[from.as_ref(), to.as_ref()]);
}

/// A program of a test's own.
#[track_caller]
pub(crate) fn script(path: &Path, text: impl AsRef<[u8]>) {
    put(path, text);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a mode");
}

/// Everyone may look into this folder, whatever the umask was when it was filled.
#[track_caller]
pub(crate) fn open_to_everyone(folder: &Path) {
    does("chmod", &["-R".as_ref(), "a+rX".as_ref(), folder.as_ref()]);
}

/// By a program, because macOS has no `mkfifoat`.
#[track_caller]
pub(crate) fn fifo(path: &Path) {
    does("mkfifo", &[path.as_ref()]);
}

/// A socket's name is short where it is made (`sun_path` of unix(7)): it is moved from there.
pub(crate) fn socket(path: &Path, made_in: &Path) {
    let short = made_in.join("s");
    drop(UnixListener::bind(&short).expect("a socket"));
    fs::rename(short, path).expect("moved");
}
