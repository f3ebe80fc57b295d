//! The seed of a new peering: one for both sides. If the recipients differ by side, each side has its own, so that no Argo CD has the
//! private key of the other cluster.

use crate::command::workstation::confirmation::confirm_each;
use crate::command::workstation::flags::{RecipientFlags, SealFlags};
use crate::command::workstation::terms_to_seal::terms_of_new_file;
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
        let Sides { consumer, provider } = ids;
        let role_of = |side: &str| Role::called(side, |role| ids.side(role));
        let mut sides = self.sides();
        if let Some((flag, other)) = sides.find(|(_, side)| role_of(side).is_none()) {
            let other = shown_name(other);
            let reason = format!("`{other}` names no side of {consumer},{provider}");
            return Err(Error::flag(flag, reason));
        }
        let own = self.of_sides(|side| role_of(side) == Some(role));
        if own.is_empty() {
            let id = ids.side(role);
            let reason = format!("the seed of {id} has none: add one with `={role}`");
            return Err(Error::flag("--recipient", reason));
        }
        Ok(own)
    }

    /// The recipients of these sides; a recipient without a side is for both.
    fn of_sides(&self, is_wanted: impl Fn(&str) -> bool) -> Self {
        let recipients = self.recipients.iter().map(|it| with_side(it));
        let recipients = recipients.filter(|(_, side)| side.is_none_or(&is_wanted));
        let files = self.recipients_files.iter().map(|it| file_with_side(it));
        let files = files.filter(|(_, side)| side.is_none_or(&is_wanted));
        Self {
            recipients: recipients.map(|(name, _)| name.to_owned()).collect(),
            recipients_files: files.map(|(file, _)| file.to_owned()).collect(),
        }
    }

    /// The recipients of both sides, without the sides.
    pub(super) fn without_sides(&self) -> Self {
        self.of_sides(|_| true)
    }

    /// Whether the recipients differ by side.
    pub(super) fn differ(&self) -> bool {
        self.sides().next().is_some()
    }

    /// The flags and sides of the recipients that have a side.
    fn sides(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let recipients = self.recipients.iter().map(|it| with_side(it).1);
        let recipients = recipients.map(|side| ("--recipient", side));
        let files = self.recipients_files.iter().map(|it| file_with_side(it).1);
        let all = recipients.chain(files.map(|side| ("--recipients-file", side)));
        all.filter_map(|(flag, side)| Some((flag, side?)))
    }
}

fn file_with_side(file: &Path) -> (&Path, Option<&str>) {
    let named = file.to_str().map(with_side);
    named.map_or((file, None), |(name, side)| (Path::new(name), side))
}

/// A value, and its side. A recipient has no `=`; the part after the last `=` of a file name is a side if it can be a cluster's ID.
fn with_side(value: &str) -> (&str, Option<&str>) {
    let parts = value.rsplit_once('=');
    let parts = parts.filter(|(_, side)| side.parse::<ClusterId>().is_ok());
    parts.map_or((value, None), |(name, side)| (name, Some(side)))
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
        sealing.uses.projects.retain(|project| {
            let (_, of) = Term::Projects.name_and_side(project);
            let of = of.and_then(|of| Role::called(of, |role| self.ids.side(role)));
            of.is_none() || side.is_none() || of == side
        });
        let id = side.map(|role| self.ids.side(role));
        let name = id.map_or_else(|| SEED.to_owned(), |id| format!("{id}.seed.age"));
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
        let fields = [
            ("seed.file", name.to_owned()),
            ("publicKey", key.to_string()),
        ];
        fields
            .map(|(field, text)| Setting::new(&format!("spec.{role}.{field}"), json!(text)))
            .into()
    }
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
        self.of_provider
            .as_ref()
            .filter(|_| role == Role::Provider)
            .unwrap_or(&self.first)
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
