//! A peering in one of the two states that are compared.

use crate::command::error::Error;
use crate::custody::Owner;
use crate::diagnostic::Source;
use crate::peering::Peering;
use crate::state::repo::{Document, Found, Repo};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

/// One peering in one state.
pub(super) struct Version {
    pub(super) source: Source,
    pub(super) peering: Peering,
    /// Those of its sealed files that can be read.
    pub(super) sealed: BTreeMap<String, Vec<u8>>,
    /// What opens them, if the person gives it.
    pub(super) owner: Option<Rc<Owner>>,
}

/// The peerings of a state, by their folders. A document that is wrong hides no other one.
pub(super) type Versions = BTreeMap<PathBuf, Result<Version, Error>>;

impl Version {
    /// # Errors
    /// When the document cannot be read, or something is wrong with it.
    fn of(found: Found, owner: Option<&Rc<Owner>>) -> Result<Self, Error> {
        let described = found.described()?;
        let sealed = described.sealed.into_iter().filter_map(|(file, bytes)| Some((file, bytes.ok()?)));
        let (source, peering, sealed) = (described.source, described.peering, sealed.collect());
        Ok(Self { source, peering, sealed, owner: owner.cloned() })
    }

    /// A document without the files beside it.
    pub(super) fn alone(source: Source) -> Result<Self, Error> {
        let found = Found { path: PathBuf::new(), place: PathBuf::new(), read: Ok(Document::alone(source)) };
        Self::of(found, None)
    }

    /// Whether one of its sealed files has these bytes, whatever its name.
    pub(super) fn holds(&self, sealed: &[u8]) -> bool {
        self.sealed.values().any(|it| it == sealed)
    }
}

/// What is in a state.
pub(super) fn versions(repo: Repo, owner: Option<&Rc<Owner>>) -> Versions {
    let version = |found: Found| (found.place.clone(), Version::of(found, owner));
    repo.documents.into_iter().map(version).collect()
}
