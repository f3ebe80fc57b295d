//! Words and numbers of the document: sides, states, items of Secrets, ports, generations, and references by name.

use super::FileName;
use super::characters::has_only_digits;
use super::kubernetes_text::{ApiVersion, ObjectKind};
use super::name::{ClusterId, Namespace, ObjectName};
use crate::diagnostic::Code;
use crate::document::{Located, integers, records, words};
use std::str::FromStr;

words! {
    /// A key of the data of a Secret.
    DataKey {
        /// The gateway's private key (liqo `pkg/consts/externalnetwork.go`, `PrivateKeyField`).
        PrivateKey = "privateKey",
        /// Its public key.
        PublicKey = "publicKey",
        /// The credential (liqo `pkg/consts/authentication.go`, `KubeconfigSecretField`).
        Kubeconfig = "kubeconfig",
    }
}

records! {
    /// A sealed file beside the document.
    SealedFile {
        /// The name of a file beside the document.
        "file" => file: required Located<FileName>,
            missing "name a sealed file, such as `peering.seed.age`";
    }
}

words! {
    /// Whether a peering is in use.
    State {
        /// It is.
        Active = "Active",
        /// The consumer lets go: no offloading, no slices, no credential. The provider keeps everything, so that Liqo
        /// can clean up there.
        Drained = "Drained",
    }

    /// Whether Argo CD asks before it deletes the Tenant, the `RoleBinding` and Namespaces.
    Protection {
        /// It asks.
        Confirm = "confirm",
        /// It does not.
        None = "none",
    }
}

words! {
    /// A cluster's side of a peering. The consumer offloads pods, the provider runs them.
    Role {
        /// The cluster that offloads pods.
        Consumer = "consumer",
        /// The cluster that runs them.
        Provider = "provider",
    }
}

impl Role {
    /// Both roles, the consumer first.
    pub const BOTH: [Self; 2] = [Self::Consumer, Self::Provider];

    /// The side that a person names: by its role, or by its cluster's ID. The role wins, as in terms.
    pub(crate) fn called<'i>(word: &str, id: impl Fn(Self) -> &'i ClusterId) -> Option<Self> {
        let mut both = Self::BOTH.into_iter();
        Self::find(word).or_else(|| both.find(|role| id(*role).as_str() == word))
    }

    /// The map of the document for what this side uses of the other one.
    pub(crate) const fn direction(self) -> &'static str {
        match self {
            Self::Consumer => "spec",
            Self::Provider => "spec.reverse",
        }
    }

    /// The other side.
    pub const fn peer(self) -> Self {
        match self {
            Self::Consumer => Self::Provider,
            Self::Provider => Self::Consumer,
        }
    }
}

/// A value for each side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sides<T> {
    /// The consumer's value.
    pub consumer: T,
    /// The provider's value.
    pub provider: T,
}

impl<T> std::ops::Index<Role> for Sides<T> {
    type Output = T;

    fn index(&self, role: Role) -> &T {
        self.side(role)
    }
}

impl<T> Sides<T> {
    /// The value of one side.
    pub const fn side(&self, role: Role) -> &T {
        match role {
            Role::Consumer => &self.consumer,
            Role::Provider => &self.provider,
        }
    }

    /// The value of one side.
    pub const fn of_mut(&mut self, role: Role) -> &mut T {
        match role {
            Role::Consumer => &mut self.consumer,
            Role::Provider => &mut self.provider,
        }
    }

    /// Makes a value for each side.
    pub fn make(mut make: impl FnMut(Role) -> T) -> Self {
        Self {
            consumer: make(Role::Consumer),
            provider: make(Role::Provider),
        }
    }

    /// As [`Self::make`]. The first error is returned.
    pub(crate) fn try_make<E>(mut make: impl FnMut(Role) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self {
            consumer: make(Role::Consumer)?,
            provider: make(Role::Provider)?,
        })
    }
}

impl<T> Sides<Option<T>> {
    /// Both values, if both exist.
    pub fn both_sides(self) -> Option<Sides<T>> {
        Some(Sides {
            consumer: self.consumer?,
            provider: self.provider?,
        })
    }
}

records! {
    /// A gateway or virtual kubelet template. Of Kubernetes' `ObjectReference` it has the fields that Liqo reads.
    TemplateRef {
        /// Its API version. Default: that of Liqo's own templates for this field.
        "apiVersion" => api_version: optional ApiVersion;
        /// Its kind. Default: that of Liqo's own templates for this field, such as `WgGatewayServerTemplate`.
        "kind" => kind: optional ObjectKind;
        /// Its name.
        "name" => name: required ObjectName;
        /// Its namespace. Default: the namespace of Liqo.
        "namespace" => namespace: optional Namespace;
    }
}

/// Liqo's own template for a field, and its API (liqo `apis/networking/v1beta1`, `apis/offloading/v1beta1`).
pub(crate) struct LiqoTemplate {
    pub(crate) api_version: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) name: &'static str,
}

impl LiqoTemplate {
    /// The written reference; the fields that it leaves out are those of Liqo's own template.
    pub(crate) fn complete(
        &self,
        written: Option<&TemplateRef>,
        liqo: &Namespace,
    ) -> Option<TemplateRef> {
        let own = TemplateRef {
            api_version: self.api_version.parse().ok(),
            kind: self.kind.parse().ok(),
            name: self.name.parse().ok()?,
            namespace: Some(liqo.clone()),
        };
        Some(match written.cloned() {
            None => own,
            Some(written) => TemplateRef {
                api_version: written.api_version.or(own.api_version),
                kind: written.kind.or(own.kind),
                name: written.name,
                namespace: written.namespace.or(own.namespace),
            },
        })
    }
}

integers! {
    /// A UDP port, 1 to 65535.
    Port(u16), 1..=u16::MAX, Code::Port, "a port",
    "remove the field for the default";

    /// A port that Kubernetes opens on every node: 30000 to 32767, the API server's default
    /// `--service-node-port-range`.
    NodePort(u16), 30_000..=32_767, Code::Port, "a node port",
    "write one of these, or remove `nodePort` and set the client's `port`";

    /// The MTU of the tunnel: from 576, which every IPv4 host must accept (RFC 791), to 8920, a 9000-byte jumbo frame
    /// minus WireGuard's 80 bytes over IPv6.
    Mtu(u16), 576..=8920, Code::Mtu, "an MTU for the tunnel",
    "remove the field for 1340, `liqoctl`'s default";

    /// The number of a cluster's key: 1 for the first one, and 1 more with each replacement.
    Generation(u32), 1..=u32::MAX, Code::UnknownValue, "a key generation",
    "remove the field for the first key";
}

/// A number in digits, without a sign or leading zeros.
pub(crate) fn decimal<T: FromStr>(text: &str) -> Option<T> {
    let is_canonical = text == "0" || !text.starts_with('0');
    if !is_canonical || !has_only_digits(text) {
        return None;
    }
    text.parse().ok()
}

impl Port {
    /// `liqoctl`'s default (liqo `pkg/liqo-controller-manager/networking/forge/gatewayserver.go`). Liqo's CRD has none.
    pub const LIQOCTL: Self = Self(51_840);
}

impl From<NodePort> for Port {
    fn from(port: NodePort) -> Self {
        Self(port.0)
    }
}

impl Mtu {
    /// `liqoctl`'s default (liqo `pkg/liqo-controller-manager/networking/forge/common.go`). Liqo's CRD has none, so the
    /// kernel would choose on each side.
    pub const LIQOCTL: Self = Self(1340);
}

impl Generation {
    /// The generation of the first key.
    pub const FIRST: Self = Self(1);

    /// The next generation, unless this is the last.
    pub fn next(self) -> Option<Self> {
        self.0.checked_add(1).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::{Generation, Mtu, NodePort, Port};

    #[test]
    fn ranges() {
        assert!(Port::try_from(1).is_ok() && Port::try_from(65_535).is_ok());
        assert!(
            Port::try_from(0).is_err()
                && Port::try_from(65_536).is_err()
                && Port::try_from(-1).is_err()
        );
        assert!(NodePort::try_from(30_000).is_ok() && NodePort::try_from(32_767).is_ok());
        assert!(NodePort::try_from(29_999).is_err() && NodePort::try_from(32_768).is_err());
        assert!(Mtu::try_from(576).is_ok() && Mtu::try_from(8920).is_ok());
        assert!(Mtu::try_from(575).is_err() && Mtu::try_from(8921).is_err());
        assert!(
            Generation::try_from(0).is_err() && Generation::try_from(i64::from(u32::MAX)).is_ok()
        );
    }
}
