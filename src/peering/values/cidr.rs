//! IPv4 networks.

use super::characters::has_only_digits;
use super::words::decimal;
use crate::diagnostic::{Code, Rule, quoted};
use crate::document::scalar;
use ipnet::Ipv4Net;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An IPv4 network.
///
/// A value of this type has no host bits set: Liqo's IPAM does not find a network with host bits in its tree and
/// silently remaps it (liqo `pkg/ipam/core/node.go`). It is IPv4: Liqo's splitting handles four bytes only (liqo
/// `pkg/ipam/core/net.go`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cidr(Ipv4Net);

impl Cidr {
    /// Whether another network is in this one.
    pub fn contains(self, other: Self) -> bool {
        self.0.contains(&other.0)
    }

    /// Whether an address is in this one.
    pub fn holds(self, address: Ipv4Addr) -> bool {
        self.0.contains(&address)
    }

    /// Its first address.
    pub fn start(self) -> Ipv4Addr {
        self.0.network()
    }

    /// Its last address.
    pub fn end(self) -> Ipv4Addr {
        self.0.broadcast()
    }

    fn parse(text: &str) -> Result<Self, Rule> {
        let Some((address, prefix)) = text.split_once('/') else {
            let is_address = text.parse::<IpAddr>().is_ok();
            let missing = if is_address {
                "add the prefix length, "
            } else {
                ""
            };
            return Err(not_a_network(text, format!("{missing}{EXAMPLE}")));
        };
        if address.parse::<Ipv6Addr>().is_ok() {
            return Err(not_a_network(text, "Liqo's IPAM supports IPv4 only"));
        }
        let Ok(address) = address.parse::<Ipv4Addr>() else {
            let help = wrong_octet(address, prefix);
            return Err(not_a_network(text, help.as_deref().unwrap_or(EXAMPLE)));
        };
        let net = decimal(prefix).and_then(|length| Ipv4Net::new(address, length).ok());
        let net = net.ok_or_else(|| not_a_network(text, "the prefix length is 0 to 32"))?;
        if net.addr() != net.network() {
            let message = format!("{} has host bits set", quoted(text));
            let rule = Rule::new(Code::CidrHostBits, message);
            return Err(rule.help(format!("the network is `{}`", net.trunc())));
        }
        for (unusable, why) in UNUSABLE {
            if unusable.contains(&net) || net.contains(&unusable) {
                let text = quoted(text);
                let message = format!("{text} cannot be a cluster's network: `{unusable}` {why}");
                let rule = Rule::new(Code::Cidr, message);
                return Err(rule.help("write the cluster's own network"));
            }
        }
        Ok(Self(net))
    }
}

const EXAMPLE: &str = "for example `10.42.0.0/16`";

fn not_a_network(text: &str, help: impl Into<String>) -> Rule {
    Rule::wrong_value(Code::Cidr, text, "an IPv4 network").help(help)
}

/// The problem of one number in an address of four numbers.
fn wrong_octet(address: &str, prefix: &str) -> Option<String> {
    let octets: Result<Vec<u32>, _> = address.split('.').map(str::parse).collect();
    let octets = octets.ok()?;
    if octets.len() != 4 || !has_only_digits(&address.replace('.', "")) {
        return None;
    }
    if let Some(large) = octets.iter().find(|it| **it > 255) {
        return Some(format!("each number is 0 to 255; `{large}` is more"));
    }
    // some readers take a number with a leading zero as octal (RFC 6943, section 3.1.1)
    let plain: Vec<String> = octets.iter().map(u32::to_string).collect();
    let plain = quoted(&format!("{}/{prefix}", plain.join(".")));
    Some(format!("a number has a leading zero; write {plain}"))
}

/// Networks that cannot hold pods or Services (RFC 6890): Kubernetes refuses such endpoints (`k8s.io/kubernetes`
/// `pkg/apis/core/validation`, ValidateEndpointIP), and the ends of Liqo's tunnels are link-local (liqo
/// `pkg/gateway/tunnel/netlink.go`). `240.0.0.0/4` is reserved too, but clusters use it for pods.
const UNUSABLE: [(Ipv4Net, &str); 4] = [
    (network([0, 0, 0, 0], 8), "is not a host's"),
    (network([127, 0, 0, 0], 8), "is loopback"),
    (
        network([169, 254, 0, 0], 16),
        "is link-local, and Liqo's tunnel is there",
    ),
    (network([224, 0, 0, 0], 4), "is multicast"),
];

const fn network([a, b, c, d]: [u8; 4], length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

scalar!(Cidr, takes "an IPv4 network", read Self::parse, shown |it| it.0, schema {
    "type": "string",
    "pattern": r"^(?!(0|127|169\.254|22[4-9]|23[0-9])\.)([0-9]{1,3}\.){3}[0-9]{1,3}/(3[0-2]|[12][0-9]|[3-9])$",
    "examples": ["10.42.0.0/16"],
});

#[cfg(test)]
mod tests {
    use super::Cidr;
    use crate::diagnostic::Code;

    fn code(text: &str) -> Option<Code> {
        text.parse::<Cidr>().err().map(|rule| rule.code)
    }

    #[test]
    fn networks() {
        for good in [
            "10.42.0.0/16",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "169.253.0.0/16",
            "169.255.0.0/16",
            "126.0.0.0/8",
            "128.0.0.0/8",
            "32.0.0.0/3",
            "223.255.255.0/24",
            "240.0.0.0/4",
            "192.168.1.1/32",
        ] {
            assert_eq!(
                good.parse::<Cidr>().map(|cidr| cidr.to_string()),
                Ok(good.to_owned())
            );
        }
        for bad in [
            "",
            "10.42.0.0",
            "10.42.0.0/33",
            "10.42.0.0/",
            "10.42.0.0/016",
            "10.42.0/16",
            "fd00::/8",
            "x/8",
            "10.0.0.0/-1",
            "010.0.0.0/8",
            "0.0.0.0/0",
            "0.0.0.0/8",
            "0.0.0.0/1",
            "128.0.0.0/1",
            "64.0.0.0/2",
            "127.0.0.0/8",
            "127.1.0.0/16",
            "224.0.0.0/4",
            "239.1.0.0/16",
            "169.254.0.0/16",
            "169.254.18.0/30",
        ] {
            assert_eq!(code(bad), Some(Code::Cidr), "{bad}");
        }
    }

    #[test]
    fn host_bits_are_an_error_and_the_network_is_named() {
        let rule = "10.42.1.0/16".parse::<Cidr>().expect_err("host bits");
        assert_eq!(rule.code, Code::CidrHostBits);
        assert_eq!(rule.help.as_deref(), Some("the network is `10.42.0.0/16`"));
    }

    #[test]
    fn a_network_is_in_itself_and_in_a_wider_one() {
        let [wide, narrow, other] = ["10.0.0.0/8", "10.42.0.0/16", "11.0.0.0/8"]
            .map(|text| text.parse::<Cidr>().expect("a network"));
        assert!(wide.contains(narrow) && !narrow.contains(wide) && wide.contains(wide));
        assert!(!wide.contains(other) && !other.contains(narrow));
    }
}
