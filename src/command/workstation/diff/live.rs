//! A side's stream beside its live cluster, through `kubectl get`.

use super::objects::Row;
use crate::command::error::Error;
use crate::command::workstation::compare::{Mode, differences};
use crate::command::workstation::plan::planned;
use crate::object::live::Object;
use crate::peering::{Material, Peering, Role};
use crate::state::cluster::{Kubectl, Snapshot, whole};
use std::collections::BTreeSet;

/// What a sync of this stream would change. Of Secrets only whether they exist.
pub(super) fn compared(kubectl: &mut Kubectl<'_>, peering: &Peering, role: Role) -> Result<Vec<Row>, Error> {
    let cluster = peering.clusters.of(role).id.to_string();
    let planned = planned(peering, role, &Material::public(peering, role))?;
    let mut live = Snapshot::default();
    let places: BTreeSet<_> = planned.iter().map(|it| (it.namespace(), resource(it))).collect();
    for (namespace, resource) in &places {
        let scope: &[&str] = if namespace.is_empty() { &[] } else { &["-n", namespace] };
        live.objects.extend(kubectl.require(&[resource], scope, whole)?);
    }
    let row = |object: &Object| match live.find(object) {
        None => Some(Row::added(Some(role), &cluster, object)),
        Some(_) if object.kind() == "Secret" => None,
        Some(live) => {
            let differences = differences(&live.value, &object.value, Mode::Live);
            let changes = differences.into_iter().map(|it| it.change(object)).collect();
            Row::changed(Some(role), &cluster, object, changes)
        }
    };
    Ok(planned.iter().filter_map(row).collect())
}

/// A kind as `kubectl get` takes it: `Tenant.v1beta1.authentication.liqo.io`.
fn resource(object: &Object) -> String {
    match object.text("/apiVersion").split_once('/') {
        Some((group, version)) => format!("{}.{version}.{group}", object.kind()),
        None => object.kind().to_owned(),
    }
}
