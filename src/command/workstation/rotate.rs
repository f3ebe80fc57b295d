//! `seed rotate`: replaces a side's key in the folder that describes the peering.

pub(crate) mod due;

use super::certificates::Given;
use super::confirm::confirm_one;
use super::credential::today;
use super::terms::terms_of_old_file;
use crate::command::Streams;
use crate::command::error::Error;
use crate::command::forms::{Side, SideParser};
use crate::command::workstation::flags::{IdentityFlag, SealFlags};
use crate::custody::rotation::{Seeds, edit_document, steps};
use crate::custody::{Origin, store};
use crate::input::file::shown_path;
use crate::input::folder::{DOCUMENT, Folder};
use crate::rules;
use crate::state::git::Checkout;
use clap::Args;
use std::ffi::OsStr;
use std::path::Path;
use std::path::PathBuf;

pub(crate) const ROTATE_EXAMPLE: &str = "Examples:
  argocd-peering seed rotate peerings/rome-milan --role provider
  argocd-peering seed rotate peerings/rome-milan --role provider \\
    --new-seed --recipients-file .age-recipients

The first raises the side's keyGeneration in peering.yaml, which is enough for a routine change of one key. Anyone with \
the seed has the keys of all generations, so use the second after a leak of the seed or of an identity that opens it. \
A new seed is sealed on the terms of the old file, which you confirm: someone with push access may have replaced that file. \
So its certificates do not stay: set each again, or leave it out with --no-certificate. \
A rotation must be alone in its commit: in a Git checkout it is refused while peering.yaml has changes that are not committed.";

/// `seed rotate`
#[derive(Debug, Args)]
pub struct SeedRotate {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// The side whose key is replaced, or its cluster's ID
    #[arg(long, value_name = "consumer|provider", value_parser = SideParser)]
    pub role: Side,
    /// What opens it
    #[command(flatten)]
    pub identity: IdentityFlag,
    /// Replace the seed itself; the keys of both sides change if both come from it. The other flags belong to it
    #[arg(long)]
    pub new_seed: bool,
    /// Rotate although peering.yaml has changes that are not committed
    #[arg(long)]
    pub allow_dirty: bool,
    /// On which terms, and for whom
    #[command(flatten)]
    pub seal: SealFlags,
}

pub(crate) fn rotate(arguments: &SeedRotate, streams: &mut Streams<'_>) -> Result<(), Error> {
    let folder = arguments.folder.as_path();
    let source = Folder::new(folder).read_document()?;
    if !arguments.allow_dirty {
        refuse_uncommitted(&folder.join(DOCUMENT), source.text(), streams)?;
    }
    let before = rules::read(&source)?;
    let role = arguments.role.role(&before)?;
    let identities = arguments.identity.identities()?;
    let seeds = Seeds::new(folder, &identities, &before)?;
    let rotation = if arguments.new_seed {
        let (file, terms) = seeds.terms(role)?;
        let file = folder.join(file.as_str());
        let mut certificates = Given::read(&arguments.seal.certificates)?;
        let terms = terms_of_old_file(&arguments.seal, &terms, &file, &mut certificates)?;
        certificates.check_used()?;
        let origin = Origin::Elsewhere;
        let confirmed = confirm_one(&arguments.seal, (&file, &terms), origin, &certificates, streams)?;
        seeds.replace(role, &confirmed)?
    } else if arguments.seal.is_set() {
        let reason = "without it no file is sealed, so terms, recipients and --expect have no effect".into();
        return Err(Error::Flag { flag: "--new-seed", reason });
    } else {
        seeds.raise_generation(role)?
    };
    let (after, peering) = edit_document(&source, &before, &rotation.edit(today()))?;
    // the seed first: a document that expects keys that are not there yet is refused, never misunderstood
    if let Some(seed) = &rotation.new_seed {
        store::replace(&folder.join(seed.file.as_str()), &seed.sealed, false)?;
    }
    let document = after.text() != source.text();
    if document {
        store::replace(&folder.join(DOCUMENT), after.text().as_bytes(), true)?;
    }
    streams.print(&steps(&peering, &rotation, document))
}

/// Refuses a document that has other changes since the newest commit: they would be in the rotation's commit.
fn refuse_uncommitted(document: &Path, text: &str, streams: &mut Streams<'_>) -> Result<(), Error> {
    if !has_other_changes(document, text, streams) {
        return Ok(());
    }
    Err(Error::Flag {
        flag: "--allow-dirty",
        reason: format!(
            "{} has changes that are not committed, and a rotation is a commit of its own: commit or stash them first, or rotate with this flag",
            shown_path(document)
        ),
    })
}

/// Whether a document differs from the newest commit's, if there is one and git can tell.
pub(super) fn has_other_changes(document: &Path, text: &str, streams: &mut Streams<'_>) -> bool {
    let name = document.file_name().and_then(OsStr::to_str).unwrap_or(DOCUMENT);
    let Some(checkout) = Checkout::of(document.parent().unwrap_or(document)) else { return false };
    // a checkout may end lines in another way than the commit (gitattributes(5), `eol`)
    let lines = |text: &str| text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let committed = match checkout.committed(name) {
        Ok(committed) => committed,
        Err(unknown) => {
            streams.note(&format!(
                "note: whether {} has other changes is not known: {unknown}",
                shown_path(document)
            ));
            return false;
        }
    };
    // without one it is a new peering: nothing of it is on a cluster
    committed.is_some_and(|committed| lines(&committed) != lines(text))
}
