//! An offloaded namespace in a cluster: its NamespaceOffloading, and the Namespace itself.

use super::NamespaceSpec;
use crate::diagnostic::quoted;
use crate::object::live::Impact::{Attention, Data, Harmless};
use crate::object::live::{
    Awaited, Check, Content as _, Effect, Fields, Finding, LOGS, LiveHalf, Object, effect, error, warning,
};
use crate::peering::cluster::tenant_namespace::live::WRITTEN_BY_KUBERNETES;
use crate::peering::names;
use crate::peering::read_back::{extra, extra_where, list};
use crate::peering::values::reserved;
use serde_json::{Value, json};

pub(crate) static OFFLOADING: LiveHalf = LiveHalf {
    effects: &[OFFLOADING_EFFECTS],
    status,
    ..LiveHalf::new(&["NamespaceOffloading"], "namespaceoffloadings.offloading.liqo.io")
};

pub(crate) static WORKLOAD: LiveHalf = LiveHalf {
    effects: &[WORKLOAD_EFFECTS],
    theirs: WRITTEN_BY_KUBERNETES,
    // (liqo `namespaceoffloading_controller.go`)
    taken_over: &["metadata.labels[liqo.io/scheduling-enabled]"],
    ..LiveHalf::new(&["Namespace"], "namespaces")
};

#[rustfmt::skip] // a table
const WORKLOAD_EFFECTS: &[Effect] = &[
    // Kubernetes; argo-cd prunes what a stream does not have
    effect(&["-"], Data, "The namespace goes with its pods and volumes. To keep it, annotate it first: `argocd.argoproj.io/sync-options: Prune=false,Delete=false`."),
    effect(&["+"], Harmless, "Argo CD creates the namespace, or takes over one that exists."),
    // pkg/webhooks/pod: CREATE only
    effect(&["metadata.labels[liqo.io/scheduling-enabled]"], Harmless, "Liqo's webhook looks at pods that are created from now on; running ones stay."),
];

#[rustfmt::skip] // a table
const OFFLOADING_EFFECTS: &[Effect] = &[
    // pkg/webhooks/namespaceoffloading/nsoff.go:59-107
    effect(&["spec.namespaceMappingStrategy", "spec.remoteNamespaceName"], Attention, "Liqo's webhook refuses the change, and the sync fails. Delete the NamespaceOffloading, and Argo CD creates it anew: that deletes the namespaces at the providers with everything in them."),
    effect(&["spec.podOffloadingStrategy"], Harmless, "It counts for pods that are created from now on; running ones stay where they are."),
    // namespaceoffloading-controller/clusterselector.go:53-74
    effect(&["spec.clusterSelector"], Data, "A provider that is selected no longer loses its namespace, with the pods and volumes in it. One that is selected now gets it."),
    effect(&["+"], Harmless, "Liqo creates the namespace at the providers that are selected. Existing pods stay where they are until recreated."),
    // namespaceoffloading-controller/lifecycle.go:27-53, docs/usage/stateful-applications.md:57
    effect(&["-"], Data, "Liqo deletes the namespaces at the providers with everything in them, volumes included."),
];

/// The offloaded namespace, as a document has it; `created` is the Namespace, if there is a manifest of it.
pub(crate) fn read_back(offloading: &Object, created: Option<&Object>) -> Fields {
    let clusters = if selected(offloading).is_some() {
        "thisPeer".yaml()
    } else if list(offloading, "/spec/clusterSelector/nodeSelectorTerms").is_empty() {
        "all".yaml()
    } else {
        Fields::default().with("clusterSelector", offloading.at("/spec/clusterSelector")).yaml()
    };
    Fields::default()
        .with("name", offloading.namespace())
        .with("create", created.map(|_| true))
        .with("clusters", clusters)
        .read_back::<NamespaceSpec>(offloading.at("/spec"), &[])
        .with("metadata", extra(Some(offloading)))
        .with("namespaceMetadata", extra_where(created, |key| reserved::free_for_workloads(key).is_ok()))
}

/// The one cluster whose virtual nodes a NamespaceOffloading selects.
pub(crate) fn selected(offloading: &Object) -> Option<&str> {
    let terms = offloading.at("/spec/clusterSelector/nodeSelectorTerms")?.as_array()?;
    let [Value::Object(term)] = terms.as_slice() else { return None };
    let [expression] = term.get("matchExpressions")?.as_array()?.as_slice() else { return None };
    let is = |field: &str, text: &str| expression.get(field).and_then(Value::as_str) == Some(text);
    let [value] = expression.get("values")?.as_array()?.as_slice() else { return None };
    let this = term.len() == 1 && is("key", names::REMOTE_CLUSTER_ID) && is("operator", "In");
    value.as_str().filter(|_| this)
}

/// (liqo `apis/offloading/v1beta1/namespaceoffloading_types.go`, OffloadingPhaseType)
fn status(object: &Object, _: &Awaited<'_>) -> Vec<Finding> {
    let remote = object.at("/status/remoteNamespacesConditions").and_then(Value::as_object);
    let why = remote.into_iter().flatten().find_map(|(cluster, conditions)| {
        let remote = Object::new(json!({ "status": { "conditions": conditions } }));
        let (_, why) = remote.condition("Ready").filter(|(status, _)| *status != "True")?;
        Some(format!("; {}{why}", quoted(cluster)))
    });
    let phase = object.text("/status/offloadingPhase");
    let message = format!("its phase is {}{}", quoted(phase), why.unwrap_or_default());
    vec![match phase {
        "Ready" => return Vec::new(),
        "SomeFailed" | "AllFailed" => error(
            Check::Offloading,
            message,
            "a namespace of the remote name may already exist at the provider",
        ),
        "NoClusterSelected" => {
            let help = "no virtual node matches its `clusterSelector`; it follows when there is one";
            warning(Check::Offloading, message, help)
        }
        _ => warning(Check::Offloading, message, LOGS),
    }]
}
