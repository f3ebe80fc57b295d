//! An offloaded namespace in a cluster: its NamespaceOffloading, and the Namespace itself.

use crate::diagnostic::quoted;
use crate::object::live::Impact::{Attention, Data, Harmless};
use crate::object::live::{Awaited, Effect, Finding, LOGS, Live, LiveHalf, effect, error, warning};
use crate::peering::cluster::tenant_namespace::live::WRITTEN_BY_KUBERNETES;
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
    effect(&["+"], Harmless, "Liqo creates the namespace at the providers that are selected. Pods that exist stay until they are recreated."),
    // namespaceoffloading-controller/lifecycle.go:27-53, docs/usage/stateful-applications.md:57
    effect(&["-"], Data, "Liqo deletes the namespaces at the providers with everything in them, volumes included."),
];

/// (liqo `apis/offloading/v1beta1/namespaceoffloading_types.go`, OffloadingPhaseType)
fn status(object: &Live, _: &Awaited<'_>) -> Vec<Finding> {
    let remote = object.at("/status/remoteNamespacesConditions").and_then(Value::as_object);
    let why = remote.into_iter().flatten().find_map(|(cluster, conditions)| {
        let remote = Live::new(json!({ "status": { "conditions": conditions } }));
        let (_, why) = remote.condition("Ready").filter(|(status, _)| *status != "True")?;
        Some(format!("; {}{why}", quoted(cluster)))
    });
    let phase = object.text("/status/offloadingPhase");
    let message = format!("its phase is {}{}", quoted(phase), why.unwrap_or_default());
    vec![match phase {
        "Ready" => return Vec::new(),
        "SomeFailed" | "AllFailed" => {
            error("offloading", message, "a namespace of the remote name may already exist at the provider")
        }
        "NoClusterSelected" => {
            let help = "no virtual node matches its `clusterSelector`; it follows when there is one";
            warning("offloading", message, help)
        }
        _ => warning("offloading", message, LOGS),
    }]
}
