//! Where a gateway listens and where its client dials.

use crate::diagnostic::{Code, Rule, is_shown, quoted};
use crate::peering::name::{LABEL_MAX, SUBDOMAIN_MAX, is_subdomain};
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Declares a number type with a range: `new`, `get`.
macro_rules! number_type {
    ($(#[$doc:meta])* $name:ident($inner:ty), $range:expr, $code:expr, $what:literal, $help:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($inner);

        impl $name {
            /// The number.
            #[must_use]
            pub const fn get(self) -> $inner {
                self.0
            }
        }

        impl TryFrom<i64> for $name {
            type Error = Rule;

            fn try_from(number: i64) -> Result<Self, Rule> {
                let range: std::ops::RangeInclusive<$inner> = $range;
                <$inner>::try_from(number).ok().filter(|number| range.contains(number)).map(Self).ok_or_else(|| {
                    Rule::new($code, format!("`{number}` is not {}: {} to {}", $what, range.start(), range.end()))
                        .help($help)
                })
            }
        }
    };
}

number_type! {
    /// A UDP port, 1 to 65535.
    Port(u16), 1..=u16::MAX, Code::Port, "a port",
    "leave it out for the default"
}

number_type! {
    /// A port that Kubernetes opens on every node: 30000 to 32767, the API server's default
    /// `--service-node-port-range`.
    NodePort(u16), 30_000..=32_767, Code::Port, "a node port",
    "choose one of these, the default of the API server's `--service-node-port-range`; with another range leave `nodePort` out and \
     say the client's `port`; the port that the gateway itself listens on is `port`"
}

number_type! {
    /// The MTU of the tunnel: from 576, which every IPv4 host must take (RFC 791), to 8920, a 9000-byte
    /// jumbo frame less `WireGuard`'s 80 bytes over IPv6.
    Mtu(u16), 576..=8920, Code::Mtu, "an MTU for the tunnel",
    "leave it out for 1340, which `liqoctl` uses"
}

number_type! {
    /// How often a cluster's key was replaced, counted from 1.
    Generation(u32), 1..=u32::MAX, Code::KeyGeneration, "a key generation",
    "leave it out for the first key; each replacement adds 1"
}

/// How the gateway server is exposed. Liqo's CRD also lists `ExternalName`, and its controller refuses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Reachable inside its cluster only.
    ClusterIp,
    /// A port on every node, chosen by Kubernetes unless it is given.
    NodePort(Option<NodePort>),
    /// A load balancer, with the address it should have if it is given.
    LoadBalancer(Option<Ipv4Addr>),
}

impl Service {
    /// The words of `serviceType`.
    pub const WORDS: [&'static str; 3] = ["ClusterIP", "NodePort", "LoadBalancer"];

    /// The word for this kind.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ClusterIp => "ClusterIP",
            Self::NodePort(_) => "NodePort",
            Self::LoadBalancer(_) => "LoadBalancer",
        }
    }
}

/// The protocol that a gateway client dials with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// What WireGuard speaks.
    Udp,
    /// What a template of the user's own may make of it.
    Tcp,
}

impl Protocol {
    /// Liqo's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Udp => "UDP",
            Self::Tcp => "TCP",
        }
    }
}

/// What a gateway client dials: an IPv4 address or a fully qualified domain name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// An IPv4 address.
    Ip(Ipv4Addr),
    /// A domain name; Liqo resolves it again and again.
    Fqdn(String),
}

impl FromStr for Address {
    type Err = Rule;

    fn from_str(text: &str) -> Result<Self, Rule> {
        const REACHABLE: &str = "use an address at which the other cluster's gateway can be reached";
        let refused = |code: Code, help: &str| {
            Err(Rule::new(code, format!("{} is not an address that a gateway client can dial", quoted(text)))
                .help(help))
        };
        let wrong = |help: &str| refused(Code::InvalidAddress, help);
        if let Ok(ip) = text.parse::<Ipv4Addr>() {
            if ip.is_unspecified() || ip.is_broadcast() || ip.is_multicast() || ip.is_loopback() {
                return refused(Code::OwnAddress, REACHABLE);
            }
            return Ok(Self::Ip(ip));
        }
        if text.parse::<Ipv6Addr>().is_ok() {
            return wrong("Liqo's gateways have IPv4 addresses only");
        }
        if text.contains(':') && !text.contains('/') {
            return wrong("the port has a field of its own, `port`");
        }
        if text.contains('/') {
            return wrong("an IPv4 address or a domain name, without scheme and path");
        }
        // the last dot keeps the resolver from the Pod's search domains; Go resolves `_` too (`net`, isDomainName)
        let name = text.strip_suffix('.').unwrap_or(text);
        let is_domain = |name: &str| is_subdomain(&name.replace('_', "0"));
        // a last label of digits is what a mistyped address looks like, and no top-level domain (RFC 3696 section 2)
        let last_is_number =
            name.rsplit('.').next().is_some_and(|label| label.bytes().all(|b| b.is_ascii_digit()));
        // RFC 1035, section 2.3.4
        let short = name.len() <= SUBDOMAIN_MAX && name.split('.').all(|label| label.len() <= LABEL_MAX);
        if short && is_domain(name) && !last_is_number {
            // RFC 6761, section 6.3
            if name == "localhost" || name.ends_with(".localhost") {
                return refused(Code::OwnAddress, REACHABLE);
            }
            return Ok(Self::Fqdn(text.to_owned()));
        }
        let lower = text.to_ascii_lowercase();
        if lower != text && is_domain(&name.to_ascii_lowercase()) && is_shown(text) {
            return wrong(&format!("write it in lower case: {}", quoted(&lower)));
        }
        wrong("an IPv4 address such as `172.16.183.16`, or a domain name such as `gateway.example.org`")
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip(ip) => ip.fmt(formatter),
            Self::Fqdn(name) => formatter.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, Generation, Mtu, NodePort, Port};

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

    #[test]
    fn addresses() {
        for good in [
            "172.16.183.16",
            "gateway.example.org",
            "gateway.example.org.",
            "gw_1.example.org",
            "gateway",
            "localhost.example.org",
            "a-b.c",
        ] {
            assert_eq!(good.parse::<Address>().map(|address| address.to_string()), Ok(good.to_owned()));
        }
        for bad in [
            "",
            "172.16.183",
            "172.16.183.256",
            "fd00::1",
            "1.2.3.4:5",
            "https://a",
            "A.example",
            "1.2.3.4.",
            "0.0.0.0",
            "127.0.0.1",
            "localhost",
            "gateway.localhost",
            "localhost.",
            "a..",
            ".",
            &format!("{}.example.org", "a".repeat(64)),
        ] {
            assert!(bad.parse::<Address>().is_err(), "{bad}");
        }
    }
}
