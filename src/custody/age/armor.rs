//! The armor of an age file: PEM (RFC 7468) in its strict form, with one label.

use crate::custody::payload::PayloadProblem;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;

pub(super) const BEGIN: &str = "-----BEGIN AGE ENCRYPTED FILE-----";
pub(super) const END: &str = "-----END AGE ENCRYPTED FILE-----";
/// The columns of a line, and the bytes that they hold. Only the last line can be shorter.
const COLUMNS: usize = 64;
pub(super) const BYTES: usize = 48;

/// The file without its armor, if it has one. White space is allowed around an armor, and lines can end with CR LF.
pub(in crate::custody) fn unarmored(sealed: &[u8]) -> Result<Cow<'_, [u8]>, PayloadProblem> {
    let text = sealed.trim_ascii();
    if !text.starts_with(b"-----BEGIN ") {
        return Ok(sealed.into());
    }
    read(text).map(Cow::from).ok_or(PayloadProblem::Damaged)
}

fn read(text: &[u8]) -> Option<Vec<u8>> {
    let mut lines = text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
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
