//! Contradictions between documents about a cluster, reported on the later document.

use super::judgement::Judgement;
use super::world::World;
use crate::diagnostic::{Invalid, Label, Problems, Source};
use crate::input::yaml;
use crate::judge::claims::{self, Member};
use std::collections::BTreeMap;

pub(super) fn judge(world: &World, judgement: &mut Judgement) {
    let mut members = Vec::new();
    for &number in &world.order {
        let document = world.documents.get(number);
        let peering = document.and_then(|it| it.source().zip(it.peering()));
        members.extend(peering.map(|(source, peering)| Member::new(number, source, peering)));
    }
    let mut found = Vec::new();
    for (number, problems) in claims::conflicts(&members) {
        let source = world.documents.get(number).and_then(|it| it.source());
        found.extend(source.map(|source| (number, source, problems)));
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
