//! The edit of `peering.yaml`.

use super::super::RotationProblem;
use super::DocumentEdit;
use crate::custody::Error;
use crate::diagnostic::Source;
use crate::input::yaml::{self, Node, Value};
use crate::peering::Peering;
use crate::peering::values::Role;
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
        let mut fields = Vec::new();
        let generation = edit.generation;
        if role == edit.side && before.clusters.of(role).generation != generation {
            fields.push(("keyGeneration", generation.get().to_string()));
        }
        fields.extend(edit.day.filter(|_| edit.replaces(role)).map(|day| ("keyRotated", day.to_string())));
        let (written, new): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|(name, _)| child(cluster, name).is_some());
        for (name, value) in written {
            edits.push((child(cluster, name)?.span.into(), value));
        }
        if !new.is_empty() {
            let after = if child(cluster, "keyGeneration").is_some() { "keyGeneration" } else { "clusterID" };
            let new: Vec<_> = new.into_iter().map(|(name, value)| format!("{name}: {value}")).collect();
            edits.push(insert_fields(text, cluster, after, &new)?);
        }
    }
    Some(edits)
}

/// New fields after another one, in the style of the map: on their own lines, or after a comma.
fn insert_fields(text: &str, cluster: &Node, after: &str, fields: &[String]) -> Option<Edit> {
    let (key, value) = entry(cluster, after)?;
    // the span of a block scalar ends after its line break
    let end = text.get(..value.span.end)?.trim_end().len();
    if text.get(cluster.span.start..)?.starts_with('{') {
        return Some((end..end, format!(", {}", fields.join(", "))));
    }
    let line = text.get(..key.span.start)?.rfind('\n').map_or(0, |at| at + 1);
    let indent: String = text.get(line..key.span.start)?.chars().map(|_| ' ').collect();
    let (at, before, lines) = match text.get(end..)?.find('\n') {
        Some(rest) if text.get(..end + rest)?.ends_with('\r') => (end + rest + 1, "", "\r\n"),
        Some(rest) => (end + rest + 1, "", "\n"),
        None => (text.len(), "\n", "\n"),
    };
    let fields = fields.join(&format!("{lines}{indent}"));
    Some((at..at, format!("{before}{indent}{fields}{lines}")))
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
