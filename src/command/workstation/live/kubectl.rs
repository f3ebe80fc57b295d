//! A live cluster through `kubectl get`: read-only, with the rights of the person who runs it, and each command is shown.

use super::budget::{Budget, Reads};
use super::{manifest, secrets};
use crate::command::Streams;
use crate::command::error::{Error, ProgramProblem};
use crate::command::workstation::program::Program;
use crate::diagnostic::shown_name;
use crate::object::live::Live;

/// kubectl for one context of the person's kubeconfig.
pub(in super::super) struct Kubectl<'c, 's> {
    program: Program,
    context: &'c str,
    budget: &'c Budget,
    streams: &'c mut Streams<'s>,
}

impl<'c, 's> Kubectl<'c, 's> {
    /// All of a run's have one budget.
    ///
    /// # Errors
    /// When kubectl is missing.
    pub(in super::super) fn new(
        context: &'c str,
        budget: &'c Budget,
        streams: &'c mut Streams<'s>,
    ) -> Result<Self, Error> {
        Ok(Self { program: Program::find("kubectl")?, context, budget, streams })
    }

    /// What `kubectl get` prints.
    fn text(&mut self, arguments: &[&str]) -> Result<String, ProgramProblem> {
        let shown = |word: &&str| {
            if word.starts_with(secrets::GO) { secrets::GO.to_owned() + "…" } else { shown_name(word) }
        };
        let shown = arguments.iter().map(shown).collect::<Vec<_>>().join(" ");
        self.streams.note(&format!("+ kubectl --context={} get {shown}", shown_name(self.context)));
        let mut command = self.program.command();
        command.arg(format!("--context={}", self.context)).arg("--request-timeout=30s").arg("get");
        let output = self.program.output(command.args(arguments))?;
        self.budget.take_bytes(output.len())?;
        String::from_utf8(output).map_err(|_| ProgramProblem::Unexpected("UTF-8"))
    }

    /// The objects of these resources, with the fields that are read; of Secrets what is public.
    pub(in super::super) fn get(
        &mut self,
        resources: &[&str],
        scope: &[&str],
        reads: Reads,
    ) -> Result<Vec<Live>, ProgramProblem> {
        let are_secrets = resources.iter().any(|it| matches!(*it, "secrets" | "Secret"));
        let format = if are_secrets { secrets::format() } else { "json".to_owned() };
        let printed = self.text(&[&[resources.join(",").as_str()], scope, &["-o", &format]].concat())?;
        let mut objects = Vec::new();
        // `--ignore-not-found` found nothing
        if printed.trim().is_empty() {
            return Ok(objects);
        }
        let printed = if are_secrets { secrets::json(&printed) } else { printed };
        let value = self.budget.json(&printed, reads)?.filter(manifest::is_whole);
        let value = value.filter(|it| it.get("items").or(it.get("kind")).is_some());
        let value = value.ok_or(ProgramProblem::Unexpected("a list of objects"))?;
        manifest::objects(value, &format!("context {}", self.context), &mut objects);
        Ok(objects)
    }

    /// The objects that a run cannot go on without.
    ///
    /// # Errors
    /// When the cluster gives no answer, or refuses one.
    pub(in super::super) fn require(
        &mut self,
        resources: &[&str],
        scope: &[&str],
        reads: Reads,
    ) -> Result<Vec<Live>, Error> {
        self.get(resources, scope, reads).map_err(|problem| self.failed(problem))
    }

    /// The error of a run that cannot go on without the answer, with the context that it is about.
    pub(in super::super) fn failed(&self, problem: ProgramProblem) -> Error {
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
