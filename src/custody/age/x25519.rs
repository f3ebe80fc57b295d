//! The X25519 recipient type: who can open a file, and the file key that is encrypted to them.

use super::FileKey;
use super::format::Stanza;
use crate::custody::bech32;
use crate::custody::keys::hkdf;
use crate::custody::payload::PayloadProblem;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::{AeadInPlace as _, ChaCha20Poly1305, KeyInit as _, Tag};
use std::fmt;
use x25519_dalek::{PublicKey, SharedSecret, StaticSecret};

/// Opens what is sealed to its recipient. Neither `Debug` nor `Display`; wiped when dropped.
pub struct Identity(StaticSecret, Recipient);

/// The public half of an identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient(pub(super) PublicKey);

/// A key of a file key is used once, so its nonce is zero.
pub(super) const NONCE: [u8; 12] = [0; 12];

impl Identity {
    /// The identity that a text is, if it is one.
    pub fn parse(text: &str) -> Option<Self> {
        let secret = StaticSecret::from(*bech32::decoded(text, "age-secret-key-")?);
        let recipient = Recipient(PublicKey::from(&secret));
        Some(Self(secret, recipient))
    }

    /// The file key, if the stanza is for this identity. A stanza that no program can have written ends the search.
    pub(super) fn file_key(&self, stanza: &Stanza<'_>) -> Result<Option<FileKey>, PayloadProblem> {
        let share = match stanza.words.as_slice() {
            [b"X25519", share] => STANDARD_NO_PAD.decode(share).ok(),
            [b"X25519", ..] => None,
            _ => return Ok(None),
        };
        let share =
            share.and_then(|share| <[u8; 32]>::try_from(share).ok()).ok_or(PayloadProblem::Damaged)?;
        // of one length: a longer one can be made so that many keys open it (age-encryption.org/v1)
        let body = <&[u8; 32]>::try_from(stanza.body.as_slice()).map_err(|_| PayloadProblem::Damaged)?;
        let shared = self.0.diffie_hellman(&share.into());
        if !shared.was_contributory() {
            return Err(PayloadProblem::Damaged);
        }
        let mut file_key = FileKey::default();
        let (encrypted, tag) = body.split_at(file_key.len());
        file_key.copy_from_slice(encrypted);
        let cipher = cipher(&share.into(), &self.1, &shared);
        let opened =
            cipher.decrypt_in_place_detached(&NONCE.into(), b"", &mut *file_key, Tag::from_slice(tag));
        Ok(opened.is_ok().then_some(file_key))
    }

    #[cfg(test)]
    pub const fn recipient(&self) -> &Recipient {
        &self.1
    }
}

/// The cipher of a file key.
pub(super) fn cipher(share: &PublicKey, recipient: &Recipient, shared: &SharedSecret) -> ChaCha20Poly1305 {
    let salt = [share.to_bytes(), recipient.0.to_bytes()].concat();
    ChaCha20Poly1305::new((&*hkdf(&salt, shared.as_bytes(), b"age-encryption.org/v1/X25519")).into())
}

impl fmt::Display for Recipient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&bech32::encoded("age", self.0.as_bytes()))
    }
}
