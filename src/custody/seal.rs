//! SEAL: a secret and its terms into a sealed file.

use super::Error;
use super::age::{self, Recipient};
use super::confirm::Confirmed;
use super::identity::recipients as recipients_of;
use super::payload_kind::{PayloadJson, PayloadKind};
use super::terms::Terms;
use crate::diagnostic::Bug;
use std::path::Path;
use zeroize::Zeroizing;

/// A sealed file on confirmed terms, which every run can open again: each reads a file, and its header, only so far. `name` is
/// what is sealed, for the error.
pub(crate) fn seal(
    kind: PayloadKind,
    secret: &Zeroizing<String>,
    confirmed: &Confirmed,
    name: &Path,
) -> Result<Vec<u8>, Error> {
    let sealed = sealed(kind, secret, confirmed.terms(), confirmed.recipients())?;
    let length = u64::try_from(sealed.len()).unwrap_or(u64::MAX);
    if length <= kind.cap() && recipients_of(&sealed).is_ok() {
        return Ok(sealed);
    }
    Err(Error::Sealing { name: name.display().to_string(), cap: kind.cap() })
}

/// An armored age file.
pub(super) fn sealed(
    kind: PayloadKind,
    secret: &Zeroizing<String>,
    terms: &Terms,
    recipients: &[Recipient],
) -> Result<Vec<u8>, Error> {
    let json = serde_json::to_vec(&PayloadJson::new(kind, secret.clone(), terms));
    let plaintext = Zeroizing::new(json.map_err(|_| Bug::new("sealing: the payload"))?);
    age::seal(&plaintext, recipients)
}
