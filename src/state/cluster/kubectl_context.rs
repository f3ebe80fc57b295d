//! kubectl for one context of the person's kubeconfig, with the rights of the person who runs it.

use super::Budget;
use crate::diagnostic::shown_name;
use crate::state::program::{Ended, Program, input};
use crate::state::{ProgramProblem, StateError};
use std::process::Stdio;

/// A context. Whoever runs a command shows it before.
pub(crate) struct Context<'c> {
    program: Program,
    name: &'c str,
    budget: &'c Budget,
}

/// Another kubeconfig.
const ON_STDIN: &str = "--kubeconfig=/dev/stdin";

/// Longer than an API server needs.
const TIMEOUT: &str = "--request-timeout=30s";

impl<'c> Context<'c> {
    /// All of a run's have one budget.
    ///
    /// # Errors
    /// When kubectl is missing.
    pub(crate) fn new(name: &'c str, budget: &'c Budget) -> Result<Self, StateError> {
        Ok(Self { program: Program::find("kubectl")?, name, budget })
    }

    /// As the flag has it.
    pub(crate) const fn name(&self) -> &str {
        self.name
    }

    pub(crate) const fn budget(&self) -> &Budget {
        self.budget
    }

    /// A command as a person types it.
    pub(crate) fn line(&self, arguments: &[&str]) -> String {
        format!("kubectl --context={} {}", shown_name(self.name), shown_words(arguments))
    }

    /// A command with another kubeconfig, as a person types it.
    pub(crate) fn line_with(arguments: &[&str]) -> String {
        format!("kubectl {ON_STDIN} {}", shown_words(arguments))
    }

    /// What kubectl prints, given an object or nothing.
    pub(crate) fn answer(&self, arguments: &[&str], object: Option<&[u8]>) -> Result<String, ProgramProblem> {
        let mut command = self.program.command();
        command.arg(format!("--context={}", self.name)).arg(TIMEOUT).args(arguments);
        let input = object.map_or_else(|| Ok(Stdio::null()), input)?;
        let output = self.program.output_for(input, &mut command)?;
        self.budget.take_bytes(output.len())?;
        String::from_utf8(output).map_err(|_| ProgramProblem::Unexpected("UTF-8"))
    }

    /// How kubectl ends with another kubeconfig, which is on no disk.
    pub(crate) fn end_with(&self, kubeconfig: &str, arguments: &[&str]) -> Result<Ended, ProgramProblem> {
        let mut command = self.program.command();
        command.arg(ON_STDIN).arg(TIMEOUT).args(arguments);
        self.program.end(input(kubeconfig.as_bytes())?, &mut command)
    }

    /// The error of a run that cannot go on without the answer, with the context that it is about.
    pub(crate) fn failed(&self, problem: ProgramProblem) -> StateError {
        let ProgramProblem::Failed(text) = &problem else { return self.program.failed(problem) };
        let mut reason = format!("context {}: {}", shown_name(self.name), last_words(text));
        // (client-go `tools/clientcmd/client_config.go`, getContext; `tools/clientcmd/api/helpers.go`, MinifyConfig)
        let is_unknown = text.contains("does not exist") || text.contains("cannot locate");
        if text.contains("context") && is_unknown {
            reason += &format!("; the kubeconfig has {}", self.known_contexts());
        }
        self.program.failed(ProgramProblem::Failed(reason))
    }

    /// The contexts of the person's kubeconfig, in words.
    fn known_contexts(&self) -> String {
        let output = self.program.output(self.program.command().args(["config", "get-contexts", "-o=name"]));
        let text = output.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let names: Vec<String> =
            text.lines().take(20).map(|name| format!("`{}`", shown_name(name))).collect();
        if names.is_empty() { "none".into() } else { names.join(", ") }
    }
}

fn shown_words(arguments: &[&str]) -> String {
    arguments.iter().map(|word| shown_name(word)).collect::<Vec<_>>().join(" ")
}

/// What kubectl says at its end. Before it there can be its library's log (k8s.io/klog: `E1122 10:00:00.000000 1 file.go:1] …`),
/// once for each try.
fn last_words(text: &str) -> &str {
    let mut lines = text.lines().rev().filter(|line| !line.trim().is_empty());
    let last = lines.clone().next().unwrap_or_default();
    lines.find(|line| !is_log(line)).unwrap_or(last).trim()
}

/// Whether a line is of klog: `E1126 02:40:00.000000 …`
fn is_log(line: &str) -> bool {
    let mut letters = line.chars();
    letters.next().is_some_and(|c| "IWEF".contains(c))
        && letters.take(4).filter(char::is_ascii_digit).count() == 4
}
