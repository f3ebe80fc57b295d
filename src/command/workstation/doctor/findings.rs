//! All findings, for a terminal and as JSON: first what stops the peering, then what can follow from it.

use crate::diagnostic::secrecy::printed;
use crate::diagnostic::{Bug, Severity, counted};
use crate::object::live::{Check, Finding};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The version of the JSON. A field may be added to it; nothing else changes.
const VERSION: u32 = 1;

/// A person reads no more, and anyone who writes to a cluster chooses how many there are.
const SHOWN: usize = 100;

/// What a run did not look at.
#[derive(Debug)]
pub(super) struct Unchecked {
    /// The consumer's and the provider's cluster.
    pub(super) clusters: [bool; 2],
    pub(super) argocd: bool,
}

impl Unchecked {
    fn words(&self) -> Vec<&'static str> {
        let [consumer, provider] = self.clusters;
        let all = [(consumer, "the consumer"), (provider, "the provider"), (self.argocd, "Argo CD")];
        all.into_iter().filter_map(|(is_unchecked, word)| is_unchecked.then_some(word)).collect()
    }
}

/// The worst first; otherwise in the order of the checks.
#[derive(Debug)]
pub(super) struct Findings {
    found: Vec<Finding>,
    unchecked: Unchecked,
}

impl Findings {
    pub(super) fn new(mut found: Vec<Finding>, unchecked: Unchecked) -> Self {
        // notes cause nothing
        let causes: BTreeSet<Check> =
            found.iter().filter(|it| it.severity < Severity::Note).map(|it| it.check).collect();
        for finding in &mut found {
            finding.follows_from =
                first_cause(finding.check, &causes).filter(|_| finding.severity == Severity::Error);
        }
        let causing: BTreeSet<Check> = found.iter().filter_map(|it| it.follows_from).collect();
        // a warning that explains an error stops the peering as well
        found.sort_by_key(|it| match it.severity {
            _ if it.follows_from.is_some() => (1, None, it.check, it.role),
            Severity::Error => (0, None, it.check, it.role),
            Severity::Warning if causing.contains(&it.check) => (0, None, it.check, it.role),
            severity => (2, Some(severity), it.check, it.role),
        });
        Self { found, unchecked }
    }

    pub(super) fn count(&self, severity: Severity) -> usize {
        self.found.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Whether something is wrong that time alone does not mend.
    pub(super) fn need_a_hand(&self) -> bool {
        self.found.iter().any(|it| {
            it.severity == Severity::Error && it.follows_from.is_none() && !it.check.mends_in_time()
        })
    }

    /// The checks that found an error.
    pub(super) fn failed(&self) -> Vec<&'static str> {
        let errors = self.found.iter().filter(|it| it.severity == Severity::Error);
        let checks: BTreeSet<Check> = errors.map(|it| it.check).collect();
        checks.into_iter().map(Check::name).collect()
    }

    /// What is to be mended first.
    fn headline(&self) -> Option<&Finding> {
        self.found.first().filter(|_| self.count(Severity::Error) > 0)
    }

    fn more(&self) -> usize {
        self.found.len().saturating_sub(SHOWN)
    }

    pub(super) fn text(&self, peering: &str) -> String {
        let mut text = match self.headline() {
            Some(first) => {
                format!("{peering} stops at {}: {}\n\n", first.check.stage().title(), first.check.title())
            }
            None => String::new(),
        };
        let mut is_following = false;
        for finding in self.found.iter().take(SHOWN) {
            if finding.follows_from.is_some() && !is_following {
                text += "these can follow from it; mend the first, and run doctor again:\n";
            }
            is_following = finding.follows_from.is_some();
            text += &if is_following { format!("  {}", finding.line()) } else { finding.text() };
        }
        if self.more() > 0 {
            text += &format!("and {} more findings\n", self.more());
        }
        let counts = [Severity::Error, Severity::Warning, Severity::Note]
            .map(|severity| counted(self.count(severity), severity.word()));
        text += &format!("{}\n", counts.join(", "));
        let unchecked = self.unchecked.words();
        if !unchecked.is_empty() {
            text += &format!("not checked: {}\n", unchecked.join(", "));
        }
        if let Some(first) = self.headline() {
            text += &format!("`argocd-peering explain {}` says more\n", first.check.name());
        }
        printed(&text)
    }

    pub(super) fn json(&self, peering: &str) -> Result<String, Bug> {
        let shown: Vec<_> = self.found.iter().take(SHOWN).collect();
        let headline = self.headline().map(|it| it.check.name());
        let report: Value = json!({
            "version": VERSION,
            "peering": printed(peering),
            "headline": headline,
            "unchecked": self.unchecked.words(),
            "findings": shown,
            "more": self.more(),
        });
        serde_json::to_string_pretty(&report).map(|json| json + "\n").map_err(|_| Bug::new("the report"))
    }
}

/// The first of the checks that can be a finding's cause, on the way back through all that lies between.
fn first_cause(check: Check, found: &BTreeSet<Check>) -> Option<Check> {
    fn collect(check: Check, all: &mut BTreeSet<Check>) {
        for cause in check.causes() {
            if all.insert(*cause) {
                collect(*cause, all);
            }
        }
    }
    let mut causes = BTreeSet::new();
    collect(check, &mut causes);
    causes.into_iter().find(|cause| found.contains(cause))
}
