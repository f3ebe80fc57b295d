//! The payload of an age file: STREAM, which is chunks of ChaCha20-Poly1305 (RFC 8439) with a counter and a mark on the
//! last one.

use chacha20poly1305::{AeadInPlace as _, ChaCha20Poly1305, KeyInit as _, Nonce, Tag};
use zeroize::Zeroizing;

pub(super) const CHUNK: usize = 64 * 1024;
const TAG: usize = 16;

/// The plaintext, if it is whole and no one changed it.
pub(super) fn decrypted(key: &[u8; 32], ciphertext: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let cipher = ChaCha20Poly1305::new(key.into());
    // as large as it can become, so that it never moves
    let mut plaintext = Zeroizing::new(Vec::with_capacity(ciphertext.len()));
    for (chunk, nonce) in chunks(ciphertext, CHUNK + TAG) {
        let (chunk, tag) = chunk.split_last_chunk::<TAG>()?;
        let begin = plaintext.len();
        // only a plaintext without a byte has an empty chunk
        if chunk.is_empty() && begin > 0 {
            return None;
        }
        plaintext.extend_from_slice(chunk);
        let chunk = plaintext.get_mut(begin..)?;
        cipher.decrypt_in_place_detached(&nonce, b"", chunk, Tag::from_slice(tag)).ok()?;
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
