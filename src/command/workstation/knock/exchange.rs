//! The datagrams of a knock: what is sent, how often, and what comes back.

use crate::command::error::KnockProblem;
use crate::custody::{Dialer, Error, Heard};
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant, SystemTime};

/// When WireGuard sends a new initiation (whitepaper, section 6.1: REKEY-TIMEOUT).
const REKEY_TIMEOUT: Duration = Duration::from_secs(5);

/// How many cookies are answered at once. Later ones wait, as WireGuard does.
const COOKIES: usize = 3;

/// Longer than any message of a handshake: what is cut off is none.
const DATAGRAM: usize = 256;

/// Sends initiations until one is answered, and why none was. What is not authentic ends nothing: anyone can send it.
pub(super) fn exchange(
    dialer: &mut Dialer,
    to: SocketAddr,
    within: Duration,
) -> Result<Option<KnockProblem>, Error> {
    let socket = match connected(to) {
        Ok(socket) => socket,
        Err(error) => return Ok(Some(KnockProblem::Unsent(error.kind()))),
    };
    let end = Instant::now() + within;
    let (mut sent, mut cookies, mut others) = (Vec::new(), 0, 0_usize);
    loop {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let initiation = dialer.initiation(now)?;
        if let Err(error) = socket.send(initiation.message()) {
            return Ok(Some(of_icmp(&error).unwrap_or(KnockProblem::Unsent(error.kind()))));
        }
        sent.push(initiation);
        let until = end.min(Instant::now() + REKEY_TIMEOUT);
        loop {
            let mut buffer = [0; DATAGRAM];
            let datagram = match received(&socket, &mut buffer, until) {
                Ok(Some(datagram)) => datagram,
                Ok(None) => break,
                Err(error) => return Ok(Some(of_icmp(&error).unwrap_or(KnockProblem::Unsent(error.kind())))),
            };
            match dialer.hear(&mut sent, datagram) {
                Heard::Response => return Ok(None),
                Heard::Cookie => {
                    cookies += 1;
                    if cookies <= COOKIES {
                        break;
                    }
                }
                Heard::Other => others += 1,
            }
        }
        if Instant::now() >= end {
            let silent = KnockProblem::Silent { tries: sent.len(), seconds: within.as_secs() };
            return Ok(Some(match (others, cookies) {
                (0, 0) => silent,
                (0, _) => KnockProblem::Busy,
                _ => KnockProblem::Unauthentic,
            }));
        }
    }
}

/// A socket that hears this address only, and of ICMP's answers.
fn connected(to: SocketAddr) -> io::Result<UdpSocket> {
    let socket = match to {
        SocketAddr::V4(_) => UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)),
        SocketAddr::V6(_) => UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)),
    }?;
    socket.connect(to)?;
    Ok(socket)
}

/// A datagram, if one comes before that time.
fn received<'b>(socket: &UdpSocket, buffer: &'b mut [u8], until: Instant) -> io::Result<Option<&'b [u8]>> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        socket.set_read_timeout(Some(left))?;
        match socket.recv(buffer) {
            Ok(length) => return Ok(buffer.get(..length)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
    }
}

/// What an ICMP message says that came for this socket (Linux `net/ipv4/icmp.c`, icmp_err_convert: of an unreachable
/// destination only the port and what is prohibited reach a socket).
fn of_icmp(error: &io::Error) -> Option<KnockProblem> {
    match error.kind() {
        ErrorKind::ConnectionRefused => Some(KnockProblem::Refused),
        ErrorKind::HostUnreachable => Some(KnockProblem::Prohibited),
        _ => None,
    }
}
