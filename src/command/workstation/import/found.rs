//! The objects of one side by their part in the peering, and what both sides' objects must agree on.

use super::side::{Side, disagree, public};
use crate::diagnostic::quoted;
use crate::object::Kind;
use crate::object::live::Object;
use crate::peering::authentication::credential::{identity, keys_exchange, kubeconfig};
use crate::peering::authentication::{role_binding, service_account, tenant};
use crate::peering::cluster::foreign_cluster;
use crate::peering::names;
use crate::peering::networking::keys::live::read_key;
use crate::peering::networking::{configuration, gateway_client, gateway_server, keys, public_key};
use crate::peering::offloading::resource_slice::live::is_copy;
use crate::peering::offloading::{namespace, resource_slice};
use crate::peering::values::Sides;
use crate::state::cluster::manifest::ENCRYPTED;
use serde_json::{Value, json};

/// The objects of one side that a peering has one of.
pub(super) struct Found<'o> {
    pub(super) side: &'o Side,
    pub(super) namespace: Option<&'o Object>,
    pub(super) foreign_cluster: Option<&'o Object>,
    pub(super) configuration: Option<&'o Object>,
    pub(super) server: Option<&'o Object>,
    pub(super) client: Option<&'o Object>,
    pub(super) public_key: Option<&'o Object>,
    pub(super) key_secret: Option<&'o Object>,
    pub(super) tenant: Option<&'o Object>,
    /// What the other cluster signs.
    pub(super) nonce: Option<&'o Object>,
    pub(super) role_binding: Option<&'o Object>,
    pub(super) identity: Option<&'o Object>,
    /// The Secret with the credential, unless Liqo makes it of the Identity.
    pub(super) credential: Option<&'o Object>,
    pub(super) service_account: Option<&'o Object>,
}

impl<'o> Found<'o> {
    pub(super) fn new(side: &'o Side, problems: &mut Vec<String>) -> Self {
        let mut one = |kind: &Kind| side.one(kind.live, problems);
        let is_control_plane =
            |it: &&Object| it.string("/spec/type").is_none_or(|kind| kind == "ControlPlane");
        let identity = side.all(identity::KIND.live).find(is_control_plane);
        let tenant_namespace = &side.tenant_namespace;
        let binds = |it: &&Object| {
            it.namespace() == *tenant_namespace && it.text("/roleRef/name") == "liqo-remote-controlplane"
        };
        let role_binding = side.objects.iter().find(|it| role_binding::KIND.live.is(it) && binds(it));
        let account = role_binding.and_then(|it| it.string("/subjects/0/name"));
        let derived = identity.map(|it| names::identity_kubeconfig(it.name()));
        Self {
            side,
            namespace: side.all(namespace::WORKLOAD.live).find(|it| it.name() == *tenant_namespace),
            foreign_cluster: side.all(foreign_cluster::KIND.live).find(|it| it.name() == side.peer),
            configuration: one(&configuration::KIND),
            server: one(&gateway_server::KIND),
            client: one(&gateway_client::KIND),
            public_key: one(&public_key::KIND),
            tenant: one(&tenant::KIND),
            nonce: one(&keys_exchange::NONCE_KIND),
            role_binding,
            identity,
            credential: one(&kubeconfig::KIND).filter(|it| Some(it.name()) != derived.as_deref()),
            key_secret: one(&keys::KIND),
            service_account: side.all(service_account::KIND.live).find(|it| Some(it.name()) == account),
        }
    }

    /// The gateway, server or client.
    pub(super) fn gateway(&self) -> Option<&'o Object> {
        self.server.or(self.client)
    }

    /// A selector that no API server takes: the field is dropped, and all clusters are selected.
    fn refuse_selectors(&self, problems: &mut Vec<String>) {
        for object in self.side.offloaded() {
            let selector = object.at("/spec/clusterSelector").and_then(Value::as_object);
            let odd = selector.into_iter().flatten().find(|(field, _)| *field != "nodeSelectorTerms");
            problems.extend(odd.map(|(field, _)| {
                format!(
                    "{}: `spec.clusterSelector` has no field {} in Liqo's CRD, so the API server drops it and every cluster is selected: write `nodeSelectorTerms`, as the cluster should have it, or remove it",
                    object.with_place(),
                    quoted(field)
                )
            }));
        }
    }

    /// What is unusual of the Secrets and of the slices.
    fn notes(&self, keep: bool) -> Vec<String> {
        let mut notes = Vec::new();
        let credential = self.credential.filter(|_| self.identity.is_none());
        for (secret, becomes) in [(self.key_secret, "`delivery: External`"), (credential, "`existingSecret`")]
        {
            let Some(secret) = secret.filter(|_| keep) else { continue };
            let place = secret.with_place();
            if secret.at(&format!("/{ENCRYPTED}")).is_some() {
                notes.push(format!(
                    "{place} is encrypted by SOPS: it was not read, and no key was compared with it"
                ));
            }
            notes.extend(secret.wrapper().map(|it| {
                format!("the {it} brings {place}: that one stays where it is, and the document has {becomes}")
            }));
        }
        let below = self.key_secret.filter(|secret| {
            secret.at("/stringData/publicKey").or(secret.at("/stringData/privateKey")).is_some()
        });
        let below = below.map(|it| {
            (it, "is below `stringData`, which Kubernetes encodes again: it is encoded twice".to_owned())
        });
        let flawed =
            |object: Option<&'o Object>, at: &str| Some((object?, read_key(object?.string(at)?).err()?));
        let secret = below.or_else(|| flawed(self.key_secret, "/data/publicKey"));
        for (object, flaw) in
            secret.filter(|_| keep).into_iter().chain(flawed(self.public_key, "/spec/publicKey"))
        {
            notes.push(format!(
                "the key in {} {flaw}. There is no tunnel with such a key: write its 32 bytes in base64 once, in a Secret below `data`",
                object.with_place()
            ));
        }
        for slice in self.side.all(resource_slice::KIND.live).filter(|it| is_copy(it)) {
            notes.push(format!(
                "{} is this cluster's own and has the marks of a copy, `liqo.io/replicated` and `liqo.io/originID`: Liqo copies nothing that is a copy. The stream has it without them",
                slice.with_place()
            ));
        }
        notes
    }

    pub(super) const fn has_networking(&self) -> bool {
        self.server.is_some() || self.client.is_some() || self.configuration.is_some()
    }

    /// The Secret that the gateway mounts: the written one, the one that Liqo found, or the one that Liqo makes
    /// (liqo `external-network/wireguard/utils.go`).
    pub(super) fn key_secret_name(&self) -> Option<String> {
        let gateway = self.gateway()?;
        let name = gateway
            .string("/spec/secretRef/name")
            .or_else(|| gateway.string("/status/secretRef/name"))
            .map(ToOwned::to_owned);
        let name = name.or_else(|| self.key_secret.map(|it| it.name().to_owned()));
        name.or_else(|| Some(format!("gw-{}", gateway.name())))
    }
}

/// Where the two sides' objects contradict each other, and what is only unusual.
pub(super) fn check(
    sides: &Sides<Found<'_>>,
    keep: bool,
    problems: &mut Vec<String>,
    notes: &mut Vec<String>,
) {
    let Sides { consumer, provider } = sides;
    for (own, peer) in [(consumer, provider), (provider, consumer)] {
        if let (Some(local), Some(remote)) = (own.configuration, peer.configuration) {
            for network in ["pod", "external"] {
                let [a, b] = ["local", "remote"].map(|whose| format!("/spec/{whose}/cidr/{network}"));
                let what = format!("the {network} networks of {}", own.side.id);
                disagree(&what, (local, local.at(&a)), (remote, remote.at(&b)), problems);
            }
        }
        if own.identity.or(own.credential).is_none()
            && let Some(tenant) = peer.tenant
        {
            notes.push(format!(
                "{}: no Secret with Liqo's labels and no Identity is the credential for {}, so the document has `credential: pending`. If the cluster has one, set `credential: {{ existingSecret: {{}} }}`: {} is where it is let in",
                own.side.id,
                peer.side.id,
                tenant.with_place()
            ));
        }
        own.refuse_selectors(problems);
        notes.extend(own.notes(keep));
        if let (Some(secret), Some(object)) = (own.key_secret, peer.public_key)
            && keep
            && let (Some(here), Some(there)) = (public(secret), object.string("/spec/publicKey"))
            && let (Ok(here), Ok(there)) = (read_key(here), read_key(there))
            && here != there
        {
            problems.push(format!(
                "the public key of {} is another one in {} than in {}",
                own.side.id,
                secret.with_place(),
                object.with_place()
            ));
        }
        if let (true, None, Some(other)) =
            (own.has_networking(), own.configuration, peer.configuration.or(own.gateway()))
        {
            problems.push(format!(
                "{} has no Configuration for {}, with the networks of that one: add it to the manifests ({} is for the same tunnel)",
                own.side.id,
                own.side.peer,
                other.with_place()
            ));
        }
        if let (Some(gateway), Some(secret)) = (own.gateway(), own.key_secret) {
            let named = gateway.at("/spec/secretRef/name").filter(|name| **name != json!(""));
            let what = "the names of the gateway's key Secret";
            disagree(what, (gateway, named), (secret, Some(&json!(secret.name()))), problems);
        }
        if let (Some(secret), Some(tenant)) = (own.credential, peer.tenant) {
            let named = secret.annotation(names::REMOTE_TENANT_NAMESPACE).map(|it| json!(it));
            let what = "the names of the other cluster's tenant namespace";
            disagree(what, (secret, named.as_ref()), (tenant, Some(&json!(tenant.namespace()))), problems);
        }
        if let (Some(server), Some(client)) = (own.server, own.client) {
            problems.push(format!(
                "one side listens and the other one dials, and here one side has both: {} and {}",
                server.with_place(),
                client.with_place()
            ));
        }
        if let (Some(server), Some(client)) = (own.server, peer.client) {
            disagree(
                "the MTUs",
                (server, server.at("/spec/mtu")),
                (client, client.at("/spec/mtu")),
                problems,
            );
            let (answers, dials) = (answers_at(server), client.at("/spec/endpoint/port"));
            let mut differ = Vec::new();
            disagree("the ports", (server, answers), (client, dials), &mut differ);
            notes.extend(differ.iter().map(|it| {
                format!("{it}. Both are kept: check that something in between translates the port")
            }));
        }
    }
    if let (Some(one), Some(other)) = (consumer.server, provider.server) {
        let (one, other) = (one.with_place(), other.with_place());
        problems.push(format!(
            "one side listens and the other one dials, and here both listen: {one} and {other}"
        ));
    }
}

/// The port at which a server answers, as far as its object says (liqo `wggatewayserver_controller.go`).
pub(super) fn answers_at(server: &Object) -> Option<&Value> {
    match server.text("/spec/endpoint/serviceType") {
        "NodePort" => server.at("/spec/endpoint/nodePort").or_else(|| server.at("/status/endpoint/port")),
        _ => server.at("/spec/endpoint/port"),
    }
}
