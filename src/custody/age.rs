//! Age files of version 1 with X25519 recipients (<https://age-encryption.org/v1>), and nothing else: what needs a
//! passphrase, a plugin, an SSH key or a post-quantum key is recognised and refused.
//!
//! The crate `age` is for the tests only, which compare both: more than half of all crates would be here for it, for
//! translations, plugins and post-quantum keys. A file is in memory as a whole, so nothing here streams.

mod format;
mod seal;
mod x25519;

use super::keys::hkdf;
use super::payload::PayloadProblem;
use format::decrypted;
pub(super) use format::{Header, unarmored};
pub(super) use seal::seal;
pub use x25519::{Identity, Recipient};
use zeroize::Zeroizing;

/// The random bytes between header and payload.
const NONCE: usize = 16;

/// What every recipient gets, and the other keys are derived from.
type FileKey = Zeroizing<[u8; 16]>;

/// How often a run may still try to open a stanza with an identity.
pub struct Tries(usize);

impl Default for Tries {
    /// Each try is a multiplication on the curve, 700,000 instructions. A run opens three files at most: two identities are tried
    /// on 130 recipients of each, and 26 on ten.
    fn default() -> Self {
        Self(800)
    }
}

impl Tries {
    /// For a person's own run over many files.
    pub(super) const fn of(count: usize) -> Self {
        Self(count)
    }

    fn one(&mut self) -> Result<(), PayloadProblem> {
        self.0 = self.0.checked_sub(1).ok_or(PayloadProblem::Recipients)?;
        Ok(())
    }
}

/// The plaintext of the file that this header is from, if one of so many tries opens it.
pub(super) fn open(
    header: &Header<'_>,
    identities: &[Identity],
    tries: &mut Tries,
) -> Result<Zeroizing<Vec<u8>>, PayloadProblem> {
    if header.kinds().any(|kind| kind == b"scrypt") {
        // a passphrase is the only recipient, so that no one else can have made the file (age-encryption.org/v1, "scrypt recipient stanza")
        let is_alone = header.kinds().len() == 1;
        return Err(if is_alone { PayloadProblem::Passphrase } else { PayloadProblem::Damaged });
    }
    let (nonce, ciphertext) = header.rest.split_at_checked(NONCE).ok_or(PayloadProblem::Damaged)?;
    let file_key = identities
        .iter()
        .flat_map(|identity| header.stanzas.iter().map(move |stanza| (identity, stanza)))
        .map(|(identity, stanza)| {
            if stanza.is_x25519() {
                tries.one()?;
            }
            identity.file_key(stanza)
        })
        .find_map(Result::transpose)
        .unwrap_or(Err(PayloadProblem::OtherRecipient))?;
    if !header.is_authentic(&file_key) {
        return Err(PayloadProblem::Damaged);
    }
    decrypted(&hkdf(nonce, &*file_key, b"payload"), ciphertext).ok_or(PayloadProblem::Damaged)
}
