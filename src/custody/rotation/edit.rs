//! The edit of `peering.yaml`.

use super::super::RotationProblem;
use super::DocumentEdit;
use crate::custody::Error;
use crate::diagnostic::Source;
use crate::input::yaml::{self, Node, Value};
use crate::peering::Peering;
use crate::peering::values::{Generation, Role, Sides};
use crate::rules;
use std::ops::Range;

/// A range of the text and its new content.
type Edit = (Range<usize>, String);

/// The document after a rotation, and the peering that it describes. Everything that is not a key or its generation stays,
/// byte for byte. A text that cannot be edited to exactly this is refused.
pub(crate) fn edit_document(
    source: &Source,
    before: &Peering,
    edit: &DocumentEdit,
) -> Result<(Source, Peering), Error> {
    let text = source.text();
    let mut edits = edits(text, before, edit).ok_or(RotationProblem::Layout)?;
    // from the end, so that earlier ranges stay valid
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut edited = text.to_owned();
    for (range, new) in edits {
        if edited.get(range.clone()).is_none() {
            return Err(RotationProblem::Layout.into());
        }
        edited.replace_range(range, &new);
    }
    let edited = Source::new(source.name(), edited);
    match rules::read(&edited) {
        Ok(after) if after == edit.applied_to(before) => Ok((edited, after)),
        _ => Err(RotationProblem::Layout.into()),
    }
}

fn edits(text: &str, before: &Peering, edit: &DocumentEdit) -> Option<Vec<Edit>> {
    let root = yaml::parse(text).ok()?;
    let mut edits = Vec::new();
    for role in Role::BOTH {
        let cluster = child(child(&root, "spec")?, role.word())?;
        if let Some(written) = child(cluster, "publicKey")
            && let Some(new) = edit.keys.of(role)
        {
            edits.push((written.span.into(), format!("\"{new}\"")));
        }
        let generation = edit.generation;
        if role == edit.side && before.clusters.of(role).generation != generation {
            edits.push(match child(cluster, "keyGeneration") {
                Some(written) => (written.span.into(), generation.get().to_string()),
                None => insert_field(text, cluster, &format!("keyGeneration: {}", generation.get()))?,
            });
        }
    }
    Some(edits)
}

/// Both sides' generations in a text that may be an old version's: nothing else of it is read. None if it has not both sides, or
/// a generation that is not a number.
pub(crate) fn written_generations(text: &str) -> Option<Sides<u32>> {
    let root = yaml::parse(text).ok()?;
    let spec = child(&root, "spec")?;
    let generation = |role: Role| {
        let Some(written) = child(child(spec, role.word())?, "keyGeneration") else {
            return Some(Generation::FIRST.get());
        };
        let Value::Plain(text) = &written.value else { return None };
        text.parse().ok()
    };
    Some(Sides { consumer: generation(Role::Consumer)?, provider: generation(Role::Provider)? })
}

/// A new field after `clusterID`, in the style of the map: on its own line, or after a comma.
fn insert_field(text: &str, cluster: &Node, field: &str) -> Option<Edit> {
    let (key, id) = entry(cluster, "clusterID")?;
    // the span of a block scalar ends after its line break
    let end = text.get(..id.span.end)?.trim_end().len();
    if text.get(cluster.span.start..)?.starts_with('{') {
        return Some((end..end, format!(", {field}")));
    }
    let line = text.get(..key.span.start)?.rfind('\n').map_or(0, |at| at + 1);
    let indent: String = text.get(line..key.span.start)?.chars().map(|_| ' ').collect();
    match text.get(end..)?.find('\n') {
        Some(rest) => {
            let at = end + rest;
            let lines = if text.get(..at)?.ends_with('\r') { "\r\n" } else { "\n" };
            Some((at + 1..at + 1, format!("{indent}{field}{lines}")))
        }
        None => Some((text.len()..text.len(), format!("\n{indent}{field}\n"))),
    }
}

fn child<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    entry(node, name).map(|(_, value)| value)
}

fn entry<'n>(node: &'n Node, name: &str) -> Option<(&'n Node, &'n Node)> {
    let Value::Map(entries) = &node.value else {
        return None;
    };
    entries
        .iter()
        .map(|(key, value)| (key, value))
        .find(|(key, _)| matches!(&key.value, Value::Plain(text) | Value::Quoted(text) if text == name))
}

#[cfg(test)]
mod tests;
