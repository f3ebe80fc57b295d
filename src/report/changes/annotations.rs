//! The outcome as findings, for the forms that code hosts show beside a pull request's lines.

use crate::diagnostic::{Finding, Severity};
use crate::input::folder::DOCUMENT;
use crate::judge::change::{Change, Changed, Changes, Consequence};
use crate::object::live::Impact;
use crate::report::Report;
use std::collections::BTreeMap;
use std::path::Path;

/// Each consequence of a peering that is worse than harmless, once, at its document; the worst come first.
pub(crate) fn annotations(changes: &Changes) -> Report {
    let mut findings: Vec<(Impact, Finding)> = changes.changed.iter().flat_map(of_peering).collect();
    findings.sort_by_key(|(class, _)| std::cmp::Reverse(*class));
    Report {
        peerings: changes.peerings,
        headline: None,
        findings: findings.into_iter().map(|(_, finding)| finding).collect(),
        more: 0,
        judged: changes.judged.clone(),
    }
}

fn of_peering(peering: &Changed) -> Vec<(Impact, Finding)> {
    let mut objects: BTreeMap<&Consequence, Vec<&Change>> = BTreeMap::new();
    for it in &peering.notes {
        objects.entry(it).or_default();
    }
    for change in &peering.objects {
        for it in &change.effects {
            objects.entry(it).or_default().push(change);
        }
    }
    let file = Path::new(peering.folder.as_str()).join(DOCUMENT).display().to_string();
    let is_hazard = |(it, _): &(&Consequence, Vec<&Change>)| it.class > Impact::Harmless;
    let finding = |(it, changes): (&Consequence, Vec<&Change>)| {
        let level = if it.class == Impact::Attention { Severity::Note } else { Severity::Warning };
        let words = it.message.as_str().replace("**", "");
        let finding = Finding::new(level, it.class.page(), words).beginning(&file);
        (it.class, Finding { object: objects_of(&changes).map(Into::into), ..finding })
    };
    objects.into_iter().filter(is_hazard).map(finding).collect()
}

/// The first object, and how many more there are.
fn objects_of(changes: &[&Change]) -> Option<String> {
    let first = changes.first()?;
    let role = first.role.map(|role| format!("{role}: ")).unwrap_or_default();
    let more = match changes.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("{role}{} {}{more}", first.kind.as_str(), first.name.as_str()))
}
