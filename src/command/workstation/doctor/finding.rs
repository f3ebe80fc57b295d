//! What is wrong with a cluster, where, and what to do: for people and for programs.

use super::super::object::Object;
use crate::command::report::Shown;
use crate::diagnostic::secrecy::printed;
use crate::diagnostic::{Bug, counted};
use crate::peering::Role;
use serde::Serialize;
use serde_json::json;

/// The version of the JSON. A field may be added to it; nothing else changes.
const VERSION: u32 = 1;

/// A person reads no more, and whoever writes to a cluster chooses how many there are.
const SHOWN: usize = 100;

/// How bad it is. The worst is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Severity {
    /// The peering does not work, or not as the document describes it.
    Error,
    /// It will stop working, or was not checked.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// One thing that was found. What comes from a cluster is masked where it enters a text.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    // as in the report of `validate`
    #[serde(rename = "level")]
    severity: Severity,
    /// The stable name of what was checked.
    check: &'static str,
    /// On whose cluster; none for Argo CD's, and for what is between two clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Shown>,
    message: Shown,
    help: Shown,
}

fn finding(severity: Severity, check: &'static str, message: String, help: String) -> Finding {
    Finding { severity, check, role: None, object: None, message: message.into(), help: help.into() }
}

pub(super) fn error(check: &'static str, message: impl Into<String>, help: impl Into<String>) -> Finding {
    finding(Severity::Error, check, message.into(), help.into())
}

pub(super) fn warning(check: &'static str, message: impl Into<String>, help: impl Into<String>) -> Finding {
    finding(Severity::Warning, check, message.into(), help.into())
}

pub(super) fn note(check: &'static str, message: impl Into<String>, help: impl Into<String>) -> Finding {
    finding(Severity::Note, check, message.into(), help.into())
}

impl Finding {
    pub(super) fn on(self, role: Role) -> Self {
        Self { role: Some(role), ..self }
    }

    pub(super) fn at(self, object: &Object) -> Self {
        Self { object: Some(object.to_string().into()), ..self }
    }

    fn text(&self) -> String {
        let head = format!("{}[{}]", self.severity.word(), self.check);
        let place = self.role.map(Role::word).into_iter().chain(self.object.as_ref().map(Shown::as_str));
        let parts = [head.as_str()].into_iter().chain(place).chain([self.message.as_str()]);
        format!("{}\n  help: {}\n", parts.collect::<Vec<_>>().join(": "), self.help.as_str())
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

    fn more(&self) -> usize {
        self.0.len().saturating_sub(SHOWN)
    }

    pub(super) fn text(&self) -> String {
        let shown: String = self.0.iter().take(SHOWN).map(Finding::text).collect();
        let more =
            if self.more() == 0 { String::new() } else { format!("and {} more findings\n", self.more()) };
        let counts = [Severity::Error, Severity::Warning, Severity::Note]
            .map(|severity| counted(self.count(severity), severity.word()));
        printed(&format!("{shown}{more}{}\n", counts.join(", ")))
    }

    pub(super) fn json(&self, peering: &str) -> Result<String, Bug> {
        let shown: Vec<_> = self.0.iter().take(SHOWN).collect();
        let report = json!({ "version": VERSION, "peering": printed(peering), "findings": shown, "more": self.more() });
        serde_json::to_string_pretty(&report).map(|json| json + "\n").map_err(|_| Bug::new("the report"))
    }
}
