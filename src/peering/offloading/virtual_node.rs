//! A custom VirtualNode, with the fields of Liqo and Kubernetes (liqo `apis/offloading/v1beta1/virtualnode_types.go`).
//! The object has the fields that are written.

pub mod kubelet;
pub mod patch;

use super::resource_slice::{ANOTHER_PEER, NODE_COMES, NODE_GOES, ResourceSlice};
use crate::diagnostic::{Code, Rule, list_or, quoted};
use crate::document::{Located, records};
use crate::object::live::Impact::{Attention, Data, Harmless, Rights};
use crate::object::live::{
    Check, Effect, Fields, Finding, LiveHalf, Object, StatusContext, effect, error, is_missing,
    warning,
};
use crate::object::{Kind, Manifest, fields, kind};
use crate::peering::context::Context;
use crate::peering::names;
use crate::peering::read_back::extra;
use crate::peering::side::Side;
use crate::peering::values::{
    Bytes, LiqoTemplate, Metadata, Namespace, NodeAnnotations, NodeLabels, ObjectName,
    QualifiedName, Resources, Role, SliceName, TemplateRef, Text, VirtualNodeName,
};
use kubelet::{ResourceQuota, Taint};
use patch::OffloadingPatch;
use serde_json::Value;

records! {
    /// A virtual node that you define yourself, with the credential of a slice or of a Secret.
    VirtualNodeSpec {
        /// The VirtualNode and its Node. Default: the slice's name.
        ours "name" => name: optional Located<VirtualNodeName>;
        /// The slice whose credential it uses.
        ours "resourceSlice" => slice: optional Located<SliceName>;
        /// Instead of a slice, a Secret of the tenant namespace with a `kubeconfig` for the provider. It is not in the stream.
        ours "kubeconfigSecretRef" => secret: optional Located<KubeconfigSecretRef>;
        /// Whether Liqo makes a Node. Default: the template's.
        "createNode" => create_node: optional bool;
        /// Whether the Node may be ready without networking. Default: the template's.
        "disableNetworkCheck" => disable_network_check: optional bool;
        /// How its virtual kubelet runs. Default: Liqo's own.
        "vkOptionsTemplateRef" => template: optional TemplateRef;
        /// What pods may use there. Default: the slice's resources.
        "resourceQuota" => resource_quota: optional ResourceQuota;
        /// The Node's labels.
        "labels" => labels: optional Located<NodeLabels>;
        /// The Node's annotations.
        "annotations" => annotations: optional NodeAnnotations;
        /// The Node's taints.
        "taints" => taints: or_empty Vec<Located<Taint>>;
        /// What is changed in offloaded pods.
        "offloadingPatch" => offloading_patch: optional OffloadingPatch;
        /// The provider's storage classes.
        "storageClasses" => storage_classes: or_empty Vec<StorageClass>;
        /// The provider's ingress classes.
        "ingressClasses" => ingress_classes: or_empty Vec<IngressClass>;
        /// The provider's load balancer classes.
        "loadBalancerClasses" => load_balancer_classes: or_empty Vec<LoadBalancerClass>;
        /// Images that the Node reports.
        "images" => images: or_empty Vec<Image>;
        /// Labels and annotations of the `VirtualNode` object.
        ours "metadata" => metadata: or_empty Metadata;
    }

    /// A Secret with a kubeconfig.
    KubeconfigSecretRef {
        /// Its name.
        "name" => name: required ObjectName;
    }

    /// A storage class of the provider.
    StorageClass {
        /// Its name.
        "storageClassName" => name: required ObjectName;
        /// Whether it is used where none is named.
        "default" => default: optional bool;
    }

    /// An ingress class of the provider.
    IngressClass {
        /// Its name.
        "ingressClassName" => name: required ObjectName;
        /// Whether it is used where none is named.
        "default" => default: optional bool;
    }

    /// A load balancer class of the provider.
    LoadBalancerClass {
        /// Its name.
        "loadBalancerClassName" => name: required QualifiedName;
        /// Whether it is used where none is named.
        "default" => default: optional bool;
    }

    /// An image that a Node has.
    Image checked has_name {
        /// Its names.
        "names" => names: required Vec<Text>, schema { "minItems": 1 };
        /// Its size.
        "sizeBytes" => size: optional Bytes;
    }
}

fn has_name(image: &Image) -> Result<(), Rule> {
    if image.names.is_empty() {
        let rule = Rule::new(Code::MissingField, "an image needs a name");
        return Err(rule.help("add one, or remove the image"));
    }
    Ok(())
}

/// A custom virtual node, complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VirtualNode {
    /// The name, also of the Node.
    pub name: Located<VirtualNodeName>,
    /// The Secret with its kubeconfig.
    secret: String,
    /// All other fields, as they are written, with quota and template filled in.
    pub written: VirtualNodeSpec,
}

pub(crate) static KIND: Kind = kind!("VirtualNode", Node, "virtual_node", LIVE);

const LIQO: LiqoTemplate = LiqoTemplate {
    api_version: "offloading.liqo.io/v1beta1",
    kind: "VkOptionsTemplate",
    name: "virtual-kubelet-default",
};

pub(super) fn resolve(
    context: &mut Context<'_, '_>,
    written: &Located<VirtualNodeSpec>,
    slices: &[ResourceSlice],
    user: Role,
) -> Option<VirtualNode> {
    let (slice, secret) = credential(context, written, slices)?;
    let name = match (&written.name, slice) {
        (Some(name), _) => name.clone(),
        (None, Some(slice)) => slice.name.clone().map(Into::into),
        (None, None) => {
            let message = "a virtual node without a slice needs a `name`";
            let help = "set the Node's name";
            return context.reject(Code::MissingField, written.span, message, help);
        }
    };
    for slice in slices {
        if slice.written.create_virtual_node && slice.name.as_str() == name.as_str() {
            let message = format!("Liqo makes the virtual node of the slice `{name}`");
            let help = "set `createVirtualNode: false` at the slice, or another `name` here";
            return context.reject(Code::DuplicateName, name.span, message, help);
        }
    }
    let hard = match (written.hard(), slice) {
        (Some(hard), _) => Some(hard.clone()),
        (None, Some(slice)) => Some(Located::new(slice.written.resources.clone(), name.span)),
        (None, None) => None,
    };
    kubelet::check_resources(context, written, &name, hard.as_deref());
    let peer = &context.cluster(user.peer()).id;
    kubelet::check_labels(context, written, &name, peer);
    kubelet::check_taints(context, &written.taints);
    let liqo = context.liqo_namespace(user);
    let written = written.value.clone().complete(hard, liqo)?;
    Some(VirtualNode {
        name,
        secret,
        written,
    })
}

/// The slice whose credential it uses, if it uses one; and the Secret with its kubeconfig.
fn credential<'s>(
    context: &mut Context<'_, '_>,
    written: &Located<VirtualNodeSpec>,
    slices: &'s [ResourceSlice],
) -> Option<(Option<&'s ResourceSlice>, String)> {
    match (&written.slice, &written.secret) {
        (Some(reference), None) => {
            let slice = slice_of(context, reference, slices)?;
            Some((Some(slice), names::slice_kubeconfig(&slice.name)))
        }
        (None, Some(secret)) => Some((None, secret.name.to_string())),
        (Some(_), Some(secret)) => {
            let message = "the virtual node has two credentials";
            let help = "remove `resourceSlice` or `kubeconfigSecretRef`";
            context.reject(Code::WrongType, secret.span, message, help)
        }
        (None, None) => {
            let message = "the virtual node has no credential";
            let help = "set `resourceSlice` or `kubeconfigSecretRef`";
            context.reject(Code::MissingField, written.span, message, help)
        }
    }
}

impl VirtualNodeSpec {
    /// Its own quota.
    pub(super) fn hard(&self) -> Option<&Located<Resources>> {
        self.resource_quota.as_ref()?.hard.as_ref()
    }

    /// Fills in the quota, if one is given, and the values that Liqo fills in.
    fn complete(mut self, hard: Option<Located<Resources>>, liqo: &Namespace) -> Option<Self> {
        if hard.is_some() {
            self.resource_quota.get_or_insert_default().hard = hard;
        }
        if let Some(template) = &mut self.template {
            *template = LIQO.complete(Some(template), liqo)?;
        }
        let is_usual = self.template.is_none() || self.template == LIQO.complete(None, liqo);
        if is_usual && let Some(patch) = &mut self.offloading_patch {
            patch.complete();
        }
        for image in &mut self.images {
            // Liqo is written in Go, and leaves out a size of zero
            image.size = image.size.filter(|size| size.get() > 0);
        }
        Some(self)
    }
}

/// The slice with this name.
fn slice_of<'s>(
    context: &mut Context<'_, '_>,
    reference: &Located<SliceName>,
    slices: &'s [ResourceSlice],
) -> Option<&'s ResourceSlice> {
    let found = slices.iter().find(|slice| slice.name == *reference);
    if found.is_none() {
        let message = format!("there is no ResourceSlice `{}` here", reference.value);
        let names: Vec<&str> = slices.iter().map(|slice| slice.name.as_str()).collect();
        let help = match names.as_slice() {
            [] => "add it to `resourceSlices`".to_owned(),
            names => format!("write {}, or add it to `resourceSlices`", list_or(names)),
        };
        context.add(Code::UnknownValue, reference.span, message, help);
    }
    found
}

impl VirtualNode {
    pub(super) fn manifest(&self, side: &Side<'_>) -> Manifest {
        let spec = fields! { peer: side.peer.id, secret: self.secret, written: self.written };
        let mut meta = side.object_meta(&*self.name);
        if let Some(slice) = &self.written.slice {
            meta = meta.label(names::SLICE_NAME, &**slice);
        }
        side.manifest(&KIND, meta, Some(&self.written.metadata), spec)
    }
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    effects: &[EFFECTS],
    status,
    written_by_cluster: &["spec.template"],
    ..LiveHalf::new(&["VirtualNode"], "virtualnodes.offloading.liqo.io")
};

const KUBELET_POD: &str = "see the virtual kubelet's pod in the tenant namespace";

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // pkg/virtualKubelet/liqoNodeProvider/utils.go:135-193
    effect(&["spec.labels"], Data, "Where a `clusterSelector` no longer matches, the provider's namespace goes with all in it; where one matches now, it is copied."),
    effect(&["spec.taints"], Data, "`NoExecute` evicts running pods that do not tolerate it; others concern new pods only."),
    effect(&["spec.resourceQuota"], Harmless, "The virtual node's size changes; running pods stay."),
    effect(&["spec.images"], Harmless, "The Node shows them; running pods stay."),
    effect(&["spec.annotations"], Attention, "Controllers may act on them; running pods stay."),
    // LCM/offloading/virtualnode-controller/virtualnode_controller.go, EnsureNodeAbsence
    effect(&["spec.createNode=false"], Data, "Liqo drains and deletes the Node; the VirtualNode stays."),
    // LCM/offloading/virtualnode-controller/virtualkubelet.go:103-120, pkg/webhooks/virtualnode/mutate.go, pkg/vkMachinery/forge
    effect(&["spec.kubeconfigSecretRef"], Rights, "The virtual kubelet restarts with another credential; pods and Secrets go to its cluster."),
    effect(&["spec.vkOptionsTemplateRef"], Rights, "The virtual kubelet restarts from another template, whose writer chooses image and arguments."),
    effect(&["spec.disableNetworkCheck", "spec.offloadingPatch", "spec.storageClasses", "spec.ingressClasses", "spec.loadBalancerClasses"], Attention, "The virtual kubelet restarts; new pods, volumes and Services follow, running pods stay."),
    effect(&["spec.clusterID", "metadata.labels[liqo.io/resourceslice-name]"], Attention, ANOTHER_PEER),
    effect(&["+", "spec.createNode"], Rights, NODE_COMES),
    // LCM/offloading/virtualnode-controller/deletion-routine.go
    effect(&["-"], Data, NODE_GOES),
];

/// The virtual node as the document's fields, with the credential of one of these slices, or of a Secret.
pub(crate) fn read_back(node: &Object, slices: &[&str]) -> Fields {
    let secret = node.text("/spec/kubeconfigSecretRef/name");
    let slice = node.label(names::SLICE_NAME);
    let slice = slice.or(secret.strip_prefix(&names::slice_kubeconfig("")));
    let fields = match slice {
        Some(slice) if slices.contains(&slice) => Fields::default()
            .unusual("name", Some(node.name()), slice)
            .set("resourceSlice", slice),
        _ => Fields::default()
            .set("name", node.name())
            .set("kubeconfigSecretRef", Fields::default().set("name", secret)),
    };
    fields
        .read_back::<VirtualNodeSpec>(node.find("/spec"), &[])
        .set("metadata", extra(Some(node)))
}

/// (liqo `apis/offloading/v1beta1/virtualnode_types.go`, VirtualNodeCondition; the Node's name is the same)
fn status(object: &Object, StatusContext { offloading, .. }: &StatusContext<'_>) -> Vec<Finding> {
    // without a Node, the condition is `None`
    let mut findings = Vec::new();
    for (name, status, why) in object.conditions("/status/conditions") {
        if !matches!(status, "Running" | "None") {
            let message = format!("{} is {}{why}", quoted(name), quoted(status));
            findings.push(warning(Check::VirtualNode, message, KUBELET_POD));
        }
    }
    let has_node = object.find("/spec/createNode") != Some(&Value::Bool(false));
    if has_node && is_missing(object.name(), offloading.nodes.as_ref()) {
        findings.push(error(Check::VirtualNode, "it has no Node", KUBELET_POD));
    }
    findings
}
