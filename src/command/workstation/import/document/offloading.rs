//! What one side uses of the other one: slices, virtual nodes, namespaces.

use super::{extra, extra_where};
use crate::command::workstation::import::manifest::list;
use crate::command::workstation::import::side::{Side, selected};
use crate::command::workstation::import::yaml::{Content as _, Fields, Yaml};
use crate::object::live::Live;
use crate::peering::names;
use crate::peering::offloading::resource_slice::live::creates_virtual_node;
use crate::peering::offloading::virtual_node::VirtualNodeSpec;
use crate::peering::offloading::{namespace, resource_slice, virtual_node};
use crate::peering::values::reserved;

pub(super) fn fields(user: &Side) -> Fields {
    let list = |items: Vec<Fields>| {
        (!items.is_empty()).then(|| Yaml::List(items.into_iter().map(Yaml::Map).collect()))
    };
    let slices = user.all(resource_slice::KIND.live).map(|it| slice(it, &user.peer)).collect();
    let nodes = user.all(virtual_node::KIND.live).map(custom_node).collect();
    let offloaded = user.all(namespace::OFFLOADING.live);
    let namespaces = offloaded.map(|it| offloaded_namespace(it, user)).collect();
    Fields::default()
        .with("resourceSlices", list(slices))
        .with("namespaces", list(namespaces))
        .with("virtualNodes", list(nodes))
}

fn slice(slice: &Live, peer: &str) -> Fields {
    Fields::default()
        .unusual("name", Some(slice.name()), peer)
        .unusual("class", slice.string("/spec/class"), "default")
        .with("resources", slice.at("/spec/resources"))
        .with("createVirtualNode", (!creates_virtual_node(slice)).then_some(false))
        .with("metadata", extra(Some(slice)))
}

fn custom_node(node: &Live) -> Fields {
    let secret = node.text("/spec/kubeconfigSecretRef/name");
    let slice = node.label(names::SLICE_NAME);
    let slice = slice.or_else(|| secret.strip_prefix("kubeconfig-resourceslice-")).unwrap_or_default();
    let fields = Fields::default().unusual("name", Some(node.name()), slice).with("resourceSlice", slice);
    let own = ["name", "resourceSlice", "metadata"];
    let liqo = VirtualNodeSpec::FIELDS.iter().filter(|field| !own.contains(field));
    liqo.fold(fields, |fields, field| fields.with(field, node.at(&format!("/spec/{field}"))))
        .with("metadata", extra(Some(node)))
}

fn offloaded_namespace(offloading: &Live, user: &Side) -> Fields {
    let terms = list(offloading, "/spec/clusterSelector/nodeSelectorTerms");
    let clusters = if selected(offloading).is_some() {
        "thisPeer".yaml()
    } else if terms.is_empty() {
        "all".yaml()
    } else {
        Fields::default().with("clusterSelector", offloading.at("/spec/clusterSelector")).yaml()
    };
    let created = user.all(namespace::WORKLOAD.live).find(|it| it.name() == offloading.namespace());
    Fields::default()
        .with("name", offloading.namespace())
        .with("create", created.map(|_| true))
        .with("clusters", clusters)
        .unusual("podOffloadingStrategy", offloading.string("/spec/podOffloadingStrategy"), "LocalAndRemote")
        .unusual(
            "namespaceMappingStrategy",
            offloading.string("/spec/namespaceMappingStrategy"),
            "DefaultName",
        )
        .with("remoteNamespaceName", offloading.string("/spec/remoteNamespaceName"))
        .with("metadata", extra(Some(offloading)))
        .with("namespaceMetadata", extra_where(created, |key| reserved::free_for_workloads(key).is_ok()))
}
