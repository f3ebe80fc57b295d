//! What is likely a mistake and may be meant, one file a note. Only `validate` looks for them.

mod adopted_namespace;
mod client;
mod example_value;
mod gateway_address;
mod large_mtu;
mod liqo_version;
mod schema_line;
mod shared_account;

use crate::diagnostic::Problems;
use crate::peering::{Peering, Written};

/// All notes on a document. `exists` is asked for files beside it.
pub(super) fn notes(written: &Written, peering: &Peering, exists: impl Fn(&str) -> bool) -> Problems {
    let mut notes = Problems::default();
    client::note(peering, &mut notes);
    example_value::note(written, &mut notes);
    gateway_address::note(peering, &mut notes);
    large_mtu::note(peering, &mut notes);
    liqo_version::note(written, peering, &mut notes);
    shared_account::note(peering, &mut notes);
    schema_line::note(written.source().text(), exists, &mut notes);
    adopted_namespace::note(peering, &mut notes);
    notes
}
