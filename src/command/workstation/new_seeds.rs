//! The seed of a new peering: one for both sides. If the recipients differ by side, each side has its own, so that no Argo CD has the
//! private key of the other cluster.

use crate::command::workstation::confirmation::confirm_each;
use crate::command::workstation::flags::{RecipientFlags, SealFlags};
use crate::command::workstation::terms_to_seal::{role_called, terms_of_new_file};
use crate::command::{Error, Result, Streams};
use crate::custody::keys::{self, Seed};
use crate::custody::{self, Origin, PayloadKind, Term, Terms};
use crate::diagnostic::shown_name;
use crate::input::yaml::Setting;
use crate::peering::draft::{SEED, one_seed};
use crate::peering::values::{ClusterId, Generation, Role, Sides};
use serde_json::json;
use std::path::{Path, PathBuf};

impl RecipientFlags {
    /// The recipients of one side. Each named side must be one of the peering's.
    pub(super) fn of_role(&self, ids: &Sides<ClusterId>, role: Role) -> Result<Self> {
        for (flag, side) in self.sides() {
            if role_called(side, ids).is_none() {
                let Sides { consumer, provider } = ids;
                let side = shown_name(side);
                let reason = format!("`{side}` names no side of {consumer},{provider}");
                return Err(Error::flag(flag, reason));
            }
        }
        let own = self.of_side(Some((role, ids)));
        if own.is_empty() {
            let id = ids.side(role);
            let reason = format!("the seed of {id} has none: add one with `={role}`");
            return Err(Error::flag("--recipient", reason));
        }
        Ok(own)
    }

    /// The recipients of one side, or of both; a recipient without a side is for both.
    fn of_side(&self, role: Option<(Role, &Sides<ClusterId>)>) -> Self {
        let mut own = Self::default();
        for value in &self.recipients {
            let (recipient, side) = with_side(value);
            if is_for_role(side, role) {
                own.recipients.push(recipient.to_owned());
            }
        }
        for path in &self.recipients_files {
            let (file, side) = file_with_side(path);
            if is_for_role(side, role) {
                own.recipients_files.push(file.to_owned());
            }
        }
        own
    }

    /// The recipients of both sides, without the sides.
    pub(super) fn without_sides(&self) -> Self {
        self.of_side(None)
    }

    /// Whether the recipients differ by side.
    pub(super) fn differ(&self) -> bool {
        !self.sides().is_empty()
    }

    /// The flags and sides of the recipients that have a side.
    fn sides(&self) -> Vec<(&'static str, &str)> {
        let mut sides = Vec::new();
        for value in &self.recipients {
            sides.extend(Some("--recipient").zip(with_side(value).1));
        }
        for path in &self.recipients_files {
            sides.extend(Some("--recipients-file").zip(file_with_side(path).1));
        }
        sides
    }
}

fn is_for_role(side: Option<&str>, role: Option<(Role, &Sides<ClusterId>)>) -> bool {
    match (side, role) {
        (Some(side), Some((role, ids))) => role_called(side, ids) == Some(role),
        _ => true,
    }
}

fn file_with_side(file: &Path) -> (&Path, Option<&str>) {
    let Some(name) = file.to_str() else {
        return (file, None);
    };
    let (name, side) = with_side(name);
    (Path::new(name), side)
}

/// A value, and its side. A recipient has no `=`; the part after the last `=` of a file name is a side if it can be a cluster's ID.
fn with_side(value: &str) -> (&str, Option<&str>) {
    match value.rsplit_once('=') {
        Some((name, side)) if side.parse::<ClusterId>().is_ok() => (name, Some(side)),
        _ => (value, None),
    }
}

/// The folder of a new peering, and the terms of its seeds.
pub(super) struct SeedPlace<'p> {
    pub(super) folder: &'p Path,
    pub(super) ids: &'p Sides<ClusterId>,
    pub(super) sealing: &'p SealFlags,
}

impl SeedPlace<'_> {
    /// The seeds for these recipients: one for both sides, or one for each.
    pub(super) fn seeds(&self, recipients: &RecipientFlags) -> Result<Seeds> {
        if !recipients.differ() {
            let first = self.seed(None, recipients.without_sides())?;
            let of_provider = None;
            return Ok(Seeds { first, of_provider });
        }
        let each = Sides::try_make(|role| recipients.of_role(self.ids, role))?;
        Ok(Seeds {
            first: self.seed(Some(Role::Consumer), each.consumer)?,
            of_provider: Some(self.seed(Some(Role::Provider), each.provider)?),
        })
    }

    /// A seed of one side, or of both.
    fn seed(&self, side: Option<Role>, recipients: RecipientFlags) -> Result<NewSeed> {
        let mut sealing = SealFlags {
            recipients,
            ..self.sealing.clone()
        };
        let mut name = SEED.to_owned();
        if let Some(role) = side {
            let other = Some(role.peer());
            let projects = &mut sealing.uses.projects;
            projects.retain(|project| role_of_project(project, self.ids) != other);
            name = format!("{}.seed.age", self.ids.side(role));
        }
        let path = self.folder.join(&name);
        let (terms, _) = terms_of_new_file(&sealing, &path)?;
        let seed = Seed::generate().map_err(custody::Error::from)?;
        let settings = match side {
            Some(role) => self.settings(role, &name, &seed),
            None => vec![one_seed()],
        };
        Ok(NewSeed {
            name,
            path,
            seed,
            sealing,
            terms,
            settings,
        })
    }

    /// The document's settings for a side's own seed. With the public keys, a side's stream needs only its own seed.
    fn settings(&self, role: Role, name: &str, seed: &Seed) -> Vec<Setting> {
        let (own, peer) = (self.ids.side(role), self.ids.side(role.peer()));
        let key = keys::derive(seed, own, peer, Generation::FIRST).public();
        vec![
            Setting::new(&format!("spec.{role}.seed.file"), json!(name)),
            Setting::new(&format!("spec.{role}.publicKey"), json!(key.to_string())),
        ]
    }
}

/// The side that a project is for, if it is one of these.
fn role_of_project(project: &str, ids: &Sides<ClusterId>) -> Option<Role> {
    role_called(Term::Projects.name_and_side(project).1?, ids)
}

/// A seed that is not sealed yet.
pub(super) struct NewSeed {
    /// The file name in the folder.
    pub(super) name: String,
    pub(super) path: PathBuf,
    seed: Seed,
    sealing: SealFlags,
    pub(super) terms: Terms,
    settings: Vec<Setting>,
}

impl NewSeed {
    /// The recipients of the seed.
    pub(super) const fn recipients(&self) -> &RecipientFlags {
        &self.sealing.recipients
    }
}

/// The seeds of a new peering.
pub(super) struct Seeds {
    /// The consumer's seed, or the common seed of both sides.
    first: NewSeed,
    of_provider: Option<NewSeed>,
}

impl Seeds {
    /// The seed from which a side's key is derived.
    pub(super) fn side(&self, role: Role) -> &NewSeed {
        match (role, &self.of_provider) {
            (Role::Provider, Some(own)) => own,
            _ => &self.first,
        }
    }

    pub(super) fn list(&self) -> Vec<&NewSeed> {
        let first = std::iter::once(&self.first);
        first.chain(&self.of_provider).collect()
    }

    /// The document's settings for the seeds.
    pub(super) fn settings(&self) -> Vec<Setting> {
        let settings = self.list().into_iter().flat_map(|it| &it.settings);
        settings.cloned().collect()
    }
}

/// Seals these seeds after one question.
pub(super) fn seal(
    seeds: &[&NewSeed],
    origin: Origin,
    streams: &mut Streams<'_>,
) -> Result<Vec<Vec<u8>>> {
    let files = seeds.iter().map(|it| (&it.sealing, &*it.path, &it.terms));
    let files: Vec<_> = files.collect();
    let confirmed = confirm_each(&files, (origin, &[]), &[], streams)?;
    let mut sealed = Vec::new();
    for (NewSeed { name, seed, .. }, confirmed) in seeds.iter().zip(&confirmed) {
        let (text, name) = (seed.expose_text(), Path::new(name));
        sealed.push(custody::seal(PayloadKind::Seed, &text, confirmed, name)?);
    }
    Ok(sealed)
}
