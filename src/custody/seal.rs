//! SEAL: a secret and its terms into a sealed file.

use super::payload::Payload;
use super::payload_kind::PayloadKind;
use super::terms::Terms;
use super::{Error, identity};
use crate::diagnostic::Bug;
use age::x25519::Recipient;
use std::io::Write as _;
use std::path::Path;
use zeroize::Zeroizing;

/// A sealed file for these recipients, which every run can open again: each reads a file, and its header, only so far. `name`
/// is what is sealed, for the error.
pub(crate) fn seal(
    kind: PayloadKind,
    secret: &Zeroizing<String>,
    terms: &Terms,
    recipients: &[Recipient],
    name: &Path,
) -> Result<Vec<u8>, Error> {
    let sealed = sealed(kind, secret, terms, recipients)?;
    if identity::is_small_enough(&sealed, kind.cap()) {
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
) -> Result<Vec<u8>, Bug> {
    let bug = |what: &str| Bug::new(format!("sealing: {what}"));
    let plaintext = Payload::plaintext(kind, secret, terms).map_err(|_| bug("the payload"))?;
    let recipients = recipients.iter().map(|recipient| recipient as &dyn age::Recipient);
    let encryptor = age::Encryptor::with_recipients(recipients).map_err(|_| bug("no recipients"))?;
    let mut sealed = Vec::new();
    let write = || -> std::io::Result<()> {
        let armor = age::armor::ArmoredWriter::wrap_output(&mut sealed, age::armor::Format::AsciiArmor)?;
        let mut writer = encryptor.wrap_output(armor)?;
        writer.write_all(&plaintext)?;
        writer.finish()?.finish()?;
        Ok(())
    };
    write().map_err(|_| bug("writing to memory"))?;
    Ok(sealed)
}
