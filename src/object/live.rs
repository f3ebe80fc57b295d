//! A kind's live half: what the kind is in a cluster, while the rest of its file is about the stream.

mod api_object;
mod check;
mod effect;
pub(crate) mod owner;
mod readable_yaml;

pub(crate) use api_object::{Object, one_line, text_at};
pub use check::Check;
pub(crate) use check::{Finding, error, finding, note, warning};
pub use effect::Impact;
pub(crate) use effect::{Effect, effect};
pub(crate) use readable_yaml::{Content, Fields, Yaml};

use std::collections::BTreeSet;
use std::time::Duration;

/// A help: Liqo says there why it has not done something.
pub(crate) const LOGS: &str = "see the logs of Liqo's controller manager";

/// What a kind is in a cluster. It is declared next to the kind's fields and its template.
#[derive(Debug)]
pub(crate) struct LiveHalf {
    /// The object's `kind` in the API: first that of the stream, then those of objects that bring it.
    pub(crate) kinds: &'static [&'static str],
    /// The resource, as in `kubectl get`: `tenants.authentication.liqo.io`.
    pub(crate) resource: &'static str,
    /// How it is read.
    pub(crate) scope: Scope,
    /// The label that distinguishes it from other objects of its kind. Without a value, any value counts.
    pub(crate) label: Option<(&'static str, Option<&'static str>)>,
    /// How many objects of a peering Liqo uses.
    pub(crate) cardinality: Cardinality,
    /// The secret that the object refers to or shows.
    pub(crate) held_secret: HeldSecret,
    /// The effects of changes.
    pub(crate) effects: &'static [&'static [Effect]],
    /// The findings from the object's status.
    pub(crate) status: fn(&Object, &StatusContext<'_>) -> Vec<Finding>,
    /// The place of a certificate that expires (RFC 6901).
    pub(crate) certificate: Option<&'static str>,
    /// The beginnings of fields that Liqo or Kubernetes writes, so that no stream has them.
    pub(crate) written_by_cluster: &'static [&'static str],
    /// The beginnings of fields that a stream has and Liqo changes.
    pub(crate) overwritten_by_liqo: &'static [&'static str],
}

/// How objects of a kind are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// From all namespaces: Liqo finds most kinds by a label, in the whole cluster.
    Everywhere,
    /// From the tenant namespace of the stream.
    InTenantNamespace,
    /// From the tenant namespace. The object brings a Secret, which is read separately.
    InPlaceOfSecret,
    /// From the tenant namespace, without its data and its annotations.
    WithoutData,
    /// By the label with the other cluster's ID.
    ByPeer,
    /// From the tenant namespace: the objects that Kubernetes has for a gateway.
    AroundGateway,
    /// From the namespace that Liqo is installed in: Liqo's own workloads.
    OfLiqo,
}

/// How many objects of a kind Liqo uses. The text is the kind's plural.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cardinality {
    /// Any number.
    Many,
    /// One in the cluster for each other cluster.
    InCluster(&'static str),
    /// One in the tenant namespace.
    InNamespace(&'static str),
}

/// The secret that an object shows or names. Its fields do not say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeldSecret {
    Nothing,
    /// The key of its own gateway.
    OwnKey,
    /// The name of the Secret with the key of its own gateway.
    NameOfOwnKey,
    /// The other gateway's public key.
    PeersKey,
    Credential,
}

/// The facts that statuses are compared with. They are collected once, since the other cluster chooses how many slices there are.
#[derive(Debug, Default)]
pub(crate) struct StatusContext<'s> {
    /// The tenant namespace of this cluster.
    pub(crate) tenant_namespace: &'s str,
    pub(crate) gateway: GatewayContext,
    pub(crate) fabric: FabricContext<'s>,
    pub(crate) offloading: OffloadingContext<'s>,
}

/// What the status of a gateway and of its Connection is compared with.
#[derive(Debug, Default)]
pub(crate) struct GatewayContext {
    /// The gateway client, if the peering has networking.
    pub(crate) client: Option<Client>,
    /// The address that the client dials, and from where: `UDP 203.0.113.7:51840 from rome`.
    pub(crate) dialled: Option<String>,
    /// Whether there is a Connection. True also if that is not known.
    pub(crate) connection: bool,
    /// Whether the Connection is up: then the address that the client dials leads to the server.
    pub(crate) is_connected: bool,
    /// The gateway's pod, if Kubernetes reports that it does not run.
    pub(crate) pod: Option<StoppedPod>,
}

/// What the status of nodes, routes and firewalls is compared with.
#[derive(Debug, Default)]
pub(crate) struct FabricContext<'s> {
    /// The node on which the gateway's pod runs.
    pub(crate) gateway_node: Option<&'s str>,
    /// Whether the gateway has a route to another node.
    pub(crate) reaches_nodes: bool,
    /// The hosts that configure this peering's routes: the gateway, and the existing pods of Liqo's fabric.
    pub(crate) hosts: BTreeSet<&'s str>,
}

/// What the status of a slice or of a virtual node is compared with: names, if they are known.
#[derive(Debug, Default)]
pub(crate) struct OffloadingContext<'s> {
    /// The other cluster's slices that were copied to this one.
    pub(crate) copies: Option<BTreeSet<&'s str>>,
    pub(crate) virtual_nodes: Option<BTreeSet<&'s str>>,
    pub(crate) nodes: Option<BTreeSet<&'s str>>,
    /// The time at which the cluster was read, since 1970.
    pub(crate) now: Duration,
}

/// A pod that does not run.
#[derive(Debug)]
pub(crate) struct StoppedPod {
    pub(crate) why: String,
    /// The command that prints the log of a container that ended.
    pub(crate) log: Option<String>,
}

/// The gateway client in the document.
#[derive(Debug)]
pub(crate) enum Client {
    /// `pending`: the server's address is not known yet.
    Pending,
    /// The address and the port that it dials.
    Dials { address: String, port: Option<i64> },
}

impl LiveHalf {
    /// The live half of a kind without a status. The other fields are empty.
    pub(crate) const fn new(kinds: &'static [&'static str], resource: &'static str) -> Self {
        Self {
            kinds,
            resource,
            scope: Scope::Everywhere,
            label: None,
            cardinality: Cardinality::Many,
            held_secret: HeldSecret::Nothing,
            effects: &[],
            status: |_, _| Vec::new(),
            certificate: None,
            written_by_cluster: &[],
            overwritten_by_liqo: &[],
        }
    }

    /// The `kind` in the stream.
    pub(crate) fn kind(&self) -> &'static str {
        self.kinds.first().copied().unwrap_or_default()
    }

    /// Its API group; empty for Kubernetes' own.
    pub(crate) fn group(&self) -> &'static str {
        self.resource.split_once('.').map_or("", |(_, group)| group)
    }

    /// Whether an object is of this kind, or brings one of it.
    pub(crate) fn matches(&self, object: &Object) -> bool {
        let is_kind = self.kinds.contains(&object.kind())
            && (object.kind() != self.kind() || object.group() == self.group());
        is_kind
            && match self.label {
                Some((key, None)) => object.label(key).is_some(),
                Some((key, value)) => object.label(key) == value,
                None => true,
            }
    }

    /// The effect of a change at a field's path; `+` for an object that is added, `-` for one that is removed.
    pub(crate) fn effect(&self, path: &str, to: &str) -> Option<&'static Effect> {
        let mut effects = self.effects.iter().copied().flatten();
        effects.find(|effect| effect.matches_change(path, to))
    }
}

/// Whether the names are known, and this one is not among them.
pub(crate) fn is_missing(name: &str, names: Option<&BTreeSet<&str>>) -> bool {
    matches!(names, Some(names) if !names.contains(name))
}
