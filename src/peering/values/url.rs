//! URLs of servers: the provider's API server, and the proxy in front of it.

use super::address::{ends_with_number, is_own_ip, is_own_name};
use super::characters::{has_only_digits, is_word};
use crate::diagnostic::{Code, Rule, is_unmasked, list_or, quoted};
use crate::document::texts;
use crate::uri::{Uri, has_password};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The longest URL that is read.
const LONGEST: usize = 2048;

texts! {
    /// The provider's API server: `https`, since the consumer shows a client certificate, at an address that is not the
    /// consumer's own.
    ApiServer, takes "a URL", schema {
        "type": "string",
        "pattern": r"^https://(?!(localhost|127(\.[0-9]+){3}|0\.0\.0\.0|\[::1?\])([:/?#]|$))[^/?#@]+([/?#].*)?$",
        "maxLength": 2048,
        "examples": ["https://172.16.183.16:6443"],
    },
    |text| ApiServer::check_url(text).map_err(|flaw| problem(flaw, text, ApiServer::SCHEMES, "https://172.16.183.16:6443"));

    /// A proxy: what client-go takes as a kubeconfig's `proxy-url` (`k8s.io/client-go` `tools/clientcmd/validation.go`).
    ProxyUrl, takes "a URL", schema {
        "type": "string",
        "pattern": r"^(https?|socks5)://[^/?#@]+([/?#].*)?$",
        "maxLength": 2048,
        "examples": ["http://proxy.example.org:3128"],
    },
    |text| {
        let valid = if has_user(text) { Err(UrlFlaw::User) } else { ProxyUrl::check_url(text) };
        valid.map_err(|flaw| problem(flaw, text, ProxyUrl::SCHEMES, "http://proxy.example.org:3128"))
    };
}

/// Why a text is not the URL of a server. It quotes nothing, so the errors of a sealed file use it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UrlFlaw {
    /// The URL has a user, and perhaps a password.
    User,
    /// The text would be a URL if a protocol came first.
    NoScheme,
    /// The protocol is right, but not in lower case.
    Capitals,
    /// Another protocol.
    Scheme,
    /// The port is not a number from 1 to 65535.
    Port,
    /// Not a URL, or one without a host.
    Shape,
    /// The host is the machine that dials it, or not a single machine.
    Own,
}

impl ApiServer {
    const SCHEMES: &'static [&'static str] = &["https"];

    /// Checks that client-go reaches another machine at this URL, over TLS. Used for `peering.yaml` and for kubeconfigs.
    pub(crate) fn check_url(text: &str) -> Result<(), UrlFlaw> {
        if has_user(text) {
            return Err(UrlFlaw::User);
        }
        if is_own_host(host(text, Self::SCHEMES)?) {
            return Err(UrlFlaw::Own);
        }
        Ok(())
    }

    /// Whether it names the API server of the cluster that a pod runs in, as in a kubeconfig that was made in a pod (Kubernetes
    /// `docs/tasks/run-application/access-api-from-pod`).
    pub(crate) fn is_of_every_cluster(text: &str) -> bool {
        let name = host(text, Self::SCHEMES)
            .unwrap_or_default()
            .to_ascii_lowercase();
        let name = name.trim_end_matches('.');
        match name.strip_prefix("kubernetes.default") {
            Some("" | ".svc") => true,
            Some(rest) => rest.starts_with(".svc."),
            None => false,
        }
    }
}

impl ProxyUrl {
    const SCHEMES: &'static [&'static str] = &["http", "https", "socks5"];

    /// Checks that client-go accepts it as a proxy. The proxy may run next to the controller, at a loopback address. In
    /// a kubeconfig, which is sealed, it may have a user and a password.
    pub(crate) fn check_url(text: &str) -> Result<(), UrlFlaw> {
        host(text, Self::SCHEMES)?;
        Ok(())
    }

    /// Whether the proxy is on the machine that dials.
    pub(crate) fn dials_own_host(text: &str) -> bool {
        host(text, Self::SCHEMES).is_ok_and(is_own_host)
    }
}

/// The address of a host; an IPv6 address has its brackets.
fn address(host: &str) -> Option<IpAddr> {
    let Some(inner) = host.strip_prefix('[') else {
        return host.parse::<Ipv4Addr>().ok().map(Into::into);
    };
    let ip: Ipv6Addr = inner.strip_suffix(']')?.parse().ok()?;
    Some(ip.into())
}

fn is_host(text: &str) -> bool {
    let is_name = is_word(text, b"-._") && !ends_with_number(text.trim_end_matches('.'));
    address(text).is_some() || is_name
}

fn is_own_host(host: &str) -> bool {
    match address(host) {
        Some(ip) => is_own_ip(ip),
        None => is_own_name(&host.trim_end_matches('.').to_ascii_lowercase()),
    }
}

fn has_user(text: &str) -> bool {
    Uri::split(text).user.is_some() || has_password(text)
}

/// The host of a URL that client-go can dial. `schemes` are the protocols.
fn host<'t>(text: &'t str, schemes: &[&str]) -> Result<&'t str, UrlFlaw> {
    let is_part = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
    if text.len() > LONGEST || !text.chars().all(is_part) {
        return Err(UrlFlaw::Shape);
    }
    let url = Uri::split(text);
    let Some(scheme) = url.scheme else {
        let with = format!("https://{text}");
        if is_host(Uri::split(&with).host) {
            return Err(UrlFlaw::NoScheme);
        }
        return Err(UrlFlaw::Shape);
    };
    let is_right = schemes.contains(&scheme);
    match url.port {
        _ if !is_host(url.host) => Err(UrlFlaw::Shape),
        Some(port) if is_right && !is_port(port) => Err(UrlFlaw::Port),
        _ if is_right => Ok(url.host),
        _ if schemes.contains(&scheme.to_ascii_lowercase().as_str()) => Err(UrlFlaw::Capitals),
        _ => Err(UrlFlaw::Scheme),
    }
}

fn is_port(text: &str) -> bool {
    has_only_digits(text) && matches!(text.parse::<u16>(), Ok(1..))
}

/// The problem for the author of `peering.yaml`. The first of `schemes` is the usual one.
fn problem(flaw: UrlFlaw, text: &str, schemes: &[&str], example: &str) -> Rule {
    let help = match flaw {
        // the URL is not quoted: it may contain a password
        UrlFlaw::User => {
            let message = "this URL has a user or a password";
            let help = format!("write it without user and password, such as `{example}`");
            return Rule::new(Code::InvalidUrl, message).help(help);
        }
        UrlFlaw::Own => {
            let text = quoted(text);
            let message = format!("{text} is the dialling pod itself");
            return Rule::new(Code::InvalidAddress, message)
                .help("write this API server's address for the other cluster's pods");
        }
        UrlFlaw::NoScheme if is_unmasked(text) => {
            let scheme = schemes.first().copied().unwrap_or_default();
            format!("add the protocol: `{scheme}://{text}`")
        }
        UrlFlaw::NoScheme | UrlFlaw::Shape => format!("for example `{example}`"),
        UrlFlaw::Capitals => {
            let scheme = Uri::split(text).scheme.unwrap_or_default();
            let scheme = scheme.to_ascii_lowercase();
            format!("write the protocol in lower case: `{scheme}://`")
        }
        UrlFlaw::Scheme => {
            let schemes = list_or(schemes);
            format!("its protocol must be {schemes}, for example `{example}`")
        }
        UrlFlaw::Port => "a port is a number from 1 to 65535".to_owned(),
    };
    Rule::wrong_value(Code::InvalidUrl, text, "the URL of a server").help(help)
}

#[cfg(test)]
mod tests {
    use super::{ApiServer, ProxyUrl};

    fn help<T: std::str::FromStr<Err = crate::diagnostic::Rule>>(text: &str) -> Option<String> {
        text.parse::<T>()
            .err()
            .map(|rule| rule.help.unwrap_or_default())
    }

    #[test]
    fn a_url_has_an_end() {
        let [longest, longer] = [2048, 2049]
            .map(|length| format!("https://h/{}", "a".repeat(length - "https://h/".len())));
        assert_eq!(help::<ApiServer>(&longest), None);
        assert!(help::<ApiServer>(&longer).is_some());
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
    fn the_api_server_of_every_cluster() {
        for name in [
            "kubernetes.default",
            "kubernetes.default.svc:443",
            "Kubernetes.default.svc.cluster.local.",
        ] {
            assert!(
                ApiServer::is_of_every_cluster(&format!("https://{name}")),
                "{name}"
            );
        }
        for name in [
            "kubernetes",
            "kubernetes.default.example.org",
            "api.kubernetes.default.svc",
            "10.96.0.1",
        ] {
            assert!(
                !ApiServer::is_of_every_cluster(&format!("https://{name}")),
                "{name}"
            );
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
            (
                "proxy.example.org:3128",
                "add the protocol: `http://proxy.example.org:3128`",
            ),
            (
                "HTTP://Proxy",
                "write the protocol in lower case: `http://`",
            ),
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
