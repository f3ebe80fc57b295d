//! A live cluster through kubectl, with the rights of the person who runs it. Only public data is read, and each command is shown.

use super::budget::{Budget, FieldFilter};
use super::manifest::{self, ANNOTATION, LABELS};
use crate::diagnostic::shown_name;
use crate::object::live::Object;
use crate::state::program::{Program, ProgramEnd, input};
use crate::state::{ProgramProblem, StateError};
use std::path::Path;
use std::process::Stdio;

/// Shows each command before it is run.
pub(crate) trait Notes {
    /// A line for people.
    fn note(&mut self, line: &str);
}

/// kubectl for one context of the person's kubeconfig.
pub(crate) struct Kubectl<'c> {
    context: KubeContext<'c>,
    budget: &'c Budget,
    notes: &'c mut dyn Notes,
    shows: bool,
}

impl<'c> Kubectl<'c> {
    /// All of a run's readers share one budget.
    ///
    /// # Errors
    /// As those of [`KubeContext::new`].
    pub(crate) fn new(
        context: &'c str,
        place: &Path,
        budget: &'c Budget,
        notes: &'c mut dyn Notes,
    ) -> Result<Self, StateError> {
        Ok(Self {
            context: KubeContext::new(context, place)?,
            budget,
            notes,
            shows: true,
        })
    }

    /// Sets whether each command is shown. It is not, if it was shown before.
    pub(crate) fn with_echo(self, shows: bool) -> Self {
        Self { shows, ..self }
    }

    /// The output of `kubectl get`.
    fn text(&mut self, arguments: &[&str]) -> Result<String, ProgramProblem> {
        let arguments = [&["get"], arguments].concat();
        if self.shows {
            let line = self.context.line(&arguments);
            self.notes.note(&format!("+ {line}"));
        }
        let printed = self.context.answer(&arguments, None)?;
        self.budget.take_bytes(printed.len())?;
        Ok(printed)
    }

    /// The objects of these resources, with the fields that are read; of Secrets, only public fields.
    pub(crate) fn get(
        &mut self,
        resources: &[&str],
        scope: &[&str],
        reads: FieldFilter,
    ) -> Result<Vec<Object>, ProgramProblem> {
        let mut names = resources.iter();
        let are_secrets = names.any(|it| matches!(*it, "secrets" | "Secret"));
        let format = are_secrets.then(secrets_format);
        let format = ["-o", format.as_deref().unwrap_or("json")];
        let mut printed = self.text(&[&[resources.join(",").as_str()], scope, &format].concat())?;
        let mut objects = Vec::new();
        // `--ignore-not-found` found nothing
        if printed.trim().is_empty() {
            return Ok(objects);
        }
        // `js` of the template escapes `'` as JavaScript does, and JSON does not know that escape (Go `text/template`, `JSEscape`)
        if are_secrets {
            printed = printed.replace(r"\'", "'");
        }
        let value = self.budget.json(&printed, reads)?;
        let value = value.filter(manifest::is_complete);
        let value = value.filter(|it| it.get("items").or(it.get("kind")).is_some());
        let value = value.ok_or(ProgramProblem::Unexpected("a list of objects"))?;
        let place = format!("context {}", self.context.name());
        manifest::objects_in(value, &place, &mut objects);
        Ok(objects)
    }

    /// The objects without which a run cannot continue.
    ///
    /// # Errors
    /// When the cluster gives no answer, or refuses one.
    pub(crate) fn require(
        &mut self,
        resources: &[&str],
        scope: &[&str],
        reads: FieldFilter,
    ) -> Result<Vec<Object>, StateError> {
        let read = self.get(resources, scope, reads);
        read.map_err(|problem| self.failed(problem))
    }

    /// The error of a run that cannot continue without the answer. It names the context.
    pub(crate) fn failed(&self, problem: ProgramProblem) -> StateError {
        self.context.failed(problem)
    }
}

/// kubectl for a context. The caller shows a command before running it.
pub(crate) struct KubeContext<'c> {
    program: Program,
    name: &'c str,
}

/// The argument for another kubeconfig.
const ON_STDIN: &str = "--kubeconfig=/dev/stdin";

/// More time than an API server needs.
const TIMEOUT: &str = "--request-timeout=30s";

impl<'c> KubeContext<'c> {
    /// The context for a user's work at this place. A kubectl inside the place's checkout is never used.
    ///
    /// # Errors
    /// When kubectl is missing.
    pub(crate) fn new(name: &'c str, place: &Path) -> Result<Self, StateError> {
        Ok(Self {
            program: Program::find("kubectl", place)?,
            name,
        })
    }

    /// The name in the flag.
    pub(crate) const fn name(&self) -> &str {
        self.name
    }

    /// A command as a person types it.
    pub(crate) fn line(&self, arguments: &[&str]) -> String {
        format!(
            "kubectl --context={} {}",
            shown_name(self.name),
            shown_words(arguments)
        )
    }

    /// A command with another kubeconfig, as a person types it.
    pub(crate) fn line_with(arguments: &[&str]) -> String {
        format!("kubectl {ON_STDIN} {}", shown_words(arguments))
    }

    /// The output of kubectl, which gets an object or nothing as input.
    pub(crate) fn answer(
        &self,
        arguments: &[&str],
        object: Option<&[u8]>,
    ) -> Result<String, ProgramProblem> {
        let mut command = self.program.command();
        command
            .arg(format!("--context={}", self.name))
            .arg(TIMEOUT)
            .args(arguments);
        let input = object.map_or_else(|| Ok(Stdio::null()), input)?;
        let output = self.program.output_for(input, &mut command)?;
        String::from_utf8(output).map_err(|_| ProgramProblem::Unexpected("UTF-8"))
    }

    /// The output and the exit code of kubectl with another kubeconfig, which is never on a disk.
    pub(crate) fn end_with(
        &self,
        kubeconfig: &str,
        arguments: &[&str],
    ) -> Result<ProgramEnd, ProgramProblem> {
        let mut command = self.program.command();
        command.arg(ON_STDIN).arg(TIMEOUT).args(arguments);
        self.program
            .end(input(kubeconfig.as_bytes())?, &mut command)
    }

    /// The error of a run that cannot continue without the answer. It names the context.
    pub(crate) fn failed(&self, problem: ProgramProblem) -> StateError {
        let ProgramProblem::Failed(text) = &problem else {
            return self.program.failed(problem);
        };
        let mut reason = format!("context {}: {}", shown_name(self.name), last_words(text));
        // (client-go `tools/clientcmd/client_config.go`, getContext; `tools/clientcmd/api/helpers.go`, MinifyConfig)
        let is_unknown = text.contains("does not exist") || text.contains("cannot locate");
        if text.contains("context") && is_unknown {
            reason += &format!("; the kubeconfig has {}", self.known_contexts());
        }
        self.program.failed(ProgramProblem::Failed(reason))
    }

    /// The contexts of the person's kubeconfig, as text.
    fn known_contexts(&self) -> String {
        let mut command = self.program.command();
        command.args(["config", "get-contexts", "-o=name"]);
        let output = self.program.output(&mut command).unwrap_or_default();
        let text = String::from_utf8_lossy(&output);
        let names = text.lines().map(|name| format!("`{}`", shown_name(name)));
        let names: Vec<String> = names.take(20).collect();
        if names.is_empty() {
            "none".into()
        } else {
            names.join(", ")
        }
    }
}

/// Arguments as a person types them. A template is too long to read.
fn shown_words(arguments: &[&str]) -> String {
    let mut words = Vec::new();
    for word in arguments {
        words.push(if word.starts_with(GO) {
            format!("{GO}…")
        } else {
            shown_name(word)
        });
    }
    words.join(" ")
}

/// The last message of kubectl. Before it there can be the log of its library (k8s.io/klog: `E1122 10:00:00.000000 1 file.go:1] …`), once
/// for each try.
fn last_words(text: &str) -> &str {
    let mut lines = text.lines().rev().filter(|line| !line.trim().is_empty());
    let last = lines.clone().next().unwrap_or_default();
    lines.find(|line| !is_log(line)).unwrap_or(last).trim()
}

/// Whether a line is a log line of klog: `E1126 02:40:00.000000 …`
fn is_log(line: &str) -> bool {
    let mut letters = line.chars();
    letters.next().is_some_and(|c| "IWEF".contains(c))
        && letters.take(4).filter(char::is_ascii_digit).count() == 4
}

/// The beginning of the template's argument.
const GO: &str = "go-template=";

/// The template that prints a list of Secrets as JSON, with public fields only (Go `text/template`): kubectl prints neither a value nor a
/// tool's annotation. A nonce is public: the other cluster signs it, and the document has it. Of owners, only their existence is printed.
const TEMPLATE: &str = concat!(
    r#"{{define "s"}}{{if .}}"{{js .}}"{{else}}null{{end}}{{end}}"#,
    r#"{"kind":"List","items":[{{range $i,$s := .items}}{{if $i}},{{end}}"#,
    r#"{"apiVersion":"v1","kind":"Secret","type":{{template "s" .type}},{{with .metadata}}"metadata":{"#,
    r#""namespace":{{template "s" .namespace}},"name":{{template "s" .name}},"#,
    r#""deletionTimestamp":{{template "s" .deletionTimestamp}},"#,
    r#""finalizers":[{{range $i,$f := .finalizers}}{{if $i}},{{end}}{{template "s" .}}{{end}}],"#,
    r#""ownerReferences":[{{with .ownerReferences}}{}{{end}}],"#,
    r#""labels":{ {{with .labels}}LABELS{{end}}},"annotations":{ {{with .annotations}}ANNOTATION{{end}}}}{{end}},"#,
    r#""data":{ {{with .data}}"publicKey":{{template "s" .publicKey}},"nonce":{{template "s" .nonce}}{{end}}}}{{end}}]}"#,
);

/// The format of `kubectl get -o`.
fn secrets_format() -> String {
    let template = TEMPLATE.replace("LABELS", &fields(&LABELS));
    format!(
        "{GO}{}",
        template.replace("ANNOTATION", &fields(&[ANNOTATION]))
    )
}

fn fields(keys: &[&str]) -> String {
    let mut fields = Vec::new();
    for key in keys {
        fields.push(r#""KEY":{{template "s" index . "KEY"}}"#.replace("KEY", key));
    }
    fields.join(",")
}
