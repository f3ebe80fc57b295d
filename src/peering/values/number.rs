//! Ports, the MTU and the key generation.

use crate::diagnostic::Code;
use crate::document::integers;
use std::str::FromStr;

integers! {
    /// A UDP port, 1 to 65535.
    Port(u16), 1..=u16::MAX, Code::Port, "a port",
    "remove the field for the default";

    /// A port that Kubernetes opens on every node: 30000 to 32767, the API server's default
    /// `--service-node-port-range`.
    NodePort(u16), 30_000..=32_767, Code::Port, "a node port",
    "use one of these, the API server's default `--service-node-port-range`; with another range remove `nodePort` and set \
     the client's `port`; the port that the gateway itself listens on is `port`";

    /// The MTU of the tunnel: from 576, which every IPv4 host must accept (RFC 791), to 8920, a 9000-byte jumbo frame
    /// minus WireGuard's 80 bytes over IPv6.
    Mtu(u16), 576..=8920, Code::Mtu, "an MTU for the tunnel",
    "remove the field for 1340, `liqoctl`'s default";

    /// The number of a cluster's key: 1 for the first one, and 1 more with each replacement.
    Generation(u32), 1..=u32::MAX, Code::KeyGeneration, "a key generation",
    "remove the field for the first key; each replacement adds 1";
}

/// A number in digits, without a sign and leading zeros.
pub(super) fn decimal<T: FromStr>(text: &str) -> Option<T> {
    let canonical = text == "0" || !text.starts_with('0');
    text.parse().ok().filter(|_| canonical && text.bytes().all(|byte| byte.is_ascii_digit()))
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
    /// Of a key that was never replaced.
    pub const FIRST: Self = Self(1);

    /// The next one, unless this is the last.
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
        assert!(Port::try_from(0).is_err() && Port::try_from(65_536).is_err() && Port::try_from(-1).is_err());
        assert!(NodePort::try_from(30_000).is_ok() && NodePort::try_from(32_767).is_ok());
        assert!(NodePort::try_from(29_999).is_err() && NodePort::try_from(32_768).is_err());
        assert!(Mtu::try_from(576).is_ok() && Mtu::try_from(8920).is_ok());
        assert!(Mtu::try_from(575).is_err() && Mtu::try_from(8921).is_err());
        assert!(Generation::try_from(0).is_err() && Generation::try_from(i64::from(u32::MAX)).is_ok());
    }
}
