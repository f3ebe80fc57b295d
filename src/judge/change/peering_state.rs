//! A peering in one of the two states that are compared.

use crate::custody::Owner;
use crate::diagnostic::Source;
use crate::peering::Peering;
use crate::state::repo::{Document, Found, Undescribed};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

/// One peering in one state.
pub(crate) struct Version {
    pub(crate) source: Source,
    pub(crate) peering: Peering,
    /// Those of its sealed files that can be read.
    pub(crate) sealed: BTreeMap<String, Vec<u8>>,
    /// What opens them, if the person gives it.
    pub(crate) owner: Option<Rc<Owner>>,
}

/// The peerings of a state, by their folders. A document that is wrong hides no other one.
pub(crate) type Versions = BTreeMap<PathBuf, Readable>;

/// A peering, or why its document describes none.
pub(crate) type Readable = Result<Version, Undescribed>;

impl Version {
    /// # Errors
    /// When the document cannot be read, or something is wrong with it.
    fn of(found: Found, owner: Option<&Rc<Owner>>) -> Readable {
        let described = found.described()?;
        let sealed = described.sealed.into_iter().filter_map(|(file, bytes)| Some((file, bytes.ok()?)));
        let (source, peering, sealed) = (described.source, described.peering, sealed.collect());
        Ok(Self { source, peering, sealed, owner: owner.cloned() })
    }

    /// A document without the files beside it.
    pub(crate) fn alone(source: Source) -> Readable {
        let found = Found::alone(PathBuf::new(), Ok(Document::alone(source)));
        Self::of(found, None)
    }

    /// Whether one of its sealed files has these bytes, whatever its name.
    pub(crate) fn holds(&self, sealed: &[u8]) -> bool {
        self.sealed.values().any(|it| it == sealed)
    }
}

/// What is in a state.
pub(crate) fn versions(documents: Vec<Found>, owner: Option<&Rc<Owner>>) -> Versions {
    documents.into_iter().map(|found| (found.place.clone(), Version::of(found, owner))).collect()
}
