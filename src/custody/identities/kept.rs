//! Where a person keeps the identity, so that no command of theirs has to name it. The image is built without this: what Argo CD
//! opens with is in plugin.yaml alone, and no environment changes it.

use super::{Identities, IdentityProblem};
use crate::input::file::{is_world_writable, shown_path};
use std::env;
use std::path::{Path, PathBuf};

/// The variable that names the identity file.
const VARIABLE: &str = "ARGOCD_PEERING_IDENTITY_FILE";

/// The file in the folder of a person's settings.
const NAME: &str = "argocd-peering/identity.txt";

impl Identities {
    /// Reads a person's identity file: the one that the flag names, or else the one that is kept.
    ///
    /// # Errors
    /// Those of [`Self::read`], and [`IdentityProblem::NotKept`] if no file is named or kept.
    pub(crate) fn of_person(flag: Option<&Path>) -> Result<Self, IdentityProblem> {
        if let Some(path) = flag {
            return Self::read(path);
        }
        let settings = settings().map(|folder| folder.join(NAME));
        let (path, why) = if let Some(path) = variable(VARIABLE) {
            (path, format!("{VARIABLE} names it"))
        } else if let Some(path) = settings.filter(|path| path.try_exists().unwrap_or(true)) {
            (path, format!("{VARIABLE} is not set"))
        } else {
            return Err(IdentityProblem::NotKept);
        };
        if is_world_writable(&path) {
            return Err(IdentityProblem::WorldWritable { name: shown_path(&path) });
        }
        let kept = format!("{} ({why})", shown_path(&path));
        let read = Self::read_as(&path, &kept)?;
        Ok(Self { kept: Some(kept), ..read })
    }
}

/// `$XDG_CONFIG_HOME`, if it is an absolute path, or else `~/.config` (XDG Base Directory Specification, "Environment variables").
fn settings() -> Option<PathBuf> {
    let own = variable("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
    own.or_else(|| variable("HOME").map(|home| home.join(".config")))
}

/// A variable that is empty is not set (the same).
fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
