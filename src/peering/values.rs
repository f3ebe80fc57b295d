//! The single values of a document, by Liqo's and Kubernetes' rules.

mod address;
mod characters;
mod cidr;
mod day;
mod kubernetes_text;
pub(crate) mod label_key;
mod labels;
mod name;
mod quantity;
mod resources;
mod url;
mod version;
mod wireguard_key;
mod words;

pub use address::{Address, LoadBalancerIp};
pub use cidr::Cidr;
pub use day::Day;
pub use kubernetes_text::{Bytes, Class, LabelValue, QualifiedName, Seconds, Text, Weight};
pub use labels::{Metadata, NodeAnnotations, NodeLabels, WorkloadMetadata};
pub use name::{
    ArgoCluster, ClusterId, ConfigurationName, FileName, GatewayName, Namespace, ObjectName,
    PeeringName, RoleBindingName, SUBDOMAIN_MAX, SecretName, SliceName, SubjectName,
    VirtualNodeName,
};
pub(crate) use name::{READ_CLUSTER_ID, READ_NETWORKS, fits, is_qualified, not_a_number};
pub use quantity::Quantity;
pub(crate) use resources::NEEDED;
pub use resources::Resources;
pub(crate) use url::UrlFlaw;
pub use url::{ApiServer, ProxyUrl};
pub use version::LiqoVersion;
pub use wireguard_key::PublicKey;
pub use words::{
    DataKey, Generation, Mtu, NodePort, Port, Protection, Role, SealedFile, Sides, State,
    TemplateRef,
};
pub(crate) use words::{LiqoTemplate, decimal};
