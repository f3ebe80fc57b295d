//! What is wrong with an object of a cluster, and what to do: for people and for programs.

use super::{Check, Object};
use crate::diagnostic::Severity;
use crate::diagnostic::secrecy::Shown;
use serde::Serialize;

/// One thing that was found. What comes from a cluster is masked where it enters a text.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    // as in the report of `validate`
    #[serde(rename = "level")]
    pub(crate) severity: Severity,
    pub(crate) check: Check,
    /// A check with a finding from which this one can follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) follows_from: Option<Check>,
    /// On whose cluster; none for Argo CD's, and for what is between two clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Shown>,
    message: Shown,
    help: Shown,
}

fn finding(severity: Severity, check: Check, message: String, help: String) -> Finding {
    Finding {
        severity,
        check,
        follows_from: None,
        role: None,
        object: None,
        message: message.into(),
        help: help.into(),
    }
}

/// The peering does not work, or not as the document describes it.
pub(crate) fn error(check: Check, message: impl Into<String>, help: impl Into<String>) -> Finding {
    finding(Severity::Error, check, message.into(), help.into())
}

/// It will stop working, or was not checked.
pub(crate) fn warning(check: Check, message: impl Into<String>, help: impl Into<String>) -> Finding {
    finding(Severity::Warning, check, message.into(), help.into())
}

/// Worth knowing.
pub(crate) fn note(check: Check, message: impl Into<String>, help: impl Into<String>) -> Finding {
    finding(Severity::Note, check, message.into(), help.into())
}

impl Finding {
    pub(crate) fn on(self, role: &'static str) -> Self {
        Self { role: Some(role), ..self }
    }

    pub(crate) fn at(self, object: &Object) -> Self {
        Self { object: Some(object.to_string().into()), ..self }
    }

    /// A line for a terminal, before it is masked.
    pub(crate) fn line(&self) -> String {
        let head = format!("{}[{}]", self.severity.word(), self.check.name());
        let place = self.role.into_iter().chain(self.object.as_ref().map(Shown::as_str));
        let parts = [head.as_str()].into_iter().chain(place).chain([self.message.as_str()]);
        format!("{}\n", parts.collect::<Vec<_>>().join(": "))
    }

    /// With what to do.
    pub(crate) fn text(&self) -> String {
        format!("{}  help: {}\n", self.line(), self.help.as_str())
    }
}
