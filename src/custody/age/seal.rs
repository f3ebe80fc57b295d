//! Sealing, for people: a new file key, encrypted to each recipient, and the file around it. The image only opens.

use super::format::{BEGIN, BYTES, CHUNK, END, VERSION, chunks, code};
use super::x25519::{NONCE as ZERO, cipher};
use super::{FileKey, NONCE, Recipient};
use crate::custody::keys::{NoRandomness, hkdf, random};
use crate::custody::{Error, bech32};
use crate::diagnostic::Bug;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use chacha20poly1305::{AeadInPlace as _, ChaCha20Poly1305, KeyInit as _};
use hmac::Mac as _;
use x25519_dalek::{PublicKey, StaticSecret};

/// An armored file with this plaintext for these recipients.
pub(in crate::custody) fn seal(plaintext: &[u8], recipients: &[Recipient]) -> Result<Vec<u8>, Error> {
    let (file_key, nonce) = (random()?, random::<NONCE>()?);
    let stanzas = recipients.iter().map(|it| it.stanza(&file_key)).collect::<Result<String, _>>()?;
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
    [BEGIN, "\n", &*lines.collect::<String>(), END, "\n"].concat().into_bytes()
}

/// A header with these stanzas.
fn header(stanzas: &str, file_key: &FileKey) -> Option<String> {
    let header = format!("{VERSION}\n{stanzas}---");
    let code = code(file_key, header.as_bytes()).ok()?.finalize().into_bytes();
    Some(header + " " + &STANDARD_NO_PAD.encode(code) + "\n")
}

/// The payload, chunk by chunk.
fn encrypt(key: &[u8; 32], plaintext: &[u8]) -> Option<Vec<u8>> {
    let cipher = ChaCha20Poly1305::new(key.into());
    let mut ciphertext = Vec::new();
    for (chunk, nonce) in chunks(plaintext, CHUNK) {
        let begin = ciphertext.len();
        ciphertext.extend_from_slice(chunk);
        let tag = cipher.encrypt_in_place_detached(&nonce, b"", ciphertext.get_mut(begin..)?).ok()?;
        ciphertext.extend_from_slice(&tag);
    }
    Some(ciphertext)
}

impl Recipient {
    /// The recipient that a text is, if it is one. With a few keys every private key has the same shared secret, so anyone could
    /// open the file (RFC 7748, 6.1): such a key is not a recipient.
    pub fn parse(text: &str) -> Option<Self> {
        let key = PublicKey::from(*bech32::decoded(text, "age")?);
        StaticSecret::from([1; 32]).diffie_hellman(&key).was_contributory().then_some(Self(key))
    }

    /// The file key, encrypted to this recipient.
    fn stanza(&self, file_key: &FileKey) -> Result<String, NoRandomness> {
        let ephemeral = StaticSecret::from(*random()?);
        let share = PublicKey::from(&ephemeral);
        let cipher = cipher(&share, self, &ephemeral.diffie_hellman(&self.0));
        let mut body = file_key.to_vec();
        // the only error is a length over 256 GiB
        let tag = cipher.encrypt_in_place_detached(&ZERO.into(), b"", &mut body).unwrap_or_default();
        body.extend_from_slice(&tag);
        Ok(format!("-> X25519 {}\n{}\n", STANDARD_NO_PAD.encode(share), STANDARD_NO_PAD.encode(body)))
    }
}
