//! URLs of servers: the provider's API server, and the proxy on the way to it.

use crate::diagnostic::{Code, Rule, is_shown, one_of, quoted};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The provider's API server: `https`, since the consumer shows a client certificate, at an address that is not the
/// consumer's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiServer(String);

/// A proxy: what client-go takes as a kubeconfig's `proxy-url` (`k8s.io/client-go` `tools/clientcmd/validation.go`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyUrl(String);

impl ApiServer {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ProxyUrl {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ApiServer {
    type Err = Rule;

    fn from_str(text: &str) -> Result<Self, Rule> {
        let host = host(text, &["https"], "https://172.16.183.16:6443")?;
        if host.is_own() {
            let message = format!("{} is no address of another cluster", quoted(text));
            return Err(Rule::new(Code::OwnAddress, message)
                .help("use the one at which the other cluster's pods reach this API server"));
        }
        Ok(Self(text.to_owned()))
    }
}

impl FromStr for ProxyUrl {
    type Err = Rule;

    fn from_str(text: &str) -> Result<Self, Rule> {
        // a proxy may well stand beside the controller, at a loopback address
        host(text, &["http", "https", "socks5"], "http://proxy.example.org:3128")
            .map(|_| Self(text.to_owned()))
    }
}

/// Where a server is.
enum Host<'t> {
    V4(Ipv4Addr),
    V6(Ipv6Addr),
    Name(&'t str),
}

impl<'t> Host<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        if let Some(inner) = text.strip_prefix('[') {
            return inner.strip_suffix(']')?.parse().ok().map(Self::V6);
        }
        if let Ok(ip) = text.parse() {
            return Some(Self::V4(ip));
        }
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
        // a last label of digits is what a mistyped address looks like (RFC 3696, section 2)
        let last = text.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
        let good = text.bytes().all(known) && !last.is_empty() && !last.bytes().all(|b| b.is_ascii_digit());
        good.then_some(Self::Name(text))
    }

    /// Whether a pod that dials this dials itself, or nobody.
    fn is_own(&self) -> bool {
        match self {
            Self::V4(ip) => ip.is_loopback() || ip.is_unspecified() || ip.is_broadcast() || ip.is_multicast(),
            Self::V6(ip) => ip.is_loopback() || ip.is_unspecified() || ip.is_multicast(),
            // RFC 6761, section 6.3
            Self::Name(name) => {
                let name = name.trim_end_matches('.').to_ascii_lowercase();
                name == "localhost" || name.ends_with(".localhost")
            }
        }
    }
}

/// Whether whoever dials a URL dials itself, or nobody. What `kind` and `k3d` write for the machine that they run on is
/// the Pod itself in a Pod.
pub(crate) fn is_own(url: &str) -> bool {
    let (_, authority) = scheme_and_authority(url);
    let host = authority.rsplit('@').next().unwrap_or_default();
    Host::parse(name_and_port(host).0).is_some_and(|host| host.is_own())
}

fn scheme_and_authority(text: &str) -> (Option<&str>, &str) {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, text),
    };
    (scheme, rest.split(['/', '?', '#']).next().unwrap_or_default())
}

fn name_and_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (authority, None),
    }
}

/// The host of a URL that Liqo can use. `schemes` are the protocols, the usual one first.
fn host<'t>(text: &'t str, schemes: &[&str], example: &str) -> Result<Host<'t>, Rule> {
    let wrong = |help: String| {
        Err(Rule::new(Code::InvalidUrl, format!("{} is not the URL of a server", quoted(text))).help(help))
    };
    let (scheme, authority) = scheme_and_authority(text);
    if authority.contains('@') {
        // not quoted: a password may be in it
        return Err(Rule::new(Code::PasswordInUrl, "this URL has a user in it, and perhaps a password")
            .help(format!(
                "write it without user and password, such as `{example}`: they would stand in Git in clear"
            )));
    }
    let (name, port) = name_and_port(authority);
    let plain = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
    let parsed = Host::parse(name).filter(|_| text.len() <= 2048 && text.chars().all(plain));
    match (scheme, parsed) {
        (None, Some(_)) if is_shown(text) => {
            let usual = schemes.first().copied().unwrap_or_default();
            wrong(format!("say with which protocol: `{usual}://{text}`"))
        }
        (_, None) | (None, _) => wrong(format!("for example `{example}`")),
        (Some(scheme), Some(_)) if !schemes.contains(&scheme) => {
            let lower = scheme.to_ascii_lowercase();
            let known = schemes.contains(&lower.as_str());
            wrong(if known {
                format!("write the protocol in lower case: `{lower}://`")
            } else {
                format!("its protocol must be {}, for example `{example}`", one_of(schemes))
            })
        }
        (Some(_), Some(_)) if port.is_some_and(|port| !is_port(port)) => {
            wrong("its port is not one: 1 to 65535".to_owned())
        }
        (Some(_), Some(host)) => Ok(host),
    }
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok_and(|port| port > 0)
}

#[cfg(test)]
mod tests {
    use super::{ApiServer, ProxyUrl};

    fn help<T: std::str::FromStr<Err = crate::diagnostic::Rule>>(text: &str) -> Option<String> {
        text.parse::<T>().err().map(|rule| rule.help.unwrap_or_default())
    }

    #[test]
    fn api_servers() {
        for good in [
            "https://172.16.183.16:6443",
            "https://172.16.183.16",
            "https://rancher.example.org/k8s/clusters/c-m-1",
            "https://ABC123.Example.org",
            "https://[fd00::1]:6443",
            "https://[fd00::1]",
            "https://127.example.org:65535/",
            "https://localhost.example.org",
        ] {
            assert_eq!(help::<ApiServer>(good), None, "{good}");
        }
        for bad in [
            "http://1.2.3.4",
            "socks5://1.2.3.4",
            "https://127.0.0.1:6443",
            "https://localhost",
            "https://LOCALHOST.:6443",
            "https://a.localhost",
            "https://0.0.0.0",
            "https://[::1]:6443",
            "https://[::]",
            "https://1.2.3.4:65536",
            "https://1.2.3.4:0",
            "https://1.2.3.4:",
            "https://1.2.3.4:+1",
            "https://1.2.3.400",
            "https://fd00::1",
            "https://",
            "https:///path",
            "https://:6443",
            "https://user:password@1.2.3.4",
            "https://{{ .server }}",
            "1.2.3.4:6443",
        ] {
            assert!(help::<ApiServer>(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn proxies() {
        for good in [
            "http://proxy.example.org:3128",
            "https://proxy.example.org",
            "socks5://proxy.example.org:3128",
            "socks5://127.0.0.1:1080",
            "http://Proxy",
        ] {
            assert_eq!(help::<ProxyUrl>(good), None, "{good}");
        }
        for (bad, way_out) in [
            ("proxy.example.org:3128", "say with which protocol: `http://proxy.example.org:3128`"),
            ("HTTP://Proxy", "in lower case: `http://`"),
            ("socks4://proxy", "must be `http`, `https` or `socks5`"),
            ("socks5h://proxy", "must be"),
            ("http://user:secret@proxy", "without user and password"),
            ("user:secret@proxy:3128", "without user and password"),
            ("http://proxy:99999", "1 to 65535"),
            ("http://pro xy", "for example"),
        ] {
            let help = help::<ProxyUrl>(bad).unwrap_or_default();
            assert!(help.contains(way_out), "{bad}: {help}");
            assert!(!help.contains("secret"), "{help}");
        }
    }
}
