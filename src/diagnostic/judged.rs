//! What a run judged, and what it did not. Both are part of the result, so that no one takes silence for approval.

use super::secrecy::Shown;
use super::{counted, list_and};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// The place of the file in a reason.
const FILE: &str = "FILE";

/// How many things that were not judged are kept, and how many a person sees.
const KEPT: usize = 100;
const SHOWN: usize = 3;

/// What was not judged: neither right nor wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotJudged {
    /// What kind of thing it is: `ApplicationSet`.
    pub kind: &'static str,
    /// Which one: a file, or words such as "the terms of 3 sealed files".
    pub what: Shown,
    /// How many of the kind these are: a file can have several.
    pub count: usize,
    /// Why not.
    pub reason: Shown,
    /// The reason with `FILE` in the place of the file: those with the same one are counted together.
    #[serde(skip)]
    general: Shown,
    /// Whether the run was asked to judge it. What would need an identity, a folder or a cluster that was not named was not asked for.
    /// `validate --strict` makes an error of what was.
    pub asked: bool,
}

/// How many things of a kind were judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
struct Count {
    /// `peering`, `Application`
    kind: &'static str,
    /// How many were judged.
    judged: usize,
    /// How many there are.
    of: usize,
}

/// What was judged, and what was not.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// How many of each kind.
    judged: Vec<Count>,
    /// What was not, at most 100.
    not_judged: Vec<NotJudged>,
    /// How many notes `validate --allow` left out.
    allowed: usize,
}

impl Judged {
    /// Adds things of a kind that were judged.
    pub fn add(&mut self, kind: &'static str, count: usize) {
        self.count(kind, count, count);
    }

    /// Adds one that should be judged, and cannot be.
    pub fn leave_out(
        &mut self,
        kind: &'static str,
        what: impl Into<String>,
        reason: impl Into<String>,
    ) {
        self.leave(kind, what, reason, true);
    }

    /// Adds one that this run was not asked to judge.
    pub fn pass_over(
        &mut self,
        kind: &'static str,
        what: impl Into<String>,
        reason: impl Into<String>,
    ) {
        self.leave(kind, what, reason, false);
    }

    /// Counts notes that the user allowed.
    pub(crate) const fn allow(&mut self, notes: usize) {
        self.allowed += notes;
    }

    /// `1 note allowed`; `None` if no note is.
    fn allowed_line(&self) -> Option<String> {
        (self.allowed > 0).then(|| format!("{} allowed", counted(self.allowed, "note")))
    }

    /// Adds one that is not judged. Several of one file with the same reason become one entry.
    pub(crate) fn leave(
        &mut self,
        kind: &'static str,
        what: impl Into<String>,
        reason: impl Into<String>,
        asked: bool,
    ) {
        self.count(kind, 0, 1);
        let (what, general) = (what.into(), reason.into());
        let reason = general.replace(FILE, &what).into();
        let (what, general) = (what.into(), general.into());
        let mut known = self.not_judged.iter_mut();
        if let Some(it) = known.find(|it| it.kind == kind && it.what == what && it.reason == reason)
        {
            it.count += 1;
        } else if self.not_judged.len() < KEPT {
            self.not_judged.push(NotJudged {
                kind,
                what,
                count: 1,
                reason,
                general,
                asked,
            });
        }
    }

    /// Adds to the count of a kind, which begins at zero.
    fn count(&mut self, kind: &'static str, judged: usize, of: usize) {
        match self.judged.iter_mut().find(|it| it.kind == kind) {
            Some(count) => (count.judged, count.of) = (count.judged + judged, count.of + of),
            None if of > 0 => self.judged.push(Count { kind, judged, of }),
            None => {}
        }
    }

    /// What was not judged.
    pub fn not_judged(&self) -> impl Iterator<Item = &NotJudged> {
        self.not_judged.iter()
    }

    /// The things that should have been judged and were not.
    pub fn requested(&self) -> impl Iterator<Item = &NotJudged> {
        self.not_judged.iter().filter(|it| it.asked)
    }

    /// The last line that a person reads; `None` if everything was judged and no note was allowed.
    pub fn line(&self) -> Option<String> {
        if self.not_judged.is_empty() {
            return self.allowed_line();
        }
        // the counts of other kinds matter only if something asked for was not judged
        let shown = match self.requested().next() {
            Some(_) => self.judged.len(),
            None => 1,
        };
        let judged = self.judged.iter().take(shown).filter(|it| it.judged > 0);
        let judged: Vec<String> = judged.map(part_judged).collect();
        let mut parts = self.left_out_lines();
        if !judged.is_empty() {
            parts.insert(0, format!("{} judged", list_and(&judged)));
        }
        parts.extend(self.allowed_line());
        Some(parts.join("; "))
    }

    /// The things that were not judged, grouped by reason.
    fn left_out_lines(&self) -> Vec<String> {
        let mut reasons: Vec<(&Shown, Vec<&NotJudged>)> = Vec::new();
        for it in &self.not_judged {
            let mut known = reasons.iter_mut();
            match known.find(|(general, _)| **general == it.general) {
                Some((_, all)) => all.push(it),
                None => reasons.push((&it.general, vec![it])),
            }
        }
        let mut more: usize = self.judged.iter().map(|it| it.of - it.judged).sum();
        let mut lines = Vec::new();
        for (general, all) in reasons.into_iter().take(SHOWN) {
            for it in &all {
                more = more.saturating_sub(it.count);
            }
            lines.push(line_of(general, &all));
        }
        lines.extend((more > 0).then(|| format!("and {more} more")));
        lines
    }
}

fn line_of(general: &Shown, all: &[&NotJudged]) -> String {
    if let [one] = all {
        return format!("not {}: {}", one.named(), one.reason.as_str());
    }
    let more = all.len().saturating_sub(SHOWN);
    let mut names: Vec<String> = all.iter().take(SHOWN).map(|it| it.named()).collect();
    names.extend((more > 0).then(|| format!("{more} more")));
    format!("not {}: {}", list_and(&names), general.as_str())
}

/// `2 peerings`, `1 of 2 Applications`
fn part_judged(it: &Count) -> String {
    let all = counted(it.of, it.kind);
    if it.judged == it.of {
        all
    } else {
        format!("{} of {all}", it.judged)
    }
}

impl NotJudged {
    /// Its name in a sentence.
    pub fn named(&self) -> String {
        let what = self.what.as_str();
        if self.count == 1 {
            what.to_owned()
        } else {
            format!("{} of {what}", counted(self.count, self.kind))
        }
    }
}

/// The text for programs that show it to people, masked.
impl fmt::Display for NotJudged {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "not judged: {}: {}",
            self.what.masked(),
            self.reason.masked()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Judged;

    #[test]
    fn what_was_not_judged_is_in_the_line_with_its_reason() {
        let mut judged = Judged::default();
        judged.add("peering", 1);
        judged.add("Application", 2);
        judged.add("ApplicationSet", 1);
        assert_eq!(judged.line(), None, "all was judged");
        judged.leave_out(
            "ApplicationSet",
            "`apps/set.yaml`",
            "its generator is `scmProvider`",
        );
        assert_eq!(
            judged.line().as_deref(),
            Some(
                "1 peering, 2 Applications and 1 of 2 ApplicationSets judged; not `apps/set.yaml`: its generator is `scmProvider`"
            )
        );
    }

    #[test]
    fn several_of_one_file_are_counted() {
        let mut judged = Judged::default();
        for reason in ["a", "a", "b"] {
            judged.leave_out("Application", "`apps.yaml`", reason);
        }
        judged.add("Application", 1);
        assert_eq!(
            judged.line().as_deref(),
            Some(
                "1 of 4 Applications judged; not 2 Applications of `apps.yaml`: a; not `apps.yaml`: b"
            )
        );
    }

    #[test]
    fn a_line_names_three_and_counts_the_rest() {
        for (count, end) in [
            (
                4,
                "not `0`, `1`, `2` and 1 more: its generator is not known; not the terms of 2 sealed files: no identity is given",
            ),
            (
                100,
                "not `0`, `1`, `2` and 97 more: its generator is not known; and 1 more",
            ),
        ] {
            let mut judged = Judged::default();
            for number in 0..count {
                judged.leave_out(
                    "ApplicationSet",
                    format!("`{number}`"),
                    "its generator is not known",
                );
            }
            judged.pass_over(
                "sealed file",
                "the terms of 2 sealed files",
                "no identity is given",
            );
            assert_eq!(judged.requested().count(), count.min(super::KEPT));
            let line = judged.line().unwrap_or_default();
            assert!(line.ends_with(end), "{line}");
        }
    }
}
