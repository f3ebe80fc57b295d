//! `spec.networking`, as it is written.

use super::decode::{Decode, Located, record, word, word_or};
use super::metadata::{NodeAnnotations, NodeLabels};
use super::scalar::{ApiVersion, ObjectKind, Text};
use crate::diagnostic::Problems;
use crate::input::yaml::{Node, Value};
use crate::peering::endpoint::{Address, Mtu, NodePort, Port, Protocol, Service};
use crate::peering::name::{Namespace, ObjectName};
use crate::peering::role::Role;

record! {
    /// The tunnel between the two clusters.
    Networking {
        /// Default: 1340, as `liqoctl` has it.
        #[schemars(extend("default" = 1340))]
        "mtu" => mtu: optional Mtu,
        /// The gateway that listens.
        "gatewayServer" => gateway_server: required GatewayServer,
        /// The gateway that dials, or `pending`.
        "gatewayClient" => gateway_client: required Located<GatewayClient>,
    }
}

record! {
    /// The gateway that listens.
    GatewayServer {
        /// On which side. Default: `provider`.
        #[schemars(extend("default" = "provider"))]
        "location" => location: optional Role,
        /// Its address.
        "endpoint" => endpoint: required ServerEndpoint,
        /// Default: Liqo's `wireguard-server`.
        "serverTemplateRef" => template: optional TemplateRef,
        /// Annotations of its Service; Liqo 1.2 or later.
        "serviceAnnotations" => service_annotations: optional Located<NodeAnnotations>,
        /// Labels of its Service; Liqo 1.2 or later.
        "serviceLabels" => service_labels: optional Located<NodeLabels>,
    }
}

record! {
    /// Where it listens.
    ServerEndpoint {
        /// How it is exposed: `ClusterIP`, `NodePort` or `LoadBalancer`.
        "serviceType" => service_type: required Located<ServiceType>,
        /// Default: 51840, as `liqoctl` has it.
        #[schemars(extend("default" = 51840))]
        "port" => port: optional Port,
        /// With `NodePort`. Default: Kubernetes chooses.
        "nodePort" => node_port: optional Located<NodePort>,
        /// With `LoadBalancer`.
        "loadBalancerIP" => load_balancer_ip: optional Located<Address>,
    }
}

/// The gateway that dials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GatewayClient {
    /// The address is not known before the server's first sync; no client is emitted yet.
    Pending,
    /// It is known.
    Known(Box<KnownClient>),
}

record! {
    /// The gateway that dials, with what it dials.
    KnownClient {
        /// Its address.
        "endpoint" => endpoint: required ClientEndpoint,
        /// Default: Liqo's `wireguard-client`.
        "clientTemplateRef" => template: optional TemplateRef,
    }
}

record! {
    /// What it dials.
    ClientEndpoint {
        /// Liqo's template uses the first.
        #[schemars(extend("minItems" = 1))]
        "addresses" => addresses: required Located<Vec<Address>>,
        /// Default: the server's node port, or its port.
        "port" => port: optional Port,
        /// `UDP` or `TCP`; Liqo's own template always uses UDP. Default: `UDP`.
        #[schemars(extend("default" = "UDP"))]
        "protocol" => protocol: optional Protocol,
    }
}

record! {
    #[derive(serde::Serialize)]
    /// A gateway or virtual kubelet template: Kubernetes' `ObjectReference`.
    TemplateRef {
        /// Default: that of Liqo's own templates of this place.
        "apiVersion" => api_version: optional ApiVersion,
        /// Default: that of Liqo's own templates of this place, such as `WgGatewayServerTemplate`.
        "kind" => kind: optional ObjectKind,
        /// Its name.
        "name" => name: required ObjectName,
        /// Default: where Liqo is installed.
        "namespace" => namespace: optional Namespace,
        /// Its UID; Liqo does not look at it.
        "uid" => uid: optional Text,
        /// Its version; Liqo does not look at it.
        "resourceVersion" => resource_version: optional Text,
        /// A piece of it; Liqo does not look at it.
        "fieldPath" => field_path: optional Text,
    }
}

/// The word of a [`Service`], before its other fields are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceType {
    /// `ClusterIP`
    ClusterIp,
    /// `NodePort`
    NodePort,
    /// `LoadBalancer`
    LoadBalancer,
}

impl Decode for ServiceType {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        Some(match word(node, &Service::WORDS, problems)?.value {
            0 => Self::ClusterIp,
            1 => Self::NodePort,
            _ => Self::LoadBalancer,
        })
    }
}

impl Decode for Protocol {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        Some(if word(node, &["UDP", "TCP"], problems)?.value == 0 { Self::Udp } else { Self::Tcp })
    }
}

impl Decode for Role {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let index = word(node, &Self::WORDS, problems)?.value;
        Self::BOTH.get(index).copied()
    }
}

impl Decode for GatewayClient {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        if matches!(node.value, Value::Map(_)) {
            return KnownClient::decode(node, problems).map(Box::new).map(Self::Known);
        }
        let takes = "a map with an `endpoint`, or `pending`";
        word_or(node, &["pending"], takes, problems).map(|_| Self::Pending)
    }
}
