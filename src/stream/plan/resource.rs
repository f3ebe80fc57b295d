//! The objects of a stream, as their templates see them: strings, numbers and lists.
//!
//! The only types that hand secrets to the templates; those that do have no `Debug`.

pub use crate::document::selector::Terms;
use crate::document::virtual_node::VirtualNode as Written;
use serde::Serialize;
use zeroize::Zeroizing;

/// One object.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Resource {
    /// The namespace that belongs to the peering.
    TenantNamespace(Place),
    /// The own gateway's keys.
    KeySecret(KeySecret),
    /// The other gateway's key.
    PublicKey(PublicKey),
    /// The other cluster's networks.
    Configuration(Configuration),
    /// Whom the other cluster comes as.
    ServiceAccount(Place),
    /// Its token.
    TokenSecret(ServiceAccount),
    /// The gateway that listens.
    GatewayServer(GatewayServer),
    /// The gateway that dials.
    GatewayClient(GatewayClient),
    /// What the other cluster may do here.
    RoleBinding(RoleBinding),
    /// The other cluster, where it is let in.
    Tenant(Tenant),
    /// The credential for the other cluster.
    IdentitySecret(IdentitySecret),
    /// The credential for the other cluster, without its private key.
    Identity(Identity),
    /// What this cluster asks the other one for.
    ResourceSlice(ResourceSlice),
    /// A virtual node of the user's own.
    VirtualNode(Box<VirtualNode>),
    /// A namespace for workloads.
    WorkloadNamespace(WorkloadNamespace),
    /// A namespace's offloading.
    NamespaceOffloading(NamespaceOffloading),
}

impl Resource {
    /// Argo CD's sync wave: creation goes up, deletion comes down, and each wave waits for the one before.
    ///
    /// A gateway's Secret must be there before the gateway (Liqo finds a late one only by error back-off); the
    /// Tenant's webhook needs the labelled namespace; a slice is released only while the credential still
    /// stands, so it goes first on the way down.
    #[must_use]
    pub const fn wave(&self) -> u8 {
        match self {
            Self::TenantNamespace(_) => 0,
            Self::KeySecret(_)
            | Self::PublicKey(_)
            | Self::Configuration(_)
            | Self::ServiceAccount(_)
            | Self::TokenSecret(_) => 1,
            Self::GatewayServer(_) | Self::GatewayClient(_) => 2,
            Self::RoleBinding(_) => 3,
            Self::Tenant(_) | Self::IdentitySecret(_) | Self::Identity(_) => 4,
            Self::ResourceSlice(_) => 5,
            Self::VirtualNode(_) | Self::WorkloadNamespace(_) => 6,
            Self::NamespaceOffloading(_) => 7,
        }
    }
}

/// What every object has: its name, its namespace, the cluster on the other side, the user's own labels and
/// annotations, and whether Argo CD asks before it deletes it (where that is asked at all).
#[derive(Serialize)]
pub struct Place {
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) peer: String,
    pub(crate) labels: Vec<Pair>,
    pub(crate) annotations: Vec<Pair>,
    pub(crate) protected: bool,
}

/// A label, an annotation, an amount.
#[derive(Serialize)]
pub struct Pair {
    pub(crate) key: String,
    pub(crate) value: String,
}

/// A template of Liqo.
#[derive(Serialize)]
pub struct TemplateRef {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) uid: Option<String>,
    pub(crate) resource_version: Option<String>,
    pub(crate) field_path: Option<String>,
}

/// Declares what a template sees of an object, beside its [`Place`].
macro_rules! views {
    ($($name:ident { $($field:ident: $type:ty,)* })*) => {
        $(
            #[doc = "See [`Resource`]; the fields of its template."]
            #[derive(Serialize)]
            pub struct $name {
                #[serde(flatten)]
                pub(crate) place: Place,
                $(pub(crate) $field: $type,)*
            }
        )*
    };
}

views! {
    KeySecret {
        private_key: Zeroizing<String>,
        public_key: String,
        immutable: bool,
    }
    PublicKey {
        public_key: String,
    }
    Configuration {
        pods: Vec<String>,
        external: Vec<String>,
    }
    ServiceAccount {
        account: String,
    }
    GatewayServer {
        template: TemplateRef,
        mtu: u16,
        port: u16,
        service_type: &'static str,
        node_port: Option<u16>,
        load_balancer_ip: Option<String>,
        service_annotations: Vec<Pair>,
        service_labels: Vec<Pair>,
        secret: String,
    }
    GatewayClient {
        template: TemplateRef,
        mtu: u16,
        addresses: Vec<String>,
        port: u16,
        protocol: &'static str,
        secret: String,
    }
    RoleBinding {
        subject: Subject,
    }
    Tenant {
        condition: &'static str,
        proxy_url: Option<String>,
    }
    IdentitySecret {
        remote_namespace: String,
        kubeconfig: Zeroizing<String>,
    }
    Identity {
        remote_namespace: String,
        api_server: String,
        ca: String,
        signed_crt: String,
        proxy_url: Option<String>,
    }
    ResourceSlice {
        class: String,
        resources: Vec<Pair>,
        create_virtual_node: String,
    }
    VirtualNode {
        secret: String,
        slice: String,
        hard: Vec<Pair>,
        template: Option<TemplateRef>,
        written: Written,
    }
    WorkloadNamespace {
        scheduling_enabled: bool,
    }
    NamespaceOffloading {
        terms: Terms,
        pods: &'static str,
        mapping: &'static str,
        remote_name: Option<String>,
    }
}

/// An RBAC subject.
#[derive(Serialize)]
pub struct Subject {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) account: bool,
}
