//! An Application of Applications: it applies the manifests of a folder, and fails if the folder contains a peering.

use super::declaring_files::SKIP_FILE;
use super::sets::MadeParents;
use super::{Fault, File, Flaw, Led, Place};
use crate::argocd::application::Parent;
use crate::argocd::declared::Declared;
use crate::argocd::project::{is_known, is_match};
use crate::custody::normal_repo;
use crate::diagnostic::{quoted, shown_name};
use crate::input::folder::DOCUMENT;
use crate::judge::rendered::RenderedFolders;
use crate::peering::Role;
use crate::state::repo::Files;
use crate::state::repo::api_groups::{KUSTOMIZATIONS, RENDERED};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files of a folder that are not manifests: the document, and its schema, in the folder or above it.
const OTHERS: [&str; 2] = [DOCUMENT, "peering.schema.json"];

/// The bounds of a parent's patterns: the length of a pattern, the lists in it, and the patterns that it gives without lists.
const LONGEST: usize = 512;
const LISTS_MAX: usize = 16;
const ALTERNATIVES_MAX: usize = 64;

/// The repositories of the Applications that lead to documents.
fn repositories(led: &[Led<'_>]) -> BTreeSet<String> {
    let of_led = led
        .iter()
        .filter_map(|it| it.application.source.repo_url.as_ref());
    of_led.map(|it| normal_repo(&it.value)).collect()
}

/// A parent, with the folder of manifests that it reads.
struct ParentAt<'f> {
    /// The number of its file.
    file: usize,
    parent: &'f Parent,
    is_made: bool,
    /// Whether its repository is that of Applications that lead to documents. Without such an Application it is not known.
    is_here: bool,
    folder: PathBuf,
}

impl ParentAt<'_> {
    /// Whether another tool renders the folder. Argo CD finds such tools by their files, unless the Application's `directory` has a setting
    /// (argo-cd `reposerver/repository/repository.go`, GetAppSourceType; `util/app/discovery/discovery.go`).
    fn is_of_tool(&self, there: &Files) -> bool {
        let Parent {
            recurses,
            include,
            exclude,
            ..
        } = self.parent;
        let is_explicit = *recurses || include.is_some() || exclude.is_some();
        let mut files = ["Chart.yaml"].iter().chain(&KUSTOMIZATIONS);
        !is_explicit && files.any(|file| there.has(&self.folder.join(file)))
    }

    fn fault(&self, is_error: bool, message: String, help: &str) -> Fault {
        let fault = if is_error { Fault::error } else { Fault::note };
        let message = if self.is_made {
            format!(
                "in the folder `{}` {message}",
                shown_name(&self.parent.path.value)
            )
        } else {
            message
        };
        fault(message, help, self.parent.path.span)
    }
}

/// The parents in this repository, as far as that is known.
fn each<'f>(
    files: &'f [File],
    made: &'f MadeParents<'_>,
    led: &[Led<'_>],
) -> impl Iterator<Item = ParentAt<'f>> {
    let repositories = repositories(led);
    let written = files.iter().enumerate();
    let written =
        written.flat_map(|(number, file)| all(&file.declared).map(move |it| (number, it, false)));
    let made = made.all.iter().map(|(number, it)| (*number, it, true));
    written
        .chain(made)
        .filter_map(move |(file, parent, is_made)| {
            let folder = files
                .get(file)?
                .root
                .as_deref()?
                .join(parent.path.value.trim_start_matches("./"));
            let url = parent.repo_url.as_deref().map(normal_repo);
            let is_here = url.is_some_and(|it| repositories.contains(&it));
            let is_other = !is_here && !repositories.is_empty();
            (!is_other).then_some(ParentAt {
                file,
                parent,
                is_made,
                is_here,
                folder,
            })
        })
}

pub(super) fn check(
    led: &[Led<'_>],
    files: &[File],
    made: &MadeParents<'_>,
    places: &[Place],
    there: &Files,
    rendered: &RenderedFolders,
) -> Vec<Flaw> {
    let names = names(led);
    let all = each(files, made, led).flat_map(|it| {
        let of_stream = of_streams(&it, rendered, &names, there).map(|fault| (fault, 0));
        let faults = fault(&it, places, there).into_iter().chain(of_stream);
        faults
            .map(move |(fault, index)| fault.within(it.file, index))
            .collect::<Vec<_>>()
    });
    all.collect()
}

fn all(declared: &Declared) -> impl Iterator<Item = &Parent> {
    declared.parents.iter().chain(&declared.parents_of_sets)
}

/// The sets whose Applications may be parents in these repositories, but are not known: the number of the file, and why.
pub(super) fn unjudged(made: &MadeParents<'_>, led: &[Led<'_>]) -> Vec<(usize, String)> {
    let repositories = repositories(led);
    let may_be = made.unknown.iter().filter(|(_, set, _)| {
        set.is_of(|url| repositories.is_empty() || repositories.contains(&normal_repo(url)))
    });
    may_be
        .map(|(number, _, why)| (*number, why.clone()))
        .collect()
}

/// The fault of a parent of a document's folder, and the number of the document (argo-cd `reposerver/repository/repository.go`,
/// findManifests: `Failed to unmarshal`, `Object 'Kind' is missing`).
fn fault(parent: &ParentAt<'_>, places: &[Place], there: &Files) -> Option<(Fault, usize)> {
    let ParentAt {
        parent: Parent { recurses, .. },
        folder: from,
        is_here,
        ..
    } = parent;
    let mut below = places
        .iter()
        .filter_map(|it| Some((it, it.folder.strip_prefix(from).ok()?)))
        .peekable();
    if below.peek().is_none() || parent.is_of_tool(there) {
        return None;
    }
    let patterns = Patterns::of(parent.parent);
    let (place, (taken, is_known)) = below.find_map(|(it, folder)| {
        let is_skipped = it.source.text().contains(SKIP_FILE);
        let has = |path: &Path| {
            there.has(&from.join(path)) && !(is_skipped && path == folder.join(DOCUMENT).as_path())
        };
        Some((it, takes(*recurses, &patterns, folder, has)?))
    })?;
    let message = if is_known {
        format!(
            "it takes {} for a manifest, and Argo CD fails on it",
            quoted(&taken)
        )
    } else {
        format!(
            "it may take {} for a manifest: its `include` or `exclude` has a class or a nested list, or is too long, so it is not evaluated",
            quoted(&taken)
        )
    };
    let help = if *recurses && taken.ends_with(DOCUMENT) {
        "write `directory: { recurse: true, include: '**/application*.yaml' }`, keep the Applications in a folder of their own, or write the comment `# +argocd:skip-file-rendering` into that peering.yaml"
    } else if *recurses {
        // JSON has no comments, so the schema cannot have a mark
        "write `directory: { recurse: true, include: '**/application*.yaml' }`, keep the Applications in a folder of their own, or keep the schema above the folder"
    } else {
        "the folder of a peering needs the plugin: write `plugin: { name: argocd-peering, parameters: [{ name: role, string: consumer }] }`"
    };
    Some((
        parent.fault(*is_here && is_known, message, help),
        place.index,
    ))
}

/// How many rendered files a parent is compared with.
const COMPARED_MAX: usize = 1024;

/// The names of the Applications of sides, by the folders of their documents.
type Names<'f> = BTreeMap<(&'f Path, Role), &'f str>;

fn names<'f>(led: &[Led<'f>]) -> Names<'f> {
    let of_rendered = led.iter().filter(|it| it.application.source.is_rendered);
    of_rendered
        .map(|it| {
            (
                (it.place.folder.as_path(), it.role),
                it.application.name.as_str(),
            )
        })
        .collect()
}

/// The fault of a parent that applies files which `render` wrote: each is the stream of one side, for one cluster (argo-cd
/// `docs/user-guide/directory.md`).
fn of_streams(
    it: &ParentAt<'_>,
    rendered: &RenderedFolders,
    names: &Names<'_>,
    there: &Files,
) -> Option<Fault> {
    let ParentAt { parent, folder, .. } = it;
    let mut below = rendered
        .range(folder.clone()..)
        .take_while(|(it, _)| it.starts_with(folder))
        .peekable();
    if below.peek().is_none() || it.is_of_tool(there) {
        return None;
    }
    let (patterns, mut sides) = (Patterns::of(parent), BTreeMap::new());
    for (at, (document, role)) in below.take(COMPARED_MAX) {
        let file = at
            .strip_prefix(folder)
            .ok()?
            .join(RENDERED)
            .display()
            .to_string();
        let (taken, shown) = (patterns.take(&file), quoted(&shown_name(&file)));
        let (is_known, message, help) = if at == folder {
            let what = match taken {
                Some(true) => return None,
                Some(false) => "may leave out",
                None => "leaves out",
            };
            (
                taken.is_none(),
                format!("its `include` or `exclude` {what} {shown}"),
                ALONE,
            )
        } else {
            let Some(is_known) = taken.filter(|_| parent.recurses) else {
                continue;
            };
            let other = sides.insert(document, (shown.clone(), is_known));
            match (names.get(&(document.as_path(), *role)), other) {
                (Some(name), _) => {
                    let name = quoted(name);
                    (
                        is_known,
                        format!("it takes {shown}, which the Application {name} applies"),
                        TWICE,
                    )
                }
                (None, Some((other, was_known))) => {
                    let message =
                        format!("it takes {other} and {shown}: both sides, for one cluster");
                    (is_known && was_known, message, BOTH)
                }
                (None, None) => continue,
            }
        };
        // without an Application that leads to a document, only the path can show which repository it is
        let is_here = it.is_here || !parent.path.value.trim_matches(['.', '/']).is_empty();
        return Some(it.fault(is_here && is_known, message, help));
    }
    let (taken, _) = sides.into_values().next()?;
    Some(it.fault(
        false,
        format!("it takes {taken}: which cluster that is for is not judged"),
        BOTH,
    ))
}

const ALONE: &str = "remove `include` and `exclude`: a folder of `render` has one file";
const TWICE: &str = "write `directory: { recurse: true, include: '**/application*.yaml' }`, or keep the Applications in a folder without rendered files";
const BOTH: &str = "write an Application for each side, whose `path` is the side's own folder";

/// The first file of a peering that a parent applies, and whether its patterns are evaluated.
fn takes(
    recurses: bool,
    patterns: &Patterns,
    below: &Path,
    has: impl Fn(&Path) -> bool,
) -> Option<(String, bool)> {
    let depth = if recurses { usize::MAX } else { 0 };
    let folders = below
        .ancestors()
        .filter(|folder| folder.components().count() <= depth);
    let files = folders.flat_map(|folder| OTHERS.map(|name| folder.join(name)));
    let files = files
        .filter(|path| has(path))
        .map(|path| path.display().to_string());
    let taken = files.filter_map(|path| {
        patterns
            .take(&path)
            .map(|is_known| (shown_name(&path), is_known))
    });
    taken.min_by_key(|(_, is_known)| !is_known)
}

/// The patterns of a parent, with their lists expanded, made once for all folders. `None` for a pattern with a character class or a nested
/// list, or for one that is too long.
struct Patterns {
    include: Option<Vec<String>>,
    exclude: Option<Vec<String>>,
}

impl Patterns {
    fn of(parent: &Parent) -> Self {
        // without patterns, everything is included and nothing excluded
        let include = evaluated(parent.include.as_deref().unwrap_or("*"));
        Self {
            include,
            exclude: evaluated(parent.exclude.as_deref().unwrap_or("")),
        }
    }

    /// Whether a path is applied: `None` if not, and otherwise whether that is certain. A `*` also matches `/`, and spaces in a list count
    /// (argo-cd `util/glob`, without separators; github.com/gobwas/glob).
    fn take(&self, path: &str) -> Option<bool> {
        let lists = [&self.include, &self.exclude].map(Option::as_ref);
        match lists.map(|list| list.map(|all| all.iter().any(|it| is_match(it, path)))) {
            [Some(false), _] | [_, Some(true)] => None,
            [include, exclude] => Some(include.and(exclude).is_some()),
        }
    }
}

fn evaluated(pattern: &str) -> Option<Vec<String>> {
    let is_short = pattern.len() <= LONGEST && pattern.matches('{').count() <= LISTS_MAX;
    let all = Some(pattern).filter(|_| is_short).and_then(alternatives)?;
    all.iter().all(|it| is_known(&[it])).then_some(all)
}

/// The patterns without lists that a pattern stands for.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let Some((before, rest)) = pattern.split_once('{') else {
        return Some(vec![pattern.to_owned()]).filter(|_| !pattern.contains('}'));
    };
    let (list, after) = rest.split_once('}')?;
    let ends = alternatives(after)
        .filter(|ends| ends.len() * list.split(',').count() <= ALTERNATIVES_MAX)?;
    let each = list
        .split(',')
        .flat_map(|one| ends.iter().map(move |end| format!("{before}{one}{end}")));
    Some(each.collect())
}
