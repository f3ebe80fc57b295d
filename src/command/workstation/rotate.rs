//! `seed rotate`: replaces a side's key in the folder that describes the peering.

use super::certificates::Given;
use super::confirm::confirm_one;
use super::terms::terms_or;
use crate::cli::SeedRotate;
use crate::command::Streams;
use crate::command::error::Error;
use crate::custody::rotation::{Seeds, edit_document, steps};
use crate::custody::{Origin, store};
use crate::input::folder::{DOCUMENT, Folder};
use crate::rules;

pub(super) fn rotate(arguments: &SeedRotate, streams: &mut Streams<'_>) -> Result<(), Error> {
    let folder = arguments.folder.as_path();
    let source = Folder::new(folder).read_document()?;
    let before = rules::read(&source)?;
    let seeds = Seeds::new(folder, &arguments.identity_file, &before)?;
    let rotation = if arguments.new_seed {
        let (file, terms) = seeds.terms(arguments.role)?;
        let file = folder.join(file.as_str());
        let mut certificates = Given::read(&arguments.seal.certificates)?;
        let terms = terms_or(&arguments.seal, &terms, &file, &mut certificates)?;
        certificates.check_used()?;
        let origin = Origin::Elsewhere;
        let confirmed = confirm_one(&arguments.seal, (&file, &terms), origin, &certificates, streams)?;
        seeds.replace(arguments.role, &confirmed)?
    } else if arguments.seal.is_set() {
        let reason = "without it no file is sealed, so terms, recipients and --expect have no effect".into();
        return Err(Error::Flag { flag: "--new-seed", reason });
    } else {
        seeds.raise_generation(arguments.role)?
    };
    let (after, peering) = edit_document(&source, &before, &rotation)?;
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
