//! Age identities, which open sealed files.

use super::age::{self, Attempts, Header, Identity, unarmored};
use super::error::Error;
use super::payload::PayloadProblem;
use crate::diagnostic::{reasons, shown_file_name, shown_name};
use crate::input::file::{
    Links, ReadProblem, TextProblem, is_world_writable, load, shown_path, utf8,
};
use std::borrow::Cow;
use std::env;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Enough for hundreds of identities.
const IDENTITY_CAP: u64 = 64 * 1024;

const LINES: &str = "its lines are `AGE-SECRET-KEY-1…`, as `age-keygen` prints, or `#` comments";

reasons! {
    /// Why the identity file was not accepted. No line of it is quoted.
    pub enum IdentityProblem {
        /// No identity was named.
        NotGiven
            error("no identity was given for the sealed files")
            help "for your own run use --local --identity-file FILE; in Argo CD, plugin.yaml sets it";
        /// A person named no identity, and none is kept in the default places.
        NotKept
            error("no age identity was found")
            help "use --identity-file, ARGOCD_PEERING_IDENTITY_FILE or ~/.config/argocd-peering/identity.txt";
        /// The file was not read.
        File { name: String, problem: TextProblem }
            error("the identity file `{}`: {problem}", shown_name(.name))
            help "check --identity-file; in the sidecar, mount it at plugin.yaml's path for user 999; a new identity opens no existing file";
        /// It is a folder, such as the mount of a Secret, or a pipe.
        NotAFile { name: String }
            error("the identity file `{}`: it is not a regular file", shown_name(.name))
            help "name the file in the folder, such as `identity.txt`";
        /// Others can change the file.
        WorldWritable { name: String }
            error("the identity file `{}` is writable by everyone", shown_name(.name))
            help "remove others' write access: `chmod o-w`";
        /// A line that is not an X25519 identity.
        Line { name: String, line: usize, reason: &'static str }
            error("the identity file `{}`, line {line}: {reason}", shown_name(.name))
            help LINES;
        /// No identity in the file.
        Empty { name: String }
            error("the identity file `{}` has no identity in it", shown_name(.name))
            help LINES;
        /// The file is inside the repository that it opens.
        Inside
            error("the identity file is inside the repository")
            help "move it out; once committed, replace it; for demonstrations use --local";
    }
}

/// The X25519 identities of one file; all are tried.
pub struct Identities {
    usable: Vec<Identity>,
    /// The first line that `age` would try and this program cannot: its number, and why.
    unusable: Option<(usize, &'static str)>,
    /// The kept file and why it was used, if no flag names one.
    kept: Option<String>,
}

/// The beginnings of lines with identities of other kinds. If the file also has an X25519 identity, they are ignored.
const OTHER_IDENTITIES: [(&str, &str); 2] = [
    (
        "AGE-SECRET-KEY-PQ-",
        "an unsupported post-quantum identity; use X25519 (`age-keygen` without -pq)",
    ),
    (
        "AGE-PLUGIN-",
        "an unsupported identity of an age plugin; use X25519",
    ),
];

/// The beginnings of lines that are not identities, and what to do instead.
const OTHER_KINDS: [(&str, &str); 3] = [
    (
        "-----BEGIN AGE ENCRYPTED FILE",
        "an identity file with a passphrase; store it without one",
    ),
    (
        "-----BEGIN",
        "an SSH or PEM key; use an identity from `age-keygen`",
    ),
    (
        "age1",
        "a recipient; an identity begins with AGE-SECRET-KEY-1",
    ),
];

impl Identities {
    /// Reads an identity file: one identity a line, comments with `#`, as `age-keygen` writes it.
    ///
    /// # Errors
    /// When the file is not read or a line is not an X25519 identity. No line is quoted.
    pub fn load(path: &Path) -> Result<Self, IdentityProblem> {
        Self::read_named(path, &shown_path(path))
    }

    fn read_named(path: &Path, name: &str) -> Result<Self, IdentityProblem> {
        let bytes = load(path, IDENTITY_CAP, Links::Follow).map(Zeroizing::new);
        let bytes = bytes.map_err(|problem| unread(name, problem.into()))?;
        Self::parse(utf8(&bytes).map_err(|problem| unread(name, problem))?, name)
    }

    fn parse(text: &str, name: &str) -> Result<Self, IdentityProblem> {
        let name = name.to_owned();
        let (mut usable, mut unusable) = (Vec::new(), None);
        for (line, text) in (1..).zip(text.lines().map(str::trim)) {
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if let Some(reason) = reason_of(&OTHER_IDENTITIES, text) {
                unusable = unusable.or(Some((line, reason)));
                continue;
            }
            let Some(identity) = Identity::parse(text) else {
                let reason =
                    reason_of(&OTHER_KINDS, text).unwrap_or("not an X25519 identity, or damaged");
                return Err(IdentityProblem::Line { name, line, reason });
            };
            usable.push(identity);
        }
        match unusable {
            _ if !usable.is_empty() => Ok(Self {
                usable,
                unusable,
                kept: None,
            }),
            Some((line, reason)) => Err(IdentityProblem::Line { name, line, reason }),
            None => Err(IdentityProblem::Empty { name }),
        }
    }

    /// Reads the identity file of the sidecar, which only the operator may write.
    ///
    /// # Errors
    /// As [`Self::load`], and when everyone can write it.
    pub fn of_sidecar(path: &Path) -> Result<Self, IdentityProblem> {
        // the path on the operator's machine is not shown to everyone who sees the Application
        let name = shown_file_name(path);
        if is_world_writable(path) {
            return Err(IdentityProblem::WorldWritable { name });
        }
        Self::read_named(path, &name)
    }

    /// The plaintext of a sealed file.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn open(
        &self,
        sealed: &[u8],
        tries: &mut Attempts,
    ) -> Result<Zeroizing<Vec<u8>>, PayloadProblem> {
        let file = without_armor(sealed)?;
        let header = header_of(sealed, &file)?;
        let others = match age::open(&header, &self.usable, tries) {
            Err(PayloadProblem::OtherRecipient) => other_kind(&header),
            opened => return opened,
        };
        Err(match (others, self.not_tried(), &self.kept) {
            (Some(others), ..) => PayloadProblem::OtherKind(others),
            (None, Some(line), _) => PayloadProblem::NotTried(line),
            (None, None, Some(kept)) => PayloadProblem::NotForKept(kept.clone()),
            (None, None, None) => PayloadProblem::OtherRecipient,
        })
    }

    /// Whether one of them opens a sealed file.
    pub(crate) fn opens(&self, sealed: &[u8]) -> bool {
        self.open(sealed, &mut Attempts::default()).is_ok()
    }

    /// Whether a sealed file is for other recipients. False for a damaged or too large one: there it is not known.
    pub(crate) fn is_for_others(&self, sealed: &[u8]) -> bool {
        let opened = self.open(sealed, &mut Attempts::default());
        matches!(opened, Err(problem) if problem.is_for_others())
    }

    /// The first line of the identity file that is not tried, for the user of the file.
    pub fn not_tried(&self) -> Option<String> {
        let (line, reason) = self.unusable?;
        Some(format!("line {line} of the identity file is {reason}"))
    }
}

fn unread(name: &str, problem: TextProblem) -> IdentityProblem {
    let name = name.to_owned();
    match problem {
        TextProblem::Read(ReadProblem::NotAFile) => IdentityProblem::NotAFile { name },
        problem => IdentityProblem::File { name, problem },
    }
}

/// Why a line of this kind is not used.
fn reason_of(kinds: &[(&str, &'static str)], line: &str) -> Option<&'static str> {
    let mut kinds = kinds.iter();
    Some(kinds.find(|(prefix, _)| line.starts_with(prefix))?.1)
}

/// Checks that a file could be a sealed one, as far as that can be seen without an identity.
///
/// # Errors
/// Why it is not one.
pub fn check_unopened(sealed: &[u8]) -> Result<(), PayloadProblem> {
    let file = without_armor(sealed)?;
    let header = header_of(sealed, &file)?;
    match other_kind(&header) {
        _ if header.has_kind(b"scrypt") => Err(PayloadProblem::Passphrase),
        Some(others) => Err(PayloadProblem::OtherKind(others)),
        None => Ok(()),
    }
}

/// A sealed file without its armor. The error says what the file is instead.
fn without_armor(sealed: &[u8]) -> Result<Cow<'_, [u8]>, PayloadProblem> {
    unarmored(sealed).map_err(|problem| actual_kind(sealed, problem))
}

/// The header of a sealed file, from the file without its armor. The error says what the file is instead.
fn header_of<'f>(sealed: &[u8], file: &'f [u8]) -> Result<Header<'f>, PayloadProblem> {
    Header::parse(file).map_err(|problem| actual_kind(sealed, problem))
}

/// The words that show what a file is instead of an age file. The first match counts.
const OTHER_FILES: [(&str, PayloadProblem); 10] = [
    ("kind: Peering", PayloadProblem::Document),
    ("current-context:", PayloadProblem::Plaintext("kubeconfig")),
    ("kind: Secret", PayloadProblem::Plaintext("Secret")),
    ("PRIVATE KEY-----", PayloadProblem::Plaintext("private key")),
    ("ARGOCD-PEERING-SEED-1", PayloadProblem::Plaintext("seed")),
    ("AGE-SECRET-KEY-1", PayloadProblem::Plaintext("identity")),
    ("<<<<<<< ", PayloadProblem::Conflict),
    ("-----BEGIN PGP ", PayloadProblem::OtherFormat("OpenPGP")),
    ("ENC[AES256_GCM,", PayloadProblem::OtherFormat("SOPS")),
    (
        "kind: SealedSecret",
        PayloadProblem::OtherFormat("sealed-secrets"),
    ),
];

/// What a file is instead of an age file. A secret that was committed as plaintext is more frequent than a damaged
/// file.
fn actual_kind(file: &[u8], problem: PayloadProblem) -> PayloadProblem {
    match problem {
        _ if file.trim_ascii().is_empty() => PayloadProblem::Empty,
        _ if file.starts_with(b"\0GITCRYPT\0") => PayloadProblem::GitCrypt,
        PayloadProblem::Damaged if file.starts_with(b"version https://git-lfs") => {
            PayloadProblem::LfsPointer
        }
        PayloadProblem::Damaged => {
            for (words, other) in OTHER_FILES {
                if file.windows(words.len()).any(|it| it == words.as_bytes()) {
                    return other;
                }
            }
            problem
        }
        problem => problem,
    }
}

/// How many X25519 recipients a sealed file has. The error is a header that no run would read. The header does not name
/// the recipients (age-encryption.org/v1, "X25519 recipient stanza"). It is authenticated only when the file is opened.
pub(super) fn recipients(sealed: &[u8]) -> Result<usize, PayloadProblem> {
    let file = without_armor(sealed)?;
    let header = header_of(sealed, &file)?;
    Ok(header.kinds().filter(|kind| *kind == b"X25519").count())
}

/// The kind of the recipients, if none of them is X25519. A stanza whose type ends in `-grease` is for no one
/// (age-encryption.org/v1, "stanza").
fn other_kind(header: &Header<'_>) -> Option<&'static str> {
    if header.has_kind(b"X25519") {
        return None;
    }
    match header.kinds().find(|kind| !kind.ends_with(b"-grease"))? {
        kind if kind.starts_with(b"ssh-") => Some("SSH keys"),
        kind if kind.starts_with(b"mlkem768") => Some("post-quantum recipients"),
        _ => Some("recipients of an age plugin"),
    }
}

/// The variable that names the identity file.
const VARIABLE: &str = "ARGOCD_PEERING_IDENTITY_FILE";

/// The identity file in a person's settings folder.
const NAME: &str = "argocd-peering/identity.txt";

// only commands for people use this: Argo CD's identity is named in plugin.yaml alone, and no environment variable
// changes it
impl Identities {
    /// Reads a person's identity file: the one that the flag names, else the one that is kept.
    ///
    /// # Errors
    /// Those of [`Self::load`], and [`IdentityProblem::NotKept`] if no file is named or kept.
    pub(crate) fn of_person(flag: Option<&Path>) -> Result<Self, IdentityProblem> {
        if let Some(path) = flag {
            return Self::load(path);
        }
        let (path, why) = kept_file()?.ok_or(IdentityProblem::NotKept)?;
        let kept = format!("{} ({why})", shown_path(&path));
        let mut read = Self::read_named(&path, &kept)?;
        read.kept = Some(kept);
        Ok(read)
    }
}

/// The identity file that a person keeps, with the reason why it is this one.
///
/// # Errors
/// When everyone can write it.
fn kept_file() -> Result<Option<(PathBuf, String)>, IdentityProblem> {
    let (path, why) = match (variable(VARIABLE), settings()) {
        (Some(path), _) => (path, format!("{VARIABLE} names it")),
        (None, Some(settings)) if settings.join(NAME).try_exists().unwrap_or(true) => {
            (settings.join(NAME), format!("{VARIABLE} is not set"))
        }
        _ => return Ok(None),
    };
    if is_world_writable(&path) {
        let name = shown_path(&path);
        return Err(IdentityProblem::WorldWritable { name });
    }
    Ok(Some((path, why)))
}

/// The identity file of a person's own run: the one that the flag names, else the one that is kept.
///
/// # Errors
/// When everyone can write the file that is kept.
pub(crate) fn identity_file_of_person(flag: Option<&Path>) -> Result<Option<PathBuf>, Error> {
    match flag {
        Some(path) => Ok(Some(path.to_owned())),
        None => Ok(kept_file()?.map(|(path, _)| path)),
    }
}

/// `$XDG_CONFIG_HOME`, if it is an absolute path, or else `~/.config` (XDG Base Directory Specification, "Environment variables").
fn settings() -> Option<PathBuf> {
    match variable("XDG_CONFIG_HOME") {
        Some(own) if own.is_absolute() => Some(own),
        _ => Some(variable("HOME")?.join(".config")),
    }
}

/// A variable's path. An empty variable counts as not set (XDG Base Directory Specification, as above).
fn variable(name: &str) -> Option<PathBuf> {
    match env::var_os(name) {
        Some(value) if !value.is_empty() => Some(value.into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
