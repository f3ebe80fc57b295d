//! `seed rotate`: replaces a side's key in the folder that describes the peering.

use super::Streams;
use super::inspect::open;
use super::open::{expected, pair, refuse_one_key};
use super::seal::{recipients_of, sealed};
use crate::cli::SeedRotate;
use crate::command::error::Error;
use crate::custody::keys::Seed;
use crate::custody::rotation::{Change, Rotation, RotationProblem, edited, steps};
use crate::custody::store::{self, named};
use crate::custody::{Kind, Pair, PayloadProblem};
use crate::input::folder::{DOCUMENT, Folder};
use crate::peering::Peering;
use crate::peering::networking::{Networking, keys::KeySource};
use crate::peering::values::name::FileName;
use crate::peering::values::number::Generation;
use crate::peering::values::public_key::PublicKey;
use crate::peering::values::role::{Role, Sides};
use crate::rules;
use std::path::Path;
use std::process::{Command, Stdio};

pub(super) fn rotate(arguments: &SeedRotate, streams: &mut Streams<'_>) -> Result<(), Error> {
    if !arguments.force {
        refuse_changes(&arguments.folder)?;
    }
    let folder = Folder::new(&arguments.folder);
    let source = folder.read_document()?;
    let before = rules::read(&source)?;
    let side = Role::find(&arguments.side).unwrap_or(Role::Consumer); // clap has checked the word
    let networking = before.networking.as_ref().ok_or(RotationProblem::NoKeys)?;
    let KeySource::Seed(file, _) = networking.keys.of(side) else {
        return Err(Error::SeedElsewhere { side: side.word() });
    };
    let seeds = Seeds { arguments, before: &before, networking };
    let (rotation, sealed) = seeds.rotation(side, file)?;
    refuse_one_key(networking, &Sides::make(|role| rotation.keys.of(role).old))?;
    let after = edited(&source, &before, &rotation)?;
    // the seed first: a document that expects keys that are not there yet would be refused, never misunderstood
    if let Some(sealed) = sealed {
        let path = arguments.folder.join(file.as_str());
        store::replace(&path, &sealed, false).map_err(named(&path))?;
    }
    if after.text() != source.text() {
        let path = arguments.folder.join(DOCUMENT);
        store::replace(&path, after.text().as_bytes(), true).map_err(named(&path))?;
    }
    let peering = rules::read(&after)?;
    let text = steps(&peering, &rotation);
    streams.out.write_all(text.as_bytes()).map_err(|error| Error::Output(error.kind()))
}

/// The seeds of a folder, and what a rotation makes of them.
struct Seeds<'r> {
    arguments: &'r SeedRotate,
    before: &'r Peering,
    networking: &'r Networking,
}

impl Seeds<'_> {
    /// The rotation, and the new sealed file if the seed is replaced.
    fn rotation(&self, side: Role, file: &FileName) -> Result<(Rotation, Option<Vec<u8>>), Error> {
        let now = self.before.clusters.of(side).generation;
        if !self.arguments.new_seed {
            let next = Generation::try_from(i64::from(now.get()) + 1)
                .map_err(|_| RotationProblem::LastGeneration(side.word()))?;
            let change = |role| {
                let generation = if role == side { next } else { self.before.clusters.of(role).generation };
                self.change(role, |seed| public(seed, self.before, role, generation))
            };
            let keys = Sides { consumer: change(Role::Consumer)?, provider: change(Role::Provider)? };
            return Ok((Rotation { side, generation: next, keys, new_seed: None }, None));
        }
        let arguments = self.arguments;
        let recipients = recipients_of(&arguments.recipients, &arguments.recipients_files)?;
        let path = arguments.folder.join(file.as_str());
        let wrap = |problem| Error::Payload { name: file.to_string(), problem };
        let bind = open(&path, &arguments.identity_file)?.payload.bind;
        let bind = bind.ok_or_else(|| wrap(PayloadProblem::Unbound(Kind::Seed)))?;
        let clusters = {
            let clusters = &self.before.clusters;
            Pair::new(clusters.consumer.id.value.clone(), clusters.provider.id.value.clone())
        };
        let new = Seed::generate()?;
        let change = |role| {
            let generation = self.before.clusters.of(role).generation;
            let replaced = matches!(self.networking.keys.of(role), KeySource::Seed(name, _) if name == file);
            self.change(role, |old| public(if replaced { &new } else { old }, self.before, role, generation))
        };
        let keys = Sides { consumer: change(Role::Consumer)?, provider: change(Role::Provider)? };
        let sealed = sealed(Kind::Seed, &new.expose_text(), &bind, &recipients, &path)?;
        let others: Vec<String> =
            bind.clusters.iter().filter(|other| **other != clusters).map(ToString::to_string).collect();
        let new_seed = if others.is_empty() {
            file.to_string()
        } else {
            format!("{file} (the old seed serves {} too: replace it there as well)", others.join(" "))
        };
        Ok((Rotation { side, generation: now, keys, new_seed: Some(new_seed) }, Some(sealed)))
    }

    /// A side's key before and after. What the document expects of the key before must hold.
    fn change(&self, role: Role, new: impl FnOnce(&Seed) -> PublicKey) -> Result<Change, Error> {
        let (file, expected) = match self.networking.keys.of(role) {
            KeySource::Elsewhere(key) => return Ok(Change { old: *key, new: *key }),
            KeySource::Seed(file, expected) => (file, expected),
        };
        let wrap = |problem| Error::Payload { name: file.to_string(), problem };
        let opened = open(&self.arguments.folder.join(file.as_str()), &self.arguments.identity_file)?;
        let payload = opened.payload.of_kind(Kind::Seed).map_err(wrap)?;
        let seed: Seed = payload.secret.parse().map_err(|problem| wrap(PayloadProblem::Seed(problem)))?;
        let old = self::expected(role, pair(&seed, self.before, role), *expected)?.public();
        Ok(Change { old, new: new(&seed) })
    }
}

fn public(seed: &Seed, peering: &Peering, role: Role, generation: Generation) -> PublicKey {
    let (own, peer) = (peering.clusters.of(role), peering.clusters.of(role.peer()));
    crate::custody::keys::derive(seed, &own.id, &peer.id, generation).public()
}

/// A rotation stands alone in its commit, so nothing else may wait in the folder.
fn refuse_changes(folder: &Path) -> Result<(), RotationProblem> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        // a repository's configuration can name a program for fsmonitor
        .args(["-c", "core.fsmonitor=false", "--no-optional-locks"])
        .args(["status", "--porcelain", "--untracked-files=all", "--", "."])
        .stdin(Stdio::null())
        .output()
        .map_err(|_| RotationProblem::NoGit("there is no `git`"))?;
    if !output.status.success() {
        return Err(RotationProblem::NoGit("it is in no Git repository, or `git status` fails there"));
    }
    if output.stdout.is_empty() { Ok(()) } else { Err(RotationProblem::Uncommitted) }
}
