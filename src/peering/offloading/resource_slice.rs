//! The ResourceSlice: resources that the consumer asks the provider for (liqo
//! `apis/authentication/v1beta1/resourceslice_types.go`).

use crate::diagnostic::quoted;
use crate::document::{Located, records};
use crate::object::live::Impact::{Attention, Data, Harmless, Rights};
use crate::object::live::{
    Check, Effect, Fields, Finding, LOGS, LiveHalf, Object, StatusContext, effect, error,
    is_missing,
};
use crate::object::{Kind, Manifest, fields, kind};
use crate::peering::context::Context;
use crate::peering::names;
use crate::peering::read_back::extra;
use crate::peering::side::Side;
use crate::peering::values::{Class, Metadata, Resources, Role, SliceName};
use std::time::Duration;
use x509_cert::der::DateTime;

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
    /// The name, also of the Node.
    pub name: Located<SliceName>,
    /// All other fields, as they are written.
    pub written: ResourceSliceSpec,
}

pub(crate) static KIND: Kind = kind!("ResourceSlice", Slice, "resource_slice", LIVE);

pub(super) fn resolve(
    context: &mut Context<'_, '_>,
    written: &ResourceSliceSpec,
    user: Role,
) -> Option<ResourceSlice> {
    let peer = &context.cluster(user.peer()).id;
    let instead = match user {
        Role::Consumer => "offloading.resourceSlices[].name",
        Role::Provider => "reverse.offloading.resourceSlices[].name",
    };
    let name = match &written.name {
        Some(name) => name.clone(),
        None => context.name_after("the slice", peer.as_str(), peer.span, instead)?,
    };
    Some(ResourceSlice {
        name,
        written: written.clone(),
    })
}

impl ResourceSlice {
    pub(super) fn manifest(&self, side: &Side<'_>) -> Manifest {
        let peer = &*side.peer.id;
        let meta = side
            .object_meta(&*self.name)
            // without these two labels, Liqo neither signs nor replicates the slice
            .label(names::REMOTE_ID, peer)
            .label(names::REPLICATION, "true")
            .annotation(names::CREATE_VIRTUAL_NODE, self.written.create_virtual_node);
        let spec = fields! { peer: peer, written: self.written };
        side.manifest(&KIND, meta, Some(&self.written.metadata), spec)
    }
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    effects: &[EFFECTS],
    status,
    // (liqo `apis/authentication/v1beta1/common_types.go`, AuthParams)
    certificate: Some("/status/authParams/signedCRT"),
    written_by_cluster: &["spec.csr", "spec.consumerClusterID"],
    ..LiveHalf::new(&["ResourceSlice"], "resourceslices.authentication.liqo.io")
};

/// The effect of a new slice or virtual node (liqo `offloading/namespacemap-controller`, `values.yaml`: `offloading.reflection`).
pub(super) const NODE_COMES: &str = "A virtual node appears, once the provider grants it. Namespaces whose `clusters` select it go there with Secrets, ConfigMaps and new pods.";

/// The effect of the removal of a slice or virtual node.
pub(super) const NODE_GOES: &str = "The virtual node is drained and deleted. With a provider's last one, the namespaces there go too, volumes included.";

/// The effect of another provider or slice in an object that exists.
pub(super) const ANOTHER_PEER: &str =
    "It is for another provider or slice: delete it, and Argo CD recreates it.";

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // LCM/quotacreator-controller/quotacreator_controller.go:88-108
    effect(&["spec.resources"], Harmless, "The provider's quota and the virtual node's size change; running pods stay."),
    effect(&["spec.class"], Attention, "A class other than `default` needs its own controller at the provider."),
    // LCM/virtualnodecreator-controller/virtualnodecreator_controller.go:83-88
    effect(&["metadata.annotations[liqo.io/create-virtual-node]=true"], Rights, NODE_COMES),
    effect(&["metadata.annotations[liqo.io/create-virtual-node]"], Attention, "Liqo creates no virtual node for the slice; an existing one stays."),
    effect(&["spec.providerClusterID"], Attention, ANOTHER_PEER),
    effect(&["+"], Rights, NODE_COMES),
    // LCM/offloading/virtualnode-controller/deletion-routine.go
    effect(&["-"], Data, NODE_GOES),
];

const ANSWER: &str = "check the credential's expiry, the provider's RoleBinding and Tenant, and liqo-crd-replicator's logs";

const NOT_REACHED: &str = "in Liqo's namespace at the consumer, `kubectl rollout restart deployment liqo-crd-replicator` tries again; then check the credential, and the provider's RoleBinding and Tenant";

const WITHDRAWN: &str = "the Tenant was `Drained`: sync it as `Active`, then restart the consumer's liqo-crd-replicator";

/// (liqo `apis/authentication/v1beta1/resourceslice_types.go`, ResourceSliceCondition)
fn status(object: &Object, StatusContext { offloading, .. }: &StatusContext<'_>) -> Vec<Finding> {
    let is_leaving = object.find("/metadata/deletionTimestamp").is_some();
    let is_own = !is_copy(object);
    if is_own && !is_leaving && is_missing(object.name(), offloading.copies.as_ref()) {
        return vec![without_copy(object, offloading.now)];
    }
    let mut findings = Vec::new();
    for condition in ["Authentication", "Resources"] {
        findings.extend(not_accepted(object, condition));
    }
    // Liqo makes a virtual node only from an accepted slice of this cluster
    let makes_node = creates_virtual_node(object) && is_own && findings.is_empty();
    if makes_node && is_missing(object.name(), offloading.virtual_nodes.as_ref()) {
        let message = "Liqo has not made its VirtualNode";
        findings.push(error(Check::Slice, message, LOGS));
    }
    findings
}

/// The longest pause of the replicator: it doubles the pause between two tries up to this (client-go
/// `util/workqueue/default_rate_limiters.go`, DefaultControllerRateLimiter).
const LONGEST_PAUSE: Duration = Duration::from_secs(1000);

/// The finding for a slice that the provider does not have. To the replicator, a forbidden copy is not an error, so it does not try again.
/// Since 1.1, each further try that fails doubles the pause (liqo `internal/crdReplicator/reflection/handler.go`, handle and
/// processNextWorkItem).
fn without_copy(object: &Object, now: Duration) -> Finding {
    if !object.list("/status/conditions").is_empty() {
        let message = "the provider answered it, and no longer has it";
        return error(Check::Withdrawn, message, WITHDRAWN);
    }
    let mut message = "it has not reached the provider".to_owned();
    if let Some(next) = next_try(object, now) {
        message += &format!("; Liqo tries again by about {next}");
    }
    error(Check::Slice, message, NOT_REACHED)
}

/// The time by which the replicator tries again.
fn next_try(object: &Object, now: Duration) -> Option<DateTime> {
    let age = now.saturating_sub(object.time("/metadata/creationTimestamp")?);
    DateTime::from_unix_duration(now + age.min(LONGEST_PAUSE)).ok()
}

/// The finding for a condition that the provider has not accepted.
fn not_accepted(object: &Object, name: &str) -> Option<Finding> {
    let (message, help) = match object.condition(name) {
        Some(("Accepted", _)) => return None,
        Some((status, why)) => (
            format!("{name} is {}{why}", quoted(status)),
            "the provider refuses it; there: `kubectl get tenants -A -o yaml` and `kubectl -n liqo logs deployment/liqo-controller-manager`",
        ),
        None => (
            format!("the provider has not answered: no condition {name}"),
            ANSWER,
        ),
    };
    Some(error(Check::Slice, message, help))
}

/// The slice as the document's fields.
pub(crate) fn read_back(slice: &Object, peer: &str) -> Fields {
    let creates_none = (!creates_virtual_node(slice)).then_some(false);
    Fields::default()
        .unusual("name", Some(slice.name()), peer)
        .read_back::<ResourceSliceSpec>(slice.find("/spec"), &[])
        .set("createVirtualNode", creates_none)
        .set("metadata", extra(Some(slice)))
}

/// Whether Liqo makes a virtual node for the slice: any text but `false` means yes (liqo `virtualnodecreator_controller.go`).
pub(crate) fn creates_virtual_node(object: &Object) -> bool {
    let wish = object.annotation(names::CREATE_VIRTUAL_NODE);
    let wish = wish.unwrap_or_default();
    !wish.is_empty() && !wish.eq_ignore_ascii_case("false")
}

/// Whether the replicator copied an object from the other cluster.
pub(crate) fn is_copy(object: &Object) -> bool {
    object.label(names::REPLICATED).is_some()
}
