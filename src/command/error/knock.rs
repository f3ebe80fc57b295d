//! What is heard of a gateway's server, where it is not what the document says.

use crate::diagnostic::{reasons, shown_name};
use std::io::ErrorKind;

reasons! {
    /// Why a gateway's server is not known to work.
    pub enum KnockProblem {
        /// A name has no address here.
        Unresolved {
            /// The resolver's own words.
            reason: String,
        }
            error("nothing was sent: the name has no address ({})", shown_name(.reason))
            help "correct the name, or ask the resolver that the client's cluster uses: `--address IP:PORT` goes without one";
        /// This machine did not send it.
        Unsent(ErrorKind)
            error("nothing was sent: {0}")
            help "this machine has no way to that address, or its own firewall forbids it: try another network";
        /// No answer.
        Silent {
            /// How many messages were sent.
            tries: usize,
            /// For how long.
            seconds: u64,
        }
            error("nothing answers within {seconds} s ({tries} sent)")
            help "WireGuard answers no one whose key it does not know, so silence is one of these: something on the way drops UDP, there or back; nothing is at this address; the server has another key than the document gives, or not the client's PublicKey, which `doctor` finds; or this machine's clock is behind the client's";
        /// Only cookies.
        Busy
            error("a cookie came, as from a server under load, and then no answer")
            help "try again; if it stays so, the port is open, and the server may not have the client's PublicKey, which `doctor` finds. A cookie is made with the server's public key, so it proves nothing";
        /// ICMP: the port is unreachable.
        Refused
            error("the address answers that nothing listens on this port (ICMP: port unreachable)")
            help "check the port, and that the server's gateway pod runs: Kubernetes answers so for a Service without a ready pod, as a firewall does that rejects";
        /// ICMP: communication is prohibited.
        Prohibited
            error("a firewall answers that this is prohibited (ICMP)")
            help "let UDP to this port through, from the client's cluster at least: it may have another way than this machine";
        /// Datagrams that are no handshake's response.
        Unauthentic
            error("something answers, but not with the key that the document gives the server")
            help "a WireGuard server with another key stays silent, so this is another program, or someone on the way: check the address and the port";
    }
}
