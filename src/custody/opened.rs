//! A sealed file as its owner sees it: of any kind, on any terms. For a person's own run.

use super::age::Tries;
use super::identity::{Identities, recipients};
use super::payload::Payload;
use super::payload_kind::PayloadKind;
use super::{Error, PayloadProblem};
use crate::input::file::{self, Links, named};
use std::path::Path;

/// The most that is read of a sealed file of any kind.
const LARGEST: u64 = largest(PayloadKind::ALL);

const fn largest(kinds: &[PayloadKind]) -> u64 {
    match kinds {
        [] => 0,
        [kind, rest @ ..] => {
            let (cap, rest) = (kind.cap(), largest(rest));
            if cap > rest { cap } else { rest }
        }
    }
}

/// What is in a sealed file, and how many can open it.
pub struct Opened {
    /// The secret and its terms.
    pub payload: Payload,
    /// How many recipients the file has.
    pub recipients: usize,
}

/// Whether two sealed files hold one secret; none where an identity does not open both. The same rights as [`Opened::read`].
pub(crate) fn holds_the_same(one: &[u8], other: &[u8], identities: &Identities) -> Option<bool> {
    let open = |sealed| {
        let plaintext = identities.open(sealed, &mut Tries::default()).ok()?;
        Payload::parse(&plaintext).ok()
    };
    let (one, other) = (open(one)?, open(other)?);
    Some(one.kind == other.kind && *one.secret == *other.secret)
}

impl Opened {
    /// Opens a sealed file for its owner. No caller is authorised: anyone who has the identity could use `age` itself.
    pub(crate) fn read(path: &Path, identity_file: &Path) -> Result<Self, Error> {
        Self::by(path, &Identities::read(identity_file)?)
    }

    /// Opens one of many, with identities that are read once.
    pub(crate) fn by(path: &Path, identities: &Identities) -> Result<Self, Error> {
        let sealed = file::read(path, LARGEST, Links::Refuse).map_err(named(path))?;
        let opened =
            identities.open(&sealed, &mut Tries::default()).and_then(|plaintext| Payload::parse(&plaintext));
        let wrap = |problem: PayloadProblem| Error::Payload { name: path.display().to_string(), problem };
        Ok(Self { payload: opened.map_err(wrap)?, recipients: recipients(&sealed).unwrap_or_default() })
    }
}

impl Payload {
    /// What the file is for. A bare secret is read to find out.
    pub(crate) fn kind_by_content(&self) -> Option<PayloadKind> {
        self.kind
            .or_else(|| PayloadKind::ALL.iter().copied().find(|kind| kind.problem(&self.secret).is_none()))
    }
}
