//! A live cluster through `kubectl get`: read-only, with the rights of the person who runs it, and each command is shown.

use super::program::Program;
use crate::command::Streams;
use crate::command::error::{Error, ProgramProblem};
use crate::diagnostic::shown_name;
use serde::de::DeserializeOwned;

/// kubectl for one context of the person's kubeconfig.
#[derive(Debug)]
pub(super) struct Kubectl<'c> {
    program: Program,
    context: &'c str,
}

impl<'c> Kubectl<'c> {
    /// # Errors
    /// When kubectl is missing.
    pub(super) fn new(context: &'c str) -> Result<Self, Error> {
        Ok(Self { program: Program::find("kubectl")?, context })
    }

    /// The context, as the flag has it.
    pub(super) const fn context(&self) -> &str {
        self.context
    }

    /// `kubectl get …`, as text. The format is the caller's: Secrets are asked for with `-o custom-columns=…`, so that no
    /// value of theirs comes here.
    pub(super) fn text(
        &self,
        arguments: &[&str],
        streams: &mut Streams<'_>,
    ) -> Result<String, ProgramProblem> {
        let shown = arguments.iter().map(|word| shown_name(word)).collect::<Vec<_>>().join(" ");
        streams.note(&format!("+ kubectl --context={} get {shown}", shown_name(self.context)));
        let mut command = self.program.command();
        command.arg(format!("--context={}", self.context)).arg("--request-timeout=30s").arg("get");
        let output = self.program.output(command.args(arguments))?;
        String::from_utf8(output).map_err(|_| ProgramProblem::Unexpected("UTF-8"))
    }

    /// `kubectl get … -o json`.
    pub(super) fn json<T: DeserializeOwned>(
        &self,
        arguments: &[&str],
        streams: &mut Streams<'_>,
    ) -> Result<T, ProgramProblem> {
        let text = self.text(&[arguments, &["-o", "json"]].concat(), streams)?;
        serde_json::from_str(&text).map_err(|_| ProgramProblem::Unexpected("the JSON of such an object"))
    }

    /// The error of a run that cannot go on without the answer.
    pub(super) fn failed(&self, problem: ProgramProblem) -> Error {
        self.program.failed(problem)
    }
}
