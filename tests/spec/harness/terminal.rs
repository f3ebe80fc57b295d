//! The program with a terminal for its standard error, or also for its standard output.

use super::run::{ended, program};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::JoinHandle;

/// A terminal of so many columns; 0 if it does not say.
pub(crate) struct Terminal {
    columns: u16,
    /// What a person types; without it standard input is empty.
    typed: Option<&'static str>,
    /// Whether it gets the standard output too.
    whole: bool,
}

/// Both sides of a new terminal: a person's, and the program's.
pub(crate) struct Pair {
    pub(crate) controller: File,
    pub(crate) other: File,
}

impl Pair {
    pub(crate) fn of(columns: u16) -> Self {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&controller).expect("a terminal");
        unlockpt(&controller).expect("a terminal");
        let name = ptsname(&controller, Vec::new())
            .expect("its name")
            .into_string()
            .expect("a plain name");
        let other = File::options()
            .read(true)
            .write(true)
            .open(name)
            .expect("the other side");
        let size = Winsize {
            ws_row: 24,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&other, size).expect("its size");
        Self {
            controller: File::from(controller),
            other,
        }
    }
}

/// What the terminal got, and how the run ended.
pub(crate) struct Seen {
    pub(crate) code: Option<i32>,
    pub(crate) shown: String,
    pub(crate) stdout: String,
}

impl Seen {
    /// It ended with this exit code.
    #[track_caller]
    pub(crate) fn ends(&self, code: i32) {
        assert_eq!(self.code, Some(code), "{}", self.shown);
    }
}

impl Terminal {
    pub(crate) const fn of(columns: u16) -> Self {
        Self {
            columns,
            typed: None,
            whole: false,
        }
    }

    /// Nothing is redirected.
    pub(crate) const fn whole(self) -> Self {
        Self {
            whole: true,
            ..self
        }
    }

    pub(crate) const fn typing(self, typed: &'static str) -> Self {
        Self {
            typed: Some(typed),
            ..self
        }
    }

    pub(crate) fn run(
        &self,
        arguments: &[&str],
        folder: &Path,
        variables: &[(&str, &str)],
    ) -> Seen {
        let Pair { controller, other } = Pair::of(self.columns);
        let mut command = Command::new(program());
        command
            .args(arguments)
            .env_clear()
            .env("TERM", "xterm-256color")
            .envs(variables.iter().copied());
        command
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        if let Some(typed) = self.typed {
            command.stdin(other.try_clone().expect("the other side"));
            rustix::io::write(&controller, typed.as_bytes()).expect("typed");
        }
        if self.whole {
            command.stdout(other.try_clone().expect("the other side"));
        }
        command.stderr(other);
        let mut child = command.spawn().expect("the program starts");
        // only the child may hold the other side, or its end is never seen
        drop(command);
        let printed = child.stdout.take().map(collect);
        let shown = collect(controller);
        let status = ended(&mut child, &arguments);
        let text = |bytes: JoinHandle<Vec<u8>>| {
            String::from_utf8(bytes.join().expect("read")).expect("UTF-8")
        };
        Seen {
            code: status.code(),
            shown: text(shown),
            stdout: printed.map_or_else(String::new, text),
        }
    }
}

/// Everything that comes. Linux ends a terminal that nobody holds any more with an error.
fn collect(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
        while let Ok(count @ 1..) = from.read(&mut part) {
            bytes.extend_from_slice(part.get(..count).expect("what was read"));
        }
        bytes
    })
}
