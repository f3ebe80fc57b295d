//! A program on the person's machine, such as kubectl. It is found in `PATH`, run without a terminal as its input, and bounded in time and
//! output.

use super::{ProgramProblem, StateError};
use crate::input::file::{has_mode, repository};
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// `Command` is re-exported so that other files can add arguments; only this file starts a program.
pub(crate) use std::process::Command;

/// More time than a busy API server needs, and than a person waits.
const TIMEOUT: Duration = Duration::from_secs(ProgramProblem::TIMEOUT_SECONDS);

/// More than all objects of thousands of peerings.
const OUTPUT_CAP: u64 = ProgramProblem::OUTPUT_MIB * 1024 * 1024;

/// The most bytes of an error message that are kept.
const ERROR_CAP: u64 = 2 * 1024;

/// A program of `PATH`.
#[derive(Debug)]
pub(crate) struct Program {
    name: &'static str,
    path: PathBuf,
    timeout: Duration,
}

impl Program {
    /// Finds a program in `PATH`. Only absolute folders count, and none inside the checkout of this place or of the working directory.
    /// Otherwise a program from a repository could be run; a relative folder, or an empty one, means the working directory.
    pub(crate) fn find(name: &'static str, place: &Path) -> Result<Self, StateError> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let places = [place, Path::new(".")].into_iter();
        let checkouts: Vec<PathBuf> = places.filter_map(checkout_of).collect();
        for folder in std::env::split_paths(&path) {
            let path = folder.join(name);
            if folder.is_absolute()
                && !is_in_folders(&folder, &checkouts)
                && is_program(&path)
                && !is_in_folders(&path, &checkouts)
            {
                return Ok(Self {
                    name,
                    path,
                    timeout: TIMEOUT,
                });
            }
        }
        Err(StateError::Program {
            name,
            problem: ProgramProblem::Missing,
        })
    }

    /// A command to which the caller adds arguments and variables.
    pub(crate) fn command(&self) -> Command {
        Command::new(&self.path)
    }

    /// The standard output. The standard error is shown only if the program fails.
    pub(crate) fn output(&self, command: &mut Command) -> Result<Vec<u8>, ProgramProblem> {
        self.output_for(Stdio::null(), command)
    }

    /// The standard output for an input.
    pub(crate) fn output_for(
        &self,
        input: Stdio,
        command: &mut Command,
    ) -> Result<Vec<u8>, ProgramProblem> {
        Ok(self.run(input, command)?.0)
    }

    /// The standard output, and the standard error even if the program succeeds.
    pub(crate) fn run(
        &self,
        input: Stdio,
        command: &mut Command,
    ) -> Result<(Vec<u8>, String), ProgramProblem> {
        let ProgramEnd {
            output,
            errors,
            status,
        } = self.end(input, command)?;
        if status.success() {
            return Ok((output, errors));
        }
        let is_silent = errors.trim().is_empty();
        let words = if is_silent {
            status.to_string()
        } else {
            errors
        };
        Err(ProgramProblem::Failed(words))
    }

    /// The output of a program whose exit code is an answer.
    pub(crate) fn end(
        &self,
        input: Stdio,
        command: &mut Command,
    ) -> Result<ProgramEnd, ProgramProblem> {
        command
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let output = read_pipe(child.stdout.take(), OUTPUT_CAP + 1);
        let errors = read_pipe(child.stderr.take(), ERROR_CAP);
        let end = Instant::now() + self.timeout;
        let answer = answer(&mut child, &output, end);
        if answer.is_err() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let (output, status) = answer?;
        let errors = errors.recv_timeout(Duration::from_secs(1));
        let errors = errors.unwrap_or_default();
        // whoever wrote the words, no escape sequence of theirs reaches the terminal
        let errors =
            String::from_utf8_lossy(&errors).replace(|c: char| c.is_control() && c != '\n', "?");
        Ok(ProgramEnd {
            output,
            errors,
            status,
        })
    }

    /// The error for a problem of this program.
    pub(crate) fn failed(&self, problem: ProgramProblem) -> StateError {
        StateError::Program {
            name: self.name,
            problem,
        }
    }
}

/// Whether a path leads into one of these folders.
fn is_in_folders(path: &Path, folders: &[PathBuf]) -> bool {
    match path.canonicalize() {
        Ok(path) => folders.iter().any(|folder| path.starts_with(folder)),
        Err(_) => false,
    }
}

fn is_program(path: &Path) -> bool {
    matches!(path.metadata(), Ok(file) if file.is_file() && has_mode(&file, 0o111))
}

/// The root of the checkout that a place is in.
fn checkout_of(place: &Path) -> Option<PathBuf> {
    Some(repository(&place.canonicalize().ok()?)?.to_owned())
}

/// What a program printed, and how it ended.
pub(crate) struct ProgramEnd {
    pub(crate) output: Vec<u8>,
    pub(crate) errors: String,
    pub(crate) status: ExitStatus,
}

/// An input that is in memory only. It can be opened again as `/dev/stdin` and read from its beginning, as some builds of kubectl do with a
/// kubeconfig.
#[cfg(target_os = "linux")]
pub(crate) fn input(bytes: &[u8]) -> Result<Stdio, ProgramProblem> {
    use rustix::fs::{MemfdFlags, SeekFrom, memfd_create, seek};
    let memory = memfd_create("input", MemfdFlags::CLOEXEC).map_err(std::io::Error::from)?;
    let mut file = std::fs::File::from(memory);
    file.write_all(bytes)?;
    seek(&file, SeekFrom::Start(0)).map_err(std::io::Error::from)?;
    Ok(file.into())
}

/// An input that is in memory only, on systems without files in memory: a pipe.
#[cfg(not(target_os = "linux"))]
pub(crate) fn input(bytes: &[u8]) -> Result<Stdio, ProgramProblem> {
    let (reader, mut writer) = std::io::pipe()?;
    let bytes = zeroize::Zeroizing::new(bytes.to_vec());
    // a program that does not read everything breaks the pipe, and that is not an error
    thread::spawn(move || writer.write_all(&bytes));
    Ok(reader.into())
}

/// Reads in its own thread. So a full pipe does not block the program, and a program that passes its pipe to another one cannot block this
/// run.
fn read_pipe(pipe: Option<impl Read + Send + 'static>, cap: u64) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.by_ref().take(cap).read_to_end(&mut bytes);
            let _ = sender.send(bytes);
            // reads the rest, so that the program can end
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
    });
    receiver
}

fn answer(
    child: &mut Child,
    output: &mpsc::Receiver<Vec<u8>>,
    end: Instant,
) -> Result<(Vec<u8>, ExitStatus), ProgramProblem> {
    let left = end.saturating_duration_since(Instant::now());
    let Ok(bytes) = output.recv_timeout(left) else {
        return Err(ProgramProblem::TimedOut);
    };
    if bytes.len() as u64 > OUTPUT_CAP {
        return Err(ProgramProblem::TooLarge);
    }
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((bytes, status));
        }
        if Instant::now() >= end {
            return Err(ProgramProblem::TimedOut);
        }
        thread::sleep(Duration::from_micros(200));
    }
}

#[cfg(test)]
mod tests {
    use super::{Path, Program, ProgramProblem};
    use std::time::{Duration, Instant};

    /// However it goes on: it may print nothing, or leave its output to another program.
    #[test]
    fn no_program_is_waited_for_longer_than_its_time() {
        let sleep = Program::find("sleep", Path::new("/")).expect("a program of every system");
        assert_eq!(sleep.timeout, Duration::from_secs(60));
        let sleep = Program {
            timeout: Duration::from_millis(20),
            ..sleep
        };
        let begin = Instant::now();
        let problem = sleep.output(sleep.command().arg("60"));
        assert_eq!(problem, Err(ProgramProblem::TimedOut));
        assert!(begin.elapsed() < Duration::from_secs(30));
    }
}
