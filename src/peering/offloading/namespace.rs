//! A namespace whose pods may run at the provider: the NamespaceOffloading (liqo
//! `apis/offloading/v1beta1/namespaceoffloading_types.go`), and the Namespace if the stream makes it.

use super::node_selector::NodeSelector;
use crate::diagnostic::{Code, quoted};
use crate::document::{Decode, Decoder, Located, records, schema, word_or, words};
use crate::input::yaml::Node;
use crate::object::live::Impact::{Attention, Data, Rights};
use crate::object::live::{
    Check, Content as _, Effect, Fields, Finding, LOGS, LiveHalf, Object, StatusContext, effect,
    error, warning,
};
use crate::object::{Grant, Kind, Manifest, Meta, fields, kind};
use crate::peering::cluster::tenant_namespace::WRITTEN_BY_KUBERNETES;
use crate::peering::context::Context;
use crate::peering::names;
use crate::peering::read_back::{extra, extra_where, list};
use crate::peering::side::Side;
use crate::peering::values::{
    ClusterId, Metadata, Namespace as Name, Role, WorkloadMetadata, label_key,
};
use schemars::json_schema;
use serde::Serialize;
use serde_json::{Value, json};

records! {
    /// A namespace whose pods may run at the provider.
    NamespaceSpec {
        /// The namespace on the consumer.
        ours "name" => name: required Located<Name>;
        /// Whether the stream also makes the Namespace. Default: false.
        ours "create" => create: default bool = false;
        /// On which clusters' virtual nodes the pods may run.
        ours "clusters" => clusters: required Located<ClusterChoice>,
            missing "set `thisPeer`, `all` or a `clusterSelector`";
        /// Where its pods may run: on the consumer's own nodes, on virtual nodes, or on both. Default: `LocalAndRemote`.
        "podOffloadingStrategy" => pods: default PodOffloading = PodOffloading::LocalAndRemote;
        /// The namespace's name at the provider: with the consumer's cluster ID after it, the same, or `remoteNamespaceName`. Default: `DefaultName`.
        "namespaceMappingStrategy" => mapping: optional Located<MappingStrategy>, schema { "default": "DefaultName" };
        /// The namespace's name at the provider, with `SelectedName`.
        "remoteNamespaceName" => remote_name: optional Located<Name>;
        /// Labels and annotations of the `NamespaceOffloading`.
        ours "metadata" => metadata: or_empty Metadata;
        /// Labels and annotations of the Namespace, with `create`.
        ours "namespaceMetadata" => namespace_metadata: optional Located<WorkloadMetadata>;
    }

    /// Clusters by the labels of their virtual nodes.
    ClusterSelector {
        /// Kubernetes' node selector.
        "clusterSelector" => selector: required NodeSelector;
    }
}

words! {
    /// Which pods of a namespace are offloaded.
    PodOffloading {
        /// None.
        Local = "Local",
        /// All.
        Remote = "Remote",
        /// Wherever the scheduler puts them.
        LocalAndRemote = "LocalAndRemote",
    }

    /// How the namespace at the provider is named.
    MappingStrategy {
        /// `<namespace>-<consumer's cluster ID>`, at most 63 characters.
        DefaultName = "DefaultName",
        /// The same name.
        EnforceSameName = "EnforceSameName",
        /// A chosen name.
        SelectedName = "SelectedName",
    }
}

/// On which clusters' virtual nodes pods may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum ClusterChoice {
    /// On this peering's provider only.
    ThisPeer,
    /// On every provider that the consumer has.
    All,
    /// On the virtual nodes that a selector chooses.
    Selected(NodeSelector),
}

impl Decode for ClusterChoice {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        if node.is_map() {
            let selected = ClusterSelector::decode(node, decoder)?;
            return Some(Self::Selected(selected.selector));
        }
        let takes = "`thisPeer`, `all` or a map with a `clusterSelector`";
        Some(match word_or(node, &["thisPeer", "all"], takes, decoder)? {
            0 => Self::ThisPeer,
            _ => Self::All,
        })
    }
}

schema!(ClusterChoice, generator => json_schema!({
    "anyOf": [{ "type": "string", "enum": ["thisPeer", "all"] }, generator.subschema_for::<ClusterSelector>()],
}));

/// A namespace whose pods may run at the provider, complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace {
    /// The name of the namespace on the consumer.
    pub name: Located<Name>,
    /// The name of the namespace at the provider.
    pub remote_name: Located<Name>,
    /// All other fields, as they are written, with the mapping strategy filled in.
    pub written: NamespaceSpec,
}

pub(super) fn resolve(
    context: &mut Context<'_, '_>,
    written: &NamespaceSpec,
    user: Role,
) -> Option<Namespace> {
    if let Some(extra) = &written.namespace_metadata
        && !written.create
    {
        let message = "`namespaceMetadata` has no effect without `create: true`";
        let help = "set `create: true`, or remove `namespaceMetadata`";
        context.add(Code::UnknownField, extra.span, message, help);
    }
    let mut complete = written.clone();
    let usual = Located::new(MappingStrategy::DefaultName, written.name.span);
    let mapping = *complete.mapping.get_or_insert(usual);
    Some(Namespace {
        name: written.name.clone(),
        remote_name: remote_name(context, written, mapping, &context.cluster(user).id)?,
        written: complete,
    })
}

/// The name of the namespace at the provider (liqo `namespaceoffloading-controller/status.go`).
fn remote_name(
    context: &mut Context<'_, '_>,
    written: &NamespaceSpec,
    mapping: Located<MappingStrategy>,
    consumer: &ClusterId,
) -> Option<Located<Name>> {
    let name = &written.name;
    match (mapping.value, &written.remote_name) {
        (MappingStrategy::SelectedName, Some(remote)) => Some(remote.clone()),
        (MappingStrategy::SelectedName, None) => {
            let message = "`SelectedName` needs a `remoteNamespaceName`";
            let help = "set the name, or remove the strategy";
            context.reject(Code::MissingField, mapping.span, message, help)
        }
        (MappingStrategy::DefaultName | MappingStrategy::EnforceSameName, Some(remote)) => {
            let message = "Liqo ignores `remoteNamespaceName` without `SelectedName`";
            let help = "set `namespaceMappingStrategy: SelectedName`, or remove the name";
            context.reject(Code::UnknownField, remote.span, message, help)
        }
        (MappingStrategy::EnforceSameName, None) => Some(name.clone()),
        (MappingStrategy::DefaultName, None) => {
            let built = names::remote_namespace(name, consumer);
            let what = "the other cluster's namespace";
            let instead = "namespaceMappingStrategy: SelectedName` and `remoteNamespaceName";
            context.name_after(what, &built, name.span, instead)
        }
    }
}

pub(crate) static WORKLOAD: Kind = kind!("Namespace", Node, "workload_namespace", LIVE_WORKLOAD)
    .protected()
    .gives(Grant::Workloads);

pub(crate) static OFFLOADING: Kind = kind!(
    "NamespaceOffloading",
    Last,
    "namespace_offloading",
    LIVE_OFFLOADING
)
.gives(Grant::Offloading);

impl Namespace {
    /// The Namespace, if the stream creates it.
    pub(super) fn workload_manifest(&self, side: &Side<'_>) -> Option<Manifest> {
        if !self.written.create {
            return None;
        }
        let mut meta = Meta::cluster(&*self.name);
        // Liqo sets the label itself, but later: until then its webhook would accept pods that can never run remotely
        if !side.is_drained && self.written.pods != PodOffloading::Local {
            meta = meta.label(names::SCHEDULING_ENABLED, "true");
        }
        let extra = self.written.namespace_metadata.as_ref();
        let extra = extra.map(|it| it.value.clone().into());
        Some(side.manifest(&WORKLOAD, meta, extra.as_ref(), ()))
    }

    pub(super) fn offloading_manifest(&self, side: &Side<'_>) -> Manifest {
        let (this_peer, terms) = match &self.written.clusters.value {
            ClusterChoice::ThisPeer => (Some(&side.peer.id), None),
            ClusterChoice::All => (None, None),
            ClusterChoice::Selected(selector) => (None, Some(&selector.terms)),
        };
        let spec = fields! { this_peer: this_peer, terms: terms, written: self.written };
        let meta = Meta::new(names::NAMESPACE_OFFLOADING, &*self.name);
        side.manifest(&OFFLOADING, meta, Some(&self.written.metadata), spec)
    }
}

pub(crate) static LIVE_OFFLOADING: LiveHalf = LiveHalf {
    effects: &[OFFLOADING_EFFECTS],
    status,
    ..LiveHalf::new(
        &["NamespaceOffloading"],
        "namespaceoffloadings.offloading.liqo.io",
    )
};

pub(crate) static LIVE_WORKLOAD: LiveHalf = LiveHalf {
    effects: &[WORKLOAD_EFFECTS],
    written_by_cluster: WRITTEN_BY_KUBERNETES,
    // (liqo `namespaceoffloading_controller.go`)
    overwritten_by_liqo: &["metadata.labels[liqo.io/scheduling-enabled]"],
    ..LiveHalf::new(&["Namespace"], "namespaces")
};

#[rustfmt::skip] // a table
const WORKLOAD_EFFECTS: &[Effect] = &[
    // Kubernetes; Argo CD prunes objects that a stream no longer has
    effect(&["-"], Data, "The namespace goes with its pods and volumes. To keep it, annotate it before you confirm: `argocd.argoproj.io/sync-options: Prune=false,Delete=false`."),
    effect(&["+"], Rights, "Argo CD creates or takes over the namespace, with the document's labels and annotations."),
    // pkg/webhooks/pod: CREATE only
    effect(&["metadata.labels[liqo.io/scheduling-enabled]"], Attention, "Liqo's webhook sees new pods only; running ones stay."),
];

#[rustfmt::skip] // a table
const OFFLOADING_EFFECTS: &[Effect] = &[
    // pkg/webhooks/namespaceoffloading/nsoff.go:59-107
    effect(&["spec.namespaceMappingStrategy", "spec.remoteNamespaceName"], Attention, "Liqo's webhook refuses the change. Delete the NamespaceOffloading, and Argo CD recreates it: the providers' namespaces go with everything in them."),
    effect(&["spec.podOffloadingStrategy"], Attention, "New pods may run on other clusters; running ones stay."),
    // namespaceoffloading-controller/clusterselector.go:53-74
    effect(&["spec.clusterSelector"], Data, "A provider no longer selected loses its namespace, pods and volumes; a newly selected one gets it."),
    // deployments/liqo/values.yaml, `offloading.reflection`: all Secrets that are not denied
    effect(&["+"], Rights, "Liqo creates the namespace at the selected providers and copies its Secrets and ConfigMaps; new pods can run there."),
    // namespaceoffloading-controller/lifecycle.go:27-53, docs/usage/stateful-applications.md:57
    effect(&["-"], Data, "Liqo deletes the providers' namespaces with everything in them, volumes included."),
];

/// The offloaded namespace, as the document's fields; `created` is the manifest of its Namespace, if there is one.
pub(crate) fn read_back(offloading: &Object, created: Option<&Object>) -> Fields {
    let clusters = if selected(offloading).is_some() {
        "thisPeer".yaml()
    } else if list(offloading, "/spec/clusterSelector/nodeSelectorTerms").is_empty() {
        "all".yaml()
    } else {
        let selector = offloading.find("/spec/clusterSelector");
        Fields::default().set("clusterSelector", selector).yaml()
    };
    let extra_of_created = extra_where(created, label_key::is_free_for_workloads);
    Fields::default()
        .set("name", offloading.namespace())
        .set("create", created.is_some().then_some(true))
        .set("clusters", clusters)
        .read_back::<NamespaceSpec>(offloading.find("/spec"), &[])
        .set("metadata", extra(Some(offloading)))
        .set("namespaceMetadata", extra_of_created)
}

/// The cluster whose virtual nodes a NamespaceOffloading selects, if it is exactly one.
pub(crate) fn selected(offloading: &Object) -> Option<&str> {
    let terms = offloading.find("/spec/clusterSelector/nodeSelectorTerms")?;
    let value = terms.pointer("/0/matchExpressions/0/values/0")?;
    let expression =
        json!({ "key": names::REMOTE_CLUSTER_ID, "operator": "In", "values": [value] });
    let is_one = *terms == json!([{ "matchExpressions": [expression] }]);
    is_one.then_some(value.as_str()?)
}

/// (liqo `apis/offloading/v1beta1/namespaceoffloading_types.go`, OffloadingPhaseType)
fn status(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    let remote = object.find("/status/remoteNamespacesConditions");
    let remote = remote.and_then(Value::as_object).into_iter().flatten();
    let phase = object.text("/status/offloadingPhase");
    let mut message = if phase.is_empty() {
        "it has no status".to_owned()
    } else {
        format!("its phase is {}", quoted(phase))
    };
    for (cluster, conditions) in remote {
        let remote = Object::new(json!({ "status": { "conditions": conditions } }));
        if let Some((status, why)) = remote.condition("Ready")
            && status != "True"
        {
            message += &format!("; {}{why}", quoted(cluster));
            break;
        }
    }
    let help = match phase {
        "Ready" => return Vec::new(),
        "SomeFailed" | "AllFailed" => {
            let help = "the provider may already have a namespace of that name";
            return vec![error(Check::Offloading, message, help)];
        }
        "NoClusterSelected" => "no virtual node matches its `clusterSelector` yet",
        _ => LOGS,
    };
    vec![warning(Check::Offloading, message, help)]
}
