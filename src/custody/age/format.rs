//! The format of an age file: armor, header and payload.

use super::FileKey;
use crate::custody::keys::hkdf;
use crate::custody::payload::PayloadProblem;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use chacha20poly1305::{AeadInPlace as _, ChaCha20Poly1305, KeyInit as _, Nonce, Tag};
use hmac::digest::InvalidLength;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::borrow::Cow;
use zeroize::Zeroizing;

/// The armor: PEM (RFC 7468) in its strict form, with one label.
pub(super) const BEGIN: &str = "-----BEGIN AGE ENCRYPTED FILE-----";
pub(super) const END: &str = "-----END AGE ENCRYPTED FILE-----";
/// The columns of a line of the armor or of a stanza's body, and the bytes that they hold. The last line is shorter and can be empty.
const COLUMNS: usize = 64;
pub(super) const BYTES: usize = 48;

/// The file without its armor, if it has one. White space is allowed around an armor, and lines can end with CR LF.
pub(in crate::custody) fn unarmored(sealed: &[u8]) -> Result<Cow<'_, [u8]>, PayloadProblem> {
    let text = sealed.trim_ascii();
    if !text.starts_with(b"-----BEGIN ") {
        return Ok(sealed.into());
    }
    decoded_armor(text)
        .map(Cow::from)
        .ok_or(PayloadProblem::Damaged)
}

/// The bytes without the line breaks of the armor, so that all copies of a file are equal: Git changes line ends
/// between systems.
pub(crate) fn without_line_ends(sealed: &[u8]) -> Cow<'_, [u8]> {
    if !sealed.trim_ascii_start().starts_with(BEGIN.as_bytes()) {
        return sealed.into();
    }
    sealed
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect()
}

fn decoded_armor(text: &[u8]) -> Option<Vec<u8>> {
    let mut lines = text
        .split(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    if lines.next()? != BEGIN.as_bytes() || lines.next_back()? != END.as_bytes() {
        return None;
    }
    let (mut file, mut ended) = (Vec::with_capacity(text.len()), false);
    for line in lines {
        let before = file.len();
        STANDARD.decode_vec(line, &mut file).ok()?;
        let decoded = file.len() - before;
        if ended || decoded == 0 || line.len() > COLUMNS {
            return None;
        }
        ended = decoded < BYTES;
    }
    Some(file)
}

pub(super) const VERSION: &str = "age-encryption.org/v1";

/// The bounds of a header, so that anyone with push access cannot keep the sidecar busy with one. 150 recipients fit.
const HEADER_CAP: usize = 16 * 1024;
const STANZAS: usize = 200;

/// A header of the right form. Only [`Header::is_authentic`] shows that no one changed it.
pub(in crate::custody) struct Header<'f> {
    pub(super) stanzas: Vec<Stanza<'f>>,
    authenticated: &'f [u8],
    code: Vec<u8>,
    /// What follows the header.
    pub(super) rest: &'f [u8],
}

pub(super) struct Stanza<'f> {
    /// The stanza's type and its arguments.
    pub(super) words: Vec<&'f [u8]>,
    pub(super) body: Vec<u8>,
}

impl<'f> Header<'f> {
    /// Reads the header of a file without armor.
    pub(in crate::custody) fn parse(file: &'f [u8]) -> Result<Self, PayloadProblem> {
        let mut lines = HeaderLines(file);
        match lines.next()? {
            version if version == VERSION.as_bytes() => {}
            other if other.starts_with(b"age-encryption.org/") => {
                return Err(PayloadProblem::NotAge);
            }
            _ => return Err(PayloadProblem::Damaged),
        }
        let mut stanzas = Vec::new();
        loop {
            let begin = file.len() - lines.0.len();
            let line = lines.next()?;
            if let Some(code) = line.strip_prefix(b"--- ") {
                let Ok(code) = STANDARD_NO_PAD.decode(code) else {
                    return Err(PayloadProblem::NotAge);
                };
                let authenticated = file.get(..begin + 3).unwrap_or_default();
                return Ok(Self {
                    stanzas,
                    authenticated,
                    code,
                    rest: lines.0,
                });
            }
            if stanzas.len() == STANZAS || begin > HEADER_CAP {
                return Err(PayloadProblem::Recipients);
            }
            stanzas.push(Stanza::parse(line, &mut lines)?);
        }
    }

    /// The types of its stanzas.
    pub(in crate::custody) fn kinds(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.stanzas.iter().map(Stanza::kind)
    }

    /// Whether one of its stanzas has this type.
    pub(in crate::custody) fn has_kind(&self, kind: &[u8]) -> bool {
        self.kinds().any(|it| it == kind)
    }

    /// Whether the header was written by someone who has the file key.
    pub(super) fn is_authentic(&self, file_key: &FileKey) -> bool {
        match code(file_key, self.authenticated) {
            Ok(code) => code.verify_slice(&self.code).is_ok(),
            Err(_) => false,
        }
    }
}

impl<'f> Stanza<'f> {
    fn kind(&self) -> &[u8] {
        self.words.first().copied().unwrap_or_default()
    }

    /// Reads `-> type argument…` and the lines of the body.
    fn parse(first: &'f [u8], lines: &mut HeaderLines<'f>) -> Result<Self, PayloadProblem> {
        let words = first.strip_prefix(b"-> ").ok_or(PayloadProblem::NotAge)?;
        let words: Vec<_> = words.split(|byte| *byte == b' ').collect();
        if words
            .iter()
            .any(|word| word.is_empty() || !word.iter().all(u8::is_ascii_graphic))
        {
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

/// The header's authentication code. The only error is a key of a wrong length, and HMAC accepts every length.
pub(super) fn code(
    file_key: &FileKey,
    authenticated: &[u8],
) -> Result<Hmac<Sha256>, InvalidLength> {
    let key = hkdf(b"", &**file_key, b"header");
    Ok(<Hmac<Sha256> as Mac>::new_from_slice(&*key)?.chain_update(authenticated))
}

/// Lines that end with a line break; a last line without one was cut off.
struct HeaderLines<'f>(&'f [u8]);

impl<'f> HeaderLines<'f> {
    fn next(&mut self) -> Result<&'f [u8], PayloadProblem> {
        let mut bytes = self.0.iter();
        let end = bytes.position(|byte| *byte == b'\n');
        let (line, rest) = self.0.split_at(end.ok_or(PayloadProblem::Damaged)?);
        self.0 = rest.get(1..).unwrap_or_default();
        Ok(line)
    }
}

/// The payload of an age file is STREAM: chunks of ChaCha20-Poly1305 (RFC 8439) with a counter and a mark on the
/// last one.
pub(super) const CHUNK: usize = 64 * 1024;
const TAG: usize = 16;

/// The plaintext, if it is complete and no one changed it.
pub(super) fn decrypted(key: &[u8; 32], ciphertext: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let cipher = ChaCha20Poly1305::new(key.into());
    // as large as it can become, so that the buffer never moves and leaves a copy
    let mut plaintext = Zeroizing::new(Vec::with_capacity(ciphertext.len()));
    for (chunk, nonce) in chunks(ciphertext, CHUNK + TAG) {
        let (chunk, tag) = chunk.split_last_chunk::<TAG>()?;
        let begin = plaintext.len();
        // a chunk is empty only if the whole plaintext is
        if chunk.is_empty() && !plaintext.is_empty() {
            return None;
        }
        plaintext.extend_from_slice(chunk);
        let chunk = plaintext.get_mut(begin..)?;
        cipher
            .decrypt_in_place_detached(&nonce, b"", chunk, Tag::from_slice(tag))
            .ok()?;
    }
    Some(plaintext)
}

/// Chunks of this size, the last of which can be shorter, and the nonce of each: eleven bytes of its number, and whether
/// it is the last one.
pub(super) fn chunks(bytes: &[u8], size: usize) -> impl Iterator<Item = (&[u8], Nonce)> {
    let (full, last) = bytes.split_at(bytes.len().saturating_sub(1) / size * size);
    let full = full.chunks(size).map(|chunk| (chunk, 0)).chain([(last, 1)]);
    full.zip(0_u128..).map(|((chunk, is_last), number)| {
        let [_, _, _, _, nonce @ ..] = (number << 8 | is_last).to_be_bytes();
        (chunk, nonce.into())
    })
}
