//! `fleet …`: the documents of many peerings, from one description of their clusters.

mod change;
mod import;
mod node_ports;
mod seeds;

use crate::cli::{Fleet, FleetCheck, FleetWrite};
use crate::command::Streams;
use crate::command::error::Error;
use crate::custody::store;
use crate::diagnostic::secrecy::printed;
use crate::diagnostic::{Judged, counted};
use crate::fleet;
use crate::input::file::{self, Links, shown_path};
use crate::input::folder::{self, DOCUMENT};
use crate::state::repo::check_count;
use change::{Change, Changes, New, What};
use std::fmt::Write as _;
use std::path::Path;

pub(super) fn fleet(arguments: &Fleet, streams: &mut Streams<'_>) -> Result<(), Error> {
    match arguments {
        Fleet::Write(arguments) => write(arguments, streams),
        Fleet::Check(arguments) => check(arguments, streams),
        Fleet::Import(arguments) => import::import(arguments, streams),
        Fleet::Schema => streams.print(&fleet::schema()),
    }
}

fn write(arguments: &FleetWrite, streams: &mut Streams<'_>) -> Result<(), Error> {
    let changes = changes(&arguments.file)?;
    let new: Vec<(&Path, &New)> = changes.all.iter().filter_map(Change::new_folder).collect();
    let seeds = seeds::seal_all(arguments, &new, streams)?;
    for ((folder, new), seed) in new.iter().zip(&seeds) {
        store::create_folder(folder, &[(DOCUMENT, new.text.as_bytes()), (fleet::SEED, seed)])?;
    }
    for change in &changes.all {
        if let What::Fields(_, text) = &change.what {
            store::replace(&change.folder.join(DOCUMENT), text.as_bytes(), true)?;
        }
    }
    if !new.is_empty() {
        streams.note(&format!("sealed {}, as confirmed", counted(new.len(), "seed")));
    }
    let same = changes.all.iter().filter(|change| matches!(change.what, What::Same)).count();
    let written = counted(changes.all.len() - same, "document");
    let end = format!("{written} written, {same} unchanged");
    streams.print(&printed(&report(&changes, &end)))
}

fn check(arguments: &FleetCheck, streams: &mut Streams<'_>) -> Result<(), Error> {
    let changes = changes(&arguments.file)?;
    let same = changes.all.iter().filter(|change| matches!(change.what, What::Same)).count();
    let end = format!("{} as fleet.yaml says", counted(same, "document"));
    streams.print(&printed(&report(&changes, &end)))?;
    let differ = changes.all.len() - same + changes.others.len();
    if differ == 0 {
        return Ok(());
    }
    // they are in the report
    Err(Error::Invalid {
        errors: Vec::new(),
        wrong: differ,
        peerings: changes.all.len() + changes.others.len(),
        silent: true,
        judged: Judged::default(),
    })
}

fn changes(file: &Path) -> Result<Changes, Error> {
    file::refuse(file)?;
    if file.is_dir() {
        let reason =
            format!("{} is a folder; name {}", shown_path(file), shown_path(&file.join("fleet.yaml")));
        return Err(Error::Flag { flag: "FILE", reason });
    }
    let bytes = file::read(file, fleet::CAP, Links::Refuse).map_err(file::named(file))?;
    let source = folder::source(&file.display().to_string(), Ok(bytes))?;
    let fleet = fleet::parse(&source)?;
    check_count("FILE", fleet::count(&fleet))?;
    let edges = fleet::edges(&source, &fleet)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    change::changes(&source, folder, &edges)
}

/// A line for each document that is new or changes, and one at the end.
fn report(changes: &Changes, end: &str) -> String {
    let mut text = String::new();
    for change in &changes.all {
        let document = shown_path(&change.folder);
        let port = || change.node_port.map_or_else(String::new, |port| format!(", node port {port}"));
        // writing to a text does not fail
        let _ = match &change.what {
            What::New(_) => writeln!(text, "{document}: new{}", port()),
            What::Fields(fields, _) if fields.iter().any(|field| field.ends_with(".nodePort")) => {
                writeln!(text, "{document}: {}{}", fields.join(", "), port())
            }
            What::Fields(fields, _) => writeln!(text, "{document}: {}", fields.join(", ")),
            What::Same => Ok(()),
        };
    }
    let _ = writeln!(text, "{end}");
    for other in &changes.others {
        let _ = writeln!(
            text,
            "not in fleet.yaml: {}; add it there, or take the peering down",
            shown_path(other)
        );
    }
    text
}
