//! `fleet …`: the documents of many peerings, from one description of their clusters.

mod change;
mod import;
mod node_ports;

use super::confirmation::confirm;
use super::flags::{CertificateFlags, RecipientFlags, SealFlags, UseFlags};
use super::given_certificates::Given;
use super::init::{PROJECTS, seal_command};
use super::place::uses_at;
use super::receivers::Receivers;
use super::terms_to_seal::{secret_namespaces, terms_of_new_file};
use crate::command::Streams;
use crate::command::error::Error;
use crate::command::leftover::note_leftovers;
use crate::custody::keys::Seed;
use crate::custody::store::{self, StagedFolder, Unwritten};
use crate::custody::{self, Confirmed, Origin, PayloadKind, Terms, seal};
use crate::diagnostic::secrecy::printed;
use crate::diagnostic::{counted, shown_name};
use crate::fleet;
use crate::input::file::{self, Links, shown_path};
use crate::input::folder::{self, DOCUMENT};
use crate::peering::Peering;
use crate::peering::authentication::credential::Credential;
use crate::peering::draft::SEED;
use crate::peering::values::Role;
use crate::state::repo::check_count;
use change::{Change, Changes, New, What};
use clap::{Args, Subcommand};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub(crate) const FLEET_EXAMPLE: &str = "Example:
  argocd-peering fleet write peerings/fleet.yaml \\
    --recipients-file .age-recipients

The folders are beside the file, CONSUMER/PROVIDER each by Argo CD's names, as the ApplicationSet of argocd-app finds them. A \
peering that is in another folder below stays there. docs/howto/describe-a-fleet.md has the way.";

/// `fleet …`
#[derive(Debug, Subcommand)]
pub enum Fleet {
    /// Write the folders that are missing, and what fleet.yaml says into those that are there
    #[command(after_help = WRITE_EXAMPLE)]
    Write(Box<FleetWrite>),
    /// Say in which documents fleet.yaml is not followed; exit code 1 if there is one
    #[command(after_help = CHECK_EXAMPLE)]
    Check(FleetCheck),
    /// Print the fleet.yaml of peerings that exist
    #[command(after_help = IMPORT_EXAMPLE)]
    Import(FleetImport),
    /// Print the JSON Schema of fleet.yaml
    #[command(after_help = SCHEMA_EXAMPLE)]
    Schema,
}

pub(crate) const WRITE_EXAMPLE: &str = "Example:
  argocd-peering fleet write peerings/fleet.yaml \\
    --recipients-file .age-recipients

Only what fleet.yaml says is changed in a document: comments, credentials, and what you added stay. A node port that a document has \
stays too, unless fleet.yaml sets another one. Nothing is deleted: a peering that fleet.yaml no longer has is named, and \
docs/howto/take-down.md removes it. You confirm once, with their terms, the new seeds of all new folders.";

pub(crate) const CHECK_EXAMPLE: &str = "Example:
  argocd-peering fleet check peerings/fleet.yaml

It lists each folder that is missing, each field that differs, and each peering that fleet.yaml does not have. Nothing is written.";

pub(crate) const IMPORT_EXAMPLE: &str = "Example:
  argocd-peering fleet import peerings > peerings/fleet.yaml

Each cluster has its facts once; if two documents do not agree on one, both are named. Node ports and addresses of load balancers are \
left out: they stay in the documents.";

pub(crate) const SCHEMA_EXAMPLE: &str = "Example:
  argocd-peering fleet schema > peerings/fleet.schema.json";

/// `fleet write`
#[derive(Debug, Args)]
pub struct FleetWrite {
    /// The fleet
    #[arg(default_value = "fleet.yaml")]
    pub file: PathBuf,
    /// For which uses the new seeds may be opened inside Argo CD; default of --project: as `init`
    #[command(flatten)]
    pub uses: UseFlags,
    /// Who can open the new seeds
    #[command(flatten)]
    pub recipients: RecipientFlags,
    /// The digest of the terms and recipients that you have seen, instead of typing `yes` at a terminal
    #[arg(long, value_name = "sha256:…")]
    pub expect: Option<String>,
}

/// `fleet check`
#[derive(Debug, Args)]
pub struct FleetCheck {
    /// The fleet
    #[arg(default_value = "fleet.yaml")]
    pub file: PathBuf,
}

/// `fleet import`
#[derive(Debug, Args)]
pub struct FleetImport {
    /// A peering.yaml, its folder, or a folder of such folders
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

pub(crate) fn fleet(arguments: &Fleet, streams: &mut Streams<'_>) -> Result<(), Error> {
    match arguments {
        Fleet::Write(arguments) => write(arguments, streams),
        Fleet::Check(arguments) => check(arguments, streams),
        Fleet::Import(arguments) => import::import(arguments, streams),
        Fleet::Schema => streams.deliver(&fleet::schema()),
    }
}

fn write(arguments: &FleetWrite, streams: &mut Streams<'_>) -> Result<(), Error> {
    let changes = changes(&arguments.file, streams)?;
    let new: Vec<(&Path, &New)> = changes.all.iter().filter_map(Change::new_folder).collect();
    let seeds = seal_all(arguments, &new, streams)?;
    // nothing has its name before all of it is on the disk
    let staged = new.iter().zip(&seeds).map(|(new, seed)| stage(new, seed)).collect::<Result<Vec<_>, _>>()?;
    let edited: Vec<_> = changes.all.iter().filter_map(Change::edit).collect();
    store::replace_all(edited.iter().map(|(path, text)| (path.as_path(), text.as_bytes())), true)?;
    staged.into_iter().try_for_each(StagedFolder::put)?;
    if !new.is_empty() {
        streams.note(&format!("sealed {}, as confirmed", counted(new.len(), "seed")));
    }
    let same = changes.all.iter().filter(|change| matches!(change.what, What::Same)).count();
    let written = counted(changes.all.len() - same, "document");
    let end = format!("{written} written, {same} unchanged");
    streams.print(&printed(&report(&changes, &end, true)))?;
    if !new.is_empty() {
        streams.note(next_steps(arguments, &new).trim_end());
    }
    Ok(())
}

fn stage<'f>(&(folder, new): &(&'f Path, &New), seed: &[u8]) -> Result<StagedFolder<'f>, Unwritten> {
    StagedFolder::new(folder, &[(DOCUMENT, new.text.as_bytes()), (SEED, seed)])
}

fn check(arguments: &FleetCheck, streams: &mut Streams<'_>) -> Result<(), Error> {
    let changes = changes(&arguments.file, streams)?;
    let same = changes.all.iter().filter(|change| matches!(change.what, What::Same)).count();
    let end = format!("{} as fleet.yaml says", counted(same, "document"));
    streams.print(&printed(&report(&changes, &end, false)))?;
    let differ = changes.all.len() - same + changes.others.len();
    if differ == 0 {
        return Ok(());
    }
    // they are in the report
    Err(Error::reported(differ, changes.all.len() + changes.others.len()))
}

fn changes(file: &Path, streams: &mut Streams<'_>) -> Result<Changes, Error> {
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
    let changes = change::changes(&source, file::folder_of(file), &edges)?;
    let documents: Vec<_> = changes.all.iter().map(|change| change.folder.join(DOCUMENT)).collect();
    let folders = changes.all.iter().map(|change| change.folder.as_path());
    note_leftovers(documents.iter().map(PathBuf::as_path).chain(folders), streams);
    Ok(changes)
}

/// The lines that a document has and fleet.yaml does not want, and those that it wants.
fn differing_lines(text: &str, wanted: &str) -> String {
    let only = |sign, lines: &str, other: &str| {
        let others: BTreeSet<&str> = other.lines().collect();
        let lines = lines.lines().filter(|line| !others.contains(line));
        let shown: Vec<String> = lines.map(|line| format!("  {sign} {}\n", line.trim_start())).collect();
        shown.concat()
    };
    only('-', text, wanted) + &only('+', wanted, text)
}

/// What is left to a person after the folders are written.
fn next_steps(arguments: &FleetWrite, new: &[(&Path, &New)]) -> String {
    let is_pending = |new: &New, role| new.peering.credential(role).is_some_and(Credential::is_pending);
    let seal = |folder: &Path, new: &New, role: Role| {
        let context = shown_name(&new.peering.clusters.of(role.peer()).argocd_cluster);
        let is_for = |it: &&String| it.split_once('=').is_none_or(|(_, side)| side == role.word());
        let project = arguments.uses.projects.iter().find(is_for).and_then(|it| it.split('=').next());
        let project = project.map_or_else(|| format!("peering-{role}"), ToOwned::to_owned);
        let folder = shown_name(&folder.display().to_string());
        let command = seal_command(&arguments.recipients, &context, &folder, &project, role);
        // with two credentials, the document does not say which one a new file is
        let both = if Role::BOTH.into_iter().all(|role| is_pending(new, role)) {
            format!(" --user {}; then name the file in {folder}/{DOCUMENT}", new.peering.clusters.of(role).id)
        } else {
            String::new()
        };
        format!("  {command}{both}\n")
    };
    let of_folder = |(folder, new): &(&Path, &New)| {
        let pending = Role::BOTH.into_iter().filter(|role| is_pending(new, *role));
        pending.map(|role| seal(folder, new, role)).collect::<String>()
    };
    let seals: String = new.iter().map(of_folder).collect();
    let all = shown_path(file::folder_of(&arguments.file));
    format!(
        "next:\n{seals}  argocd-peering validate {all}\n  argocd-peering rights {all} --repo URL: both AppProjects\n  commit the folders: the ApplicationSet makes their Applications\n"
    )
}

/// A line for each document that is new or changes, and one at the end; before it is written, also the lines that differ.
fn report(changes: &Changes, end: &str, is_written: bool) -> String {
    let mut text = String::new();
    for change in &changes.all {
        let document = shown_path(&change.folder);
        let port = || change.node_port.map_or_else(String::new, |port| format!(", node port {port}"));
        // writing to a text does not fail
        let _ = match &change.what {
            What::New(_) => writeln!(text, "{document}: new{}", port()),
            What::Fields(fields, ..) if fields.iter().any(|field| field.ends_with(".nodePort")) => {
                writeln!(text, "{document}: {}{}", fields.join(", "), port())
            }
            What::Fields(fields, ..) => writeln!(text, "{document}: {}", fields.join(", ")),
            What::Same => Ok(()),
        };
        if let (What::Fields(_, old, new), false) = (&change.what, is_written) {
            text += &differing_lines(old.text(), new);
        }
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

/// Seals a seed for each of these folders, after one question.
fn seal_all(
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
    let confirmed = confirm(&flags, &shown, (Origin::Elsewhere, &[]), &Given::default(), streams)?;
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
        certificates: CertificateFlags::default(),
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
