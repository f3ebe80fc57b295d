//! The seed of a new peering: one for both sides; or, where recipients differ by side, one for each, so that no Argo CD has the private
//! key of the other cluster.

use crate::command::Streams;
use crate::command::error::Error;
use crate::command::workstation::confirmation::confirm_each;
use crate::command::workstation::flags::{RecipientFlags, SealFlags};
use crate::command::workstation::terms_to_seal::terms_of_new_file;
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
    pub recipients_files: Vec<String>,
}

impl SeedRecipients {
    /// Those whose side is wanted; one without a side is of both.
    fn wanted(&self, is_wanted: impl Fn(&str) -> bool) -> RecipientFlags {
        let of = |values: &[String]| -> Vec<String> {
            let wanted =
                values.iter().map(|it| with_side(it)).filter(|(_, side)| side.is_none_or(&is_wanted));
            wanted.map(|(name, _)| name.to_owned()).collect()
        };
        let recipients_files = of(&self.recipients_files).into_iter().map(Into::into).collect();
        RecipientFlags { recipients: of(&self.recipients), recipients_files, listed: None }
    }

    /// Those of each side, if they differ.
    pub(super) fn receivers(&self, ids: &Sides<ClusterId>) -> Result<SeedReceivers, Error> {
        Ok(if self.differ() {
            SeedReceivers::OfEach(Box::new(self.of_each(ids)?))
        } else {
            SeedReceivers::Common(self.all())
        })
    }

    /// Those of any side.
    pub(super) fn all(&self) -> RecipientFlags {
        self.wanted(|_| true)
    }

    /// Whether they differ by side.
    pub(super) fn differ(&self) -> bool {
        self.sides().next().is_some()
    }

    fn sides(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let lists = [("--recipient", &self.recipients), ("--recipients-file", &self.recipients_files)];
        let all = lists.into_iter().flat_map(|(flag, values)| values.iter().map(move |it| (flag, it)));
        all.filter_map(|(flag, value)| Some((flag, with_side(value).1?)))
    }

    /// Those of each side. Every side that is named must be one of the peering's.
    fn of_each(&self, ids: &Sides<ClusterId>) -> Result<Sides<RecipientFlags>, Error> {
        if let Some((flag, other)) =
            self.sides().find(|(_, side)| Role::called(side, |role| ids.of(role)).is_none())
        {
            let reason =
                format!("`{}` names no side of {},{}", shown_name(other), ids.consumer, ids.provider);
            return Err(Error::flag(flag, reason));
        }
        let each =
            Sides::make(|role| self.wanted(|side| Role::called(side, |role| ids.of(role)) == Some(role)));
        if let Some(role) = Role::BOTH.into_iter().find(|role| each.of(*role).is_empty()) {
            let reason = format!("the seed of {} has none: add one with `={role}`", ids.of(role));
            return Err(Error::flag("--recipient", reason));
        }
        Ok(each)
    }
}

/// A recipient has no `=`; what is after a file's last one is a side, if it can be a cluster's ID.
fn with_side(value: &str) -> (&str, Option<&str>) {
    match value.rsplit_once('=').filter(|(_, side)| side.parse::<ClusterId>().is_ok()) {
        Some((name, side)) => (name, Some(side)),
        None => (value, None),
    }
}

/// Who can open the seeds of a new peering.
pub(super) enum SeedReceivers {
    Common(RecipientFlags),
    OfEach(Box<Sides<RecipientFlags>>),
}

/// A seed that is about to be sealed.
pub(super) struct NewSeed {
    /// In the folder.
    pub(super) name: String,
    seed: Seed,
    sealing: SealFlags,
    pub(super) terms: Terms,
}

impl NewSeed {
    fn new(name: String, folder: &Path, sealing: SealFlags) -> Result<Self, Error> {
        let (terms, _) = terms_of_new_file(&sealing, &folder.join(&name))?;
        Ok(Self { name, seed: Seed::generate().map_err(custody::Error::from)?, sealing, terms })
    }

    /// Who can open it.
    pub(super) const fn recipients(&self) -> &RecipientFlags {
        &self.sealing.recipients
    }
}

/// The seeds of a new peering.
pub(super) enum Seeds {
    Common(Box<NewSeed>),
    OfEach(Box<Sides<NewSeed>>),
}

impl Seeds {
    /// Nothing is sealed yet.
    pub(super) fn new(
        receivers: SeedReceivers,
        ids: &Sides<ClusterId>,
        folder: &Path,
        sealing: &SealFlags,
    ) -> Result<Self, Error> {
        let of = |name, role: Option<Role>, recipients| {
            let mut sealing = SealFlags { recipients, ..sealing.clone() };
            sealing.uses.projects.retain(|value| {
                let side = Term::Projects
                    .name_and_side(value)
                    .1
                    .and_then(|side| Role::called(side, |role| ids.of(role)));
                side.is_none_or(|side| role.is_none_or(|role| role == side))
            });
            NewSeed::new(name, folder, sealing)
        };
        let Sides { consumer, provider } = match receivers {
            SeedReceivers::Common(all) => {
                return Ok(Self::Common(Box::new(of(SEED.to_owned(), None, all)?)));
            }
            SeedReceivers::OfEach(each) => *each,
        };
        let of_side = |role, recipients| of(format!("{}.seed.age", ids.of(role)), Some(role), recipients);
        let (consumer, provider) = (of_side(Role::Consumer, consumer)?, of_side(Role::Provider, provider)?);
        Ok(Self::OfEach(Box::new(Sides { consumer, provider })))
    }

    /// The one that a side's key comes from.
    pub(super) fn of(&self, role: Role) -> &NewSeed {
        match self {
            Self::Common(seed) => seed,
            Self::OfEach(seeds) => seeds.of(role),
        }
    }

    pub(super) fn all(&self) -> Vec<&NewSeed> {
        match self {
            Self::Common(seed) => vec![&**seed],
            Self::OfEach(seeds) => Role::BOTH.map(|role| seeds.of(role)).into(),
        }
    }

    /// What the document has of them. With the public keys a side's stream needs its own seed only.
    pub(super) fn settings(&self, ids: &Sides<ClusterId>) -> Vec<Setting> {
        let Self::OfEach(seeds) = self else { return vec![one_seed()] };
        let of_side = |role: Role| {
            let NewSeed { name, seed, .. } = seeds.of(role);
            let key = keys::derive(seed, ids.of(role), ids.of(role.peer()), Generation::FIRST).public();
            let set = |field: &str, value| Setting::new(&format!("spec.{role}.{field}"), value);
            [set("seed.file", json!(name)), set("publicKey", json!(key.to_string()))]
        };
        Role::BOTH.into_iter().flat_map(of_side).collect()
    }
}

/// A sealed file, and what a person confirmed of it.
pub(super) type SealedSeed = (PathBuf, Vec<u8>, Confirmed);

/// The sealed seeds of these folders, after one question.
pub(super) fn seal<'s>(
    folders: &[(&Path, &'s Seeds)],
    origin: Origin,
    streams: &mut Streams<'_>,
) -> Result<Vec<Vec<SealedSeed>>, Error> {
    let named = |(folder, seeds): &(&Path, &'s Seeds)| {
        seeds.all().into_iter().map(|it| (it, folder.join(&it.name))).collect::<Vec<_>>()
    };
    let paths: Vec<(&NewSeed, PathBuf)> = folders.iter().flat_map(named).collect();
    let files = paths.iter().map(|(it, path)| (&it.sealing, path.as_path(), &it.terms));
    let mut confirmed = confirm_each(&files.collect::<Vec<_>>(), (origin, &[]), &[], streams)?.into_iter();
    let of_folder = |(folder, seeds): &(&Path, &Seeds)| {
        let all = seeds.all().into_iter().zip(confirmed.by_ref());
        all.map(|(it, confirmed)| sealed(it, folder, confirmed)).collect::<Result<Vec<_>, Error>>()
    };
    folders.iter().map(of_folder).collect()
}

fn sealed(it: &NewSeed, folder: &Path, confirmed: Confirmed) -> Result<SealedSeed, Error> {
    let text = it.seed.expose_text();
    let sealed = custody::seal(PayloadKind::Seed, &text, &confirmed, Path::new(&it.name))?;
    Ok((folder.join(&it.name), sealed, confirmed))
}
