//! Age identities: what opens sealed files.

use super::payload::PayloadProblem;
use crate::diagnostic::{shown_file_name, shown_name};
use crate::input::file::{Links, TextProblem, read, utf8};
use age::DecryptError;
use std::io::Read as _;
use std::path::Path;
use zeroize::Zeroizing;

/// Enough for hundreds of identities.
const IDENTITY_CAP: u64 = 64 * 1024;

/// Why the identity file was not accepted. No line of it is quoted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityProblem {
    /// None was named.
    #[error("the folder has sealed files, and no identity to open them was given")]
    NotGiven,
    /// The file was not read.
    #[error("the identity file `{}`: {problem}", shown_name(.name))]
    File {
        /// Its last path component.
        name: String,
        /// Why not.
        problem: TextProblem,
    },
    /// Others can change the file.
    #[error("the identity file `{}` is writable by everyone", shown_name(.0))]
    WorldWritable(String),
    /// A line that is not an X25519 identity.
    #[error("the identity file `{}`, line {line}: {reason}", shown_name(.name))]
    Line {
        /// The file's last path component.
        name: String,
        /// Counted from 1.
        line: usize,
        /// What it is instead.
        reason: &'static str,
    },
    /// No identity in the file.
    #[error("the identity file `{}` has no identity in it", shown_name(.0))]
    Empty(String),
    /// The file is inside the repository that it opens.
    #[error("the identity file is inside the repository whose files it opens")]
    Inside,
}

impl IdentityProblem {
    /// What to do about it.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::NotGiven => {
                "name the age identity file with --identity-file; for Argo CD this is set in plugin.yaml"
            }
            Self::WorldWritable(_) => {
                "anyone who can change it decides which files are opened: remove write access for others (`chmod o-w`)"
            }
            Self::File { .. } => {
                "`age-keygen -o FILE` creates one; in the sidecar it must be mounted at the path that plugin.yaml names, and be readable for user 999"
            }
            Self::Line { .. } | Self::Empty(_) => {
                "an identity file holds lines of `AGE-SECRET-KEY-1…`, as `age-keygen` writes them, and comments that begin with `#`"
            }
            Self::Inside => {
                "anyone who can read the repository could open the seed: keep the identity elsewhere (--local allows it, for demonstrations)"
            }
        }
    }
}

/// The X25519 identities of one file; all are tried.
pub struct Identities(Vec<age::x25519::Identity>);

/// How lines begin that are not X25519 identities, and what to do instead.
const OTHER_KINDS: [(&str, &str); 5] = [
    (
        "AGE-SECRET-KEY-PQ-",
        "a post-quantum identity, which this program cannot use; seal to an X25519 recipient as well (`age-keygen` without -pq)",
    ),
    ("AGE-PLUGIN-", "an identity of an age plugin, which would run a program; use an X25519 identity"),
    (
        "-----BEGIN AGE ENCRYPTED FILE",
        "an identity file encrypted with a passphrase, which cannot be entered here; store it without one",
    ),
    ("-----BEGIN", "an SSH or PEM key; use an X25519 identity from `age-keygen`"),
    ("age1", "a recipient, the public half; the identity begins with AGE-SECRET-KEY-1"),
];

impl Identities {
    /// Reads an identity file: one identity a line, comments with `#`, as `age-keygen` writes it.
    ///
    /// # Errors
    /// When the file is not read or a line is not an X25519 identity. No line is quoted.
    pub fn read(path: &Path) -> Result<Self, IdentityProblem> {
        // its path on the operator's machine is not for everyone
        let name = || shown_file_name(path);
        let file = |problem| IdentityProblem::File { name: name(), problem };
        let bytes = read(path, IDENTITY_CAP, Links::Follow).map_err(|problem| file(problem.into()))?;
        let bytes = Zeroizing::new(bytes);
        let text = utf8(&bytes).map_err(file)?;
        let mut identities = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |reason| IdentityProblem::Line { name: name(), line: index + 1, reason };
            if let Some((_, reason)) = OTHER_KINDS.iter().find(|(prefix, _)| line.starts_with(prefix)) {
                return Err(wrong(reason));
            }
            identities.push(line.parse().map_err(|_| wrong("not an age X25519 identity, or damaged"))?);
        }
        if identities.is_empty() {
            return Err(IdentityProblem::Empty(name()));
        }
        Ok(Self(identities))
    }

    /// The plaintext of a sealed file, of at most `cap` bytes.
    pub(super) fn open(&self, sealed: &[u8], cap: u64) -> Result<Zeroizing<Vec<u8>>, PayloadProblem> {
        let file = unarmored(sealed)?;
        if !is_tried(&file, self.0.len()) {
            return Err(PayloadProblem::Recipients);
        }
        // `Decryptor::new` parses the header again after each byte, this one after each line
        let decryptor = age::Decryptor::new_buffered(file.as_slice()).map_err(|error| age_problem(&error))?;
        if decryptor.is_scrypt() {
            return Err(PayloadProblem::Passphrase);
        }
        let identities = self.0.iter().map(|identity| identity as &dyn age::Identity);
        let reader =
            decryptor.decrypt(identities).map_err(|error| match (age_problem(&error), others(&file)) {
                (PayloadProblem::OtherRecipient, Some(others)) => PayloadProblem::OtherKind(others),
                (problem, _) => problem,
            })?;
        // as large as it can become, so that it never moves and leaves a copy in memory
        let mut plaintext = Zeroizing::new(Vec::with_capacity(sealed.len()));
        reader.take(cap).read_to_end(&mut plaintext).map_err(|_| PayloadProblem::Damaged)?;
        Ok(plaintext)
    }
}

/// What reading a header costs grows with the square of its lines, and each stanza costs a multiplication for each
/// identity: anyone with push access must not be able to keep the sidecar busy with it. 150 recipients fit.
const HEADER_CAP: usize = 16 * 1024;
const STANZAS: usize = 200;

/// How many multiplications at most: less than a second. 50 identities are tried on a file of 200 stanzas, and a thousand on
/// one of ten.
const TRIES: usize = 10_000;

fn is_tried(file: &[u8], identities: usize) -> bool {
    let header = header(file);
    let stanzas = header.windows(4).filter(|window| window == b"\n-> ").count();
    header.len() <= HEADER_CAP && stanzas <= STANZAS && stanzas * identities <= TRIES
}

/// Whether every run would read a sealed file as far as its secret.
pub(super) fn is_small_enough(sealed: &[u8], cap: u64) -> bool {
    let size = u64::try_from(sealed.len()).unwrap_or(u64::MAX);
    size <= cap && unarmored(sealed).is_ok_and(|file| is_tried(&file, 1))
}

/// How many X25519 recipients a sealed file has. The header has one stanza for each in clear, which does not name it
/// (age-encryption.org/v1, "X25519 recipient stanza"). The header is authenticated when the file is opened.
pub(super) fn recipients(sealed: &[u8]) -> usize {
    // what cannot be read is not counted
    let file = unarmored(sealed).unwrap_or_default();
    header(&file).split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"-> X25519 ")).count()
}

/// The kind of recipients of a file that has no X25519 recipient. A stanza whose type ends in `-grease` is for no one
/// (age-encryption.org/v1, "stanza").
fn others(file: &[u8]) -> Option<&'static str> {
    let types: Vec<&[u8]> = header(file)
        .split(|byte| *byte == b'\n')
        .filter_map(|line| line.strip_prefix(b"-> ")?.split(|byte| *byte == b' ').next())
        .filter(|name| !name.ends_with(b"-grease"))
        .collect();
    match types.first() {
        _ if types.contains(&b"X25519".as_slice()) => None,
        Some(name) if name.starts_with(b"ssh-") => Some("SSH keys"),
        Some(name) if name.starts_with(b"mlkem768") => Some("post-quantum recipients"),
        Some(_) => Some("recipients of an age plugin"),
        None => None,
    }
}

/// The file without its armor, if it has one.
fn unarmored(sealed: &[u8]) -> Result<Vec<u8>, PayloadProblem> {
    // white space before the armor is allowed, and age 0.12 does not find the armor then
    let armored = sealed.trim_ascii_start();
    let sealed = if armored.starts_with(b"-----BEGIN ") { armored } else { sealed };
    let mut file = Vec::with_capacity(sealed.len());
    age::armor::ArmoredReader::new(sealed).read_to_end(&mut file).map_err(|_| PayloadProblem::Damaged)?;
    Ok(file)
}

/// Everything before the line with the header's authentication code, which begins with `---`.
fn header(file: &[u8]) -> &[u8] {
    let end = file.windows(4).position(|window| window == b"\n---");
    file.get(..end.unwrap_or(file.len())).unwrap_or_default()
}

fn age_problem(error: &DecryptError) -> PayloadProblem {
    match error {
        DecryptError::NoMatchingKeys => PayloadProblem::OtherRecipient,
        DecryptError::UnknownFormat => PayloadProblem::NotAge,
        _ => PayloadProblem::Damaged,
    }
}

#[cfg(test)]
mod tests;
