//! What one side uses of the other one: slices, virtual nodes, namespaces.

use crate::command::workstation::import::side::Side;
use crate::object::live::{Fields, Object, Yaml};
use crate::peering::offloading::{namespace, resource_slice, virtual_node};
use std::collections::BTreeMap;

pub(super) fn fields(user: &Side) -> Fields {
    let list = |items: Vec<Fields>| {
        (!items.is_empty()).then(|| Yaml::List(items.into_iter().map(Yaml::Map).collect()))
    };
    let slices = user.all(resource_slice::KIND.live);
    let names: Vec<&str> = user.all(resource_slice::KIND.live).map(Object::name).collect();
    let slices = slices.map(|it| resource_slice::live::read_back(it, &user.peer)).collect();
    let nodes =
        user.all(virtual_node::KIND.live).map(|it| virtual_node::live::read_back(it, &names)).collect();
    let created: BTreeMap<&str, &Object> =
        user.all(namespace::WORKLOAD.live).map(|it| (it.name(), it)).collect();
    let read_back = |it| namespace::live::read_back(it, created.get(it.namespace()).copied());
    let namespaces = user.offloaded().map(read_back).collect();
    Fields::default()
        .with("resourceSlices", list(slices))
        .with("namespaces", list(namespaces))
        .with("virtualNodes", list(nodes))
}
