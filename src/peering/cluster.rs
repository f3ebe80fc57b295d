//! One of the two clusters: its ID, its networks, its keys, and the names and metadata of its objects.

pub mod foreign_cluster;
pub mod tenant_namespace;

use super::delivery::{Delivery, ExternalSpec};
use super::values::{
    ArgoCluster, Cidr, ClusterId, ConfigurationName, Day, GatewayName, Generation, Metadata,
    Namespace, ObjectName, PublicKey, READ_CLUSTER_ID, RoleBindingName, SealedFile, SecretName,
    Sides,
};
use crate::document::{Located, records};
use std::iter::repeat;
use std::ops::Deref;

records! {
    /// One of the two clusters.
    ClusterSpec {
        /// Liqo's cluster ID.
        "clusterID" => id: required Located<ClusterId>, missing READ_CLUSTER_ID;
        /// What Argo CD calls the cluster: the parameter `cluster` of an Application must be this. Default: the `clusterID`.
        "argocdCluster" => argocd_cluster: optional Located<ArgoCluster>;
        /// The cluster's own pod networks; several: Liqo 1.2.
        "podCIDRs" => pod_cidrs: optional Located<Vec<Located<Cidr>>>, schema { "minItems": 1 };
        /// Liqo's external network of the cluster.
        "externalCIDR" => external_cidr: optional Located<Cidr>;
        /// The namespace of this peering's objects. Default: `liqo-tenant-` and the other cluster's ID.
        "tenantNamespace" => tenant_namespace: optional Located<Namespace>;
        /// The namespace of Liqo on this cluster. Default: `spec.liqoNamespace`.
        "liqoNamespace" => liqo_namespace: optional Namespace;
        /// Raised to replace the cluster's key. Default: 1.
        "keyGeneration" => generation: default Generation = Generation::FIRST;
        /// The day of that key, such as `2026-11-25`. `list --format json` prints it. It changes no object.
        "keyRotated" => rotated: optional Day;
        /// This side's own seed, which only its own Argo CD can open. Default: `spec.seed`.
        "seed" => seed: optional SealedFile;
        /// With a seed: the key that it is expected to give. Without: the key of a side whose seed is elsewhere.
        "publicKey" => public_key: optional Located<PublicKey>;
        /// How its Secrets with data reach it. Default: `Secret`.
        "delivery" => delivery: default Delivery = Delivery::Secret;
        /// With `External`: where external-secrets finds the values. Left out, the stream has nothing in the Secrets' place.
        "external" => external: optional Located<ExternalSpec>;
        /// Names of objects that already exist.
        "names" => names: or_empty Names;
        /// Labels and annotations of single objects.
        "metadata" => metadata: or_empty ObjectMetadata;
    }
}

/// A part of a cluster's side of a peering. An object exists only with the part that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Every side has it.
    Always,
    /// Every side has it, unless `foreignCluster` is false.
    ForeignCluster,
    /// With `networking`.
    Networking,
    /// The side that authorises the other cluster.
    LetsIn,
    /// The side that uses the other cluster with a credential that is not an `existingSecret`.
    Uses,
    /// The side that uses the other cluster with Liqo's `Identity`, now or later.
    Identity,
    /// The side that authorises the other cluster as a ServiceAccount.
    ServiceAccount,
}

/// Declares the objects of a cluster whose metadata can be set, and in most cases also the name; of Secrets, only the name.
macro_rules! objects {
    (
        $( #[doc = $doc:literal] $key:literal => $field:ident $(: $name:ty)?, $part:ident; )*
        secrets: $( #[doc = $secret_doc:literal] $secret_key:literal => $secret:ident: $secret_name:ty, $secret_part:ident; )*
    ) => {
        records! {
            /// Names that replace the conventional ones.
            #[derive(Default)]
            Names {
                $($( #[doc = $doc] $key => $field: optional Located<$name>; )?)*
                $( #[doc = $secret_doc] $secret_key => $secret: optional Located<$secret_name>; )*
            }

            /// Labels and annotations to add to single objects of one cluster.
            #[derive(Default)]
            ObjectMetadata {
                $( #[doc = $doc] $key => $field: optional Located<Metadata>; )*
            }
        }

        /// The settings of single objects: the field, its place, and the part that its object belongs to.
        fn settings(names: &Names, metadata: &ObjectMetadata) -> Vec<Located<(&'static str, Part)>> {
            let mut settings = Vec::new();
            $(
                $( settings.extend(setting::<$name>(concat!("names.", $key), Part::$part, names.$field.as_ref())); )?
                settings.extend(setting(concat!("metadata.", $key), Part::$part, metadata.$field.as_ref()));
            )*
            $( settings.extend(setting(concat!("names.", $secret_key), Part::$secret_part, names.$secret.as_ref())); )*
            settings
        }
    };
}

fn setting<T>(
    field: &'static str,
    part: Part,
    written: Option<&Located<T>>,
) -> Option<Located<(&'static str, Part)>> {
    Some(Located::new((field, part), written?.span))
}

objects! {
    /// The tenant Namespace.
    "tenantNamespace" => tenant_namespace, Always;
    /// The `ForeignCluster`.
    "foreignCluster" => foreign_cluster, ForeignCluster;
    /// The `ServiceAccount`, without the Secret of its token.
    "serviceAccount" => service_account, ServiceAccount;
    /// The `GatewayServer` or `GatewayClient`.
    "gateway" => gateway: GatewayName, Networking;
    /// The Configuration.
    "configuration" => configuration: ConfigurationName, Networking;
    /// The `PublicKey`. Until Liqo 1.2 a change of its metadata interrupts the tunnel.
    "publicKey" => public_key: ObjectName, Networking;
    /// The Tenant, where the other cluster is let in.
    "tenant" => tenant: ObjectName, LetsIn;
    /// The `RoleBinding`, where the other cluster is let in.
    "roleBinding" => role_binding: RoleBindingName, LetsIn;
    /// Liqo's `Identity`, where the other cluster is used.
    "identity" => identity, Identity;
    secrets:
    /// The Secret with the gateway's keys.
    "keySecret" => key_secret: SecretName, Networking;
    /// The Secret or Identity with the credential, where the other cluster is used.
    "identity" => identity: ObjectName, Uses;
}

/// One of the two clusters, complete. A name that follows from the other cluster's ID has the ID's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// Argo CD's name of the cluster.
    pub argocd_cluster: Located<String>,
    /// The namespace with the peering's objects.
    pub tenant_namespace: Located<Namespace>,
    /// The namespace of Liqo.
    pub liqo_namespace: Namespace,
    /// The names of its objects.
    pub names: ObjectNames,
    /// All fields, as they are written.
    pub written: ClusterSpec,
}

impl Deref for Cluster {
    type Target = ClusterSpec;

    fn deref(&self) -> &ClusterSpec {
        &self.written
    }
}

impl Cluster {
    /// Its networks, if they are written, each with its name in messages.
    pub(crate) fn networks(&self) -> impl Iterator<Item = (&Located<Cidr>, &'static str)> {
        let pods = self.pod_cidrs.iter().flat_map(|it| it.iter());
        let external = self.external_cidr.iter().zip(["external CIDR"]);
        pods.zip(repeat("pod CIDR")).chain(external)
    }

    /// The settings of single objects, and the part that each belongs to.
    pub(crate) fn settings(&self) -> Vec<Located<(&'static str, Part)>> {
        settings(&self.written.names, &self.metadata)
    }
}

impl Sides<Cluster> {
    /// The consumer's and the provider's ID.
    pub(crate) const fn ids(&self) -> [&ClusterId; 2] {
        [
            &self.consumer.written.id.value,
            &self.provider.written.id.value,
        ]
    }
}

/// The names of a cluster's objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectNames {
    /// The gateway: server or client.
    pub gateway: Located<GatewayName>,
    /// The Configuration. The name is unique in the cluster: Liqo names nftables tables and routes after it.
    pub configuration: Located<ConfigurationName>,
    /// The Secret with the gateway's keys; `None` if it is named after its key. A Secret with a fixed name is not
    /// immutable, and after a change of the key the gateway must be restarted.
    pub key_secret: Option<Located<SecretName>>,
    /// The `PublicKey`. The name never depends on the key: with two of them, the gateway would switch between two keys.
    pub public_key: Located<ObjectName>,
    /// The Tenant. The name is unique in the cluster: Liqo's webhook requires it.
    pub tenant: Located<ObjectName>,
    /// The `RoleBinding`.
    pub role_binding: Located<RoleBindingName>,
    /// The Secret or the Identity with the credential; `None` for the conventional name.
    pub identity: Option<Located<ObjectName>>,
}
