//! The seed of a new peering: one for both sides. If the recipients differ by side, each side has its own, so that no Argo CD has the
//! private key of the other cluster.

use crate::command::workstation::confirmation::confirm_each;
use crate::command::workstation::flags::{RecipientFlags, SealFlags};
use crate::command::workstation::terms_to_seal::terms_of_new_file;
use crate::command::{Error, Result, Streams};
use crate::custody::keys::{self, Seed};
use crate::custody::{self, Confirmed, Origin, PayloadKind, Term, Terms};
use crate::diagnostic::shown_name;
use crate::input::yaml::Setting;
use crate::peering::draft::{SEED, one_seed};
use crate::peering::values::{ClusterId, Generation, Role, Sides};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Who can open the sealed seed, or a side's.
#[derive(Debug, Clone, Args)]
pub struct SeedRecipients {
    /// An age recipient that can open the seed. `=SIDE`, a role or a cluster's ID, limits it to that side: then each side has its own
    /// seed, and the document has both public keys; repeatable
    #[arg(long = "recipient", value_name = "age1…[=SIDE]")]
    pub recipients: Vec<String>,
    /// A file with one age recipient on each line; with a side as above; repeatable
    #[arg(long = "recipients-file", value_name = "FILE[=SIDE]")]
    pub recipients_files: Vec<PathBuf>,
}

impl SeedRecipients {
    /// The recipients of flags, each perhaps with a side.
    pub(super) fn from_flags(flags: &RecipientFlags) -> Self {
        let RecipientFlags {
            recipients,
            recipients_files,
            ..
        } = flags.clone();
        Self {
            recipients,
            recipients_files,
        }
    }

    /// The recipients of one side. Each named side must be one of the peering's.
    pub(super) fn of_role(&self, ids: &Sides<ClusterId>, role: Role) -> Result<RecipientFlags> {
        if let Some((flag, other)) = self
            .sides()
            .find(|(_, side)| Role::called(side, |role| ids.side(role)).is_none())
        {
            let reason = format!(
                "`{}` names no side of {},{}",
                shown_name(other),
                ids.consumer,
                ids.provider
            );
            return Err(Error::flag(flag, reason));
        }
        let own = self.wanted(|side| Role::called(side, |role| ids.side(role)) == Some(role));
        if own.is_empty() {
            let reason = format!(
                "the seed of {} has none: add one with `={role}`",
                ids.side(role)
            );
            return Err(Error::flag("--recipient", reason));
        }
        Ok(own)
    }

    /// The recipients of the wanted sides; a recipient without a side is for both.
    fn wanted(&self, is_wanted: impl Fn(&str) -> bool) -> RecipientFlags {
        let recipients = self.recipients.iter().map(|it| with_side(it));
        let recipients = recipients.filter(|(_, side)| side.is_none_or(&is_wanted));
        let files = self.recipients_files.iter().map(|it| file_with_side(it));
        let files = files.filter(|(_, side)| side.is_none_or(&is_wanted));
        RecipientFlags {
            recipients: recipients
                .map(|(recipient, _)| recipient.to_owned())
                .collect(),
            recipients_files: files.map(|(file, _)| file.to_owned()).collect(),
        }
    }

    /// The seeds for these recipients.
    pub(super) fn seeds(&self, at: &SeedPlace<'_>) -> Result<Seeds> {
        if self.differ() {
            at.seed_of_each(self.to_sides(at.ids)?)
        } else {
            at.seed_of_both(self.to_flags())
        }
    }

    /// The recipients of all sides.
    pub(super) fn to_flags(&self) -> RecipientFlags {
        self.wanted(|_| true)
    }

    /// Whether the recipients differ by side.
    pub(super) fn differ(&self) -> bool {
        self.sides().next().is_some()
    }

    fn sides(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let recipients = self
            .recipients
            .iter()
            .map(|it| ("--recipient", with_side(it).1));
        let files = self
            .recipients_files
            .iter()
            .map(|it| ("--recipients-file", file_with_side(it).1));
        recipients
            .chain(files)
            .filter_map(|(flag, side)| Some((flag, side?)))
    }

    /// The recipients of each side.
    fn to_sides(&self, ids: &Sides<ClusterId>) -> Result<Sides<RecipientFlags>> {
        Sides::try_make(|role| self.of_role(ids, role))
    }
}

fn file_with_side(file: &Path) -> (&Path, Option<&str>) {
    file.to_str()
        .map(with_side)
        .map_or((file, None), |(name, side)| (Path::new(name), side))
}

/// A value, and its side. A recipient has no `=`; the part after the last `=` of a file name is a side if it can be a cluster's ID.
fn with_side(value: &str) -> (&str, Option<&str>) {
    match value
        .rsplit_once('=')
        .filter(|(_, side)| side.parse::<ClusterId>().is_ok())
    {
        Some((name, side)) => (name, Some(side)),
        None => (value, None),
    }
}

/// The folder of a new peering, and the terms of its seeds.
pub(super) struct SeedPlace<'p> {
    pub(super) folder: &'p Path,
    pub(super) ids: &'p Sides<ClusterId>,
    pub(super) sealing: &'p SealFlags,
}

impl SeedPlace<'_> {
    /// One seed for both sides.
    pub(super) fn seed_of_both(&self, recipients: RecipientFlags) -> Result<Seeds> {
        Ok(Seeds {
            first: self.seed(None, recipients)?,
            of_provider: None,
        })
    }

    /// A seed for each side.
    pub(super) fn seed_of_each(&self, each: Sides<RecipientFlags>) -> Result<Seeds> {
        let first = self.seed(Some(Role::Consumer), each.consumer)?;
        Ok(Seeds {
            first,
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
        let name = side.map_or_else(
            || SEED.to_owned(),
            |role| format!("{}.seed.age", self.ids.side(role)),
        );
        let path = self.folder.join(&name);
        let (terms, _) = terms_of_new_file(&sealing, &path)?;
        let seed = Seed::generate().map_err(custody::Error::from)?;
        let settings = side.map_or_else(
            || vec![one_seed()],
            |role| self.settings(role, &name, &seed),
        );
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
        std::iter::once(&self.first)
            .chain(&self.of_provider)
            .collect()
    }

    /// The document's settings for the seeds.
    pub(super) fn settings(&self) -> Vec<Setting> {
        self.list()
            .into_iter()
            .flat_map(|it| &it.settings)
            .cloned()
            .collect()
    }
}

/// Seals these seeds after one question. Returns each sealed file, with what the user confirmed for it.
pub(super) fn seal(
    seeds: &[&NewSeed],
    origin: Origin,
    streams: &mut Streams<'_>,
) -> Result<Vec<(Vec<u8>, Confirmed)>> {
    let files: Vec<_> = seeds
        .iter()
        .map(|it| (&it.sealing, it.path.as_path(), &it.terms))
        .collect();
    let confirmed = confirm_each(&files, (origin, &[]), &[], streams)?;
    let both = seeds.iter().zip(confirmed);
    both.map(|(NewSeed { name, seed, .. }, confirmed)| {
        let sealed = custody::seal(
            PayloadKind::Seed,
            &seed.expose_text(),
            &confirmed,
            Path::new(name),
        )?;
        Ok((sealed, confirmed))
    })
    .collect()
}
