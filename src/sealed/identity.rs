//! Age identities: what opens sealed files.

use super::payload::PayloadProblem;
use crate::error::{FileProblem, IdentityProblem};
use crate::source::{Links, read_regular};
use age::DecryptError;
use std::io::Read as _;
use std::path::Path;
use zeroize::Zeroizing;

/// Enough for hundreds of identities.
const IDENTITY_CAP: u64 = 64 * 1024;

/// The X25519 identities of one file; all are tried.
pub struct Identities(Vec<age::x25519::Identity>);

/// Lines that are identities of a kind that a sidecar cannot use, and what to do instead.
const OTHER_KINDS: [(&str, &str); 5] = [
    (
        "AGE-SECRET-KEY-PQ-",
        "a post-quantum identity, which this program cannot use; seal to an X25519 recipient as well (`age-keygen` without -pq)",
    ),
    ("AGE-PLUGIN-", "an identity of an age plugin, which would run a program; use an X25519 identity"),
    (
        "-----BEGIN AGE ENCRYPTED FILE",
        "an identity file under a passphrase, which nobody can type here; store it without one",
    ),
    ("-----BEGIN", "an SSH or PEM key; use an X25519 identity made by `age-keygen`"),
    ("age1", "a recipient, the public half; the identity begins with AGE-SECRET-KEY-1"),
];

impl Identities {
    /// Reads an identity file: one identity a line, comments with `#`, as `age-keygen` writes it.
    ///
    /// # Errors
    /// When the file cannot be read or a line is no X25519 identity. No line is quoted.
    pub fn read(path: &Path) -> Result<Self, IdentityProblem> {
        let name = || path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let file = |problem| IdentityProblem::File { name: name(), problem };
        let bytes = Zeroizing::new(read_regular(path, IDENTITY_CAP, Links::Follow).map_err(file)?);
        let text =
            std::str::from_utf8(&bytes).map_err(|error| file(FileProblem::NotUtf8(error.valid_up_to())))?;
        let mut identities = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |reason| IdentityProblem::Line { name: name(), line: index + 1, reason };
            if let Some((_, reason)) = OTHER_KINDS.iter().find(|(prefix, _)| line.starts_with(prefix)) {
                return Err(wrong(reason));
            }
            identities.push(line.parse().map_err(|_| wrong("not an age X25519 identity, or damaged"))?);
        }
        if identities.is_empty() {
            return Err(IdentityProblem::Empty(name()));
        }
        Ok(Self(identities))
    }

    /// The plaintext of a sealed file, of at most `cap` bytes.
    pub(super) fn open(&self, sealed: &[u8], cap: u64) -> Result<Zeroizing<Vec<u8>>, PayloadProblem> {
        let decryptor =
            age::Decryptor::new(age::armor::ArmoredReader::new(sealed)).map_err(|error| of_age(&error))?;
        if decryptor.is_scrypt() {
            return Err(PayloadProblem::Passphrase);
        }
        let identities = self.0.iter().map(|identity| identity as &dyn age::Identity);
        let reader = decryptor.decrypt(identities).map_err(|error| of_age(&error))?;
        // as large as it can get, so that it never moves and leaves a copy behind
        let mut plaintext = Zeroizing::new(Vec::with_capacity(sealed.len()));
        reader.take(cap).read_to_end(&mut plaintext).map_err(|_| PayloadProblem::Damaged)?;
        Ok(plaintext)
    }
}

/// How many X25519 recipients a sealed file has. The header says it in clear, one stanza each, without saying who
/// (age-encryption.org/v1, "X25519 recipient stanza"); it is authenticated once the file was opened.
pub(super) fn recipients(sealed: &[u8]) -> usize {
    let mut header = Vec::new();
    // what cannot be read is not counted
    let _ = age::armor::ArmoredReader::new(sealed).take(sealed.len() as u64).read_to_end(&mut header);
    let lines = header.split(|byte| *byte == b'\n').take_while(|line| !line.starts_with(b"---"));
    lines.filter(|line| line.starts_with(b"-> X25519 ")).count()
}

fn of_age(error: &DecryptError) -> PayloadProblem {
    match error {
        DecryptError::NoMatchingKeys => PayloadProblem::OtherRecipient,
        DecryptError::UnknownFormat => PayloadProblem::NotAge,
        DecryptError::ExcessiveWork { .. } => PayloadProblem::Passphrase,
        _ => PayloadProblem::Damaged,
    }
}
