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

use crate::diagnostic::{Code, Invalid, Problems, Rule, Source};
use crate::document::Located;
use crate::peering::{self, Parsed, Peering, Role};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Display;

/// Every rule about both sides of a peering. A problem that one finds refuses the document; what may be meant is in [`notes`].
const RULES: [fn(&Peering, &mut Problems); 5] = [
    different_clusters::check_different_clusters,
    modules::check_modules,
    modules::check_directions,
    sealed_files::check_seeds,
    sealed_files::check_uses,
];

/// Every rule about one side, or about what it uses of the other one.
const SIDE_RULES: [fn(&Peering, Role, &mut Problems); 11] = [
    different_clusters::check_api_server,
    delivery_needs::check_delivery,
    delivery_needs::check_store,
    cidr_overlap::check_cidr_overlap,
    unused_settings::check_unused_settings,
    secrets::check_secrets,
    namespaces::check_tenant_namespace,
    namespaces::check_offloaded,
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
        for role in Role::BOTH {
            for rule in SIDE_RULES {
                rule(peering, role, &mut problems);
            }
        }
    }
    (peering, problems)
}

/// The result for one document of a fleet.
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
                peering: None,
                problems: Some(invalid),
            };
        }
    };
    let (peering, mut problems) = resolve(&parsed);
    let peering = if problems.is_empty() { peering } else { None };
    if let Some(peering) = &peering {
        problems = notes::notes(&parsed, peering);
    }
    Examined {
        peering,
        problems: (!problems.is_empty()).then(|| parsed.invalid(problems)),
    }
}

/// Reports a name that is twice in a list.
fn unique<'n, N: Ord + Display + 'n>(
    names: impl Iterator<Item = &'n Located<N>>,
    what: &str,
    problems: &mut Problems,
) {
    let mut seen = BTreeMap::new();
    for name in names {
        let first = match seen.entry(&name.value) {
            Entry::Occupied(first) => *first.get(),
            Entry::Vacant(first) => {
                first.insert(name.span);
                continue;
            }
        };
        let rule = Rule::new(
            Code::DuplicateName,
            format!("there are two {what}s `{name}`"),
        )
        .help("rename one, or remove it");
        let problem = rule.mark(name.span);
        problems.push(problem.also(first, "the first is named here"));
    }
}

#[cfg(test)]
mod tests;
