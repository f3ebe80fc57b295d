//! A live cluster through `kubectl get`: read-only, with the rights of the person who runs it, and each command is shown.

use super::budget::{Budget, Reads, whole};
use super::program::Program;
use crate::command::Streams;
use crate::command::error::{Error, ProgramProblem};
use crate::diagnostic::shown_name;
use crate::object::live::Live;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// kubectl for one context of the person's kubeconfig.
#[derive(Debug)]
pub(super) struct Kubectl<'c> {
    program: Program,
    context: &'c str,
    budget: &'c Budget,
}

/// What a row of a table costs: more than the object that is made of it.
const ROW: usize = 16;

/// Kinds that a cluster does not have or does not show, and what kubectl says of each.
pub(super) type Refused<'k> = Vec<(&'k str, ProgramProblem)>;

impl<'c> Kubectl<'c> {
    /// All of a run's have one budget.
    ///
    /// # Errors
    /// When kubectl is missing.
    pub(super) fn new(context: &'c str, budget: &'c Budget) -> Result<Self, Error> {
        Ok(Self { program: Program::find("kubectl")?, context, budget })
    }

    /// The context, as the flag has it.
    pub(super) const fn context(&self) -> &str {
        self.context
    }

    fn text(&self, arguments: &[&str], streams: &mut Streams<'_>) -> Result<String, ProgramProblem> {
        let shown = arguments.iter().map(|word| shown_name(word)).collect::<Vec<_>>().join(" ");
        streams.note(&format!("+ kubectl --context={} get {shown}", shown_name(self.context)));
        let mut command = self.program.command();
        command.arg(format!("--context={}", self.context)).arg("--request-timeout=30s").arg("get");
        let output = self.program.output(command.args(arguments))?;
        self.budget.take_bytes(output.len())?;
        String::from_utf8(output).map_err(|_| ProgramProblem::Unexpected("UTF-8"))
    }

    /// `kubectl get …`, as rows of text. The format is the caller's: Secrets are asked for with `-o jsonpath=…` or
    /// `-o custom-columns=…`, so that no value of theirs comes here.
    pub(super) fn rows(
        &self,
        arguments: &[&str],
        streams: &mut Streams<'_>,
    ) -> Result<Vec<String>, ProgramProblem> {
        let text = self.text(arguments, streams)?;
        let row = |line: &str| self.budget.take_values(ROW).map(|()| line.to_owned());
        Ok(text.lines().map(row).collect::<Result<_, _>>()?)
    }

    /// `kubectl get … -o json`, with the fields that are read; `null` where `--ignore-not-found` finds nothing.
    pub(super) fn json<T: DeserializeOwned>(
        &self,
        arguments: &[&str],
        reads: Reads,
        streams: &mut Streams<'_>,
    ) -> Result<T, ProgramProblem> {
        let text = self.text(&[arguments, &["-o", "json"]].concat(), streams)?;
        let text = if text.trim().is_empty() { "null" } else { &text };
        let value = self.budget.json(text, reads)?.and_then(|value| T::deserialize(value).ok());
        value.ok_or(ProgramProblem::Unexpected("the JSON of such an object"))
    }

    /// A value of a column; null where it is not JSON.
    pub(super) fn value(&self, column: &str) -> Result<Value, ProgramProblem> {
        Ok(self.budget.json(column, whole)?.unwrap_or_default())
    }

    /// The objects of `kubectl get … -o json`, with the fields that are read.
    pub(super) fn objects(
        &self,
        arguments: &[&str],
        reads: Reads,
        streams: &mut Streams<'_>,
    ) -> Result<Vec<Live>, ProgramProblem> {
        let place = format!("context {}", self.context);
        let mut answer: Value = self.json(arguments, reads, streams)?;
        match answer.get_mut("items").map(Value::take) {
            Some(Value::Array(items)) => Ok(items.into_iter().map(|it| Live::of(&place, it)).collect()),
            None if answer.is_null() => Ok(Vec::new()),
            None if answer.get("kind").is_some() => Ok(vec![Live::of(&place, answer)]),
            _ => Err(ProgramProblem::Unexpected("a list of objects")),
        }
    }

    /// The objects of several kinds, and the kinds that the cluster does not have or does not show. If it refuses one of
    /// them, kubectl fails as a whole, so that each is asked for alone.
    pub(super) fn kinds<'k>(
        &self,
        kinds: &[&'k str],
        scope: &[&str],
        reads: Reads,
        streams: &mut Streams<'_>,
    ) -> Result<(Vec<Live>, Refused<'k>), Error> {
        let mut get = |kinds: &str| self.objects(&[&[kinds], scope].concat(), reads, streams);
        let is_refusal = |problem: &ProgramProblem| problem.is_forbidden() || problem.is_unknown_kind();
        let (mut objects, mut refused) = (Vec::new(), Vec::new());
        match (get(&kinds.join(",")), kinds) {
            (Ok(all), _) => objects = all,
            (Err(problem), [kind]) if is_refusal(&problem) => refused.push((*kind, problem)),
            (Err(problem), _) if is_refusal(&problem) => {
                for kind in kinds {
                    match get(kind) {
                        Ok(some) => objects.extend(some),
                        Err(problem) if is_refusal(&problem) => refused.push((*kind, problem)),
                        Err(problem) => return Err(self.failed(problem)),
                    }
                }
            }
            (Err(problem), _) => return Err(self.failed(problem)),
        }
        Ok((objects, refused))
    }

    /// The error of a run that cannot go on without the answer, with the context that it is about.
    pub(super) fn failed(&self, problem: ProgramProblem) -> Error {
        let ProgramProblem::Failed(text) = &problem else { return self.program.failed(problem) };
        let mut reason = format!("context {}: {}", shown_name(self.context), last_words(text));
        // (client-go `tools/clientcmd/client_config.go`, getContext)
        if text.contains("context") && text.contains("does not exist") {
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

/// What kubectl says at its end. Before it there can be its library's log (k8s.io/klog: `E1122 10:00:00.000000 1 file.go:1] …`),
/// once for each try.
fn last_words(text: &str) -> &str {
    let is_log = |line: &str| {
        let mut letters = line.chars();
        letters.next().is_some_and(|c| "IWEF".contains(c))
            && letters.take(4).filter(char::is_ascii_digit).count() == 4
    };
    let mut lines = text.lines().rev().filter(|line| !line.trim().is_empty());
    let last = lines.clone().next().unwrap_or_default();
    lines.find(|line| !is_log(line)).unwrap_or(last).trim()
}
