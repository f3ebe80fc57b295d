//! VALIDATE: rules across fields, one file a rule, and across peerings ([`fleet`]).
//!
//! They read the resolved peering, whose values have their places, so no rule fills in a default again.

mod cidr_overlap;
mod different_clusters;
pub mod fleet;
mod namespaces;
mod sealed_files;
mod secrets;
mod seeds;
mod slices;
mod subject;
mod unused_settings;

use crate::command::error::Error;
use crate::diagnostic::{Code, Problems, Rule, Span};
use crate::input::folder::Source;
use crate::peering::{self, Peering, Role};
use std::collections::BTreeMap;

/// Every rule within one peering.
const RULES: [fn(&Peering, &mut Problems); 9] = [
    different_clusters::check,
    seeds::check,
    cidr_overlap::check,
    unused_settings::check,
    secrets::check,
    sealed_files::check,
    namespaces::check,
    slices::check,
    subject::check,
];

/// The peering that a text describes.
///
/// # Errors
/// With every problem that was found: of its shape and single values first; if there are none, of its meaning.
pub fn read(source: &Source) -> Result<Peering, Error> {
    let invalid =
        |problems: Problems| Error::Document { problems: problems.sorted(), text: Box::new(source.clone()) };
    let root = crate::input::yaml::parse(source.text()).map_err(invalid)?;
    let (document, newer) = peering::parse(&root).map_err(invalid)?;
    let mut problems = Problems::default();
    let peering = peering::resolve(&document, &newer, &mut problems);
    if let Some(peering) = &peering {
        check(peering, &mut problems);
    }
    match peering {
        Some(peering) if problems.is_empty() => Ok(peering),
        _ => Err(invalid(problems)),
    }
}

/// Checks every rule within one peering.
pub fn check(peering: &Peering, problems: &mut Problems) {
    for rule in RULES {
        rule(peering, problems);
    }
}

/// Two things with one name in one list.
fn unique<'n>(names: impl Iterator<Item = (&'n str, Span)>, what: &str, problems: &mut Problems) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for (name, span) in names {
        if let Some(first) = seen.get(name) {
            let rule = Rule::new(Code::DuplicateName, format!("there are two {what}s `{name}`"))
                .help("give each its own name, or remove one of them");
            problems.push(rule.at(span).and(*first, "the first gets its name here"));
        } else {
            seen.insert(name, span);
        }
    }
}

fn push(
    problems: &mut Problems,
    code: Code,
    span: Span,
    message: impl Into<String>,
    help: impl Into<String>,
) {
    problems.push(Rule::new(code, message).help(help).at(span));
}

/// The offloading of the direction in which this side is the one that uses the other.
fn offloading(peering: &Peering, user: Role) -> Option<&peering::offloading::Offloading> {
    peering.directions.of(user).offloading.as_ref().map(|offloading| &offloading.value)
}
