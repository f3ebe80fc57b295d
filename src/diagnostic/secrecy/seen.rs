//! The last step before standard error: every secret that this run has seen is hidden, whatever its form.
//!
//! [`mask`](crate::diagnostic::mask) hides what looks like a secret. A password in a kubeconfig looks like a word, so
//! the values themselves are remembered when they are opened or derived, and hidden here as well.

use std::io::{self, Write};
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
pub fn redacted(text: &str) -> String {
    let seen = SEEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    seen.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "***"))
}

/// A writer that hides remembered secrets, line by line.
pub struct Redacting<W: Write> {
    inner: W,
    line: Vec<u8>,
}

impl<W: Write> Redacting<W> {
    /// Hides secrets in what goes to this writer.
    pub const fn new(inner: W) -> Self {
        Self { inner, line: Vec::new() }
    }

    fn pass(&mut self, end: usize) -> io::Result<()> {
        let rest = self.line.split_off(end);
        let line = std::mem::replace(&mut self.line, rest);
        self.inner.write_all(redacted(&String::from_utf8_lossy(&line)).as_bytes())
    }
}

impl<W: Write> Write for Redacting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|byte| *byte == b'\n') {
            self.pass(end + 1)?;
        }
        Ok(bytes.len())
    }

    /// What is left of a line goes too: a progress display has no line breaks.
    fn flush(&mut self) -> io::Result<()> {
        self.pass(self.line.len())?;
        self.inner.flush()
    }
}

impl<W: Write> Drop for Redacting<W> {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::{Redacting, redacted, remember};
    use std::io::Write as _;

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

    #[test]
    fn what_was_seen_is_hidden() {
        remember("canary of redaction");
        remember("short");
        assert_eq!(redacted("a canary of redaction, short"), "a ***, short");
        let mut out = Vec::new();
        {
            let mut writer = Redacting::new(&mut out);
            // in pieces, as formatting writes
            let (all, half) = ("canary of redaction", "canary of");
            write!(writer, "one {all} two\nthree {half}").expect("memory");
            write!(writer, " redaction\nfour").expect("memory");
        }
        assert_eq!(String::from_utf8(out).expect("text"), "one *** two\nthree ***\nfour");
    }
}
