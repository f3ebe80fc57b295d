//! Contradictions between documents about a cluster, reported on the later document.

use super::judgement::Judgement;
use super::world::World;
use crate::diagnostic::{Invalid, Label, Problems, Source};
use crate::input::yaml;
use crate::judge::claims::{self, Member};
use crate::state::repo::FoundDocument;
use std::collections::BTreeMap;

pub(super) fn judge(world: &World, judgement: &mut Judgement) {
    let mut members = Vec::new();
    for &number in &world.order {
        if let Some(document) = world.documents.get(number)
            && let (Some(source), Some(peering)) = (document.source(), document.peering())
        {
            members.push(Member::new(number, source, peering));
        }
    }
    let mut found = Vec::new();
    for (number, problems) in claims::conflicts(&members) {
        let document = world.documents.get(number);
        if let Some(source) = document.and_then(FoundDocument::source) {
            found.push((number, source, problems));
        }
    }
    name_fields(&mut found);
    for (number, source, problems) in found {
        let source = source.clone();
        judgement.add(Some(number), Invalid { problems, source });
    }
}

/// Sets the fields at the places of the conflicts. Each document is read once.
fn name_fields(found: &mut [(usize, &Source, Problems)]) {
    let mut labels: BTreeMap<Source, Vec<&mut Label>> = BTreeMap::new();
    for (_, source, problems) in found {
        for (other, label) in problems.labels_mut() {
            let source = other.unwrap_or(source).clone();
            labels.entry(source).or_default().push(label);
        }
    }
    for (source, labels) in labels {
        if let Ok(root) = yaml::parse(source.text()) {
            root.name_fields(labels);
        }
    }
}
