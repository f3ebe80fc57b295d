//! `knock`.

use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const KNOCK_EXAMPLE: &str = "Example:
  argocd-peering knock peerings/rome-milan --identity-file ~/identity.txt \\
    --consumer-context rome

It sends WireGuard's first message by UDP from this machine, made with the key of the side that dials, to the addresses and the \
port that the document's `gatewayClient` has. The first address decides, which is the one that Liqo dials; further ones are \
tried until one answers. No tunnel is made. Until the client's next packet, the server sends to this machine, so nothing \
is sent while a Connection is `Connected`. docs/howto/knock.md says what each answer means.

Exit codes: 0 the port is open and the keys fit, 1 the document is wrong, 2 usage, 3 the environment (identity, kubectl, no way \
to the address, the tunnel is up), 4 nothing answers, 5 the address answers that nothing listens or that it is prohibited, 6 an \
answer with another key.";

/// `knock`
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("connected").required(true).multiple(true))]
pub struct Knock {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// An age identity file that opens the seed of the side that dials
    #[arg(long, value_name = "FILE")]
    pub identity_file: PathBuf,
    /// The consumer's context in your kubeconfig, to see whether the tunnel is up
    #[arg(long, value_name = "CONTEXT", group = "connected")]
    pub consumer_context: Option<String>,
    /// The provider's context
    #[arg(long, value_name = "CONTEXT", group = "connected")]
    pub provider_context: Option<String>,
    /// Send without looking whether the tunnel is up
    #[arg(long, group = "connected")]
    pub force: bool,
    /// Another address and port than the document's
    #[arg(long, value_name = "HOST:PORT", value_parser = place)]
    pub address: Option<Place>,
    /// How long to wait for an answer, at each address: from 1s to 90s; a new message is sent after each 5 seconds, as WireGuard
    /// does
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "15s")]
    pub timeout: Duration,
}

/// Where a gateway's server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// A name, or an address.
    pub host: String,
    /// Not 0.
    pub port: u16,
}

fn place(text: &str) -> Result<Place, &'static str> {
    const RULE: &str = "a name or an address and a port is needed, such as 203.0.113.7:30742";
    let made = |host: &str, port| Place { host: host.to_owned(), port };
    let place = if let Ok(address) = text.parse::<SocketAddr>() {
        made(&address.ip().to_string(), address.port())
    } else {
        let (host, port) = text.rsplit_once(':').ok_or(RULE)?;
        made(host, port.parse().map_err(|_| RULE)?)
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-._:".contains(c);
    if place.port == 0 || place.host.is_empty() || !place.host.chars().all(is_name) {
        return Err(RULE);
    }
    Ok(place)
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    const RULE: &str = "a number of seconds from 1s to 90s is needed";
    let number = text.strip_suffix('s').and_then(|number| number.parse().ok()).ok_or(RULE)?;
    if (1..=90).contains(&number) { Ok(Duration::from_secs(number)) } else { Err(RULE) }
}
