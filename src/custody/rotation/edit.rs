//! The edit of `peering.yaml`.

use super::super::RotationProblem;
use super::DocumentEdit;
use crate::custody::Error;
use crate::diagnostic::Source;
use crate::input::yaml::{self, Setting};
use crate::peering::Peering;
use crate::peering::values::Role;
use crate::rules;
use serde_json::json;

/// The document after a rotation, and the peering that it describes. Everything that is not a key or its generation stays,
/// byte for byte. A text that cannot be edited to exactly this is refused.
pub(crate) fn edit_document(
    source: &Source,
    before: &Peering,
    edit: &DocumentEdit,
) -> Result<(Source, Peering), Error> {
    let edited = yaml::edit(source.text(), &settings(before, edit), |_| false);
    let edited = Source::new(source.name(), edited.map_err(|_| RotationProblem::Layout)?.0);
    match rules::read(&edited) {
        Ok(after) if after == edit.applied_to(before) => Ok((edited, after)),
        _ => Err(RotationProblem::Layout.into()),
    }
}

fn settings(before: &Peering, edit: &DocumentEdit) -> Vec<Setting> {
    let mut settings = Vec::new();
    for role in Role::BOTH {
        let mut set = |field: &str, value, after| {
            settings.push(Setting::new(&format!("spec.{role}.{field}"), value).after(after));
        };
        let own = before.clusters.of(role);
        if let Some(new) = edit.keys.of(role).filter(|_| own.public_key.is_some()) {
            set("publicKey", json!(new.to_string()), &[]);
        }
        if role == edit.side && own.generation != edit.generation {
            set("keyGeneration", json!(edit.generation.get()), &["clusterID"]);
        }
        if let Some(day) = edit.day.filter(|_| edit.replaces(role)) {
            set("keyRotated", json!(day), &["keyGeneration", "clusterID"]);
        }
    }
    settings
}

#[cfg(test)]
mod tests;
