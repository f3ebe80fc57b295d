//! VALIDATE: rules across fields, one file for each subject.
//!
//! They read the resolved peering, whose values have their places, so no rule fills in a default again.

mod cidr_overlap;
mod delivery_needs;
mod different_clusters;
mod modules;
mod namespaces;
mod notes;
pub(crate) mod pools;
mod sealed_files;
mod secrets;
mod selectors;
mod subject;
mod unused_settings;

use crate::diagnostic::{Code, Invalid, Problems, Rule, Source, Span};
use crate::peering::{self, Parsed, Peering};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Every rule within one peering. A problem that one finds refuses the document; what may be meant is in [`notes`].
const RULES: [fn(&Peering, &mut Problems); 12] = [
    different_clusters::check_different_clusters,
    modules::check_modules,
    sealed_files::check_seeds,
    delivery_needs::check_delivery,
    cidr_overlap::check_cidr_overlap,
    unused_settings::check_unused_settings,
    secrets::check_secrets,
    sealed_files::check_uses,
    namespaces::check_namespaces,
    modules::check_offloading,
    selectors::check_selectors,
    subject::check_subject,
];

/// The peering that a text describes.
///
/// # Errors
/// With every problem that was found: of its shape and single values first; if there are none, of its meaning.
pub fn parse(source: &Source) -> Result<Peering, Invalid> {
    validate(&peering::parse(source)?)
}

/// The peering that a parsed document describes.
///
/// # Errors
/// With every rule that it breaks.
pub fn validate(parsed: &Parsed) -> Result<Peering, Invalid> {
    match resolve(parsed) {
        (Some(peering), problems) if problems.is_empty() => Ok(peering),
        (_, problems) => Err(parsed.invalid(problems)),
    }
}

/// The peering of a document, if its values allow one, and the rules that it breaks.
fn resolve(parsed: &Parsed) -> (Option<Peering>, Problems) {
    let mut problems = Problems::default();
    let peering = parsed.resolve(&mut problems);
    if let Some(peering) = &peering {
        for rule in RULES {
            rule(peering, &mut problems);
        }
    }
    (peering, problems)
}

/// The result for one document of a fleet.
#[derive(Default)]
pub struct Examined {
    /// The peering, if the document is valid.
    pub peering: Option<Peering>,
    /// What is wrong; of a valid document, likely mistakes.
    pub problems: Option<Invalid>,
}

/// Examines a document as `validate` does.
pub fn examine(source: &Source) -> Examined {
    let parsed = match peering::parse(source) {
        Ok(parsed) => parsed,
        Err(invalid) => {
            return Examined {
                problems: Some(invalid),
                ..Examined::default()
            };
        }
    };
    let (peering, mut problems) = resolve(&parsed);
    let peering = peering.filter(|_| problems.is_empty());
    if let Some(peering) = &peering {
        problems = notes::notes(&parsed, peering);
    }
    Examined {
        peering,
        problems: (!problems.is_empty()).then(|| parsed.invalid(problems)),
    }
}

/// Reports a name that is twice in a list.
fn unique<'n>(names: impl Iterator<Item = (&'n str, Span)>, what: &str, problems: &mut Problems) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for (name, span) in names {
        match seen.entry(name) {
            Entry::Vacant(first) => {
                first.insert(span);
            }
            Entry::Occupied(first) => {
                let rule = Rule::new(
                    Code::DuplicateName,
                    format!("there are two {what}s `{name}`"),
                )
                .help("give each its own name, or remove one of them");
                problems.push(
                    rule.mark(span)
                        .also(*first.get(), "the first gets its name here"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests;
