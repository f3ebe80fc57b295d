//! A packet of the tunnel, with what WireGuard puts around it, is larger than an Ethernet frame takes.

use crate::diagnostic::{Code, Problems};
use crate::peering::Peering;

/// What a frame takes, unless every link on the way has larger ones (RFC 894).
const ETHERNET: u16 = 1500;

/// The header of IPv4, UDP's 8 bytes, and WireGuard's 32 (RFC 791, RFC 768; the WireGuard whitepaper, section 5.4.6). Over IPv6 it is
/// 20 more, but no document says that a name has no other address.
const AROUND: u16 = 20 + 8 + 32;

pub(super) fn note(peering: &Peering, notes: &mut Problems) {
    let Some(networking) = &peering.networking else { return };
    let Some(written) = networking.mtu else { return };
    let mtu = written.get();
    let most = ETHERNET - AROUND;
    if mtu > most {
        let message = format!(
            "a packet of {mtu} bytes is one of {} between the gateways, and Ethernet takes {ETHERNET}",
            mtu + AROUND
        );
        let help = format!("write {most} or less, unless every link between the clusters has jumbo frames");
        notes.refuse(Code::LargeMtu, written.span, message, help);
    }
}
