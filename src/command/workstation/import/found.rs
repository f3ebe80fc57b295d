//! The objects of one side by their function in the peering, and what both sides' objects must agree on.

use super::side::Side;
use crate::diagnostic::quoted;
use crate::judge::comparison::value_text;
use crate::object::live::Object;
use crate::peering::authentication::credential::{identity, keys_exchange, kubeconfig};
use crate::peering::authentication::{role_binding, service_account, tenant};
use crate::peering::cluster::foreign_cluster;
use crate::peering::networking::keys::read_key;
use crate::peering::networking::{configuration, gateway_client, gateway_server, keys, public_key};
use crate::peering::offloading::resource_slice::is_copy;
use crate::peering::offloading::{namespace, resource_slice};
use crate::peering::{Sides, names};
use crate::state::cluster::manifest::ENCRYPTED;
use serde_json::Value;

/// The objects of one side of which a peering has one each.
pub(super) struct SideObjects<'o> {
    pub(super) side: &'o Side,
    pub(super) namespace: Option<&'o Object>,
    pub(super) foreign_cluster: Option<&'o Object>,
    pub(super) configuration: Option<&'o Object>,
    pub(super) server: Option<&'o Object>,
    pub(super) client: Option<&'o Object>,
    pub(super) public_key: Option<&'o Object>,
    pub(super) key_secret: Option<&'o Object>,
    pub(super) tenant: Option<&'o Object>,
    /// The Secret with the nonce, which the other cluster signs.
    pub(super) nonce: Option<&'o Object>,
    pub(super) role_binding: Option<&'o Object>,
    pub(super) identity: Option<&'o Object>,
    /// The Secret with the credential, unless Liqo creates it from the Identity.
    pub(super) credential: Option<&'o Object>,
    pub(super) service_account: Option<&'o Object>,
}

impl<'o> SideObjects<'o> {
    pub(super) fn new(side: &'o Side, problems: &mut Vec<String>) -> Self {
        let mut identities = side.objects(identity::KIND.live);
        let identity = identities.find(|it| matches!(it.text("/spec/type"), "" | "ControlPlane"));
        let tenant_namespace = &side.tenant_namespace;
        let role_binding = side.objects.iter().find(|object| {
            role_binding::KIND.live.matches(object)
                && object.namespace() == *tenant_namespace
                && object.text("/roleRef/name") == "liqo-remote-controlplane"
        });
        let account = string_at(role_binding, "/subjects/0/name");
        Self {
            side,
            namespace: side.object(namespace::WORKLOAD.live, Some(tenant_namespace)),
            foreign_cluster: side.object(foreign_cluster::KIND.live, Some(&side.peer)),
            configuration: side.single(configuration::KIND.live, problems),
            server: side.single(gateway_server::KIND.live, problems),
            client: side.single(gateway_client::KIND.live, problems),
            public_key: side.single(public_key::KIND.live, problems),
            tenant: side.single(tenant::KIND.live, problems),
            nonce: side.single(keys_exchange::NONCE_KIND.live, problems),
            role_binding,
            identity,
            credential: own_credential(side, identity, problems),
            key_secret: side.single(keys::KIND.live, problems),
            service_account: side.object(service_account::KIND.live, account),
        }
    }

    /// The gateway: GatewayServer or GatewayClient.
    pub(super) fn gateway(&self) -> Option<&'o Object> {
        self.server.or(self.client)
    }

    /// The contradictions to the other side, or within this side.
    fn contradictions(&self, peer: &Self, keep: bool) -> Vec<String> {
        let id = &self.side.id;
        let mut found = Vec::new();
        for network in ["pod", "external"] {
            let local = field(self.configuration, &format!("/spec/local/cidr/{network}"));
            let remote = field(peer.configuration, &format!("/spec/remote/cidr/{network}"));
            let what = format!("the {network} networks of {id}");
            found.extend(disagree(&what, local, remote));
        }
        found.extend(self.side.offloaded().filter_map(odd_selector));
        if keep {
            found.extend(other_key(id, self.key_secret, peer.public_key));
        }
        let other = peer.configuration.or(self.gateway());
        if let (Some(other), None, true) = (other, self.configuration, self.has_networking()) {
            found.push(format!(
                "{id} lacks a Configuration for the tunnel of {}: add it",
                other.with_place()
            ));
        }
        let mounted = field(self.gateway(), "/spec/secretRef/name");
        let mounted = mounted.filter(|(_, name)| **name != "");
        let secret = field(self.key_secret, "/metadata/name");
        let what = "the names of the gateway's key Secret";
        found.extend(disagree(what, mounted, secret));
        let key = names::REMOTE_TENANT_NAMESPACE.replace('/', "~1");
        let written = field(self.credential, &format!("/metadata/annotations/{key}"));
        let tenant = field(peer.tenant, "/metadata/namespace");
        let what = "the names of the other cluster's tenant namespace";
        found.extend(disagree(what, written, tenant));
        if let (Some(server), Some(client)) = (self.server, self.client) {
            let (server, client) = (server.with_place(), client.with_place());
            found.push(format!(
                "{GATEWAYS}, and here one has both: {server} and {client}"
            ));
        }
        let own = field(self.server, "/spec/mtu");
        found.extend(disagree("the MTUs", own, field(peer.client, "/spec/mtu")));
        found
    }

    /// Notes about unusual settings.
    fn notes(&self, peer: &Self, keep: bool) -> Vec<String> {
        let mut notes = Vec::new();
        if let (None, Some(tenant)) = (self.identity.or(self.credential), peer.tenant) {
            let (own, other) = (&self.side.id, &peer.side.id);
            let tenant = tenant.with_place();
            notes.push(format!(
                "{own}: the credential for {other} ({tenant}) is missing, so the document has `credential: pending`; if it exists, set `existingSecret: {{}}`"
            ));
        }
        let key_secret = self.key_secret.filter(|_| keep);
        let credential = self.credential.filter(|_| keep && self.identity.is_none());
        for (secret, becomes) in [
            (key_secret, "`delivery: External`"),
            (credential, "`existingSecret`"),
        ] {
            let Some(secret) = secret else { continue };
            let place = secret.with_place();
            if secret.find(&format!("/{ENCRYPTED}")).is_some() {
                notes.push(format!(
                    "{place} is encrypted by SOPS: its key was not compared"
                ));
            }
            if let Some(bringer) = secret.bringer() {
                notes.push(format!(
                    "the {bringer} brings {place}, which stays; the document has {becomes}"
                ));
            }
        }
        let public = flaw_at(self.public_key, "/spec/publicKey");
        for (object, flaw) in flaw_of_secret(key_secret).into_iter().chain(public) {
            let place = object.with_place();
            notes.push(format!(
                "the key in {place} {flaw}: write its 32 bytes in base64 once, below `data`"
            ));
        }
        for slice in self.side.objects(resource_slice::KIND.live) {
            if is_copy(slice) {
                let place = slice.with_place();
                notes.push(format!(
                    "{place} has `liqo.io/replicated` and `liqo.io/originID`: the stream leaves a copy's marks out"
                ));
            }
        }
        let dialed = field(peer.client, "/spec/endpoint/port");
        if let Some(ports) = disagree("the ports", answers_at(self.server), dialed) {
            let help = "Both are kept: check that something translates the port";
            notes.push(format!("{ports}. {help}"));
        }
        notes
    }

    pub(super) const fn has_networking(&self) -> bool {
        self.server.is_some() || self.client.is_some() || self.configuration.is_some()
    }

    /// The name of the Secret that the gateway mounts: the one in its spec, the one that Liqo found, or the one that
    /// Liqo creates (liqo `external-network/wireguard/utils.go`).
    pub(super) fn key_secret_name(&self) -> Option<String> {
        let gateway = self.gateway()?;
        let names = [
            gateway.string("/spec/secretRef/name"),
            gateway.string("/status/secretRef/name"),
            self.key_secret.map(Object::name),
        ];
        Some(match names.into_iter().flatten().next() {
            Some(name) => name.to_owned(),
            None => format!("gw-{}", gateway.name()),
        })
    }
}

/// The Secret with the credential, unless Liqo creates it from the Identity.
fn own_credential<'o>(
    side: &'o Side,
    identity: Option<&Object>,
    problems: &mut Vec<String>,
) -> Option<&'o Object> {
    let secret = side.single(kubeconfig::KIND.live, problems)?;
    match identity {
        Some(identity) if secret.name() == names::identity_kubeconfig(identity.name()) => None,
        _ => Some(secret),
    }
}

/// The problem of a selector that the API server does not accept: it drops the field, and all clusters are selected.
fn odd_selector(object: &Object) -> Option<String> {
    let selector = object.find("/spec/clusterSelector")?.as_object()?;
    let odd = selector
        .keys()
        .find(|field| *field != "nodeSelectorTerms")?;
    Some(format!(
        "{}: Liqo's `spec.clusterSelector` has no field {}, so every cluster is selected: write `nodeSelectorTerms`",
        object.with_place(),
        quoted(odd)
    ))
}

const GATEWAYS: &str = "one side listens and the other dials";

/// Adds the contradictions between the two sides' objects, and returns notes about unusual settings.
pub(super) fn check_sides(
    Sides { consumer, provider }: &Sides<SideObjects<'_>>,
    keep: bool,
    problems: &mut Vec<String>,
    notes: &mut Vec<String>,
) {
    for (own, peer) in [(consumer, provider), (provider, consumer)] {
        problems.extend(own.contradictions(peer, keep));
        notes.extend(own.notes(peer, keep));
    }
    if let (Some(one), Some(other)) = (consumer.server, provider.server) {
        let (one, other) = (one.with_place(), other.with_place());
        problems.push(format!(
            "{GATEWAYS}, and here both listen: {one} and {other}"
        ));
    }
}

/// The value at a path of an object that may be missing.
pub(super) fn value_at<'o>(object: Option<&'o Object>, place: &str) -> Option<&'o Value> {
    object?.find(place)
}

/// The text at a path of an object that may be missing.
pub(super) fn string_at<'o>(object: Option<&'o Object>, place: &str) -> Option<&'o str> {
    object?.string(place)
}

/// The key at a path of an object that may be missing, if it is a key.
pub(super) fn key_at(object: Option<&Object>, place: &str) -> Option<String> {
    read_key(object?.string(place)?).ok()
}

/// An object with its value at a path.
fn field<'o>(object: Option<&'o Object>, place: &str) -> Option<(&'o Object, &'o Value)> {
    Some((object?, value_at(object, place)?))
}

/// A contradiction between two objects that should have the same value.
fn disagree(
    what: &str,
    one: Option<(&Object, &Value)>,
    other: Option<(&Object, &Value)>,
) -> Option<String> {
    let both = [one?, other?];
    if both[0].1 == both[1].1 {
        return None;
    }
    let [a, b] = both.map(|(object, value)| {
        format!("{} in {}", quoted(&value_text(value)), object.with_place())
    });
    Some(format!("{what} differ: {a} and {b}"))
}

/// The contradiction between the key of a Secret and a PublicKey, if both can be read and differ.
fn other_key(id: &str, secret: Option<&Object>, public_key: Option<&Object>) -> Option<String> {
    if key_at(secret, "/data/publicKey")? == key_at(public_key, "/spec/publicKey")? {
        return None;
    }
    let [secret, public_key] = [secret?, public_key?].map(Object::with_place);
    Some(format!(
        "the public key of {id} differs: {secret} and {public_key}"
    ))
}

/// The problem of a key Secret.
fn flaw_of_secret(secret: Option<&Object>) -> Option<(&Object, String)> {
    if value_at(secret, "/stringData/publicKey").is_some()
        || value_at(secret, "/stringData/privateKey").is_some()
    {
        let flaw = "is below `stringData`, so Kubernetes encodes it twice";
        return Some((secret?, flaw.to_owned()));
    }
    flaw_at(secret, "/data/publicKey")
}

/// The problem of the key at a path.
fn flaw_at<'o>(object: Option<&'o Object>, place: &str) -> Option<(&'o Object, String)> {
    Some((object?, read_key(string_at(object, place)?).err()?))
}

/// The port at which a server listens, if its object shows it (liqo `wggatewayserver_controller.go`).
fn answers_at(server: Option<&Object>) -> Option<(&Object, &Value)> {
    let server = server?;
    let port = declared_port(server).or(server.find("/status/endpoint/port"))?;
    Some((server, port))
}

/// The port in the server's spec; Kubernetes may choose a node port instead.
pub(super) fn declared_port(server: &Object) -> Option<&Value> {
    match server.text("/spec/endpoint/serviceType") {
        "NodePort" => server.find("/spec/endpoint/nodePort"),
        _ => server.find("/spec/endpoint/port"),
    }
}
