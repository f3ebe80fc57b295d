//! All findings: causes first, then what can follow from them.

use crate::diagnostic::{Judged, Severity, counted, printed};
use crate::object::live::{Check, Finding};
use crate::report::{Report, painted};
use clap::builder::styling::{AnsiColor, Style};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The most findings that are shown. A person reads no more, and whoever can write to a cluster decides how many there are.
const SHOWN: usize = 100;

/// The findings, the worst first; otherwise in the order of the checks.
#[derive(Debug)]
pub(super) struct Findings {
    found: Vec<Finding>,
    judged: Judged,
    /// The last line where nothing is wrong; `None` if no cluster was compared.
    well: Option<String>,
}

impl Findings {
    pub(super) fn new(mut found: Vec<Finding>, judged: Judged, well: Option<String>) -> Self {
        // a note is never a cause
        let causes: BTreeSet<Check> = found
            .iter()
            .filter(|it| it.level < Severity::Note)
            .map(|it| it.code)
            .collect();
        let first: BTreeMap<Check, Check> = causes
            .iter()
            .filter_map(|check| Some((*check, first_cause(*check, &causes)?)))
            .collect();
        for finding in &mut found {
            finding.follows_from = first
                .get(&finding.code)
                .copied()
                .filter(|_| finding.level == Severity::Error);
        }
        let causing: BTreeSet<Check> = found.iter().filter_map(|it| it.follows_from).collect();
        // a warning that explains an error stops the peering as well
        found.sort_by_key(|it| match it.level {
            _ if it.follows_from.is_some() => (1, None, it.code, it.role),
            Severity::Error => (0, None, it.code, it.role),
            Severity::Warning if causing.contains(&it.code) => (0, None, it.code, it.role),
            severity => (2, Some(severity), it.code, it.role),
        });
        Self {
            found,
            judged,
            well,
        }
    }

    pub(super) fn count(&self, severity: Severity) -> usize {
        self.found
            .iter()
            .filter(|finding| finding.level == severity)
            .count()
    }

    /// Whether there is an error that time alone does not fix.
    pub(super) fn needs_manual_fix(&self) -> bool {
        let mut errors = self.found.iter().filter(|it| it.level == Severity::Error);
        errors.any(|it| it.follows_from.is_none() && !it.code.may_recover())
    }

    /// The names of the checks that found an error.
    pub(super) fn failed(&self) -> Vec<&'static str> {
        let errors = self.found.iter().filter(|it| it.level == Severity::Error);
        let checks: BTreeSet<Check> = errors.map(|it| it.code).collect();
        checks.into_iter().map(Check::name).collect()
    }

    /// The finding to fix first.
    fn headline(&self) -> Option<&Finding> {
        self.found
            .first()
            .filter(|_| self.count(Severity::Error) > 0)
    }

    fn count_more(&self) -> usize {
        self.found.len().saturating_sub(SHOWN)
    }

    /// The findings for a terminal: first what to mend first, then each with a blank line after it, and what can follow from it.
    pub(super) fn text(&self, peering: &str, is_coloured: bool) -> String {
        let mut text = String::new();
        if let Some(first) = self.headline() {
            let line = format!(
                "{peering} stops at {}: {}",
                first.code.stage().title(),
                first.code.page().title()
            );
            text += &painted(&line, Style::new().bold(), is_coloured);
            text += "\n\n";
        }
        let shown = || self.found.iter().take(SHOWN);
        for finding in shown().filter(|finding| finding.follows_from.is_none()) {
            text += &line(finding, is_coloured);
            if let Some(help) = &finding.help {
                let head = painted("help", AnsiColor::Cyan.on_default(), is_coloured);
                let _ = writeln!(text, "  {head}: {}", help.as_str());
            }
            text.push('\n');
        }
        let following: Vec<&Finding> = shown()
            .filter(|finding| finding.follows_from.is_some())
            .collect();
        if !following.is_empty() {
            text += "these can follow from it; mend the first, and run doctor again:\n";
            for finding in following {
                let _ = write!(text, "  {}", line(finding, is_coloured));
            }
            text.push('\n');
        }
        if self.count_more() > 0 {
            let _ = writeln!(text, "and {} more findings", self.count_more());
        }
        let counts = [Severity::Error, Severity::Warning, Severity::Note]
            .map(|severity| counted(self.count(severity), severity.word()));
        let _ = writeln!(text, "{}", counts.join(", "));
        if let Some(first) = self.headline() {
            text += &format!("`argocd-peering explain {}` says more\n", first.code.name());
        }
        text.extend(self.judged.line().map(|line| line + "\n"));
        let is_well = self.count(Severity::Error) + self.count(Severity::Warning) == 0;
        if let Some(well) = self.well.as_ref().filter(|_| is_well) {
            let green = AnsiColor::Green.on_default();
            text += &painted(well, green, is_coloured);
            text.push('\n');
        }
        printed(&text)
    }

    pub(super) fn report(&self) -> Report {
        Report {
            peerings: 1,
            headline: self.headline().map(|it| it.code.name()),
            findings: self.found.iter().take(SHOWN).map(Finding::named).collect(),
            more: self.count_more(),
            judged: self.judged.clone(),
        }
    }
}

/// A finding's line, its level and code in the colour of the level, as `validate` has them.
fn line(finding: &Finding, is_coloured: bool) -> String {
    let style = match finding.level {
        Severity::Error => AnsiColor::BrightRed.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Note => AnsiColor::BrightGreen.on_default().bold(),
    };
    let line = finding.line();
    match line.split_once(": ") {
        Some((head, rest)) => format!("{}: {rest}", painted(head, style, is_coloured)),
        None => line,
    }
}

/// The first cause of a check: the one that was found and that has no cause itself, followed back through all checks between the two.
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
    causes
        .into_iter()
        .find(|cause| found.contains(cause) && first_cause(*cause, found).is_none())
}
