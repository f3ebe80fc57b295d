//! PLAN: which objects one side's stream has, in the order in which Argo CD will apply them.
//!
//! It cannot fail: every failing condition was checked before. The list for a side is a function of the peering and
//! of what the sealed files gave.

pub mod resource;

use crate::keys::{KeyPair, PublicKey};
use crate::peering::authentication::Authentication;
use crate::peering::networking::Networking;
use crate::peering::offloading::{Clusters, Offloading};
use crate::peering::role::Role;
use crate::peering::{Cluster, KeySecretName, Peering, Protection};
use resource::{
    Amount, Configuration, GatewayClient, GatewayServer, IdentitySecret, KeySecret, Mapped,
    NamespaceOffloading, Place, Resource, ResourceSlice, RoleBinding, Subject, Tenant, TenantNamespace,
    WorkloadNamespace,
};
use zeroize::Zeroizing;

/// What the sealed files gave.
#[derive(Default)]
pub struct Material {
    /// With networking.
    pub keys: Option<Keys>,
    /// With authentication, for the consumer: base64 of its kubeconfig.
    pub kubeconfig: Option<Zeroizing<String>>,
}

/// The keys of one side's stream.
pub struct Keys {
    /// Its own gateway's.
    pub own: KeyPair,
    /// The other gateway's public key.
    pub peer: PublicKey,
}

/// The objects of one side's stream, in the order of their waves.
pub struct Plan {
    resources: Vec<Resource>,
}

impl Plan {
    /// The plan of one side.
    #[must_use]
    pub fn new(peering: &Peering, role: Role, material: &Material) -> Self {
        let side =
            Side { peering, role, own: peering.clusters.of(role), peer: peering.clusters.of(role.peer()) };
        let mut resources = vec![side.tenant_namespace()];
        if let (Some(networking), Some(keys)) = (&peering.networking, &material.keys) {
            resources.extend(side.networking(networking, keys));
        }
        if let Some(authentication) = &peering.authentication {
            resources.extend(match role {
                Role::Consumer => {
                    material.kubeconfig.as_ref().map(|it| side.identity(it)).into_iter().collect()
                }
                Role::Provider => side.admission(authentication),
            });
        }
        if let (Some(offloading), Role::Consumer) = (&peering.offloading, role) {
            resources.extend(side.offloading(offloading));
        }
        // stable: within a wave the order of the document stays
        resources.sort_by_key(Resource::wave);
        Self { resources }
    }

    /// The objects.
    #[must_use]
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }
}

/// One side of a peering, seen from itself.
struct Side<'p> {
    peering: &'p Peering,
    role: Role,
    own: &'p Cluster,
    peer: &'p Cluster,
}

impl Side<'_> {
    fn protected(&self) -> bool {
        self.peering.protection == Protection::Confirm
    }

    /// An object in the tenant namespace.
    fn place(&self, name: &impl ToString) -> Place {
        Place {
            name: name.to_string(),
            namespace: self.own.tenant_namespace.to_string(),
            peer: self.peer.id.to_string(),
        }
    }

    fn tenant_namespace(&self) -> Resource {
        Resource::TenantNamespace(TenantNamespace {
            name: self.own.tenant_namespace.to_string(),
            peer: self.peer.id.to_string(),
            protected: self.protected(),
        })
    }

    fn networking(&self, networking: &Networking, keys: &Keys) -> Vec<Resource> {
        let names = &self.own.names;
        let (secret, immutable) = match &names.key_secret {
            KeySecretName::AfterKey => (format!("gw-keys-{}", keys.own.public().fingerprint()), true),
            KeySecretName::Fixed(name) => (name.to_string(), false),
        };
        let remote = networking.networks.of(self.role.peer());
        let mut resources = vec![
            Resource::KeySecret(KeySecret {
                place: self.place(&secret),
                private_key: keys.own.private().expose_base64(),
                public_key: keys.own.public().to_string(),
                immutable,
            }),
            Resource::PublicKey(resource::PublicKey {
                place: self.place(&names.public_key),
                public_key: keys.peer.to_string(),
            }),
            Resource::Configuration(Configuration {
                place: self.place(&names.configuration),
                pods: remote.pods.iter().map(ToString::to_string).collect(),
                external: vec![remote.external.to_string()],
            }),
        ];
        let gateway = self.place(&names.gateway);
        let mtu = networking.mtu.get();
        if networking.server.location == self.role {
            let server = &networking.server;
            resources.push(Resource::GatewayServer(GatewayServer::new(gateway, server, mtu, secret)));
        } else if let Some(client) = &networking.client {
            resources.push(Resource::GatewayClient(GatewayClient::new(gateway, client, mtu, secret)));
        }
        resources
    }

    /// The consumer's credential.
    fn identity(&self, kubeconfig: &Zeroizing<String>) -> Resource {
        Resource::IdentitySecret(IdentitySecret {
            place: self.place(&self.own.names.identity),
            remote_namespace: self.peer.tenant_namespace.to_string(),
            kubeconfig: kubeconfig.clone(),
        })
    }

    /// What lets the consumer in, on the provider.
    fn admission(&self, authentication: &Authentication) -> Vec<Resource> {
        vec![
            Resource::RoleBinding(RoleBinding {
                place: self.place(&self.own.names.role_binding),
                subject: Subject {
                    kind: authentication.subject.kind.word(),
                    name: authentication.subject.name.to_string(),
                },
                protected: self.protected(),
            }),
            Resource::Tenant(Tenant {
                place: self.place(&self.own.names.tenant),
                condition: authentication.condition.word(),
                protected: self.protected(),
            }),
        ]
    }

    fn offloading(&self, offloading: &Offloading) -> Vec<Resource> {
        let slices = offloading.slices.iter().map(|slice| {
            Resource::ResourceSlice(ResourceSlice {
                place: self.place(&slice.name),
                class: slice.class.clone(),
                resources: slice
                    .resources
                    .iter()
                    .map(|(name, quantity)| Amount { name: name.to_string(), quantity: quantity.to_string() })
                    .collect(),
            })
        });
        let created = offloading.namespaces.iter().filter(|it| it.create).map(|it| {
            Resource::WorkloadNamespace(WorkloadNamespace {
                name: it.name.to_string(),
                protected: self.protected(),
            })
        });
        let offloaded = offloading.namespaces.iter().map(|it| {
            Resource::NamespaceOffloading(NamespaceOffloading {
                namespace: it.name.to_string(),
                peer: self.peer.id.to_string(),
                this_peer: it.clusters == Clusters::ThisPeer,
                pods: it.pods.word(),
                mapping: Mapped::new(&it.mapping),
            })
        });
        slices.chain(created).chain(offloaded).collect()
    }
}
