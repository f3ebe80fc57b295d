//! A request to open a folder's sealed files.

use super::Error;
use super::identities::{Identities, IdentityProblem};
use super::policy::{Policy, PolicyProblem};
use super::terms::normal_path;
use crate::argocd::caller::Caller;
use crate::input::folder::Folder;
use std::path::{Path, PathBuf};

/// A request to open a folder's sealed files: the identity, the policy and the caller.
pub(crate) struct Request<'r> {
    pub(crate) folder: &'r Folder,
    pub(crate) identity_file: Option<&'r Path>,
    pub(crate) policy_file: Option<&'r Path>,
    pub(crate) caller: &'r Caller,
}

impl Request<'_> {
    /// The identities of the identity file, if one is named.
    pub(super) fn identities(&self) -> Result<Option<Identities>, Error> {
        let Some(path) = self.identity_file else {
            return Ok(None);
        };
        if self.is_in_checkout(path) {
            return Err(IdentityProblem::Inside.into());
        }
        let read = match self.caller {
            Caller::Local => Identities::load(path),
            Caller::ArgoCd { .. } => Identities::of_sidecar(path),
        };
        Ok(Some(read?))
    }

    /// The operator's policy, if a file is named.
    pub(super) fn policy(&self) -> Result<Option<Policy>, Error> {
        let Some(path) = self.policy_file else {
            return Ok(None);
        };
        if self.is_in_checkout(path) {
            return Err(PolicyProblem::Inside.into());
        }
        Ok(Some(Policy::load(path)?))
    }

    /// Whether a file of the operator is where anyone with push access can write it. In a person's own run the checkout is the person's.
    fn is_in_checkout(&self, file: &Path) -> bool {
        match self.caller {
            Caller::Local => false,
            Caller::ArgoCd { path, .. } => is_inside(file, self.folder.path(), path.as_deref()),
        }
    }
}

/// Whether a file is in the checkout that the folder belongs to. Argo CD reports the folder's path in the checkout, so
/// the checkout's root is known.
fn is_inside(file: &Path, folder: &Path, source_path: Option<&str>) -> bool {
    let (Ok(file), Ok(folder)) = (file.canonicalize(), folder.canonicalize()) else {
        return false; // a file that is not there is reported when it is read
    };
    let inner = PathBuf::from(source_path.and_then(normal_path).unwrap_or_default());
    match folder.ancestors().nth(inner.components().count()) {
        // no folder ends with `.`
        Some(root) if folder.ends_with(&inner) => file.starts_with(root),
        _ => file.starts_with(&folder),
    }
}
