//! A side's stream beside its live cluster, through `kubectl get`.

use super::objects::{Id, Row};
use crate::command::Streams;
use crate::command::error::{Error, ProgramProblem};
use crate::command::workstation::budget::whole;
use crate::command::workstation::compare::{Mode, differences, is_placeholder};
use crate::command::workstation::kubectl::Kubectl;
use crate::command::workstation::plan::planned;
use crate::object::live::Live;
use crate::peering::{Material, Peering, Role};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// What a sync of this stream would change. Of Secrets only whether they exist.
pub(super) fn compared(
    kubectl: &Kubectl<'_>,
    peering: &Peering,
    role: Role,
    streams: &mut Streams<'_>,
) -> Result<Vec<Row>, Error> {
    let cluster = peering.clusters.of(role).id.to_string();
    let planned = planned(peering, role, &Material::public(peering, role))?;
    let mut found: BTreeMap<(String, String), BTreeMap<String, Option<Live>>> = BTreeMap::new();
    let mut rows = Vec::new();
    for object in &planned {
        let id = Id::of(object);
        let place = (resource(&id), id.namespace.clone());
        let there = match found.entry(place) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let read = read(kubectl, &id, streams).map_err(|problem| kubectl.failed(problem))?;
                entry.insert(read)
            }
        };
        // a Secret of keys that were not derived has an unknown name
        let is_there = if is_placeholder(&id.name) {
            there.iter().find(|(name, _)| name.starts_with("gw-keys-")).map(|(_, live)| live)
        } else {
            there.get(&id.name)
        };
        match is_there {
            None => rows.push(Row::added(role, &cluster, object)),
            Some(None) => {}
            Some(Some(live)) => {
                let differences = differences(&live.value, &object.value, Mode::Live);
                let changes = differences.into_iter().map(|it| it.change(object)).collect();
                rows.extend(Row::changed(role, &cluster, object, changes));
            }
        }
    }
    Ok(rows)
}

/// The objects of a kind in a namespace by their names; none in place of a Secret.
fn read(
    kubectl: &Kubectl<'_>,
    id: &Id,
    streams: &mut Streams<'_>,
) -> Result<BTreeMap<String, Option<Live>>, ProgramProblem> {
    let resource = resource(id);
    let mut arguments = vec![resource.as_str()];
    if !id.namespace.is_empty() {
        arguments.extend(["-n", id.namespace.as_str()]);
    }
    if id.kind == "Secret" {
        arguments.extend(["--no-headers", "-o", "custom-columns=NAME:.metadata.name"]);
        let names = kubectl.rows(&arguments, streams)?;
        return Ok(names.iter().map(|name| (name.trim().to_owned(), None)).collect());
    }
    let objects = kubectl.objects(&arguments, whole, streams)?;
    Ok(objects.into_iter().map(|it| (it.name().to_owned(), Some(it))).collect())
}

/// A kind as `kubectl get` takes it: `Tenant.v1beta1.authentication.liqo.io`.
fn resource(id: &Id) -> String {
    match id.api_version.split_once('/') {
        Some((group, version)) => format!("{}.{version}.{group}", id.kind),
        None => id.kind.clone(),
    }
}
