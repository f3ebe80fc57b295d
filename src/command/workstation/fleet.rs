//! `fleet …`: writes the documents of many peerings from one description of their clusters.

mod change;
mod import;
mod node_ports;

use super::flags::{RecipientFlags, SealFlags, UseFlags};
use super::init::{authenticate_command, rights_command, seal_command, usual_project};
use super::new_seeds::{self, NewSeed, SeedPlace, Seeds};
use super::place::uses_at;
use super::render;
use super::terms_to_seal::{clusters_of, secret_namespaces};
use crate::command::{Error, Result, Streams};
use crate::custody::store::{self, Replacement, StagedFolder};
use crate::custody::{Named, Origin, Recipient};
use crate::diagnostic::{Code, Problems, Source, counted, printed, shell_word, shown_name};
use crate::fleet;
use crate::input::file::{self, Links, shell_path, shown_path, shown_path_in_ascii};
use crate::input::folder::{self, DOCUMENT};
use crate::peering::{Peering, Role, Sides};
use crate::state::repo::check_count;
use change::{Change, Changes, New, What};
use clap::{Args, Subcommand};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Describe the clusters of many peerings once, write their folders
#[derive(Debug, Subcommand)]
#[command(after_help = "Example:
  argocd-peering fleet write peerings/fleet.yaml \\
    --recipients-file .age-recipients

The folders are beside the file, CONSUMER/PROVIDER each by Argo CD's names, as the ApplicationSet of argocd-app finds them. A \
peering that is in another folder below stays there. docs/howto/describe-a-fleet.md has the way.")]
pub enum Fleet {
    Write(Box<FleetWrite>),
    /// Say in which documents fleet.yaml is not followed; exit code 1 if there is one
    #[command(after_help = "Example:
  argocd-peering fleet check peerings/fleet.yaml

It lists each folder that is missing, each field that differs, and each peering that fleet.yaml does not have. Nothing is written.")]
    Check {
        /// The fleet
        #[arg(default_value = "fleet.yaml")]
        file: PathBuf,
    },
    /// Print the fleet.yaml of peerings that exist
    #[command(after_help = "Example:
  argocd-peering fleet import peerings > peerings/fleet.yaml

Each cluster has its facts once; if two documents do not agree on one, both are named. Node ports and addresses of load balancers are \
left out: they stay in the documents.")]
    Import {
        /// A peering.yaml, its folder, or a folder of such folders
        #[arg(default_value = ".", value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Print the JSON Schema of fleet.yaml
    #[command(after_help = "Example:
  argocd-peering fleet schema > peerings/fleet.schema.json")]
    Schema,
}

/// Write the folders that are missing, and what fleet.yaml says into those that are there
#[derive(Debug, Args)]
#[command(after_help = "Example:
  argocd-peering fleet write peerings/fleet.yaml \\
    --recipients-file .age-recipients

Only what fleet.yaml says is changed in a document: comments, credentials, and what you added stay. A node port that a document has \
stays too, unless fleet.yaml sets another one. Nothing is deleted: a peering that fleet.yaml no longer has is named, and \
docs/howto/take-down.md removes it. With `recipients` of clusters in fleet.yaml each side of a new folder has its own seed, as with \
`init`. You confirm once, with their terms, the new seeds of all new folders.")]
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
    /// Prepare sealed kubeconfigs, also where the clusters can exchange keys: from Liqo 1.2 on
    #[arg(long)]
    pub kubeconfigs: bool,
    /// The digest of the terms and recipients that you have seen, instead of typing `yes` at a terminal
    #[arg(long, value_name = "sha256:…")]
    pub expect: Option<String>,
}

pub(crate) fn fleet(arguments: &Fleet, streams: &mut Streams<'_>) -> Result {
    match arguments {
        Fleet::Write(arguments) => write(arguments, streams),
        Fleet::Check { file } => check(file, streams),
        Fleet::Import { paths } => import::import(paths, streams),
        Fleet::Schema => streams.deliver(&fleet::schema()),
    }
}

fn write(arguments: &FleetWrite, streams: &mut Streams<'_>) -> Result {
    let changes = changes(&arguments.file, arguments.kubeconfigs, streams)?;
    let (folders, mut repo) = new_folders(arguments, &changes)?;
    let begun: Vec<_> = changes
        .all
        .iter()
        .filter_map(Change::with_new_credential)
        .collect();
    if folders.is_empty() && !begun.is_empty() {
        // only the proposed `rights` command needs it, so that it is not an error if it is missing
        repo = uses_of(arguments)
            .map(|it| first_repo(&it))
            .unwrap_or_default();
    }
    let seeds: Vec<&NewSeed> = folders.iter().flat_map(|it| it.seeds.all()).collect();
    // the clusters come from a file that anyone with push access can change
    let sealed = if seeds.is_empty() {
        Vec::new()
    } else {
        new_seeds::seal(&seeds, Origin::Elsewhere, streams)?
    };
    // no file gets its final name before all files are on the disk
    let mut bytes = sealed.iter().map(|(bytes, _)| bytes);
    let staged = folders
        .iter()
        .map(|it| it.stage(&mut bytes))
        .collect::<Result<Vec<_>, _>>()?;
    let edited: Vec<_> = changes.all.iter().filter_map(Change::edit).collect();
    store::replace_all(edited.iter().map(|(path, old, text)| Replacement {
        path,
        old: old.as_bytes(),
        new: text.as_bytes(),
        keeps_mode: true,
    }))?;
    staged.into_iter().try_for_each(StagedFolder::put)?;
    if !seeds.is_empty() {
        streams.note(&format!(
            "sealed {}, as confirmed",
            counted(seeds.len(), "seed")
        ));
    }
    let same = changes.same();
    let written = counted(changes.all.len() - same, "document");
    let end = format!("{written} written, {same} unchanged");
    streams.print(&printed(&report(&changes, &end, true)))?;
    let mut sides: Vec<_> = folders
        .iter()
        .flat_map(|it| Role::BOTH.map(|role| it.side(role)))
        .collect();
    for (folder, peering, listed) in &begun {
        for role in Role::BOTH {
            // the terms were written before
            let recipients =
                recipients(arguments, peering, listed, role).unwrap_or_else(|_| RecipientFlags {
                    recipients_files: vec!["FILE".into()],
                    ..RecipientFlags::default()
                });
            sides.push(OpenSide {
                folder,
                peering,
                role,
                recipients,
            });
        }
    }
    if !sides.is_empty() {
        streams.note(next_steps(arguments, &sides, !folders.is_empty(), &repo).trim_end());
    }
    let edited = changes
        .all
        .iter()
        .filter(|it| it.edit().is_some())
        .map(|it| it.folder.as_path());
    render::note_again(edited, streams);
    Ok(())
}

/// A folder to create, with its document, and with its seeds, which are not sealed yet.
struct NewFolder<'c> {
    path: &'c Path,
    new: &'c New,
    seeds: Seeds,
}

impl<'c> NewFolder<'c> {
    /// Prepares a folder. `flags` are the same for all folders.
    fn of(
        (path, new, listed): (&'c Path, &'c New, &Sides<Vec<String>>),
        arguments: &FleetWrite,
        flags: &SealFlags,
    ) -> Result<Self> {
        let ids = clusters_of(&new.peering);
        let mut sealing = SealFlags {
            clusters: vec![format!("{},{}", ids.consumer, ids.provider)],
            ..flags.clone()
        };
        if sealing.uses.secret_namespaces.is_empty() {
            sealing.uses.secret_namespaces = secret_namespaces(&new.peering);
        }
        let place = SeedPlace {
            folder: path,
            ids: &ids,
            sealing: &sealing,
        };
        // where fleet.yaml has recipients for a side, the sides get a seed each
        let seeds = if Role::BOTH.iter().all(|role| listed.of(*role).is_empty()) {
            place.seed_of_both(arguments.recipients.clone())?
        } else {
            let [consumer, provider] =
                Role::BOTH.map(|role| recipients(arguments, &new.peering, listed, role));
            place.seed_of_each(Sides {
                consumer: consumer?,
                provider: provider?,
            })?
        };
        Ok(Self { path, new, seeds })
    }

    fn side(&self, role: Role) -> OpenSide<'_> {
        let recipients = self.seeds.of(role).recipients().clone();
        OpenSide {
            folder: self.path,
            peering: &self.new.peering,
            role,
            recipients,
        }
    }

    /// Writes the folder under a temporary name, with these sealed seeds.
    fn stage<'s>(&self, sealed: impl Iterator<Item = &'s Vec<u8>>) -> Result<StagedFolder<'c>> {
        let text = self.new.document(self.seeds.settings())?;
        let seeds = self.seeds.all().into_iter().zip(sealed);
        let seeds = seeds.map(|(seed, bytes)| (seed.name.as_str(), bytes.as_slice()));
        let files: Vec<_> = [(DOCUMENT, text.as_bytes())]
            .into_iter()
            .chain(seeds)
            .collect();
        Ok(StagedFolder::new(self.path, &files)?)
    }
}

fn check(file: &Path, streams: &mut Streams<'_>) -> Result {
    let changes = changes(file, false, streams)?;
    let same = changes.same();
    let end = format!("{} as fleet.yaml says", counted(same, "document"));
    streams.print(&printed(&report(&changes, &end, false)))?;
    let differ = changes.all.len() - same + changes.others.len();
    if differ == 0 {
        return Ok(());
    }
    // the differences are in the report
    Err(Error::reported(
        differ,
        changes.all.len() + changes.others.len(),
    ))
}

fn changes(file: &Path, with_kubeconfigs: bool, streams: &mut Streams<'_>) -> Result<Changes> {
    file::refuse(file)?;
    if file.is_dir() {
        let reason = format!(
            "{} is a folder; name {}",
            shown_path(file),
            shown_path(&file.join("fleet.yaml"))
        );
        return Err(Error::flag("FILE", reason));
    }
    let bytes = file::read(file, fleet::CAP, Links::Refuse).map_err(file::named(file))?;
    let source = folder::source(&file.display().to_string(), Ok(bytes))?;
    let fleet = fleet::parse(&source)?;
    check_recipients(&source, &fleet)?;
    check_count("FILE", fleet::count(&fleet))?;
    let edges = fleet::edges(&source, &fleet, with_kubeconfigs)?;
    let changes = change::changes(&source, file::folder_of(file), &edges)?;
    let documents: Vec<_> = changes
        .all
        .iter()
        .map(|change| change.folder.join(DOCUMENT))
        .collect();
    let folders = changes.all.iter().map(|change| change.folder.as_path());
    streams.note_leftovers(documents.iter().map(PathBuf::as_path).chain(folders));
    Ok(changes)
}

/// The lines of a document that fleet.yaml removes, and those that it adds.
fn differing_lines(text: &str, wanted: &str) -> String {
    let both = [('-', text, wanted), ('+', wanted, text)].map(|(sign, lines, other)| {
        let others: BTreeSet<&str> = other.lines().collect();
        let lines = lines.lines().filter(|line| !others.contains(line));
        lines
            .map(|line| format!("  {sign} {}\n", line.trim_start()))
            .collect::<Vec<_>>()
            .concat()
    });
    both.concat()
}

/// Refuses a text that is not a recipient.
fn check_recipients(source: &Source, fleet: &fleet::Fleet) -> Result {
    let mut problems = Problems::default();
    for text in fleet
        .spec
        .clusters
        .iter()
        .flat_map(|it| it.recipients.iter().flatten())
    {
        if Recipient::parse(text.as_str()).is_none() {
            let message = "this is not an age X25519 recipient";
            let help =
                "write `age1` and 58 characters, as `age-keygen -y identity.txt` prints them";
            problems.refuse(Code::UnknownValue, text.span, message, help);
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(fleet::refused(source, problems).into())
    }
}

/// A side of a folder that may still need its credential, and the recipients of the credential.
struct OpenSide<'f> {
    folder: &'f Path,
    peering: &'f Peering,
    role: Role,
    recipients: RecipientFlags,
}

/// The steps that the user has to do after the folders are written.
fn next_steps(arguments: &FleetWrite, sides: &[OpenSide<'_>], is_new: bool, repo: &str) -> String {
    let (mut now, mut signed) = (String::new(), String::new());
    for OpenSide {
        folder,
        peering,
        role,
        recipients,
    } in sides
    {
        let (role, folder) = (*role, shell_path(folder));
        let contexts = Sides::make(|side| shell_word(&peering.clusters.of(side).argocd_cluster));
        let (own, host) = (contexts.of(role), contexts.of(role.peer()));
        let Some(credential) = peering.credential(role) else {
            continue;
        };
        if credential.is_of_cluster_id() && credential.identity().is_none() {
            now += &(authenticate_command(Role::Consumer, &folder, own, role) + "\n  ");
            signed += &(authenticate_command(Role::Provider, &folder, host, role) + "\n  ");
        } else if credential.is_pending() {
            let mut projects = arguments
                .uses
                .projects
                .iter()
                .map(|it| it.split_once('=').unwrap_or((it, role.word())));
            let project = projects.find(|(_, side)| *side == role.word());
            let project = project.map_or_else(|| usual_project(role), |(name, _)| name);
            now += &seal_command(recipients, host, &folder, project, role);
            // `seal kubeconfig` writes the file's name into the document only for the consumer, and only if the provider has no credential
            if role == Role::Provider || peering.authentication(Role::Provider).is_some() {
                let user = &peering.clusters.of(role).id;
                now += &format!(" --user {user}; then name the file in {folder}/{DOCUMENT}");
            }
            now += "\n  ";
        }
    }
    let made = if is_new {
        ": the ApplicationSet makes their Applications"
    } else {
        ""
    };
    let all = file::folder_of(&arguments.file);
    if !signed.is_empty() {
        signed = format!("when the Applications are synced:\n  {signed}commit again");
    }
    let rights = if repo.is_empty() {
        String::new()
    } else {
        rights_command(all, repo) + "\n  "
    };
    format!(
        "next:\n  {now}argocd-peering validate {}\n  {rights}commit the folders{made}\n  {signed}",
        shell_path(all)
    )
}

/// A line for each document that is new or changes, and a last line. Before anything is written, also the lines that differ.
fn report(changes: &Changes, end: &str, is_written: bool) -> String {
    let mut text = String::new();
    for change in &changes.all {
        let what = match &change.what {
            What::New(_) => "new".to_owned(),
            What::Fields(fields, ..) => fields.join(", "),
            What::Same => continue,
        };
        let is_port = matches!(change.what, What::New(_)) || what.contains(".nodePort");
        let port = change.node_port.filter(|_| is_port);
        let port = port.map_or_else(String::new, |port| format!(", node port {port}"));
        // writing to a String does not fail
        let _ = writeln!(text, "{}: {what}{port}", shown_path(&change.folder));
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

/// The new folders, and the first repository in the terms of their seeds.
fn new_folders<'c>(
    arguments: &FleetWrite,
    changes: &'c Changes,
) -> Result<(Vec<NewFolder<'c>>, String)> {
    let mut new = changes.all.iter().filter_map(Change::new_folder).peekable();
    if new.peek().is_none() {
        return Ok((Vec::new(), String::new()));
    }
    let uses = uses_of(arguments)?;
    let repo = first_repo(&uses);
    let flags = SealFlags {
        uses,
        expect: arguments.expect.clone(),
        ..SealFlags::default()
    };
    let folders = new
        .map(|it| NewFolder::of(it, arguments, &flags))
        .collect::<Result<_, _>>()?;
    Ok((folders, repo))
}

/// The flags of the terms, without the paths.
fn uses_of(arguments: &FleetWrite) -> Result<UseFlags> {
    let mut uses = arguments.uses.clone().with_projects();
    if uses.repos.is_empty() {
        // git is called once, and not for each folder
        let folder = arguments.file.parent().unwrap_or(Path::new("."));
        uses.repos = uses_at(uses.clone(), folder)?.repos;
    }
    Ok(uses)
}

fn first_repo(uses: &UseFlags) -> String {
    uses.repos.first().cloned().unwrap_or_default()
}

/// Who can open the files of one side: the recipients that fleet.yaml has for it, and those of the flags.
fn recipients(
    arguments: &FleetWrite,
    peering: &Peering,
    listed: &Sides<Vec<String>>,
    role: Role,
) -> Result<RecipientFlags> {
    let cluster = shown_name(&peering.clusters.of(role).argocd_cluster);
    let place = format!("{}, {cluster}", shown_path_in_ascii(&arguments.file));
    // each recipient was parsed when fleet.yaml was read
    let recipients = listed.of(role).iter().filter_map(|it| Recipient::parse(it));
    let named: Vec<_> = recipients
        .map(|recipient| Named {
            recipient,
            place: place.clone(),
        })
        .collect();
    let listed = (!named.is_empty()).then(|| (arguments.file.clone(), named));
    let all = RecipientFlags {
        listed,
        ..arguments.recipients.clone()
    };
    if all.is_empty() {
        let reason = format!(
            "the seeds of {cluster} have none: write its `recipients` into fleet.yaml, or name one for all folders"
        );
        return Err(Error::flag("--recipient", reason));
    }
    Ok(all)
}
