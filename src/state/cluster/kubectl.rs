//! A live cluster through `kubectl get`: read-only, with the rights of the person who runs it, and each command is shown.

use super::budget::{Budget, Reads};
use super::{Context, manifest, secrets};
use crate::object::live::Object;
use crate::state::{ProgramProblem, StateError};

/// Where a command is shown before it is run.
pub(crate) trait Notes {
    /// A line for people.
    fn note(&mut self, line: &str);
}

/// kubectl for one context of the person's kubeconfig.
pub(crate) struct Kubectl<'c> {
    context: Context<'c>,
    notes: &'c mut dyn Notes,
    shows: bool,
}

impl<'c> Kubectl<'c> {
    /// All of a run's have one budget.
    ///
    /// # Errors
    /// When kubectl is missing.
    pub(crate) fn new(
        context: &'c str,
        budget: &'c Budget,
        notes: &'c mut dyn Notes,
    ) -> Result<Self, StateError> {
        Ok(Self { context: Context::new(context, budget)?, notes, shows: true })
    }

    /// Whether each command is shown; not where it was shown before.
    pub(crate) fn that_shows(self, shows: bool) -> Self {
        Self { shows, ..self }
    }

    /// What `kubectl get` prints.
    fn text(&mut self, arguments: &[&str]) -> Result<String, ProgramProblem> {
        let arguments = [&["get"], arguments].concat();
        let shown: Vec<String> = arguments.iter().map(shown).collect();
        let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
        if self.shows {
            self.notes.note(&format!("+ {}", self.context.line(&shown)));
        }
        self.context.answer(&arguments, None)
    }

    /// The objects of these resources, with the fields that are read; of Secrets what is public.
    pub(crate) fn get(
        &mut self,
        resources: &[&str],
        scope: &[&str],
        reads: Reads,
    ) -> Result<Vec<Object>, ProgramProblem> {
        let are_secrets = resources.iter().any(|it| matches!(*it, "secrets" | "Secret"));
        let format = if are_secrets { secrets::format() } else { "json".to_owned() };
        let printed = self.text(&[&[resources.join(",").as_str()], scope, &["-o", &format]].concat())?;
        let mut objects = Vec::new();
        // `--ignore-not-found` found nothing
        if printed.trim().is_empty() {
            return Ok(objects);
        }
        let printed = if are_secrets { secrets::json(&printed) } else { printed };
        let value = self.context.budget().json(&printed, reads)?.filter(manifest::is_whole);
        let value = value.filter(|it| it.get("items").or(it.get("kind")).is_some());
        let value = value.ok_or(ProgramProblem::Unexpected("a list of objects"))?;
        manifest::objects(value, &format!("context {}", self.context.name()), &mut objects);
        Ok(objects)
    }

    /// The objects that a run cannot go on without.
    ///
    /// # Errors
    /// When the cluster gives no answer, or refuses one.
    pub(crate) fn require(
        &mut self,
        resources: &[&str],
        scope: &[&str],
        reads: Reads,
    ) -> Result<Vec<Object>, StateError> {
        self.get(resources, scope, reads).map_err(|problem| self.failed(problem))
    }

    /// The error of a run that cannot go on without the answer, with the context that it is about.
    pub(crate) fn failed(&self, problem: ProgramProblem) -> StateError {
        self.context.failed(problem)
    }
}

fn shown(word: &&str) -> String {
    if word.starts_with(secrets::GO) { secrets::GO.to_owned() + "…" } else { (*word).to_owned() }
}
