//! The networking module of one side.

use super::resource::{
    self, Configuration, GatewayClient, GatewayServer, KeySecret, Pair, Resource, TemplateRef,
};
use super::{Keys, OwnKey, PLACEHOLDER, Side, of};
use crate::custody::keys::PublicKey;
use crate::peering::KeySecretName;
use crate::peering::endpoint::Service;
use crate::peering::networking::{Client, Networking, Server, Template};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

impl Side<'_> {
    pub(super) fn networking(&self, networking: &Networking, keys: &Keys) -> Vec<Resource> {
        let (names, extras) = (&self.own.names, &self.own.extras);
        let (secret, immutable) = match &names.key_secret {
            KeySecretName::AfterKey => {
                let suffix =
                    keys.own.public().map_or_else(|| "placeholder".to_owned(), |key| key.fingerprint());
                (format!("gw-keys-{suffix}"), true)
            }
            KeySecretName::Fixed(name) => (name.to_string(), false),
        };
        let remote = networking.networks.of(self.role.peer());
        let mut resources = vec![
            Resource::KeySecret(KeySecret {
                place: self.place(&secret, of(&extras.key_secret)),
                private_key: match &keys.own {
                    OwnKey::Pair(pair) => pair.private().expose_base64(),
                    OwnKey::Public(_) => Zeroizing::new(PLACEHOLDER.to_owned()),
                },
                public_key: shown(keys.own.public()),
                immutable,
            }),
            Resource::PublicKey(resource::PublicKey {
                // without the common ones: until Liqo 1.2 each change of its metadata interrupts the tunnel (liqo issue 3090)
                place: self.place_with(
                    &names.public_key,
                    &self.own.tenant_namespace,
                    &of(&extras.public_key).into_iter().collect::<Vec<_>>(),
                ),
                public_key: shown(keys.peer),
            }),
            Resource::Configuration(Configuration {
                place: self.place(&names.configuration, of(&extras.configuration)),
                pods: remote.pods.iter().map(ToString::to_string).collect(),
                external: vec![remote.external.to_string()],
            }),
        ];
        let mtu = networking.mtu.get();
        if networking.server.location == self.role {
            resources.push(self.server(&networking.server, mtu, secret));
        } else if let Some(client) = &networking.client {
            resources.push(self.client(client, mtu, secret));
        }
        resources
    }

    fn server(&self, server: &Server, mtu: u16, secret: String) -> Resource {
        let (node_port, load_balancer_ip) = match server.service {
            Service::ClusterIp => (None, None),
            Service::NodePort(port) => (port.map(crate::peering::endpoint::NodePort::get), None),
            Service::LoadBalancer(ip) => (None, ip.map(|ip| ip.to_string())),
        };
        Resource::GatewayServer(GatewayServer {
            place: self.place(&self.own.names.gateway, of(&self.own.extras.gateway)),
            template: reference(&server.template),
            mtu,
            port: server.port.get(),
            service_type: server.service.word(),
            node_port,
            load_balancer_ip,
            service_annotations: pairs(&server.service_annotations),
            service_labels: pairs(&server.service_labels),
            secret,
        })
    }

    fn client(&self, client: &Client, mtu: u16, secret: String) -> Resource {
        Resource::GatewayClient(GatewayClient {
            place: self.place(&self.own.names.gateway, of(&self.own.extras.gateway)),
            template: reference(&client.template),
            mtu,
            addresses: client.addresses.iter().map(ToString::to_string).collect(),
            port: client.port.get(),
            protocol: client.protocol.word(),
            secret,
        })
    }
}

fn shown(key: Option<PublicKey>) -> String {
    key.map_or_else(|| PLACEHOLDER.to_owned(), |key| key.to_string())
}

pub(super) fn reference(template: &Template) -> TemplateRef {
    TemplateRef {
        api_version: template.api_version.clone(),
        kind: template.kind.clone(),
        name: template.name.to_string(),
        namespace: template.namespace.to_string(),
        uid: template.uid.clone(),
        resource_version: template.resource_version.clone(),
        field_path: template.field_path.clone(),
    }
}

pub(super) fn pairs<K: ToString, V: ToString>(map: &BTreeMap<K, V>) -> Vec<Pair> {
    map.iter().map(|(key, value)| Pair { key: key.to_string(), value: value.to_string() }).collect()
}
