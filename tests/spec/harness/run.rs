//! Runs the program and says how it ended.
//!
//! Nothing of the tests' own environment reaches the program, every run has a time limit, and every failure is checked
//! for what must hold of all of them: nothing on stdout, no absolute path, no control characters.

use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::fs;
use std::io::{ErrorKind, Read, Seek as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

use super::machine;

/// The program: the one that Cargo made for this test, or another build of it, such as the release's.
pub(crate) fn program() -> PathBuf {
    std::env::var_os("ARGOCD_PEERING_PROGRAM").map_or_else(
        || env!("CARGO_BIN_EXE_argocd-peering").into(),
        PathBuf::from,
    )
}

/// No run of this program needs a hundredth of it; a machine that compiles beside it takes its time.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where stdout goes.
#[derive(Clone, Copy)]
enum Out {
    Piped,
    Nobody,
    Full,
}

/// One run, before it begins.
#[derive(Clone)]
pub(crate) struct Run {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: BTreeMap<OsString, OsString>,
    folder: Option<PathBuf>,
    user: Option<u32>,
    /// What its standard input has.
    input: Vec<u8>,
    out: Out,
    /// Paths that must not be shown, and those that may, since a person typed them.
    hidden: Vec<String>,
    typed: Vec<String>,
    /// What must not be removed before the run.
    kept: Option<Rc<TempDir>>,
}

impl Run {
    /// The program with these arguments and an empty environment.
    pub(crate) fn new<S: Into<OsString>>(arguments: impl IntoIterator<Item = S>) -> Self {
        Self {
            program: program(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            environment: BTreeMap::new(),
            folder: None,
            user: None,
            input: Vec::new(),
            out: Out::Piped,
            hidden: Vec::new(),
            typed: Vec::new(),
            kept: None,
        }
    }

    /// One more argument.
    pub(crate) fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// More arguments.
    pub(crate) fn args<S: Into<OsString>>(
        mut self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Other arguments than those it has.
    pub(crate) fn arguments(&mut self, arguments: Vec<OsString>) {
        self.arguments = arguments;
    }

    /// A variable.
    pub(crate) fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment
            .insert(name.as_ref().into(), value.as_ref().into());
        self
    }

    /// Without a variable, which must have been there.
    pub(crate) fn without(mut self, name: &str) -> Self {
        assert!(
            self.environment.remove(OsStr::new(name)).is_some(),
            "{name} was not there"
        );
        self
    }

    /// By another program of the machine, which is given these arguments, this program and its arguments.
    pub(crate) fn through(mut self, words: &[&str]) -> Self {
        let (first, rest) = words.split_first().expect("a program");
        let inner = std::mem::replace(&mut self.program, machine::tool(first));
        let outer = rest
            .iter()
            .map(OsString::from)
            .chain([inner.into_os_string()]);
        self.arguments = outer.chain(self.arguments).collect();
        self
    }

    /// The working directory.
    pub(crate) fn within(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// A path that must be in no message.
    pub(crate) fn secret_path(mut self, path: &Path) -> Self {
        self.hidden.push(path.to_string_lossy().into_owned());
        self
    }

    /// With a folder that must be there as long as this run is.
    pub(crate) fn keep(mut self, folder: Rc<TempDir>) -> Self {
        self.kept = Some(folder);
        self
    }

    /// A path that a person typed, which messages may repeat.
    pub(crate) fn typed(mut self, path: &Path) -> Self {
        self.typed.push(path.to_string_lossy().into_owned());
        self
    }

    /// As a user who may not read everything: if root runs the tests, as nobody, with a copy of the program in a folder that
    /// everybody may look into.
    pub(crate) fn unprivileged(mut self, temp: &Path) -> Self {
        const NOBODY: u32 = 65_534;
        if !rustix::process::geteuid().is_root() {
            return self;
        }
        let copy = temp.join("program");
        machine::copy(&self.program, &copy);
        machine::open_to_everyone(temp);
        (self.user, self.program) = (Some(NOBODY), copy);
        self
    }

    /// With this on its standard input.
    pub(crate) fn given(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// With a stdout that nobody reads.
    pub(crate) fn into_nobody(mut self) -> Self {
        self.out = Out::Nobody;
        self
    }

    /// With a stdout that takes nothing.
    pub(crate) fn into_full(mut self) -> Self {
        self.out = Out::Full;
        self
    }

    /// Runs it.
    pub(crate) fn run(&self) -> Outcome {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env_clear()
            .envs(&self.environment);
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        if !self.input.is_empty() {
            let mut input = tempfile::tempfile().expect("a file");
            input
                .write_all(&self.input)
                .and_then(|()| input.rewind())
                .expect("a file");
            command.stdin(input);
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        if let Some(user) = self.user {
            command.uid(user);
        }
        match self.out {
            Out::Piped => command.stdout(Stdio::piped()),
            Out::Nobody => {
                let (reader, writer) = std::io::pipe().expect("a pipe");
                drop(reader);
                command.stdout(writer)
            }
            Out::Full => command.stdout(
                fs::File::options()
                    .write(true)
                    .open("/dev/full")
                    .expect("/dev/full"),
            ),
        };
        let mut child = spawn(&mut command);
        let (stdout, stderr) = (collect(child.stdout.take()), collect(child.stderr.take()));
        let started = Instant::now();
        let status = ended(&mut child, &self.arguments);
        let outcome = Outcome {
            arguments: self.arguments.clone(),
            code: status.code(),
            stdout: stdout.join().expect("stdout"),
            stderr: stderr.join().expect("stderr"),
            took: started.elapsed(),
        };
        for path in self.hidden.iter().filter(|path| !self.typed.contains(path)) {
            assert!(
                !outcome.stderr.contains(path),
                "a path of this machine is shown:\n{outcome}"
            );
        }
        outcome
    }
}

/// Starts it. A copy of the program is busy as long as a child that another thread is just starting has inherited the
/// descriptor by which it was written.
fn spawn(command: &mut Command) -> Child {
    for _ in 0..500 {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            outcome => return outcome.expect("the program starts"),
        }
    }
    panic!("the program is busy");
}

/// Waits until it ends, but not longer than [`PATIENCE`].
pub(crate) fn ended(child: &mut Child, arguments: &impl Debug) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().expect("a child of ours");
            child.wait().expect("a child");
            panic!("{arguments:?} did not end within {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).expect("a pipe of ours");
        }
        String::from_utf8(bytes).expect("the program writes UTF-8")
    })
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// What was run.
    pub(crate) arguments: Vec<OsString>,
    /// The exit code; none if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) took: Duration,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            arguments,
            code,
            stdout,
            stderr,
            ..
        } = self;
        write!(
            formatter,
            "{arguments:?}: exit code {code:?}\nstdout:\n{stdout}\nstderr:\n{stderr}"
        )
    }
}

impl Outcome {
    /// It ended with this exit code.
    #[track_caller]
    pub(crate) fn ends(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// It went well; what it printed.
    #[track_caller]
    pub(crate) fn done(&self) -> &str {
        &self.ends(0).stdout
    }

    /// What it printed, which is JSON, whatever the exit code is.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// It printed manifests.
    #[track_caller]
    pub(crate) fn stream(&self) -> &str {
        let stream = self.done();
        assert!(
            stream.starts_with("---\n") && stream.contains("\nkind: "),
            "no manifests: {self}"
        );
        stream
    }

    /// It failed with this exit code and this error, and printed nothing.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, error: &str) -> &Self {
        assert_eq!(
            self.ends(code).stdout,
            "",
            "a failure prints nothing\n{self}"
        );
        assert!(
            self.stderr.contains(&format!("error[{error}]: ")),
            "not error[{error}]: {self}"
        );
        let odd = |c: char| c.is_control() && c != '\n';
        assert!(
            !self.stderr.contains(odd),
            "control characters in {:?}",
            self.stderr
        );
        self
    }

    /// The digest that a refusal says is to be given with `--expect`.
    pub(crate) fn expected(&self) -> Option<&str> {
        self.stderr
            .split_once("to confirm them: --expect ")?
            .1
            .lines()
            .next()
    }

    /// All that it showed.
    pub(crate) fn everything(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Stdout has these words.
    #[track_caller]
    pub(crate) fn prints(&self, words: &str) -> &Self {
        assert!(
            self.stdout.contains(words),
            "`{words}` is not printed: {self}"
        );
        self
    }

    /// Stdout does not have these words.
    #[track_caller]
    pub(crate) fn omits(&self, words: &str) -> &Self {
        assert!(!self.stdout.contains(words), "`{words}` is printed: {self}");
        self
    }

    /// Stderr has these words.
    #[track_caller]
    pub(crate) fn says(&self, words: &str) -> &Self {
        assert!(self.stderr.contains(words), "`{words}` is not in: {self}");
        self
    }

    /// Stderr does not have these words.
    #[track_caller]
    pub(crate) fn silent_on(&self, words: &str) -> &Self {
        assert!(!self.stderr.contains(words), "`{words}` is in: {self}");
        self
    }
}
