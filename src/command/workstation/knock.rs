//! `knock`: whether the gateway's server answers its client, tried from this machine.

mod connection;
mod exchange;

use crate::argocd::caller::Caller;
use crate::cli::{Knock, Place};
use crate::command::Streams;
use crate::command::error::{Error, KnockProblem};
use crate::custody::{Dialer, Request};
use crate::diagnostic::secrecy::printed;
use crate::diagnostic::{Bug, readable, shown_name};
use crate::input::folder::Folder;
use crate::peering::networking::Networking;
use crate::peering::values::{Address, Role};
use crate::rules;
use exchange::exchange;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::sync::mpsc;
use std::time::Duration;

/// How many addresses are tried at most.
const ADDRESSES: usize = 8;

/// How long a name may take. The system's resolver has limits of its own, which can be minutes.
const RESOLVING: Duration = Duration::from_secs(20);

pub(super) fn knock(arguments: &Knock, streams: &mut Streams<'_>) -> Result<(), Error> {
    let folder = Folder::new(&arguments.folder);
    let peering = rules::read(&folder.read_document()?)?;
    let Some(networking) = &peering.networking else {
        let reason = "this peering has no `networking`, so no gateway".into();
        return Err(Error::Flag { flag: "FOLDER", reason });
    };
    let places = places(arguments, networking)?;
    connection::refuse_connected(arguments, &peering, streams)?;
    let identity_file = Some(arguments.identity_file.as_path());
    let request = Request { folder: &folder, identity_file, policy_file: None, caller: &Caller::Local };
    let (mut dialer, audit) = request.dialer(&peering, networking)?;
    for line in &audit {
        streams.note(line);
    }
    let server = networking.server.location;
    let seconds = arguments.timeout.as_secs();
    let mut first = None;
    for (at, address) in places.iter().flat_map(addresses).take(ADDRESSES) {
        let shown = shown_name(&at);
        let problem = match address {
            Ok(address) => {
                streams.note(&format!("calling the {server}'s gateway at {shown}, for {seconds} s at most"));
                exchange(&mut dialer, address, arguments.timeout)?
            }
            Err(problem) => Some(problem),
        };
        match (problem, &first) {
            (None, None) => return streams.print(&printed(&answered(&shown, &dialer, server))),
            (None, Some(_)) => {
                streams.note(&format!(
                    "note: {shown} answers, and the keys fit; but Liqo dials the first address"
                ));
                break;
            }
            (Some(problem), None) => first = Some(Error::Knock { at, problem }),
            (Some(problem), Some(_)) => streams.note(&format!("note: {shown}: {problem}")),
        }
    }
    Err(first.unwrap_or_else(|| Bug::new("a client without an address").into()))
}

fn answered(at: &str, dialer: &Dialer, server: Role) -> String {
    let client = server.peer();
    let key = readable(&dialer.server().to_string());
    format!(
        "{at}: the port is open, and the keys fit: the {server}'s gateway has the key of `{key}`, and knows the {client}'s\n"
    )
}

/// Where the client dials, as the document or the person has it (liqo
/// `deployments/liqo/templates/liqo-wireguard-gateway-client-template.yaml`: the first address).
fn places(arguments: &Knock, networking: &Networking) -> Result<Vec<Place>, Error> {
    if let Some(place) = &arguments.address {
        return Ok(vec![place.clone()]);
    }
    let endpoint = networking.client.as_ref().map(|client| &client.endpoint);
    let Some((endpoint, port)) = endpoint.and_then(|it| Some((it, it.port.as_ref()?))) else {
        let reason = "the document's `gatewayClient` is `pending`, so name the address and the port".into();
        return Err(Error::Flag { flag: "--address", reason });
    };
    let place = |host: &Address| Place { host: host.to_string(), port: port.get() };
    Ok(endpoint.addresses.iter().map(place).collect())
}

/// What a place is called, and its addresses, IPv4 first, as a pod's resolver gives them (Go's `net.LookupIP`).
fn addresses(place: &Place) -> Vec<(String, Result<SocketAddr, KnockProblem>)> {
    let named = format!("{}:{}", place.host, place.port);
    let at = |address: SocketAddr| match place.host.parse::<IpAddr>() {
        Ok(_) => (address.to_string(), Ok(address)),
        Err(_) => (format!("{address} ({named})"), Ok(address)),
    };
    match resolved(place.clone()) {
        Ok(found) => found.into_iter().map(at).collect(),
        Err(problem) => vec![(named, Err(problem))],
    }
}

fn resolved(Place { host, port }: Place) -> Result<Vec<SocketAddr>, KnockProblem> {
    let (sender, receiver) = mpsc::channel();
    let resolve = move || {
        let found = (host.as_str(), port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        let _ = sender.send(found.map_err(|error| error.to_string()));
    };
    // it cannot be stopped, and the process ends without it; where no thread can be started, there is no answer
    let _ = std::thread::Builder::new().spawn(resolve);
    let mut found = receiver
        .recv_timeout(RESOLVING)
        .unwrap_or_else(|_| Err("the resolver gives no answer".into()))
        .map_err(|reason| KnockProblem::Unresolved { reason })?;
    if found.is_empty() {
        return Err(KnockProblem::Unresolved { reason: "none".into() });
    }
    found.sort_by_key(SocketAddr::is_ipv6);
    Ok(found)
}
