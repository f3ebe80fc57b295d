//! Values that an example has and no real peering: who copies one changes them.

use crate::diagnostic::{Code, Problems, quoted};
use crate::peering::Written;
use crate::uri::Uri;

/// The user and the address of the examples, which are those of Liqo's guide for Argo CD.
const VALUES: [&str; 2] = ["myuser", "172.16.183.16"];
/// The documentation's domain (RFC 2606, section 3).
const DOMAIN: &str = "example.org";

pub(super) fn note(written: &Written, notes: &mut Problems) {
    for (span, text) in written.scalars() {
        let host = Uri::split(text).authority.host;
        let domain =
            host.strip_suffix(DOMAIN).is_some_and(|before| before.is_empty() || before.ends_with('.'));
        if domain || VALUES.contains(&host) {
            let message = format!("{} is a value of the examples", quoted(text));
            notes.refuse(Code::ExampleValue, span, message, "write the value of your clusters");
        }
    }
}
