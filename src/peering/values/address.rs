//! Addresses that a gateway client dials.

use super::characters::has_only_digits;
use super::name::{LABEL_MAX, SUBDOMAIN_MAX, is_subdomain};
use crate::diagnostic::{Code, Rule, is_unmasked, quoted};
use crate::document::scalar;
use std::net::{IpAddr, Ipv4Addr};

/// The address that a gateway client dials: an IP address or a fully qualified domain name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// An IP address; the addresses inside of the tunnel are IPv4 (liqo `cmd/gateway/wireguard/main.go`, net.ParseIP).
    Ip(IpAddr),
    /// A domain name, which Liqo resolves repeatedly.
    Fqdn(String),
}

impl Address {
    fn parse(text: &str) -> Result<Self, Rule> {
        const OWN: &str = "use an address that reaches the other cluster's gateway";
        match text.parse::<IpAddr>() {
            Ok(ip) if is_own_ip(ip.to_canonical()) => return Err(wrong(text, OWN)),
            Ok(ip) => return Ok(Self::Ip(ip)),
            Err(_) => {}
        }
        // the last dot keeps the resolver from the Pod's search domains; Go resolves `_` too (`net`, isDomainName). `0x7f000001` is also a
        // name: Liqo's programs are built without cgo, and Go asks a DNS server for it (liqo `pkg/gateway/tunnel/wireguard/dns.go`,
        // IsDNSRoutineRequired; `build/liqo/build.sh`)
        let name = text.strip_suffix('.').unwrap_or(text);
        // RFC 1035, section 2.3.4
        let has_room =
            name.len() <= SUBDOMAIN_MAX && name.split('.').all(|label| label.len() <= LABEL_MAX);
        let is_name = has_room && is_domain(name) && !ends_with_number(name);
        if is_name && !is_own_name(name) {
            return Ok(Self::Fqdn(text.to_owned()));
        }
        let lower = text.to_ascii_lowercase();
        let help = if is_name {
            OWN
        } else if text.contains('/') {
            "write it without scheme and path"
        } else if text.contains(':') {
            "write the port in `port`"
        } else if lower != text && is_domain(&name.to_ascii_lowercase()) && is_unmasked(text) {
            &format!("write it in lower case: {}", quoted(&lower))
        } else {
            "for example `172.16.183.16` or `gateway.example.org`"
        };
        Err(wrong(text, help))
    }
}

/// The IP address that a Service of type `LoadBalancer` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadBalancerIp(IpAddr);

impl LoadBalancerIp {
    pub const fn ip(self) -> IpAddr {
        self.0
    }

    fn parse(text: &str) -> Result<Self, Rule> {
        match Address::parse(text)? {
            Address::Ip(ip) => Ok(Self(ip)),
            Address::Fqdn(_) => {
                let message = "`loadBalancerIP` takes an IP address";
                let help = "a domain name belongs in the client's `addresses`";
                Err(Rule::new(Code::InvalidAddress, message).help(help))
            }
        }
    }
}

fn wrong(text: &str, help: &str) -> Rule {
    let what = "an address that a gateway client can dial";
    Rule::wrong_value(Code::InvalidAddress, text, what).help(help)
}

fn is_domain(name: &str) -> bool {
    is_subdomain(&name.replace('_', "0"))
}

/// Whether a pod that dials this address reaches itself, or no single server.
pub(super) fn is_own_ip(ip: IpAddr) -> bool {
    ip.is_loopback() || ip.is_unspecified() || ip.is_multicast() || ip == Ipv4Addr::BROADCAST
}

/// Whether a name in lower case means the own machine (RFC 6761, section 6.3).
pub(super) fn is_own_name(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

/// Whether the last label has only digits: it is then a mistyped address, since no top-level domain is a number (RFC 3696, section 2).
pub(super) fn ends_with_number(name: &str) -> bool {
    has_only_digits(name.rsplit('.').next().unwrap_or_default())
}

scalar!(Address, takes "an address", read Self::parse, shown |it| match it {
    Self::Ip(ip) => ip.to_string(),
    Self::Fqdn(name) => name.clone(),
}, schema {
    "type": "string",
    "pattern": r"^([a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*\.?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$",
    "not": { "pattern": r"^((.*\.)?localhost\.?|127(\.[0-9]+){3}|0\.0\.0\.0|::1?)$" },
    "maxLength": 254,
    "examples": ["172.16.183.16", "gateway.example.org"],
});

scalar!(LoadBalancerIp, takes "an IP address", read Self::parse, shown |it| it.0.to_string(), schema {
    "type": "string",
    "pattern": r"^([0-9]+(\.[0-9]+){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$",
    "not": { "pattern": r"^(127(\.[0-9]+){3}|0\.0\.0\.0|::1?)$" },
    "maxLength": 45,
    "examples": ["172.16.183.16", "2001:db8::16"],
});

#[cfg(test)]
mod tests {
    use super::Address;

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
            "0x7f000001",
            "2001:db8::16",
            "fd00::1",
            "64:ff9b::c633:6407",
        ] {
            assert_eq!(
                good.parse::<Address>().map(|address| address.to_string()),
                Ok(good.to_owned())
            );
        }
        for bad in [
            "",
            "172.16.183",
            "172.16.183.256",
            "::1",
            "::",
            "ff02::1",
            "::ffff:127.0.0.1",
            "fe80::1%eth0",
            "[2001:db8::16]",
            "[2001:db8::16]:51840",
            "1.2.3.4:5",
            "https://a",
            "A.example",
            "1.2.3.4.",
            "0177.0.0.1",
            "127.1",
            "2130706433",
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
