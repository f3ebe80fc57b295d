//! `seed rotate`: replaces a side's key in the folder of the peering. `seed rotate-due`: raises the generation of keys that are old enough,
//! without an identity.

use super::confirmation::NewFile;
use super::documents::peerings;
use super::flags::{IdentityFlag, SealFlags, days};
use super::kubeconfig_report::{now, today};
use super::sides::flags_of_side;
use crate::command::side::{Side, SideParser};
use crate::command::{Error, Result, Streams};
use crate::custody::Opened;
use crate::custody::rotation::{
    DocumentEdit, Obstacle, Seeds, edit_document, interruption, raise, steps,
};
use crate::custody::store::{self, Replacement};
use crate::diagnostic::{Source, printed};
use crate::input::file::shown_path;
use crate::input::folder::{DOCUMENT, Folder};
use crate::peering::values::{Day, Role};
use crate::rules;
use crate::state::git::Checkout;
use crate::state::repo::Described;
use clap::Args;
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Replace a side's key, and print the steps that follow
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering seed rotate peerings/rome-milan --role provider
  argocd-peering seed rotate peerings/rome-milan --role provider \\
    --new-seed --recipients-file .age-recipients

The first raises the side's keyGeneration in peering.yaml, which is enough for a routine change of one key. Anyone with \
the seed has the keys of all generations, so use the second after a leak of the seed or of an identity that opens it. \
A new seed is sealed on the terms of the old file, which you confirm: someone with push access may have replaced that file. \
So its certificates do not stay: set each again, or leave it out with --no-certificate. \
Where each side has its own seed, `=SIDE` after a recipient or a recipients file limits it to that side. \
A rotation must be alone in its commit: in a Git checkout it is refused while peering.yaml has changes that are not committed.")]
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

pub(crate) fn rotate(arguments: &SeedRotate, streams: &mut Streams<'_>) -> Result {
    let folder = arguments.folder.as_path();
    let source = Folder::new(folder).read_document()?;
    if !arguments.allow_dirty {
        refuse_uncommitted(&folder.join(DOCUMENT), source.text(), streams)?;
    }
    let before = rules::read(&source)?;
    let role = arguments.role.role(&before)?;
    let identities = arguments.identity.identities()?;
    let seeds = Seeds::new(folder, &identities, &before)?;
    let mut old_seed = Vec::new();
    let rotation = if arguments.new_seed {
        let (
            file,
            Opened {
                payload, sealed, ..
            },
        ) = seeds.open(role)?;
        old_seed = sealed;
        let file = folder.join(file.as_str());
        let flags = flags_of_side(&arguments.seal, Some(&before), &file)?;
        let file = NewFile::in_place_of(&payload, &flags, &file)?;
        seeds.replace(role, &file.confirm(streams)?)?
    } else if arguments.seal.is_set() {
        let reason =
            "without it no file is sealed, so terms, recipients and --expect have no effect";
        return Err(Error::flag("--new-seed", reason));
    } else {
        seeds.raise_generation(role)?
    };
    let (after, peering) = edit_document(&source, &before, &rotation.edit(today()))?;
    let path = folder.join(DOCUMENT);
    // the seed is written first: a document that expects keys that do not exist yet is refused, and never misread
    let seed = rotation
        .new_seed
        .as_ref()
        .map(|seed| (folder.join(seed.file.as_str()), &seed.sealed));
    let seed = seed.iter().map(|(path, new)| Replacement {
        path,
        old: &old_seed,
        new,
        keeps_mode: false,
    });
    let document = after.text() != source.text();
    let edit = edited_document(&path, &source, &after);
    store::replace_all(seed.chain(document.then_some(edit)))?;
    streams.note_leftovers([path.as_path()]);
    streams.print(&steps(&peering, &rotation, document))
}

fn edited_document<'f>(path: &'f Path, old: &'f Source, new: &'f Source) -> Replacement<'f> {
    Replacement {
        path,
        old: old.text().as_bytes(),
        new: new.text().as_bytes(),
        keeps_mode: true,
    }
}

/// Refuses a document with uncommitted changes: they would be in the rotation's commit.
fn refuse_uncommitted(document: &Path, text: &str, streams: &mut Streams<'_>) -> Result {
    if !has_other_changes(document, text, streams) {
        return Ok(());
    }
    Err(Error::flag(
        "--allow-dirty",
        format!(
            "{} has changes that are not committed, and a rotation is a commit of its own: commit or stash them first, or rotate with this flag",
            shown_path(document)
        ),
    ))
}

/// Whether a document differs from the newest commit, if there is one and git can tell.
pub(super) fn has_other_changes(document: &Path, text: &str, streams: &mut Streams<'_>) -> bool {
    let name = document
        .file_name()
        .and_then(OsStr::to_str)
        .unwrap_or(DOCUMENT);
    let Some(checkout) = Checkout::of(document.parent().unwrap_or(document)) else {
        return false;
    };
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
    // without a commit it is a new peering, which is on no cluster
    committed.is_some_and(|committed| lines(&committed) != lines(text))
}

/// The text with the line ends of the commit: a checkout may have other line ends (gitattributes(5), `eol`).
fn lines(text: &str) -> String {
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
}

/// Raise the key generations that are due, without an identity
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering seed rotate-due peerings --older-than 90d
  argocd-peering seed rotate-due peerings --older-than 90d --at-most 3

The oldest keys come first, and of one peering one side at a time. Nothing is opened, and only `keyGeneration` and `keyRotated` are written. Left out, \
and named with the reason, are sides whose new key a person has to bring somewhere: a written `publicKey`, `delivery: External`, \
`names.keySecret`. Commit each folder alone, in a maintenance window of its own. docs/howto/rotate-on-schedule.md has a workflow.

The age is that of `list --ages`: the document's `keyRotated`. A key without it is due, and so is one whose day is still to come.")]
pub struct SeedRotateDue {
    /// A peering.yaml, its folder, or a folder of such folders
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How old a key may become: days or weeks, such as 90d or 12w
    #[arg(long, value_name = "TIME", value_parser = days)]
    pub older_than: Duration,
    /// How many peerings are changed at most
    #[arg(long, value_name = "NUMBER", default_value_t = NonZeroUsize::MIN)]
    pub at_most: NonZeroUsize,
    /// Say what would be changed, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Rotate although a peering.yaml has changes that are not committed
    #[arg(long)]
    pub allow_dirty: bool,
}

/// A side whose key is older than allowed.
struct Due<'r> {
    described: &'r Described,
    side: Role,
    /// The day since which the side has its key; `None` if the document does not have it.
    since: Option<Day>,
    edit: Result<DocumentEdit, Obstacle>,
}

pub(crate) fn rotate_due(arguments: &SeedRotateDue, streams: &mut Streams<'_>) -> Result {
    let read = peerings(&arguments.paths)?;
    let now = now();
    let due = due(
        &read,
        today(),
        Day::of_time(now.saturating_sub(arguments.older_than)),
    );
    let (chosen, later) = choose(&due, arguments.at_most.get());
    let mut edited = Vec::new();
    for (due, edit) in &chosen {
        let path = due.described.path.as_path();
        let source = &due.described.source;
        if !arguments.allow_dirty {
            refuse_uncommitted(path, source.text(), streams)?;
        }
        edited.push((
            path,
            source,
            edit_document(source, &due.described.peering, edit)?.0,
        ));
    }
    if !arguments.dry_run {
        store::replace_all(
            edited
                .iter()
                .map(|(path, old, new)| edited_document(path, old, new)),
        )?;
        streams.note_leftovers(edited.iter().map(|(path, ..)| *path));
    }
    streams.print(&printed(&report(arguments, &due, &chosen, later)))?;
    Ok(())
}

/// The sides with a key from this day or an older one. The oldest come first, then the order of the documents, the consumer first. A key
/// without a day, or with a day in the future, may be of any age.
fn due(read: &[Described], today: Option<Day>, day: Option<Day>) -> Vec<Due<'_>> {
    let mut due = Vec::new();
    for described in read.iter().filter(|it| it.peering.networking.is_some()) {
        for side in Role::BOTH {
            let since = described
                .peering
                .clusters
                .of(side)
                .rotated
                .filter(|since| Some(*since) <= today);
            if since <= day {
                due.push(Due {
                    described,
                    side,
                    since,
                    edit: raise(&described.peering, side, today),
                });
            }
        }
    }
    due.sort_by_key(|due| due.since);
    due
}

/// The first sides whose key can be raised, one side for each peering, and how many sides remain for a later run.
fn choose<'d, 'r>(
    due: &'d [Due<'r>],
    at_most: usize,
) -> (Vec<(&'d Due<'r>, &'d DocumentEdit)>, usize) {
    let mut chosen: Vec<(&Due<'_>, &DocumentEdit)> = Vec::new();
    let mut later = 0;
    for due in due {
        let Ok(edit) = &due.edit else { continue };
        let other_side = chosen
            .iter()
            .any(|(chosen, _)| chosen.described.path == due.described.path);
        if other_side || chosen.len() == at_most {
            later += 1;
        } else {
            chosen.push((due, edit));
        }
    }
    (chosen, later)
}

fn report(
    arguments: &SeedRotateDue,
    due: &[Due<'_>],
    chosen: &[(&Due<'_>, &DocumentEdit)],
    later: usize,
) -> String {
    let mut text = String::new();
    for (due, edit) in chosen {
        text += &format!(
            "{}: generation {}, the key is {}\n",
            named(due),
            edit.generation(),
            of_day(due)
        );
    }
    if chosen.is_empty() {
        text += "No key is due.\n";
    } else {
        let did = if arguments.dry_run {
            "Nothing was written."
        } else {
            "Commit each document alone."
        };
        text += &format!(
            "\n{did} Each one interrupts the traffic of its peering.\n   {}\n",
            interruption()
        );
    }
    if later > 0 {
        text += &format!(
            "\nDue later: {later}. Of one peering one side at a time, and --at-most {}.\n",
            arguments.at_most
        );
    }
    let left_out: Vec<_> = due
        .iter()
        .filter_map(|due| Some((due, due.edit.as_ref().err()?)))
        .collect();
    if !left_out.is_empty() {
        text += "\nLeft out:\n";
    }
    for (due, obstacle) in left_out {
        text += &format!(
            "  {}, {}: {obstacle}; {}\n",
            named(due),
            of_day(due),
            obstacle.help()
        );
    }
    text
}

fn of_day(due: &Due<'_>) -> String {
    due.since
        .map_or_else(|| "of an unknown day".to_owned(), |day| format!("of {day}"))
}

fn named(due: &Due<'_>) -> String {
    let Due {
        described, side, ..
    } = due;
    format!(
        "{} {side} {}",
        shown_path(&described.path),
        described.peering.clusters.of(*side).id
    )
}
