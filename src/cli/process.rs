//! The process: arguments in, exit code out. It hides secrets from core dumps, panics, other processes and freed memory.

use super::{Cli, command_line, run};
use crate::argocd::caller::Environment;
use crate::command::{Error, Streams};
use crate::diagnostic::secrecy::{self, Redacting, mask};
use clap::FromArgMatches as _;
use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
#[cfg(unix)]
use rustix::process::{Resource, Rlimit, setrlimit};
use std::io::{ErrorKind, IsTerminal as _, Write};
use std::process::ExitCode;

/// The program: arguments in, exit code out.
pub fn run_program() -> ExitCode {
    harden();
    wiped(run_command)
}

/// The site's playground: a question on standard input, its answer on standard output.
#[cfg(feature = "workstation")]
pub fn run_playground() -> ExitCode {
    harden();
    match answer_question() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => ExitCode::from(error.exit_code()),
    }
}

#[cfg(feature = "workstation")]
fn answer_question() -> Result<(), Error> {
    let lost = |error: std::io::Error| Error::Output(error.kind());
    let question = std::io::read_to_string(std::io::stdin()).map_err(lost)?;
    let answer = crate::command::workstation::playground::answer(&question)?;
    std::io::stdout().write_all(answer.as_bytes()).map_err(lost)
}

fn run_command() -> ExitCode {
    let matches = command_line().try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(usage) => return usage_exit(&usage),
    };
    let mut out = std::io::stdout().lock();
    let mut err = anstream::AutoStream::auto(std::io::stderr());
    let notes = Redacting::new(&mut err as &mut dyn Write);
    let mut streams = Streams {
        out: &mut out,
        notes,
        terminal: std::io::stderr().is_terminal(),
        out_is_terminal: std::io::stdout().is_terminal(),
        out_is_lost: is_output_lost(),
    };
    // before the command changes anything, since its output could not say so
    let outcome = if is_output_unwritable() {
        Err(Error::Output(ErrorKind::PermissionDenied))
    } else {
        run(&cli.command, &Environment::of_process(), &mut streams)
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let screen = if cli.command.is_argo_cds() {
                error.brief()
            } else {
                error.screen(streams.look())
            };
            let _ = write!(streams.notes, "{screen}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// Help and version go to stdout, mistakes to stderr. Words of the command line that clap quotes are masked here.
fn usage_exit(usage: &clap::Error) -> ExitCode {
    if usage.use_stderr() {
        let text = mask(&usage.to_string());
        let _ = write!(Redacting::new(std::io::stderr()), "{text}");
        return ExitCode::from(2);
    }
    let kind = if is_output_unwritable() {
        ErrorKind::PermissionDenied
    } else if is_output_lost() {
        ErrorKind::NotConnected
    } else {
        match usage.print() {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => error.kind(),
        }
    };
    let error = Error::Output(kind);
    let _ = write!(std::io::stderr(), "{}", error.brief());
    ExitCode::from(error.exit_code())
}

/// No core dump, no access by other processes of the same user, no text in a panic. A failure is ignored: the run is
/// still right, and a sandbox may forbid the calls.
pub fn harden() {
    #[cfg(unix)]
    let _ = setrlimit(
        Resource::Core,
        Rlimit {
            current: Some(0),
            maximum: Some(0),
        },
    );
    // a call of Linux only (prctl(2), PR_SET_DUMPABLE)
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    std::panic::set_hook(Box::new(|_| {
        let _ = std::io::stderr().write_all(PANIC.as_bytes());
    }));
}

/// Memory is wiped when it is freed. Types that wipe themselves are not enough: parsers and the template engine have buffers too, and a
/// buffer that grows leaves a copy.
#[global_allocator]
static ALLOCATOR: zeroizing_alloc::ZeroAlloc<std::alloc::System> =
    zeroizing_alloc::ZeroAlloc(std::alloc::System);

/// How much of the stack is wiped at the end: keys are moved and computed there. In the release build, `generate` uses 58 KiB of it,
/// `validate` 74 and `diff` 108 (valgrind's massif).
const STACK: usize = 128 * 1024;

/// Runs, and then wipes the secrets that are left in memory.
pub fn wiped<T>(run: impl FnOnce() -> T) -> T {
    let outcome = framed(run);
    secrecy::forget();
    zeroize::zeroize_stack::<STACK>();
    outcome
}

/// Never inlined, so that its frame is in the part of the stack that is wiped.
#[inline(never)]
fn framed<T>(run: impl FnOnce() -> T) -> T {
    run()
}

/// A constant text: a panic's own message could contain a secret.
const PANIC: &str = "error[bug]: argocd-peering stopped; please report this bug\n";

/// Whether standard output cannot be written to. If it is open for reading only, each write would seem to succeed
/// (`library/std/src/io/stdio.rs`, handle_ebadf).
fn is_output_unwritable() -> bool {
    match fcntl_getfl(std::io::stdout()) {
        Ok(flags) => flags & OFlags::RWMODE == OFlags::RDONLY,
        Err(_) => true,
    }
}

/// Whether standard output is /dev/null, open for reading and writing. By now that is what a closed one has become
/// (`library/std/src/sys/pal/unix/mod.rs`, sanitize_standard_fds), and what Python's `subprocess.DEVNULL` and Node's `ignore` give. They
/// cannot be told apart. `>/dev/null` is open for writing only.
fn is_output_lost() -> bool {
    let (out, null) = (std::io::stdout(), stat("/dev/null"));
    let (Ok(flags), Ok(file), Ok(null)) = (fcntl_getfl(&out), fstat(&out), null) else {
        return false;
    };
    let is_both_ways = flags & OFlags::RWMODE == OFlags::RDWR;
    is_both_ways && file.st_rdev != 0 && file.st_rdev == null.st_rdev
}
