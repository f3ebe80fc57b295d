//! What to write for a field that is missing, where its name alone does not say it, and for one that is called otherwise.

/// The advice for a field's name.
pub(super) fn of(field: &str) -> Option<&'static str> {
    Some(match field {
        "apiVersion" => "a peering begins with `apiVersion: argocd-peering/v1alpha1`",
        "kind" => {
            "a peering begins with `kind: Peering`; a subject is a `User`, a `Group` or a `ServiceAccount`"
        }
        "metadata" => "say `metadata: { name: … }`, a name for people and messages",
        "spec" => "the two clusters and what connects them stand in `spec`",
        "consumer" => "the cluster that offloads pods; at least its `clusterID`",
        "provider" => "the cluster that runs the pods; at least its `clusterID`",
        "clusterID" => crate::peering::name::READ_CLUSTER_ID,
        "file" => "the name of a sealed file beside peering.yaml, such as `peering.seed.age`",
        "gatewayServer" => "one side listens: say its `endpoint`",
        "gatewayClient" => {
            "the other side dials: say its `endpoint`, or `gatewayClient: pending` until the address is known"
        }
        "endpoint" => "a server's has a `serviceType`, a client's `addresses`",
        "serviceType" => "say `ClusterIP`, `NodePort` or `LoadBalancer`",
        "addresses" => "the server's address, as the other cluster reaches it: `addresses: [172.16.183.16]`",
        "subject" => "whom the provider takes the credential for: `subject: { kind: User, name: … }`",
        "credential" => {
            "say `kubeconfig`, `identity` or `existingSecret`, or `credential: pending` until there is one"
        }
        "authentication" => "the reverse direction needs a `subject` and a `credential` of its own",
        "clusters" => "say on whose virtual nodes the pods may run: `thisPeer`, `all` or a `clusterSelector`",
        "resourceSlice" => "the name of the slice whose credential the virtual node uses",
        _ => return None,
    })
}

/// The field that another word stands for, where its letters alone do not tell.
pub(super) fn meant<'k>(field: &str, known: &[&'k str]) -> Option<&'k str> {
    let meant = match field {
        // "the server is on the provider"
        "on" | "side" => "location",
        // a Service calls it so itself
        "type" => "serviceType",
        _ => return None,
    };
    known.iter().copied().find(|known| *known == meant)
}

/// The advice for a field without a value, where leaving it out would be something else.
pub(super) fn empty(field: &str) -> Option<&'static str> {
    match field {
        "existingSecret" => Some("say `existingSecret: {}`: nothing is to be said of it"),
        _ => None,
    }
}
