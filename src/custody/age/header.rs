//! The header of an age file: who can open it, and its authentication code.

use super::FileKey;
use crate::custody::keys::hkdf;
use crate::custody::payload::PayloadProblem;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hmac::digest::InvalidLength;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

pub(super) const VERSION: &str = "age-encryption.org/v1";
/// The columns of a stanza's body; a shorter line, which can be empty, ends it.
const COLUMNS: usize = 64;

/// Anyone with push access must not be able to keep the sidecar busy with a header. 150 recipients fit.
const HEADER_CAP: usize = 16 * 1024;
const STANZAS: usize = 200;

/// A header of the right form. Only [`Header::is_authentic`] says that no one changed it.
pub(in crate::custody) struct Header<'f> {
    pub(super) stanzas: Vec<Stanza<'f>>,
    authenticated: &'f [u8],
    code: Vec<u8>,
    /// What follows the header.
    pub(super) rest: &'f [u8],
}

pub(super) struct Stanza<'f> {
    /// Its type, and what that needs.
    pub(super) words: Vec<&'f [u8]>,
    pub(super) body: Vec<u8>,
}

impl<'f> Header<'f> {
    /// Reads the header of a file without armor.
    pub(in crate::custody) fn read(file: &'f [u8]) -> Result<Self, PayloadProblem> {
        let mut lines = Lines(file);
        let version = lines.next()?;
        if version != VERSION.as_bytes() {
            let is_age = version.starts_with(b"age-encryption.org/");
            return Err(if is_age { PayloadProblem::NotAge } else { PayloadProblem::Damaged });
        }
        let mut stanzas = Vec::new();
        loop {
            let begin = file.len() - lines.0.len();
            let line = lines.next()?;
            if let Some(code) = line.strip_prefix(b"--- ") {
                let code = STANDARD_NO_PAD.decode(code).map_err(|_| PayloadProblem::NotAge)?;
                let authenticated = file.get(..begin + 3).unwrap_or_default();
                return Ok(Self { stanzas, authenticated, code, rest: lines.0 });
            }
            if stanzas.len() == STANZAS || begin > HEADER_CAP {
                return Err(PayloadProblem::Recipients);
            }
            stanzas.push(Stanza::read(line, &mut lines)?);
        }
    }

    /// The types of its stanzas.
    pub(in crate::custody) fn kinds(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.stanzas.iter().map(|stanza| stanza.words.first().copied().unwrap_or_default())
    }

    /// Whether someone who has the file key wrote it.
    pub(super) fn is_authentic(&self, file_key: &FileKey) -> bool {
        code(file_key, self.authenticated).is_ok_and(|code| code.verify_slice(&self.code).is_ok())
    }
}

impl<'f> Stanza<'f> {
    /// Whether it costs a multiplication to try it.
    pub(super) fn is_x25519(&self) -> bool {
        self.words.first().is_some_and(|kind| *kind == b"X25519")
    }

    /// `-> type argument…`, and the lines of its body.
    fn read(first: &'f [u8], lines: &mut Lines<'f>) -> Result<Self, PayloadProblem> {
        let words = first.strip_prefix(b"-> ").ok_or(PayloadProblem::NotAge)?;
        let words: Vec<_> = words.split(|byte| *byte == b' ').collect();
        if words.iter().any(|word| word.is_empty() || !word.iter().all(u8::is_ascii_graphic)) {
            return Err(PayloadProblem::NotAge);
        }
        let mut body = Vec::new();
        loop {
            let line = lines.next()?;
            if line.len() > COLUMNS || STANDARD_NO_PAD.decode_vec(line, &mut body).is_err() {
                return Err(PayloadProblem::NotAge);
            }
            if line.len() < COLUMNS {
                return Ok(Self { words, body });
            }
        }
    }
}

/// The only error is a key of a wrong length, and for HMAC every length is right.
pub(super) fn code(file_key: &FileKey, authenticated: &[u8]) -> Result<Hmac<Sha256>, InvalidLength> {
    let key = hkdf(b"", &**file_key, b"header");
    Hmac::new_from_slice(&*key).map(|code: Hmac<Sha256>| code.chain_update(authenticated))
}

/// Lines with their end; a line without one is cut off.
struct Lines<'f>(&'f [u8]);

impl<'f> Lines<'f> {
    fn next(&mut self) -> Result<&'f [u8], PayloadProblem> {
        let end = self.0.iter().position(|byte| *byte == b'\n').ok_or(PayloadProblem::Damaged)?;
        let (line, rest) = self.0.split_at(end);
        self.0 = rest.get(1..).unwrap_or_default();
        Ok(line)
    }
}
