//! All findings, for a terminal and as JSON.

use crate::diagnostic::secrecy::printed;
use crate::diagnostic::{Bug, Severity, counted};
use crate::object::live::Finding;
use serde_json::json;

/// The version of the JSON. A field may be added to it; nothing else changes.
const VERSION: u32 = 1;

/// A person reads no more, and whoever writes to a cluster chooses how many there are.
const SHOWN: usize = 100;

/// The worst first; otherwise in the order of the checks.
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    pub(super) fn new(mut findings: Vec<Finding>) -> Self {
        findings.sort_by_key(|finding| (finding.severity, finding.role));
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
