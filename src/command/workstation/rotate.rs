//! `seed rotate`: replaces a side's key in the folder of the peering.

use super::confirmation::NewFile;
use super::flags::{IdentityFlag, SealFlags};
use super::kubeconfig_report::today;
use super::sides::flags_of_side;
use crate::command::side_argument::{SideArgument, SideArgumentParser};
use crate::command::{Error, Result, Streams};
use crate::custody::rotation::{PeeringSeeds, edit_document, steps};
use crate::custody::store::{self, Replacement};
use crate::input::file::shown_path;
use crate::input::folder::{DOCUMENT, Folder};
use crate::rules;
use crate::state::git::Checkout;
use clap::Args;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Replace a side's key, and print the steps that follow
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering seed rotate peerings/rome-milan --role provider
  argocd-peering seed rotate peerings/rome-milan --role provider \\
    --new-seed --recipients-file .age-recipients

The first raises the side's keyGeneration, enough for a routine change. The second is for a leak of the seed or of an \
identity that opens it. You confirm the old file's terms, which someone may have replaced, and set each certificate again, or \
--no-certificate. `=SIDE` after a recipient limits it to that side's seed.")]
pub struct SeedRotate {
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// The side whose key is replaced, or its cluster's ID
    #[arg(long, value_name = "consumer|provider", value_parser = SideArgumentParser)]
    pub role: SideArgument,
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

pub(crate) fn rotate(arguments: &SeedRotate, streams: &mut Streams<'_>) -> Result {
    let folder = arguments.folder.as_path();
    let source = Folder::new(folder).read_document()?;
    if !arguments.allow_dirty {
        refuse_uncommitted(&folder.join(DOCUMENT), source.text(), streams)?;
    }
    let before = rules::parse(&source)?;
    let role = arguments.role.role(&before)?;
    let identities = arguments.identity.identities()?;
    let seeds = PeeringSeeds::new(folder, &identities, &before)?;
    let mut old_seed = Vec::new();
    let rotation = if arguments.new_seed {
        let (file, old) = seeds.open(role)?;
        old_seed = old.sealed;
        let file = folder.join(file.as_str());
        let flags = flags_of_side(&arguments.seal, Some(&before), &file)?;
        let file = NewFile::new(&flags, &file, Some(&old.payload))?;
        seeds.replace(role, &file.confirm(streams)?)?
    } else if arguments.seal.is_set() {
        let reason = "without it, terms, recipients and --expect have no effect";
        return Err(Error::flag("--new-seed", reason));
    } else {
        seeds.raise_generation(role)?
    };
    let (after, peering) = edit_document(&source, &before, &rotation, today())?;
    let path = folder.join(DOCUMENT);
    // the seed is written first: a document that expects keys that do not exist yet is refused, and never misread
    let seed = rotation.new_seed.as_ref();
    let seed = seed.map(|seed| (folder.join(seed.file.as_str()), &seed.sealed));
    let seed = seed.as_ref().map(|(path, new)| Replacement {
        path,
        old: &old_seed,
        new,
        keeps_mode: false,
    });
    let document = after.text() != source.text();
    let edit = document.then_some(Replacement {
        path: &path,
        old: source.text().as_bytes(),
        new: after.text().as_bytes(),
        keeps_mode: true,
    });
    store::replace_all(seed.into_iter().chain(edit))?;
    streams.print(&steps(&peering, &rotation, document))
}

/// Refuses a document with uncommitted changes: they would be in the rotation's commit.
fn refuse_uncommitted(document: &Path, text: &str, streams: &mut Streams<'_>) -> Result {
    if !has_other_changes(document, text, streams) {
        return Ok(());
    }
    let document = shown_path(document);
    let reason =
        format!("{document} has uncommitted changes: commit or stash them, or set this flag");
    Err(Error::flag("--allow-dirty", reason))
}

/// Whether a document differs from the newest commit, if there is one and git can tell.
fn has_other_changes(document: &Path, text: &str, streams: &mut Streams<'_>) -> bool {
    let name = document.file_name().and_then(OsStr::to_str);
    let Some(checkout) = Checkout::open(document.parent().unwrap_or(document)) else {
        return false;
    };
    match checkout.committed(name.unwrap_or(DOCUMENT)) {
        Ok(Some(committed)) => lines(&committed) != lines(text),
        // a new peering, which is on no cluster
        Ok(None) => false,
        Err(unknown) => {
            let document = shown_path(document);
            let note = "has changes is not known";
            streams.note(&format!("note: whether {document} {note}: {unknown}"));
            false
        }
    }
}

/// The text with the line ends of the commit: a checkout may have other line ends (gitattributes(5), `eol`).
fn lines(text: &str) -> String {
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
}
