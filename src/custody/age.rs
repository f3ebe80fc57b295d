//! Age files of version 1 with X25519 recipients (<https://age-encryption.org/v1>), and nothing else. A file for a
//! passphrase, a plugin, an SSH key or a post-quantum key is recognised and refused.
//!
//! The crate `age` is used only by the tests, which compare both: it would bring more than half of all crates, for
//! translations, plugins and post-quantum keys. A file is in memory as a whole, so nothing here streams.

mod format;

use super::Error;
use super::keys::{NoRandomness, from_bech32, hkdf, random, to_bech32};
use super::payload::PayloadProblem;
use crate::diagnostic::Bug;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use chacha20poly1305::{AeadInPlace as _, ChaCha20Poly1305, KeyInit as _, Tag};
pub(crate) use format::without_line_ends;
use format::{BEGIN, BYTES, CHUNK, END, Stanza, VERSION, chunks, code, decrypted};
pub(super) use format::{Header, unarmored};
use hmac::Mac as _;
use std::fmt;
use x25519_dalek::{PublicKey, SharedSecret, StaticSecret};
use zeroize::Zeroizing;

/// The random bytes between header and payload.
const NONCE: usize = 16;

/// The key that every recipient gets. The other keys of the file are derived from it.
type FileKey = Zeroizing<[u8; 16]>;

/// How many times a run may still try to open a stanza with an identity.
pub struct Attempts(usize);

impl Default for Attempts {
    /// Each try is a multiplication on the curve, 700,000 instructions. A run opens three files at most. The number is enough for two
    /// identities on 130 recipients of each file, or 26 identities on ten.
    fn default() -> Self {
        Self(800)
    }
}

impl Attempts {
    /// A number for a person's own run over many files.
    pub(super) const fn new(count: usize) -> Self {
        Self(count)
    }

    fn take_one(&mut self) -> Result<(), PayloadProblem> {
        self.0 = self.0.checked_sub(1).ok_or(PayloadProblem::Recipients)?;
        Ok(())
    }
}

/// The plaintext of the file with this header. Each attempt to open a stanza uses one of `tries`.
pub(super) fn open(
    header: &Header<'_>,
    identities: &[Identity],
    tries: &mut Attempts,
) -> Result<Zeroizing<Vec<u8>>, PayloadProblem> {
    if header.has_kind(b"scrypt") {
        // a passphrase must be the only recipient, so that no one else can have made the file (age-encryption.org/v1, "scrypt recipient
        // stanza")
        return Err(match header.kinds().len() {
            1 => PayloadProblem::Passphrase,
            _ => PayloadProblem::Damaged,
        });
    }
    let (nonce, ciphertext) = header
        .rest
        .split_at_checked(NONCE)
        .ok_or(PayloadProblem::Damaged)?;
    let file_key = file_key(header, identities, tries)?;
    if !header.is_authentic(&file_key) {
        return Err(PayloadProblem::Damaged);
    }
    decrypted(&hkdf(nonce, &*file_key, b"payload"), ciphertext).ok_or(PayloadProblem::Damaged)
}

fn file_key(
    header: &Header<'_>,
    identities: &[Identity],
    tries: &mut Attempts,
) -> Result<FileKey, PayloadProblem> {
    for identity in identities {
        for stanza in &header.stanzas {
            if let Some(file_key) = identity.file_key(stanza, tries)? {
                return Ok(file_key);
            }
        }
    }
    Err(PayloadProblem::OtherRecipient)
}

/// An armored file with this plaintext for these recipients.
pub(super) fn seal(plaintext: &[u8], recipients: &[Recipient]) -> Result<Vec<u8>, Error> {
    let (file_key, nonce) = (random()?, random::<NONCE>()?);
    let mut stanzas = String::new();
    for recipient in recipients {
        stanzas += &recipient.stanza(&file_key)?;
    }
    let header = header(&stanzas, &file_key);
    let payload = encrypt(&hkdf(&*nonce, &*file_key, b"payload"), plaintext);
    let (Some(header), Some(payload)) = (header, payload) else {
        return Err(Bug::new("sealing").into());
    };
    Ok(armor(&[header.as_bytes(), &*nonce, &payload].concat()))
}

/// PEM in lines of 64 columns (RFC 7468).
fn armor(file: &[u8]) -> Vec<u8> {
    let lines = file.chunks(BYTES).map(|line| STANDARD.encode(line) + "\n");
    format!("{BEGIN}\n{}{END}\n", lines.collect::<String>()).into_bytes()
}

/// A header with these stanzas.
fn header(stanzas: &str, file_key: &FileKey) -> Option<String> {
    let header = format!("{VERSION}\n{stanzas}---");
    let code = code(file_key, header.as_bytes()).ok()?.finalize();
    let code = STANDARD_NO_PAD.encode(code.into_bytes());
    Some(format!("{header} {code}\n"))
}

/// The payload, chunk by chunk.
fn encrypt(key: &[u8; 32], plaintext: &[u8]) -> Option<Vec<u8>> {
    let cipher = ChaCha20Poly1305::new(key.into());
    let mut ciphertext = Vec::new();
    for (chunk, nonce) in chunks(plaintext, CHUNK) {
        let begin = ciphertext.len();
        ciphertext.extend_from_slice(chunk);
        let tag = cipher
            .encrypt_in_place_detached(&nonce, b"", ciphertext.get_mut(begin..)?)
            .ok()?;
        ciphertext.extend_from_slice(&tag);
    }
    Some(ciphertext)
}

impl Recipient {
    /// The recipient in a text, if the text is one. A few public keys give the same shared secret with every private key, so anyone could
    /// open the file (RFC 7748, 6.1): such a key is refused.
    pub fn parse(text: &str) -> Option<Self> {
        let key = PublicKey::from(*from_bech32(text, "age")?);
        let shared = StaticSecret::from([1; 32]).diffie_hellman(&key);
        shared.was_contributory().then_some(Self(key))
    }

    /// The file key, encrypted to this recipient.
    fn stanza(&self, file_key: &FileKey) -> Result<String, NoRandomness> {
        let ephemeral = StaticSecret::from(*random()?);
        let share = PublicKey::from(&ephemeral);
        let cipher = cipher(&share, self, &ephemeral.diffie_hellman(&self.0));
        let mut body = file_key.to_vec();
        // the only error is a length over 256 GiB
        let tag = cipher
            .encrypt_in_place_detached(&ZERO.into(), b"", &mut body)
            .unwrap_or_default();
        body.extend_from_slice(&tag);
        Ok(format!(
            "-> X25519 {}\n{}\n",
            STANDARD_NO_PAD.encode(share),
            STANDARD_NO_PAD.encode(body)
        ))
    }
}

/// Opens what is sealed to its recipient. Neither `Debug` nor `Display`; wiped when dropped.
pub struct Identity(StaticSecret, pub(super) Recipient);

/// The public half of an identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient(PublicKey);

/// The nonce of a file key's cipher. It can be zero, because each such cipher is used once.
const ZERO: [u8; 12] = [0; 12];

impl Identity {
    /// The identity in a text, if the text is one.
    pub fn parse(text: &str) -> Option<Self> {
        let secret = StaticSecret::from(*from_bech32(text, "age-secret-key-")?);
        let recipient = Recipient(PublicKey::from(&secret));
        Some(Self(secret, recipient))
    }

    /// The file key, if the stanza is for this identity. The error is a stanza that no age program writes: the search
    /// ends there.
    fn file_key(
        &self,
        stanza: &Stanza<'_>,
        tries: &mut Attempts,
    ) -> Result<Option<FileKey>, PayloadProblem> {
        let share = match stanza.words.as_slice() {
            [b"X25519", share] => STANDARD_NO_PAD.decode(share).unwrap_or_default(),
            [b"X25519", ..] => Vec::new(),
            _ => return Ok(None),
        };
        tries.take_one()?;
        // the length is fixed: a longer body can be made so that many keys open it (age-encryption.org/v1)
        let body = <&[u8; 32]>::try_from(stanza.body.as_slice());
        let (Ok(share), Ok(body)) = (<[u8; 32]>::try_from(share), body) else {
            return Err(PayloadProblem::Damaged);
        };
        let shared = self.0.diffie_hellman(&share.into());
        if !shared.was_contributory() {
            return Err(PayloadProblem::Damaged);
        }
        let mut file_key = FileKey::default();
        let (encrypted, tag) = body.split_at(file_key.len());
        file_key.copy_from_slice(encrypted);
        let cipher = cipher(&share.into(), &self.1, &shared);
        let tag = Tag::from_slice(tag);
        let opened = cipher.decrypt_in_place_detached(&ZERO.into(), b"", &mut *file_key, tag);
        Ok(opened.is_ok().then_some(file_key))
    }
}

/// The cipher that encrypts a file key.
fn cipher(share: &PublicKey, recipient: &Recipient, shared: &SharedSecret) -> ChaCha20Poly1305 {
    let salt = [share.to_bytes(), recipient.0.to_bytes()].concat();
    let key = hkdf(&salt, shared.as_bytes(), b"age-encryption.org/v1/X25519");
    ChaCha20Poly1305::new((&*key).into())
}

impl fmt::Display for Recipient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&to_bech32("age", self.0.as_bytes()))
    }
}
