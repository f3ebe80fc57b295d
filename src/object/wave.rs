//! Argo CD's sync waves.

/// The wave of an object. Argo CD creates wave by wave and deletes in the opposite order; each wave waits until the one
/// before is healthy.
///
/// A gateway's Secret exists before the gateway, which Liqo retries with a growing delay otherwise. A Tenant's webhook
/// needs the labelled namespace. A slice is released only while its credential exists, so it is deleted before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wave {
    /// The tenant Namespace.
    Namespace = 0,
    /// What a gateway needs: keys, the other cluster's networks. ServiceAccounts.
    Material = 1,
    /// Gateways.
    Gateway = 2,
    /// What the other cluster may do here.
    Rights = 3,
    /// Tenants and credentials.
    Access = 4,
    /// ResourceSlices.
    Slice = 5,
    /// Virtual nodes, and the Namespaces of workloads.
    Node = 6,
    /// Namespaces that are offloaded.
    Offloading = 7,
}
