//! The same folder gives the same bytes, on standard output and on standard error, wherever and however it is read.
//!
//! Argo CD caches and compares what a plugin prints: a byte that depends on the machine is a change that nobody made.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::harness::stream::{Peering, ROLES, entries, name_of, program, root, run};

/// Peerings, and what both roles' runs showed when nothing was special about them.
struct Steady {
    peerings: Vec<(Peering, [Shown; 2])>,
    /// Holds the peering with mistakes.
    _folder: TempDir,
}

/// What a run shows: its exit code, standard output and standard error.
type Shown = (Option<i32>, Vec<u8>, Vec<u8>);

fn shown(command: &mut Command) -> Shown {
    let output = run(command);
    (output.status.code(), output.stdout, output.stderr)
}

impl Steady {
    /// Every example, and one with mistakes in it, whose messages must be as steady.
    fn new() -> Self {
        let mut peerings = Peering::examples();
        let (broken, folder) = copy(&peerings[0], "\n  zone: here\n  protection: maybe\n");
        let (code, stream, notes) = shown(&mut broken.generate("consumer"));
        let problems = String::from_utf8_lossy(&notes).matches("error[").count();
        assert_eq!((code, stream.is_empty(), problems), (Some(1), true, 2), "two mistakes are told");
        peerings.push(broken);
        let with_shown = |peering: Peering| {
            let shown = ROLES.map(|role| shown(&mut peering.generate(role)));
            (peering, shown)
        };
        Self { peerings: peerings.into_iter().map(with_shown).collect(), _folder: folder }
    }

    /// That each run shows the same when its command is made in another way.
    #[track_caller]
    fn assert(&self, what: &str, command: impl Fn(&Peering, &str) -> Command) {
        for (peering, expected) in &self.peerings {
            for (role, expected) in ROLES.iter().zip(expected) {
                let found = shown(&mut command(peering, role));
                // not `assert_eq` of these: it would print a stream, and with it keys
                let same = [expected.0 == found.0, expected.1 == found.1, expected.2 == found.2];
                assert_eq!(same, [true; 3], "{what}: {} {role}: exit code, stdout, stderr", peering.name);
            }
        }
    }
}

/// A copy of a peering's folder, its files made in another order, with more text in its document.
fn copy(peering: &Peering, more: &str) -> (Peering, TempDir) {
    let copy = tempfile::tempdir().expect("a temporary folder");
    for file in entries(&peering.folder).iter().rev().filter(|file| file.is_file()) {
        fs::copy(file, copy.path().join(name_of(file))).expect("it is copied");
    }
    let document = fs::read_to_string(peering.folder.join("peering.yaml")).expect("a document");
    fs::write(copy.path().join("peering.yaml"), document + more).expect("it is written");
    (Peering::at(copy.path()), copy)
}

#[test]
fn again() {
    let steady = Steady::new();
    for _ in 0..3 {
        steady.assert("again", Peering::generate);
    }
}

#[test]
fn in_another_environment() {
    let steady = Steady::new();
    let environments: [&[(&str, &str)]; 8] = [
        &[("TZ", "Pacific/Kiritimati")],
        &[("LANG", "tr_TR.UTF-8"), ("LC_ALL", "tr_TR.UTF-8"), ("LANGUAGE", "tr")],
        &[("HOME", "/nonexistent"), ("USER", "somebody"), ("TMPDIR", "/nonexistent"), ("PATH", "")],
        &[("TERM", "xterm-256color"), ("COLUMNS", "20"), ("CLICOLOR", "1"), ("CLICOLOR_FORCE", "1")],
        &[("NO_COLOR", "1"), ("TERM", "dumb")],
        &[("RUST_BACKTRACE", "full"), ("RUST_LOG", "trace"), ("RUST_MIN_STACK", "8388608")],
        // with `--local` and `--role` none of it counts
        &[("ARGOCD_ENV_ROLE", "other"), ("KUBE_VERSION", "1.33"), ("KUBE_API_VERSIONS", "v1")],
        &[("SOURCE_DATE_EPOCH", "0"), ("HOSTNAME", "other"), ("\u{1f34e}", "\u{1f34e}"), ("EMPTY", "")],
    ];
    for variables in environments {
        steady.assert(&format!("{variables:?}"), |peering, role| {
            let mut command = peering.generate(role);
            command.envs(variables.iter().copied());
            command
        });
    }
}

/// A program gets its environment as a list. `Command` sorts it, `env` does not.
#[test]
fn with_the_environment_in_another_order() {
    let steady = Steady::new();
    let sorted = ["ARGOCD_ENV_ROLE=other", "HOME=/", "KUBE_VERSION=1.33", "LANG=C", "TZ=UTC"];
    let mut reversed = sorted;
    reversed.reverse();
    for variables in [sorted, reversed] {
        steady.assert(&format!("{variables:?}"), |peering, role| {
            let command = peering.generate(role);
            let mut through = Command::new("env");
            through.arg("-i").args(variables).arg(command.get_program()).args(command.get_args());
            through
        });
    }
}

/// `generate` as a peering's own, but with another folder, or none, from another place.
fn said(peering: &Peering, role: &str, folder: Option<&Path>, from: &Path) -> Command {
    let mut command = program();
    command.current_dir(from).arg("generate").args(folder).args(["--local", "--role", role]);
    command.arg("--identity-file").arg(&peering.identity);
    command
}

#[test]
fn from_another_place() {
    let steady = Steady::new();
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    for from in [elsewhere.path(), root(), Path::new("/")] {
        steady.assert("absolute", |it, role| said(it, role, Some(&it.folder), from));
        steady.assert("with a slash", |it, role| said(it, role, Some(&it.folder.join("")), from));
    }
    steady.assert("relative", |it, role| {
        let parent = it.folder.parent().expect("it is below another one");
        said(it, role, Some(Path::new(&it.name)), parent)
    });
    steady.assert("`.`", |it, role| said(it, role, Some(Path::new(".")), &it.folder));
    steady.assert("not said", |it, role| said(it, role, None, &it.folder));
    steady.assert("roundabout", |it, role| said(it, role, Some(&Path::new("..").join(&it.name)), &it.folder));
}

#[test]
fn from_a_copy() {
    let steady = Steady::new();
    let kept = RefCell::new(Vec::new());
    steady.assert("a copy", |peering, role| {
        let (copied, folder) = copy(peering, "");
        kept.borrow_mut().push(folder);
        copied.generate(role)
    });
}

/// A shell sets it, since this process's own is every test's.
#[test]
fn with_another_umask() {
    let steady = Steady::new();
    for mask in ["000", "077"] {
        steady.assert(&format!("umask {mask}"), |peering, role| {
            let command = peering.generate(role);
            let mut through = Command::new("sh");
            through.env_clear().args(["-c", &format!("umask {mask}; exec \"$0\" \"$@\"")]);
            through.arg(command.get_program()).args(command.get_args());
            through
        });
    }
}
