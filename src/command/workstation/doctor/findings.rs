//! All findings: causes first, then what can follow from them.

use crate::diagnostic::{Judged, Severity, counted, printed};
use crate::object::live::{Check, Finding};
use crate::report::{Report, paint};
use clap::builder::styling::{AnsiColor, Style};
use std::collections::{BTreeMap, BTreeSet};

/// The most findings that are shown. A person reads no more, and whoever can write to a cluster decides how many there are.
const SHOWN: usize = 100;

/// The findings, the worst first; otherwise in the order of the checks.
#[derive(Debug)]
pub(super) struct Findings {
    found: Vec<Finding>,
    judged: Judged,
    /// The last line where nothing is wrong; `None` if no cluster was compared.
    success: Option<String>,
}

impl Findings {
    pub(super) fn new(mut found: Vec<Finding>, judged: Judged, success: Option<String>) -> Self {
        // a note is never a cause
        let causes = found.iter().filter(|it| it.level < Severity::Note);
        let causes: BTreeSet<Check> = causes.map(|it| it.code).collect();
        let first = causes.iter().map(|it| (*it, first_cause(*it, &causes)));
        let first: BTreeMap<Check, Option<Check>> = first.collect();
        let mut causing = BTreeSet::new();
        for finding in &mut found {
            if finding.level == Severity::Error {
                finding.follows_from = first.get(&finding.code).copied().flatten();
                causing.extend(finding.follows_from);
            }
        }
        found.sort_by_key(|it| (rank(it, &causing), it.code, it.role));
        Self {
            found,
            judged,
            success,
        }
    }

    fn of_level(&self, level: Severity) -> impl Iterator<Item = &Finding> {
        self.found.iter().filter(move |it| it.level == level)
    }

    pub(super) fn has_errors(&self) -> bool {
        self.of_level(Severity::Error).next().is_some()
    }

    /// Whether there is an error that time alone does not fix.
    pub(super) fn needs_manual_fix(&self) -> bool {
        let mut errors = self.of_level(Severity::Error);
        errors.any(|it| it.follows_from.is_none() && !it.code.may_recover())
    }

    /// The names of the checks that found an error.
    pub(super) fn failed_checks(&self) -> Vec<&'static str> {
        let checks: BTreeSet<Check> = self.of_level(Severity::Error).map(|it| it.code).collect();
        checks.into_iter().map(Check::name).collect()
    }

    /// The check whose finding is to be fixed first.
    fn headline(&self) -> Option<Check> {
        if !self.has_errors() {
            return None;
        }
        Some(self.found.first()?.code)
    }

    fn count_more(&self) -> usize {
        self.found.len().saturating_sub(SHOWN)
    }

    /// The findings for a terminal: first what to mend first, then each with a blank line after it, and what can follow from it.
    pub(super) fn text(&self, peering: &str, is_coloured: bool) -> String {
        let (mut text, mut following) = (String::new(), String::new());
        if let Some(check) = self.headline() {
            let (stage, title) = (check.stage().title(), check.page().title());
            let line = format!("{peering} stops at {stage}: {title}");
            text = paint(&line, Style::new().bold(), is_coloured) + "\n\n";
        }
        for finding in self.found.iter().take(SHOWN) {
            if finding.follows_from.is_some() {
                following += &format!("  {}", finding_line(finding, is_coloured));
                continue;
            }
            text += &finding_line(finding, is_coloured);
            if let Some(help) = &finding.help {
                let head = paint("help", AnsiColor::Cyan.on_default(), is_coloured);
                text += &format!("  {head}: {}\n", help.as_str());
            }
            text.push('\n');
        }
        if !following.is_empty() {
            text += "these can follow from it; mend the first, and run doctor again:\n";
            text += &(following + "\n");
        }
        if self.count_more() > 0 {
            let more = counted(self.count_more(), "more finding");
            text += &format!("and {more}\n");
        }
        let levels = [Severity::Error, Severity::Warning, Severity::Note];
        let counts = levels.map(|level| counted(self.of_level(level).count(), level.word()));
        text += &(counts.join(", ") + "\n");
        if let Some(check) = self.headline() {
            text += &format!("`argocd-peering explain {}` says more\n", check.name());
        }
        if let Some(line) = self.judged.line() {
            text += &(line + "\n");
        }
        let is_healthy = self.found.iter().all(|it| it.level == Severity::Note);
        if is_healthy && let Some(success) = &self.success {
            text += &(paint(success, AnsiColor::Green.on_default(), is_coloured) + "\n");
        }
        printed(&text)
    }

    pub(super) fn report(&self) -> Report {
        Report {
            peerings: 1,
            headline: self.headline().map(Check::name),
            findings: self.found.iter().take(SHOWN).map(Finding::named).collect(),
            more: self.count_more(),
            judged: self.judged.clone(),
        }
    }
}

/// The place of a finding among all: the causes, then what follows from them, then the rest by its level.
fn rank(finding: &Finding, causing: &BTreeSet<Check>) -> (u8, Option<Severity>) {
    match finding.level {
        _ if finding.follows_from.is_some() => (1, None),
        Severity::Error => (0, None),
        // a warning that explains an error stops the peering as well
        Severity::Warning if causing.contains(&finding.code) => (0, None),
        severity => (2, Some(severity)),
    }
}

/// A finding's line, its level and code in the colour of the level, as `validate` has them.
fn finding_line(finding: &Finding, is_coloured: bool) -> String {
    let style = match finding.level {
        Severity::Error => AnsiColor::BrightRed.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Note => AnsiColor::BrightGreen.on_default().bold(),
    };
    let line = finding.line();
    match line.split_once(": ") {
        Some((head, rest)) => format!("{}: {rest}", paint(head, style, is_coloured)),
        None => line,
    }
}

/// The first cause of a check: the one that was found and that has no cause itself, followed back through all checks between the two.
fn first_cause(check: Check, found: &BTreeSet<Check>) -> Option<Check> {
    let mut causes = BTreeSet::new();
    let mut next = vec![check];
    while let Some(check) = next.pop() {
        for cause in check.causes() {
            if causes.insert(*cause) {
                next.push(*cause);
            }
        }
    }
    let mut causes = causes.into_iter();
    causes.find(|cause| found.contains(cause) && first_cause(*cause, found).is_none())
}
