//! What one side uses of the other one: slices, virtual nodes, namespaces.

use super::{extra, extra_where};
use crate::command::workstation::import::manifest::Object;
use crate::command::workstation::import::side::Side;
use crate::command::workstation::import::yaml::{Content as _, Fields, Yaml};
use crate::peering::offloading::virtual_node::VirtualNodeSpec;
use crate::peering::values::reserved;

pub(super) fn fields(user: &Side) -> Fields {
    let list = |items: Vec<Fields>| {
        (!items.is_empty()).then(|| Yaml::List(items.into_iter().map(Yaml::Map).collect()))
    };
    let slices = user.all("ResourceSlice.authentication.liqo.io").map(|it| slice(it, &user.peer)).collect();
    let nodes = user.all("VirtualNode.offloading.liqo.io").map(virtual_node).collect();
    let offloaded = user.all("NamespaceOffloading.offloading.liqo.io");
    let namespaces = offloaded.map(|it| namespace(it, user)).collect();
    Fields::default()
        .with("resourceSlices", list(slices))
        .with("namespaces", list(namespaces))
        .with("virtualNodes", list(nodes))
}

fn slice(slice: &Object, peer: &str) -> Fields {
    // liqo `virtualnodecreator_controller.go`: any text but `false`
    let creates = slice.annotations.get("liqo.io/create-virtual-node");
    let creates = creates.is_some_and(|text| !text.is_empty() && !text.eq_ignore_ascii_case("false"));
    Fields::default()
        .unusual("name", Some(&slice.name), peer)
        .unusual("class", slice.text("/spec/class"), "default")
        .with("resources", slice.at("/spec/resources"))
        .with("createVirtualNode", (!creates).then_some(false))
        .with("metadata", extra(Some(slice)))
}

fn virtual_node(node: &Object) -> Fields {
    let secret = node.text("/spec/kubeconfigSecretRef/name").unwrap_or_default();
    let slice = node.labels.get("liqo.io/resourceslice-name").map(String::as_str);
    let slice = slice.or_else(|| secret.strip_prefix("kubeconfig-resourceslice-")).unwrap_or_default();
    let fields = Fields::default().unusual("name", Some(&node.name), slice).with("resourceSlice", slice);
    let own = ["name", "resourceSlice", "metadata"];
    let liqo = VirtualNodeSpec::FIELDS.iter().filter(|field| !own.contains(field));
    liqo.fold(fields, |fields, field| fields.with(field, node.at(&format!("/spec/{field}"))))
        .with("metadata", extra(Some(node)))
}

fn namespace(offloading: &Object, user: &Side) -> Fields {
    let terms = offloading.list("/spec/clusterSelector/nodeSelectorTerms");
    let clusters = if offloading.selected().is_some() {
        "thisPeer".yaml()
    } else if terms.is_empty() {
        "all".yaml()
    } else {
        Fields::default().with("clusterSelector", offloading.at("/spec/clusterSelector")).yaml()
    };
    let created = user.all("Namespace").find(|it| it.name == offloading.namespace);
    Fields::default()
        .with("name", offloading.namespace.as_str())
        .with("create", created.map(|_| true))
        .with("clusters", clusters)
        .unusual("podOffloadingStrategy", offloading.text("/spec/podOffloadingStrategy"), "LocalAndRemote")
        .unusual("namespaceMappingStrategy", offloading.text("/spec/namespaceMappingStrategy"), "DefaultName")
        .with("remoteNamespaceName", offloading.text("/spec/remoteNamespaceName"))
        .with("metadata", extra(Some(offloading)))
        .with("namespaceMetadata", extra_where(created, |key| reserved::free_for_workloads(key).is_ok()))
}
