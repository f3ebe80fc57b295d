//! Age files of version 1 with X25519 recipients (<https://age-encryption.org/v1>), and nothing else: what needs a
//! passphrase, a plugin, an SSH key or a post-quantum key is recognised and refused.
//!
//! The crate `age` is for the tests only, which compare both: more than half of all crates would be here for it, for
//! translations, plugins and post-quantum keys. A file is in memory as a whole, so nothing here streams.

mod armor;
mod header;
mod payload;
mod x25519;

use super::Error;
use super::identity::Tries;
use super::keys::{hkdf, random};
use super::payload::PayloadProblem;
use crate::diagnostic::Bug;
pub(super) use armor::unarmored;
pub(super) use header::Header;
pub use x25519::{Identity, Recipient};
use zeroize::Zeroizing;

/// The random bytes between header and payload.
const NONCE: usize = 16;

/// What every recipient gets, and the other keys are derived from.
type FileKey = Zeroizing<[u8; 16]>;

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
    payload::decrypted(&hkdf(nonce, &*file_key, b"payload"), ciphertext).ok_or(PayloadProblem::Damaged)
}

/// An armored file with this plaintext for these recipients.
pub(super) fn sealed(plaintext: &[u8], recipients: &[Recipient]) -> Result<Vec<u8>, Error> {
    let (file_key, nonce) = (random()?, random::<NONCE>()?);
    let stanzas = recipients.iter().map(|it| it.stanza(&file_key)).collect::<Result<String, _>>()?;
    let header = header::written(&stanzas, &file_key);
    let payload = payload::encrypted(&hkdf(&*nonce, &*file_key, b"payload"), plaintext);
    let (Some(header), Some(payload)) = (header, payload) else {
        return Err(Bug::new("sealing").into());
    };
    Ok(armor::armored(&[header.as_bytes(), &*nonce, &payload].concat()))
}
