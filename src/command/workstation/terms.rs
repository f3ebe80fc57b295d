//! The terms of a sealed file: what the flags set, and where they set nothing, what the file had, or what its place says.

mod value;

use super::certificates::Given;
use crate::cli::{SealFlags, UseFlags};
use crate::command::error::Error;
use crate::custody::{ANY, ClusterPair, Clusters, Entry, Origin, Term, Terms};
use crate::diagnostic::shown_name;
use crate::input::folder::Folder;
use crate::peering::Peering;
use crate::peering::values::{ClusterId, Role, Sides};
use crate::rules;
use crate::state::git::Checkout;
use std::path::Path;
use value::{bound_path, kept, own};

/// The terms that the flags set, with those of the file where they set none, and the flags' certificates. Terms in which either
/// cluster may be the consumer become those of the peering beside the file, if they are for its clusters alone.
pub(super) fn terms_or(
    flags: &SealFlags,
    of_file: &Terms,
    file: &Path,
    certificates: &mut Given,
) -> Result<Terms, Error> {
    let mut kept: Vec<Kept<'_>> = Vec::new();
    if flags.clusters.is_empty() {
        let beside = beside(folder_of(file));
        for entry in of_file.entries() {
            match (&entry.clusters, &beside) {
                (Clusters::Peerings(peerings), _) => {
                    kept.extend(peerings.iter().map(|peering| Kept::new(Some(peering.clone()), Some(entry))));
                }
                (clusters, Some(beside)) if clusters.pairs() == [pair(&clusters_of(beside))] => {
                    let namespaces = secret_namespaces(beside);
                    kept.push(Kept { namespaces, ..Kept::new(Some(clusters_of(beside)), Some(entry)) });
                }
                _ => kept.push(Kept::new(None, Some(entry))),
            }
        }
    } else {
        for peering in peerings(&flags.clusters)? {
            let entry = entry_of(of_file, &peering, &flags.uses)?;
            kept.push(Kept::new(Some(peering), entry));
        }
    }
    if kept.is_empty() {
        let reason = "the file has no terms yet: set the IDs of its two clusters".into();
        return Err(Error::Flag { flag: "--clusters", reason });
    }
    let wanted = Wanted::new(&flags.uses, kept.iter().filter_map(|it| it.peering.clone()).collect())?;
    let entries = kept.iter().map(|it| wanted.entry(it));
    certificates.of_old_file(Terms::of(entries.collect::<Result<_, _>>()?), of_file.certificates(), file)
}

/// An entry that goes on, or begins.
#[derive(Default)]
struct Kept<'t> {
    /// The peering that it becomes one of. Without one it goes on to allow either cluster as the consumer.
    peering: Option<Sides<ClusterId>>,
    /// What the file has.
    before: Option<&'t Entry>,
    /// The namespaces of Secrets, where no flag sets them, as [`secret_namespaces`] gives them.
    namespaces: Vec<String>,
}

impl<'t> Kept<'t> {
    const fn new(peering: Option<Sides<ClusterId>>, before: Option<&'t Entry>) -> Self {
        Self { peering, before, namespaces: Vec::new() }
    }
}

/// The entry of a file for a peering; a file's only entry is for any that is added to it.
fn entry_of<'t>(
    terms: &'t Terms,
    peering: &Sides<ClusterId>,
    uses: &UseFlags,
) -> Result<Option<&'t Entry>, Error> {
    let entries = terms.entries();
    let named = entries.iter().find(|entry| entry.clusters.pairs().contains(&pair(peering)));
    let entry = match entries {
        [only] => Some(only),
        _ => named,
    };
    let is_mixed = |entry: &&Entry| entry.clusters.pairs().len() > 1 && entry.values(Term::Paths).len() > 1;
    if uses.paths.is_empty() && entry.is_some_and(|entry| is_mixed(&entry)) {
        let reason = "the file allows several folders for several peerings: set which folder is whose, such as `rome,milan=peerings/rome-milan`";
        return Err(Error::Flag { flag: flag(Term::Paths), reason: reason.into() });
    }
    Ok(entry)
}

/// The terms of a new sealed file: those that the flags set, and where they set none, what its place says: the peering.yaml
/// beside it, and the Git checkout. Certificates are not among them.
pub(super) fn terms_at(flags: &SealFlags, output: &Path) -> Result<(Terms, Origin), Error> {
    let folder = folder_of(output);
    let mut uses = flags.uses.clone();
    let mut peerings = peerings(&flags.clusters)?;
    Wanted::new(&uses, peerings.clone())?; // a mistake in what is written comes first
    if peerings.is_empty() {
        let source = Folder::new(folder).read_document().map_err(|unread| Error::Flag {
            flag: "--clusters",
            reason: format!(
                "there is no peering beside the sealed file, so set its two cluster IDs: {unread}"
            ),
        })?;
        let peering = rules::read(&source)?;
        if uses.secret_namespaces.is_empty() {
            uses.secret_namespaces = secret_namespaces(&peering);
        }
        peerings.push(clusters_of(&peering));
    }
    let uses = uses_at(uses, folder)?;
    let places = |uses: &UseFlags| [uses.repos.len(), uses.paths.len()];
    let is_set = !flags.clusters.is_empty() && places(&uses) == places(&flags.uses);
    let origin = if is_set { Origin::Flags } else { Origin::Elsewhere };
    let wanted = Wanted::new(&uses, peerings)?;
    let entries = wanted.peerings.iter().map(|peering| wanted.entry(&Kept::new(Some(peering.clone()), None)));
    Ok((Terms::of(entries.collect::<Result<_, _>>()?), origin))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or_else(|| Path::new(""))
}

/// The peering beside a file, if there is a valid one.
fn beside(folder: &Path) -> Option<Peering> {
    rules::read(&Folder::new(folder).read_document().ok()?).ok()
}

fn clusters_of(peering: &Peering) -> Sides<ClusterId> {
    Sides::make(|role| peering.clusters.of(role).id.value.clone())
}

fn pair(Sides { consumer, provider }: &Sides<ClusterId>) -> ClusterPair {
    ClusterPair::new(consumer.clone(), provider.clone())
}

/// Both tenant namespaces, each on its side, as a flag has them: all Secrets of a peering are in them.
pub(super) fn secret_namespaces(peering: &Peering) -> Vec<String> {
    Role::BOTH.map(|role| format!("{}={role}", *peering.clusters.of(role).tenant_namespace)).into()
}

/// What flags set, for these peerings.
struct Wanted<'f> {
    uses: &'f UseFlags,
    peerings: Vec<Sides<ClusterId>>,
}

impl<'f> Wanted<'f> {
    fn new(uses: &'f UseFlags, peerings: Vec<Sides<ClusterId>>) -> Result<Self, Error> {
        let wanted = Self { uses, peerings };
        for term in LISTS {
            for value in wanted.set(term) {
                wanted.check(term, &value).map_err(|reason| Error::Flag { flag: flag(term), reason })?;
            }
        }
        Ok(wanted)
    }

    /// What the flag of a term sets.
    fn set(&self, term: Term) -> Vec<String> {
        match term {
            Term::Clusters => Vec::new(),
            Term::Projects => self.uses.projects.clone(),
            Term::Repos => self.uses.repos.clone(),
            Term::Paths => self.uses.paths.clone(),
            Term::Revisions => self.uses.revisions.clone(),
            Term::Delivery => self.uses.delivery.iter().map(ToString::to_string).collect(),
            Term::Namespaces => self.uses.secret_namespaces.clone(),
        }
    }

    fn check(&self, term: Term, value: &str) -> Result<(), String> {
        // what is shown in quotes as it is; files that were sealed with others keep their meaning
        if value.trim() != value || value.contains(';') || format!("{value:?}") != format!("\"{value}\"") {
            return Err(
                "it has a space at an end, `;`, a quote, `\\`, or a character that cannot be seen: remove it"
                    .into(),
            );
        }
        let is_for_all =
            |value: &str| self.peerings.iter().all(|peering| own(term, value, peering).is_none());
        if !self.peerings.is_empty() && is_for_all(value) {
            let ids: Vec<String> =
                self.peerings.iter().map(|it| format!("{},{}", it.consumer, it.provider)).collect();
            return Err(format!("`{}` names no cluster or peering of {}", shown_name(value), ids.join(" ")));
        }
        if term == Term::Paths && self.peerings.len() > 1 && value != ANY && bound_path(value).is_none() {
            return Err("the file is for several peerings: write whose folder it is, such as `rome,milan=peerings/rome-milan`".into());
        }
        Ok(())
    }

    /// Where the flags set nothing, an entry has the values of the one before; `*` is not inherited, since anyone can make a file
    /// that allows any.
    fn entry(&self, Kept { peering, before, namespaces }: &Kept<'_>) -> Result<Entry, Error> {
        let clusters = match (peering, before) {
            (Some(peering), _) => Clusters::Peerings(vec![peering.clone()]),
            (None, before) => before.map_or(Clusters::Either(Vec::new()), |before| before.clusters.clone()),
        };
        let own = |term, values: &[String]| -> Vec<String> {
            let one = |value: &String| {
                peering.as_ref().map_or_else(|| Some(value.clone()), |it| own(term, value, it))
            };
            values.iter().filter_map(one).collect()
        };
        LISTS.into_iter().try_fold(Entry::of(clusters), |entry, term| {
            let mut values = own(term, &self.set(term));
            if term == Term::Namespaces && values.is_empty() {
                values = own(term, namespaces);
            }
            if let (Some(before), true) = (before, values.is_empty()) {
                if before.has_any(term) {
                    let reason = format!("the file allows any of the {term}, which is not inherited: set them, or set `*` again");
                    return Err(Error::Flag { flag: flag(term), reason });
                }
                values = match (&before.clusters, peering) {
                    // whose sides are IDs already, also where an ID is the word of a role
                    (Clusters::Peerings(_), Some(peering)) => kept(term, before.values(term), peering),
                    _ => own(term, before.values(term)),
                };
            }
            let problem = |problem: crate::custody::TermProblem| Error::Flag { flag: flag(term), reason: problem.to_string() };
            entry.with_all([(term, values.as_slice())]).map_err(problem)
        })
    }
}

/// The terms that have lists of words.
const LISTS: [Term; 6] =
    [Term::Projects, Term::Repos, Term::Paths, Term::Revisions, Term::Delivery, Term::Namespaces];

/// The peerings of `--clusters`: the consumer's ID and the provider's.
fn peerings(flags: &[String]) -> Result<Vec<Sides<ClusterId>>, Error> {
    let wrong = |reason| Error::Flag { flag: flag(Term::Clusters), reason };
    let id = |text: &str| text.trim().parse::<ClusterId>().map_err(|rule| wrong(rule.message));
    let peering = |written: &String| {
        let (consumer, provider) = written
            .split_once(',')
            .ok_or_else(|| wrong("two cluster IDs with a comma between them, such as `rome,milan`: the consumer's and the provider's".into()))?;
        let (consumer, provider) = (id(consumer)?, id(provider)?);
        if consumer == provider {
            return Err(wrong(format!("`{consumer}` is given twice; a peering has two clusters")));
        }
        Ok(Sides { consumer, provider })
    };
    flags.iter().map(peering).collect()
}

/// The uses of a sealed file in a folder: with a project, those that no flag sets come from the Git checkout.
pub(super) fn uses_at(mut uses: UseFlags, folder: &Path) -> Result<UseFlags, Error> {
    if !uses.projects.is_empty() && (uses.repos.is_empty() || uses.paths.is_empty()) {
        let checkout = Checkout::of(folder).ok_or_else(|| Error::Flag {
            flag: if uses.repos.is_empty() { "--repo" } else { "--path" },
            reason: "the sealed file is not in a Git checkout: set --repo URL and --path FOLDER, as the Application has them".into(),
        })?;
        if uses.repos.is_empty() {
            uses.repos.push(remote(&checkout)?);
        }
        if uses.paths.is_empty() {
            uses.paths.push(checkout.folder().to_owned());
        }
    }
    Ok(uses)
}

/// The URL of a checkout's only remote.
fn remote(checkout: &Checkout) -> Result<String, Error> {
    let remotes = checkout.remotes()?;
    if let [(_, url)] = remotes.as_slice() {
        return Ok(url.clone());
    }
    let names: Vec<_> = remotes.iter().map(|(name, _)| shown_name(name)).collect();
    let reason = match names.len() {
        0 => "the Git checkout has no remote, so set the Application's `repoURL`".to_owned(),
        _ => format!(
            "the Git checkout has several remotes ({}), so set the Application's `repoURL`",
            names.join(", ")
        ),
    };
    Err(Error::Flag { flag: "--repo", reason })
}

/// The flag that sets a term.
const fn flag(term: Term) -> &'static str {
    match term {
        Term::Clusters => "--clusters",
        Term::Projects => "--project",
        Term::Repos => "--repo",
        Term::Paths => "--path",
        Term::Revisions => "--revision",
        Term::Delivery => "--delivery",
        Term::Namespaces => "--secret-namespace",
    }
}
