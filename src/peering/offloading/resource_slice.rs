//! The ResourceSlice: resources that the consumer asks the provider for (liqo
//! `apis/authentication/v1beta1/resourceslice_types.go`).

pub(crate) mod live;

use crate::document::{Located, records};
use crate::object::{Kind, Manifest, Wave, fields, kind};
use crate::peering::context::Context;
use crate::peering::names;
use crate::peering::side::Side;
use crate::peering::values::{Class, Metadata, Resources, Role, SliceName};

records! {
    /// Resources that the consumer asks the provider for.
    ResourceSliceSpec {
        /// The slice, its virtual node and its Node. Default: the provider's cluster ID.
        ours "name" => name: optional Located<SliceName>;
        /// The class by which the provider chooses who answers. Default: `default`.
        "class" => class: default Class = Class::liqo();
        /// What the consumer asks for. The provider's Liqo fills in what is left out.
        "resources" => resources: or_empty Resources;
        /// Whether Liqo makes a virtual node of it. Default: true.
        ours "createVirtualNode" => create_virtual_node: default bool = true;
        /// Labels and annotations of the `ResourceSlice`.
        ours "metadata" => metadata: or_empty Metadata;
    }
}

/// Resources that the consumer asks the provider for, complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceSlice {
    /// Also the Node's name.
    pub name: Located<SliceName>,
    /// Everything else, as it is written.
    pub written: ResourceSliceSpec,
}

pub(crate) static KIND: Kind = kind!("ResourceSlice", Wave::Slice, "resource_slice.yaml.j2", live::LIVE);

pub(super) fn resolve(
    context: &mut Context<'_, '_>,
    written: &ResourceSliceSpec,
    user: Role,
) -> Option<ResourceSlice> {
    let peer = &context.cluster(user.peer()).cluster_id;
    let instead = match user {
        Role::Consumer => "offloading.resourceSlices[].name",
        Role::Provider => "reverse.offloading.resourceSlices[].name",
    };
    let name = match &written.name {
        Some(name) => name.clone(),
        None => context.name_after("the slice", peer.as_str(), peer.span, instead)?,
    };
    Some(ResourceSlice { name, written: written.clone() })
}

impl ResourceSlice {
    pub(super) fn manifest(&self, side: &Side<'_>) -> Manifest {
        let peer = &*side.peer.id;
        let meta = side
            .object(&*self.name)
            // without these two Liqo neither signs nor replicates it
            .label(names::REMOTE_ID, peer)
            .label(names::REPLICATION, "true")
            .annotation(names::CREATE_VIRTUAL_NODE, self.written.create_virtual_node);
        let spec = fields! { peer: peer, written: self.written };
        side.manifest(&KIND, meta, Some(&self.written.metadata), spec)
    }
}
