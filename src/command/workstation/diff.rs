//! `diff`: what a change does to both clusters, object by object.

mod applications;
mod effects;
mod keys;
mod live;
mod notes;
mod objects;
mod report;
mod version;

use crate::cli::{Diff, DiffFormat};
use crate::command::Streams;
use crate::command::error::Error;
use crate::command::terminal;
use crate::custody::Owner;
use crate::diagnostic::Bug;
use crate::diagnostic::Source;
use crate::input::file::{ReadProblem, named, shown_path};
use crate::input::folder::{DOCUMENT, Folder};
use crate::peering::Role;
use crate::rules;
use crate::state::cluster::{Budget, Kubectl};
use crate::state::git::Git;
use crate::state::repo::argocd::{Allowance, ArgoFiles};
use crate::state::repo::{Commit, Repo};
use applications::Changes;
use report::Changed;
pub(in crate::command) use report::Report;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use version::{Version, Versions, versions};

/// What is named on the command line.
const FOLDER: &str = "FOLDER";

pub(super) fn diff(arguments: &Diff, streams: &mut Streams<'_>) -> Result<(), Error> {
    let (all, changed) = if arguments.consumer_context.is_some() || arguments.provider_context.is_some() {
        (1, live(arguments, streams)?)
    } else {
        let owner = arguments.identity_file.as_deref().map(Owner::read).transpose()?;
        let owner = owner.map(Rc::new);
        let [old, new] = both_states(arguments)?;
        let named = arguments.new.as_ref().unwrap_or(&arguments.folder);
        let of_argo_cd = applications::compare(&old.argo, &new.argo);
        let too_large: BTreeSet<&PathBuf> = old.argo.too_large.iter().chain(&new.argo.too_large).collect();
        for path in too_large {
            let path = shown_path(path);
            streams.note(&format!(
                "note: {path} is too large to be read, so Applications in it were not compared"
            ));
        }
        let [old, new] = [old.repo, new.repo].map(|repo| versions(repo, owner.as_ref()));
        states(old, new, of_argo_cd, &folder(named))?
    };
    let text = match arguments.format {
        DiffFormat::Text => {
            report::text(all, &changed, terminal::is_output_coloured(streams.out_is_terminal))
        }
        DiffFormat::Markdown => report::markdown(all, &changed),
        DiffFormat::Json => report::json(all, &changed)?,
    };
    streams.print(&text)?;
    let is_bad = match arguments.fail_on {
        Some(class) => report::worst(&changed) >= class,
        None => true,
    };
    if changed.is_empty() || !is_bad { Ok(()) } else { Err(Error::Differs) }
}

/// What a change of a document alone does, without the files beside it.
pub(super) fn of_texts(old: Source, new: Source) -> Result<String, Error> {
    let only = |document| Versions::from([(PathBuf::new(), Version::alone(document))]);
    let (all, changed) = states(only(old), only(new), Changes::new(), Path::new("."))?;
    Ok(report::text(all, &changed, false))
}

/// A folder at one moment.
struct Moment {
    repo: Repo,
    argo: ArgoFiles,
}

impl Moment {
    fn on_disk(folder: &Path) -> Result<Self, Error> {
        Ok(Self {
            repo: Repo::of_folder(FOLDER, folder)?,
            argo: ArgoFiles::of_folder(folder, &mut Allowance::of(FOLDER))?,
        })
    }

    fn in_commit(commit: &Commit) -> Result<Self, Error> {
        Ok(Self { repo: commit.repo()?, argo: commit.argo_files()? })
    }
}

/// The two states that are compared.
fn both_states(arguments: &Diff) -> Result<[Moment; 2], Error> {
    let old = folder(&arguments.folder);
    if let Some(new) = &arguments.new {
        let both = [old, folder(new)];
        if let Some(missing) = both.iter().find(|folder| !folder.is_dir()) {
            return Err(named(missing)(ReadProblem::Missing).into());
        }
        let [old, new] = both.map(|folder| Moment::on_disk(&folder));
        return Ok([old?, new?]);
    }
    let (git, prefix) = Git::of(&old)?;
    let from = Commit::of(&git, &prefix, "--from", arguments.from.as_deref().unwrap_or("HEAD"))?;
    let new = match &arguments.to {
        Some(revision) => Moment::in_commit(&Commit::of(&git, &prefix, "--to", revision)?)?,
        None => Moment::on_disk(&old)?,
    };
    Ok([Moment::in_commit(&from)?, new])
}

/// The folder of a document that is named itself.
fn folder(path: &Path) -> PathBuf {
    let is_document = path.file_name() == Some(DOCUMENT.as_ref());
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if is_document { parent.unwrap_or(Path::new(".")).to_path_buf() } else { path.to_path_buf() }
}

/// How many peerings were compared, and those that are not the same.
fn states(
    mut old: Versions,
    new: Versions,
    of_argo_cd: Changes,
    folder: &Path,
) -> Result<(usize, Vec<Changed>), Error> {
    if old.is_empty() && new.is_empty() {
        return Err(named(&folder.join(DOCUMENT))(ReadProblem::Missing).into());
    }
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    for (place, version) in new {
        match version {
            Ok(version) => pairs.push((place.clone(), old.remove(&place), version)),
            Err(error) => wrong.push(error),
        }
    }
    if !wrong.is_empty() {
        return Err(Error::Uncompared(wrong));
    }
    // a folder that moved still has the same two clusters
    let place = |(place, version): (&PathBuf, &Result<Version, Error>)| {
        Some((clusters(version.as_ref().ok()?), place.clone()))
    };
    let mut moved: BTreeMap<_, _> = old.iter().filter_map(place).collect();
    let mut states = Vec::new();
    for (place, before, after) in pairs {
        let from = before.is_none().then(|| moved.remove(&clusters(&after))).flatten();
        let before = before.or_else(|| from.as_ref().and_then(|from| old.remove(from)));
        states.push(States { place, from, old: before, new: Some(after) });
    }
    states.extend(old.into_iter().map(|(place, old)| States {
        place,
        from: None,
        old: Some(old),
        new: None,
    }));
    states.sort_by(|one, other| one.place.cmp(&other.place));
    let all = states.len();
    let peerings: BTreeSet<PathBuf> = states.iter().map(|states| states.place.clone()).collect();
    let compare = |states| compare(states, folder);
    let changed = states.into_iter().map(compare).collect::<Result<Vec<_>, _>>()?;
    let mut changed: Vec<Changed> = changed.into_iter().flatten().collect();
    for (place, rows) in of_argo_cd {
        let folder = place.display().to_string();
        if let Some(changed) = changed.iter_mut().find(|it| it.folder == folder) {
            changed.rows.extend(rows);
        } else {
            let is_peering = peerings.contains(&place);
            changed.push(Changed { folder, is_peering, notes: Vec::new(), rows, resealed: BTreeMap::new() });
        }
    }
    changed.sort_by(|one, other| Path::new(&one.folder).cmp(Path::new(&other.folder)));
    Ok((all, changed))
}

/// One peering before and after.
struct States {
    place: PathBuf,
    /// Its folder before, if it moved.
    from: Option<PathBuf>,
    old: Option<Result<Version, Error>>,
    new: Option<Version>,
}

/// Without a `/` after the folder itself.
fn below(folder: &Path, place: &Path) -> PathBuf {
    if place.as_os_str().is_empty() { folder.to_owned() } else { folder.join(place) }
}

fn clusters(version: &Version) -> [String; 2] {
    Role::BOTH.map(|role| version.peering.clusters.of(role).id.to_string())
}

/// What becomes of one peering below a folder, unless nothing does.
fn compare(states: States, folder: &Path) -> Result<Option<Changed>, Bug> {
    let States { place, from, old, new } = states;
    if let (Some(Ok(old)), Some(new), None) = (&old, &new, &from) {
        // most peerings of a fleet
        if old.source.text() == new.source.text() && old.sealed == new.sealed {
            return Ok(None);
        }
    }
    let notes = notes::of_versions(old.as_ref(), new.as_ref(), from.as_deref(), &below(folder, &place));
    let old = old.and_then(Result::ok);
    let (mut rows, mut resealed) = (Vec::new(), BTreeMap::new());
    for role in Role::BOTH {
        rows.extend(objects::compare(old.as_ref(), new.as_ref(), role, &mut resealed)?);
    }
    let changed = Changed { folder: place.display().to_string(), is_peering: true, notes, rows, resealed };
    let is_same = changed.rows.is_empty() && changed.notes.is_empty() && changed.resealed.is_empty();
    Ok((!is_same).then_some(changed))
}

/// What a sync of the folder's streams would change in the live clusters.
fn live(arguments: &Diff, streams: &mut Streams<'_>) -> Result<Vec<Changed>, Error> {
    let source = Folder::new(folder(&arguments.folder)).read_document();
    let peering = source.map_err(Error::from).and_then(|source| rules::read(&source).map_err(Error::from));
    let peering = peering.map_err(|error| Error::Uncompared(vec![error]))?;
    let (mut rows, budget) = (Vec::new(), Budget::default());
    for (role, context) in
        [(Role::Consumer, &arguments.consumer_context), (Role::Provider, &arguments.provider_context)]
    {
        if let Some(context) = context {
            rows.extend(live::compared(&mut Kubectl::new(context, &budget, streams)?, &peering, role)?);
        }
    }
    let changed = Changed {
        folder: String::new(),
        is_peering: true,
        notes: Vec::new(),
        rows,
        resealed: BTreeMap::new(),
    };
    Ok(Vec::from_iter((!changed.rows.is_empty()).then_some(changed)))
}
