//! A kind's live half: what a kind is in a cluster, beside what it is in a stream.

mod api_object;
mod check;
mod effect;
pub(crate) mod owner;
mod readable_yaml;

pub(crate) use api_object::{Object, one_line};
pub use check::Check;
pub(crate) use check::{Finding, Stage, error, finding, note, warning};
pub use effect::Impact;
pub(crate) use effect::{Effect, effect};
pub(crate) use readable_yaml::{Content, Fields, Yaml};

use std::collections::BTreeSet;
use std::time::Duration;

/// Where Liqo says why it has not done something.
pub(crate) const LOGS: &str = "look at the logs of Liqo's controller manager";

/// What a kind is in a cluster. It stands beside the kind's fields and its template.
#[derive(Debug)]
pub(crate) struct LiveHalf {
    /// The kind in the API; first the one of the stream, then those that bring it.
    pub(crate) kinds: &'static [&'static str],
    /// Its resource, as `kubectl get` takes it: `tenants.authentication.liqo.io`.
    pub(crate) resource: &'static str,
    /// How it is read.
    pub(crate) scope: Scope,
    /// The label, and its value unless any will do, that tells it from others of the kind.
    pub(crate) label: Option<(&'static str, Option<&'static str>)>,
    /// How many of a peering Liqo works with.
    pub(crate) once: Once,
    /// What of a secret it shows.
    pub(crate) holds: Holds,
    /// What each change of it does.
    pub(crate) effects: &'static [&'static [Effect]],
    /// What Liqo reports of one.
    pub(crate) status: fn(&Object, &Awaited<'_>) -> Vec<Finding>,
    /// Where it has a certificate that ends (RFC 6901).
    pub(crate) certificate: Option<&'static str>,
    /// The beginnings of fields that no stream has, because Liqo or Kubernetes writes them.
    pub(crate) theirs: &'static [&'static str],
    /// The beginnings of fields that a stream has, and Liqo changes.
    pub(crate) taken_over: &'static [&'static str],
}

/// How objects of a kind are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Of all namespaces: Liqo looks most kinds up by label in the whole cluster.
    Everywhere,
    /// Of the tenant namespace, where the stream has one.
    InTenantNamespace,
    /// Of the tenant namespace; it brings a Secret, which is read for itself.
    InPlaceOfSecret,
    /// Of the tenant namespace, without its data and its annotations.
    WithoutData,
    /// By the label of the other cluster.
    ByPeer,
    /// Of the tenant namespace: what Kubernetes has there for a gateway.
    AroundGateway,
    /// Of the namespace that Liqo is installed in: its programs.
    OfLiqo,
}

/// How many objects of a kind Liqo works with, in the plural.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Once {
    /// Any number.
    Many,
    /// One in the cluster for another cluster.
    InCluster(&'static str),
    /// One in the tenant namespace.
    InNamespace(&'static str),
}

/// What of a secret an object shows, though its fields do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Nothing,
    /// The own gateway's key.
    OwnKey,
    /// The name of the Secret with it.
    NameOfOwnKey,
    /// The other gateway's public key.
    PeersKey,
    Credential,
}

/// What an object's status is held against; looked up once, since the other cluster chooses how many slices there are.
#[derive(Debug, Default)]
pub(crate) struct Awaited<'s> {
    /// Of this cluster.
    pub(crate) tenant_namespace: &'s str,
    /// With networking.
    pub(crate) client: Option<Client>,
    /// What the client dials, and from where: `UDP 203.0.113.7:51840 from rome`.
    pub(crate) dialled: Option<String>,
    /// Whether there is a Connection; also where that is not known.
    pub(crate) connection: bool,
    /// Whether it is up: whatever the client dials leads to the server.
    pub(crate) is_connected: bool,
    /// Why the gateway's pod does not run, as far as Kubernetes says it.
    pub(crate) pod: Option<String>,
    /// The node on which the gateway's pod runs.
    pub(crate) gateway_node: Option<&'s str>,
    /// Whether the gateway has a way to another node.
    pub(crate) reaches_nodes: bool,
    /// The hosts that configure this peering's way: the gateway, and the pods of Liqo's fabric that exist.
    pub(crate) hosts: BTreeSet<&'s str>,
    /// The names of the slices that the other cluster has of this one, if they are known.
    pub(crate) copies: Option<BTreeSet<&'s str>>,
    /// When it was read, since 1970.
    pub(crate) now: Duration,
    /// The names of the VirtualNodes, if they are known.
    pub(crate) virtual_nodes: Option<BTreeSet<&'s str>>,
    /// The names of the Nodes, if they are known.
    pub(crate) nodes: Option<BTreeSet<&'s str>>,
}

/// The client of the document.
#[derive(Debug)]
pub(crate) enum Client {
    /// The server's address is not known yet.
    Pending,
    /// What it dials.
    Dials { address: String, port: Option<i64> },
}

impl LiveHalf {
    /// A kind without a status, of which nothing is known yet.
    pub(crate) const fn new(kinds: &'static [&'static str], resource: &'static str) -> Self {
        Self {
            kinds,
            resource,
            scope: Scope::Everywhere,
            label: None,
            once: Once::Many,
            holds: Holds::Nothing,
            effects: &[],
            status: |_, _| Vec::new(),
            certificate: None,
            theirs: &[],
            taken_over: &[],
        }
    }

    /// The kind of the stream.
    pub(crate) fn kind(&self) -> &'static str {
        self.kinds.first().copied().unwrap_or_default()
    }

    /// Its API group; empty for Kubernetes' own.
    pub(crate) fn group(&self) -> &'static str {
        self.resource.split_once('.').map_or("", |(_, group)| group)
    }

    /// Whether an object is one, or brings one.
    pub(crate) fn is(&self, object: &Object) -> bool {
        let is_kind = self.kinds.contains(&object.kind())
            && (object.kind() != self.kind() || object.group() == self.group());
        is_kind
            && self.label.is_none_or(|(key, value)| {
                object.label(key).is_some_and(|found| value.is_none_or(|value| value == found))
            })
    }

    /// The effect of a change: a field's path, `+` for an object that is added, `-` for one that is removed.
    pub(crate) fn effect(&self, path: &str, to: &str) -> Option<&'static Effect> {
        self.effects.iter().copied().flatten().find(|effect| effect.is_of(path, to))
    }
}

impl Awaited<'_> {
    /// Whether it is known that there is no object of this name.
    pub(crate) fn lacks(names: Option<&BTreeSet<&str>>, name: &str) -> bool {
        names.is_some_and(|names| !names.contains(name))
    }
}
