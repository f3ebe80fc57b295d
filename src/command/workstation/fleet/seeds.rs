//! The new seeds of a fleet: one for each new folder, shown and confirmed once.

use super::change::New;
use crate::command::Streams;
use crate::command::error::Error;
use crate::command::workstation::certificates::Given;
use crate::command::workstation::confirm::confirm;
use crate::command::workstation::flags::{CertificateFlags, SealFlags};
use crate::command::workstation::fleet::FleetWrite;
use crate::command::workstation::init::PROJECTS;
use crate::command::workstation::receivers::Receivers;
use crate::command::workstation::terms::{secret_namespaces, terms_of_new_file, uses_at};
use crate::custody::keys::Seed;
use crate::custody::{self, Confirmed, Origin, PayloadKind, Terms, seal};
use crate::peering::Peering;
use crate::peering::draft::SEED;
use std::path::{Path, PathBuf};

/// Seals a seed for each of these folders, after one question.
pub(super) fn seal_all(
    arguments: &FleetWrite,
    new: &[(&Path, &New)],
    streams: &mut Streams<'_>,
) -> Result<Vec<Vec<u8>>, Error> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    Receivers::new(&arguments.recipients)?;
    let flags = flags(arguments)?;
    let mut files: Vec<(PathBuf, Terms)> = Vec::new();
    for (folder, new) in new {
        let file = folder.join(SEED);
        let terms = terms_of_new_file(&flags_of(&flags, &new.peering), &file)?.0;
        files.push((file, terms));
    }
    let shown: Vec<(&Path, &Terms)> = files.iter().map(|(file, terms)| (file.as_path(), terms)).collect();
    // the clusters come from a file that anyone with push access can change
    let confirmed = confirm(&flags, &shown, Origin::Elsewhere, &Given::default(), streams)?;
    confirmed.iter().map(seal_one).collect()
}

fn seal_one(confirmed: &Confirmed) -> Result<Vec<u8>, Error> {
    let seed = Seed::generate().map_err(custody::Error::from)?;
    Ok(seal(PayloadKind::Seed, &seed.expose_text(), confirmed, Path::new(SEED))?)
}

fn flags(arguments: &FleetWrite) -> Result<SealFlags, Error> {
    let mut uses = arguments.uses.clone();
    if uses.projects.is_empty() {
        uses.projects = PROJECTS.map(ToOwned::to_owned).into();
    }
    if uses.repos.is_empty() {
        // git is asked once, and not for each folder
        let folder = arguments.file.parent().unwrap_or(Path::new("."));
        uses.repos = uses_at(uses.clone(), folder)?.repos;
    }
    Ok(SealFlags {
        clusters: Vec::new(),
        uses,
        recipients: arguments.recipients.clone(),
        certificates: CertificateFlags { certificates: Vec::new(), dropped: Vec::new() },
        expect: arguments.expect.clone(),
    })
}

/// The flags of one of the files, with the clusters and tenant namespaces of its peering.
fn flags_of(flags: &SealFlags, peering: &Peering) -> SealFlags {
    let clusters = &peering.clusters;
    let mut flags = flags.clone();
    flags.clusters = vec![format!("{},{}", clusters.consumer.id, clusters.provider.id)];
    if flags.uses.secret_namespaces.is_empty() {
        flags.uses.secret_namespaces = secret_namespaces(peering);
    }
    flags
}
