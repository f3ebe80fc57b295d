//! What is wrong with a cluster, where, and what to do: for people and for programs.

use super::live::Object;
use crate::diagnostic::Bug;
use crate::diagnostic::secrecy::printed;
use crate::peering::Role;
use serde_json::{Value, json};
use std::fmt;

/// The version of the JSON. A field may be added to it; nothing else changes.
const VERSION: u32 = 1;

/// A person reads no more, and whoever writes to a cluster chooses how many there are.
const SHOWN: usize = 100;

/// How bad it is. The worst is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// The peering does not work, or not as the document describes it.
    Error,
    /// It will stop working, or was not checked.
    Warning,
    /// Worth knowing.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

/// One thing that was found. What comes from a cluster is masked where it enters a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) severity: Severity,
    /// The stable name of what was checked.
    pub(super) check: &'static str,
    /// On whose cluster; none for Argo CD's, and for what is between two clusters.
    pub(super) role: Option<Role>,
    pub(super) object: Option<String>,
    pub(super) message: String,
    pub(super) help: String,
}

impl Finding {
    pub(super) fn new(severity: Severity, check: &'static str, message: impl Into<String>) -> Self {
        Self { severity, check, role: None, object: None, message: message.into(), help: String::new() }
    }

    pub(super) fn error(check: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, check, message)
    }

    pub(super) fn warning(check: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, check, message)
    }

    pub(super) fn note(check: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, check, message)
    }

    pub(super) fn at(self, object: &Object) -> Self {
        Self { object: Some(object.to_string()), ..self }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }

    fn text(&self) -> String {
        let place = match (self.role, &self.object) {
            (Some(role), Some(object)) => format!("{role}: {object}: "),
            (Some(role), None) => format!("{role}: "),
            (None, Some(object)) => format!("{object}: "),
            (None, None) => String::new(),
        };
        let help = if self.help.is_empty() { String::new() } else { format!("  help: {}\n", self.help) };
        format!("{}[{}]: {place}{}\n{help}", self.severity, self.check, self.message)
    }

    fn json(&self) -> Value {
        let Self { severity, check, role, object, message, help } = self;
        let mut finding = json!({
            "severity": severity.to_string(),
            "check": check,
            "message": printed(message),
        });
        let optional = [
            ("role", role.map(|role| role.to_string())),
            ("object", object.as_deref().map(printed)),
            ("help", (!help.is_empty()).then(|| printed(help))),
        ];
        for (name, value) in optional {
            if let (Some(value), Value::Object(fields)) = (value, &mut finding) {
                fields.insert(name.to_owned(), value.into());
            }
        }
        finding
    }
}

/// The worst first; otherwise in the order of the checks.
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    pub(super) fn new(mut findings: Vec<Finding>) -> Self {
        findings.sort_by_key(|finding| (finding.severity, finding.role.map(Role::word)));
        Self(findings)
    }

    pub(super) fn count(&self, severity: Severity) -> usize {
        self.0.iter().filter(|finding| finding.severity == severity).count()
    }

    pub(super) fn text(&self) -> String {
        let shown: String = self.0.iter().take(SHOWN).map(Finding::text).collect();
        let more = match self.0.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!("and {more} more findings\n"),
        };
        let count = |severity, one: &str| match self.count(severity) {
            1 => format!("1 {one}"),
            count => format!("{count} {one}s"),
        };
        let [errors, warnings] = [(Severity::Error, "error"), (Severity::Warning, "warning")];
        let notes = count(Severity::Note, "note");
        let sum = format!("{}, {}, {notes}\n", count(errors.0, errors.1), count(warnings.0, warnings.1));
        printed(&(shown + &more + &sum))
    }

    pub(super) fn json(&self, peering: &str) -> Result<String, Bug> {
        let shown: Vec<_> = self.0.iter().take(SHOWN).map(Finding::json).collect();
        let report = json!({
            "version": VERSION,
            "peering": peering,
            "findings": shown,
            "more": self.0.len().saturating_sub(SHOWN),
        });
        serde_json::to_string_pretty(&report).map(|json| json + "\n").map_err(|_| Bug::new("the report"))
    }
}
