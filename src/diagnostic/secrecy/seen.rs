//! Every secret that this run has opened or derived, so that it is hidden whatever its form: a password in a kubeconfig looks
//! like a word.

use std::sync::Mutex;
use zeroize::{Zeroize as _, Zeroizing};

/// What was opened or derived in this run.
static SEEN: Mutex<Vec<Zeroizing<String>>> = Mutex::new(Vec::new());

/// A shorter value would hide half of the words, and is no secret.
const SHORTEST: usize = 6;

/// Remembers a secret until [`forget`].
pub(crate) fn remember(secret: &str) {
    let mut seen = SEEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if secret.len() >= SHORTEST && seen.iter().all(|known| known.as_str() != secret) {
        // the longest first: another one may be a part of it
        let place = seen.partition_point(|known| known.len() >= secret.len());
        seen.insert(place, Zeroizing::new(secret.to_owned()));
    }
}

/// Wipes what was remembered.
pub fn forget() {
    SEEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner).zeroize();
}

/// The text without any remembered secret.
pub(super) fn redacted(text: &str) -> String {
    let seen = SEEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut text = text.to_owned();
    for secret in seen.iter() {
        // a text is made again only where it has one: a fleet's secrets are thousands
        if text.contains(secret.as_str()) {
            text = text.replace(secret.as_str(), "***");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{redacted, remember};

    /// A fleet may have more than anybody thought of.
    #[test]
    fn thousands_are_remembered() {
        let secrets: Vec<String> = (0..2_000).map(|number| format!("canary number {number:04}")).collect();
        for secret in &secrets {
            remember(secret);
        }
        for secret in &secrets {
            assert_eq!(redacted(secret), "***");
        }
    }
}
