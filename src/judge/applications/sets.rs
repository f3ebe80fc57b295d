//! ApplicationSets over folders, in which the folders' names are the destinations.

use super::way::{branch_of, has_document};
use super::{Fault, File, Flaw, Place, first_line};
use crate::argocd::application::{Application, Parent};
use crate::argocd::application_set::{ApplicationSet, Folders, Unevaluated};
use crate::argocd::project::is_match;
use crate::custody::normal_repo;
use crate::diagnostic::{Span, shown_name};
use crate::input::file::is_hidden;
use crate::judge::rendered::RenderedFolders;
use crate::state::StateError;
use crate::state::repo::Files;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most steps from folder to folder in a run, for the patterns of all sets. An Application that is generated takes 28 more, and a step
/// for each 128 bytes of the template, as do the parameters of a matrix. Twenty sets that find a thousand folders each need less.
const STEPS_MAX: usize = 1_000_000;

/// A set, and the Applications that it generates for the folders that were checked.
pub(super) struct Finds<'f> {
    /// The number of its file.
    pub(super) file: usize,
    pub(super) set: &'f ApplicationSet,
    pub(super) applications: Vec<Application>,
    /// Why Argo CD refuses other Applications, and the place.
    refused: Vec<(Span, String)>,
    /// Why other Applications are not known.
    pub(super) unknown: Vec<String>,
    /// Whether its Applications are of folders that `render` wrote.
    pub(super) is_rendered: bool,
}

/// The Applications of the sets in all files.
///
/// # Errors
/// When they are more than a run compares.
pub(super) fn find_folders<'f>(
    files: &'f [File],
    places: &'f [Place],
    there: &Files,
    rendered: &RenderedFolders,
) -> Result<Vec<Finds<'f>>, StateError> {
    let beside = folders_beside(files, places, there);
    let mut roots: BTreeMap<Option<&Path>, Tree<'_>> = BTreeMap::new();
    let (mut left, mut finds) = (STEPS_MAX, Vec::new());
    for (number, file) in files.iter().enumerate() {
        for set in &file.declared.sets {
            let root = file.root.as_deref();
            // outside of a repository, a set finds nothing that is known here
            let tree = roots
                .entry(root)
                .or_insert_with(|| Tree::below(root, places).with(root, beside.iter()));
            let (applications, unevaluated) = set.generate(
                &mut Looking {
                    tree,
                    left: &mut left,
                },
                Application::of,
            );
            if unevaluated.contains(&Unevaluated::TooMuch) {
                return Err(too_many());
            }
            let mut it = Finds::of(number, set, applications, unevaluated);
            if it.applications.is_empty() && it.refused.is_empty() && it.unknown.is_empty() {
                it.unknown
                    .push("its generators find no folder that was checked".into());
            }
            finds.push(it);
        }
    }
    finds.extend(find_rendered(files, places, rendered));
    Ok(finds)
}

/// The sets with Applications for folders of manifests, each with the number and the root of its file, and the folders in which it
/// searches. Most of them are for other programs, so they get a smaller part of the run's steps.
fn each_of_parents<'f, 'p>(
    files: &'f [File],
    places: &'p [Place],
    rendered: &'p RenderedFolders,
    mut judge: impl FnMut(usize, &Path, &'f ApplicationSet, &mut Looking<'_, 'p>),
) {
    let (mut left, mut roots) = (STEPS_MAX / 4, BTreeMap::<&Path, Tree<'p>>::new());
    for (number, file) in files.iter().enumerate() {
        let Some(root) = file.root.as_deref() else {
            continue;
        };
        for set in &file.declared.sets_of_parents {
            let tree = roots.entry(root).or_insert_with(|| {
                Tree::below(Some(root), places).with(Some(root), rendered.keys())
            });
            judge(
                number,
                root,
                set,
                &mut Looking {
                    tree,
                    left: &mut left,
                },
            );
        }
    }
}

/// The Applications of such sets for folders that `render` wrote.
fn find_rendered<'f>(
    files: &'f [File],
    places: &[Place],
    rendered: &RenderedFolders,
) -> Vec<Finds<'f>> {
    let mut finds = Vec::new();
    if rendered.is_empty() {
        return finds;
    }
    each_of_parents(files, places, rendered, |number, root, set, folders| {
        let begins = |start: String| {
            let next = rendered.range(root.join(&start)..).next();
            next.and_then(|(it, _)| inside(Some(root), it))
                .is_some_and(|it| it.starts_with(&start))
        };
        let (applications, why) = set.generate(folders, Application::plain);
        let of_rendered = applications.into_iter().filter_map(|it| {
            let (document, role) = rendered.get(&root.join(it.source.path.as_deref()?))?;
            Some(it.rendered(role.word(), document.display().to_string()))
        });
        let it = Finds {
            is_rendered: true,
            ..Finds::of(number, set, of_rendered.collect(), why)
        };
        let may_be = !it.unknown.is_empty() && set.starts().any(begins);
        finds.extend((may_be || !it.applications.is_empty()).then_some(it));
    });
    finds
}

impl<'f> Finds<'f> {
    fn of(
        file: usize,
        set: &'f ApplicationSet,
        applications: Vec<Application>,
        why: Vec<Unevaluated>,
    ) -> Self {
        let (mut refused, mut unknown) = (Vec::new(), Vec::new());
        for why in why {
            match why {
                Unevaluated::Refused(span, why) => refused.push((span, why)),
                why => unknown.extend(why.unknown()),
            }
        }
        Self {
            file,
            set,
            applications,
            refused,
            unknown,
            is_rendered: false,
        }
    }
}

/// The folders without a document next to folders that lead to one, in repositories with a set.
fn folders_beside(files: &[File], places: &[Place], there: &Files) -> BTreeSet<PathBuf> {
    let with_set = files.iter().filter(|it| !it.declared.sets.is_empty());
    let roots: BTreeSet<&Path> = with_set.filter_map(|it| it.root.as_deref()).collect();
    let mut known: BTreeSet<&Path> = places.iter().flat_map(|it| it.folder.ancestors()).collect();
    known.retain(|it| roots.iter().any(|root| it.starts_with(root)));
    let mut beside: BTreeSet<PathBuf> = known.iter().flat_map(|it| there.folders(it)).collect();
    beside.retain(|it| !known.contains(it.as_path()) && !is_hidden(it) && !has_document(it, there));
    // a generator finds only committed files
    beside.retain(|it| {
        roots
            .iter()
            .all(|root| there.passed_over(root, &it.join("x")).is_none())
    });
    beside
}

/// The parents from sets, each with the number of its file, and why others are not known.
#[derive(Default)]
pub(super) struct MadeParents<'f> {
    pub(super) all: Vec<(usize, Parent)>,
    pub(super) unknown: Vec<(usize, &'f ApplicationSet, String)>,
}

impl<'f> MadeParents<'f> {
    /// The parents from the sets of all files. If a set needs more than a run compares, its parents are not known: most
    /// such sets are for other programs.
    pub(super) fn of(
        files: &'f [File],
        places: &'f [Place],
        rendered: &'f RenderedFolders,
    ) -> Self {
        let mut made = Self::default();
        each_of_parents(files, places, rendered, |number, _, set, folders| {
            let (mut parents, mut why) = set.parents(folders);
            parents.sort_by(|one, other| one.path.value.cmp(&other.path.value));
            parents.dedup();
            // each parent is compared with each place, which costs less than a step
            if folders.spend(parents.len() * places.len() / 16).is_none() {
                (parents, why) = (Vec::new(), vec![Unevaluated::TooMuch]);
            }
            made.all.extend(parents.into_iter().map(|it| (number, it)));
            made.unknown.extend(
                why.into_iter()
                    .filter_map(|why| Some((number, set, why.unknown()?))),
            );
        });
        made
    }
}

fn too_many() -> StateError {
    StateError::flag(
        "PATHS",
        "the ApplicationSets make more than a run compares; name fewer folders at once",
    )
}

fn inside<'p>(root: Option<&Path>, folder: &'p Path) -> Option<&'p str> {
    folder.strip_prefix(root?).ok()?.to_str()
}

/// The folders of documents as a tree, so that a pattern is not compared with each of thousands of them.
#[derive(Default)]
struct Tree<'p> {
    /// The path of this folder.
    path: &'p str,
    here: Vec<&'p Place>,
    below: BTreeMap<&'p str, Self>,
}

impl<'p> Tree<'p> {
    fn below(root: Option<&Path>, places: &'p [Place]) -> Self {
        let mut folders = Self::default();
        for place in places {
            if let Some(folder) = inside(root, &place.folder) {
                folders.enter(folder).here.push(place);
            }
        }
        folders
    }

    /// Adds folders that have no document.
    fn with(mut self, root: Option<&Path>, folders: impl Iterator<Item = &'p PathBuf>) -> Self {
        folders
            .filter_map(|it| inside(root, it))
            .for_each(|it| _ = self.enter(it));
        self
    }

    fn enter(&mut self, folder: &'p str) -> &mut Self {
        let (mut at, mut end) = (self, 0);
        for segment in folder.split('/') {
            end += segment.len();
            at = at.below.entry(segment).or_default();
            at.path = folder.get(..end).unwrap_or(folder);
            end += 1;
        }
        at
    }

    /// Whether a folder's path begins with this text.
    fn has(&self, start: &str) -> bool {
        match start.split_once('/') {
            Some((segment, rest)) => self.below.get(segment).is_some_and(|it| it.has(rest)),
            None => self.below.keys().any(|it| it.starts_with(start)),
        }
    }

    /// The folders that a pattern finds. A `*` stays within one segment (argo-cd `applicationset/generators/git.go`, path.Match). `None` if
    /// it takes more steps than are left.
    fn find<'t>(
        &'t self,
        pattern: &[&str],
        left: &mut usize,
        found: &mut Vec<&'t Self>,
    ) -> Option<()> {
        let Some((first, rest)) = pattern.split_first() else {
            *left = left.checked_sub(1)?;
            found.push(self);
            return Some(());
        };
        if !first.contains(['*', '?']) {
            return self
                .below
                .get::<str>(first)
                .map_or(Some(()), |below| below.find(rest, left, found));
        }
        for (segment, below) in &self.below {
            // each `*` is tried at each place of a segment
            *left = left.checked_sub(1 + first.len() * segment.len() / 256)?;
            if is_match(first, segment) {
                below.find(rest, left, found)?;
            }
        }
        Some(())
    }

    /// The folders whose documents match a pattern of files. `*` and `?` also match `/`, unless the controller has
    /// `--enable-new-git-file-globbing` (argo-cd `util/git/client.go`, LsFiles; gitglossary(7), pathspec).
    fn find_of_files<'t>(
        &'t self,
        pattern: &str,
        left: &mut usize,
        found: &mut Vec<&'t Self>,
    ) -> Option<()> {
        *left = left.checked_sub(1 + pattern.len() * self.path.len() / 256)?;
        if !self.here.is_empty() && !self.path.is_empty() && is_match(pattern, self.path) {
            found.push(self);
        }
        self.below
            .values()
            .try_for_each(|below| below.find_of_files(pattern, left, found))
    }

    /// The tree at a path below.
    fn at<'s>(&self, mut segments: impl Iterator<Item = &'s str>) -> Option<&Self> {
        segments.try_fold(self, |at, segment| at.below.get(segment))
    }
}

/// A tree, and the steps that the run has left.
struct Looking<'t, 'p> {
    tree: &'t Tree<'p>,
    left: &'t mut usize,
}

impl Folders for Looking<'_, '_> {
    fn find(&mut self, pattern: &str) -> Option<Vec<String>> {
        let (segments, mut found) = (pattern.split('/').collect::<Vec<_>>(), Vec::new());
        self.tree.find(&segments, self.left, &mut found)?;
        Some(found.into_iter().map(|it| it.path.to_owned()).collect())
    }

    fn find_of_files(&mut self, pattern: &str) -> Option<Vec<String>> {
        let (pattern, mut found) = (pattern.trim_start_matches("./"), Vec::new());
        let fixed = pattern.split('/').take_while(|it| !it.contains(['*', '?']));
        if let Some(tree) = self.tree.at(fixed) {
            tree.find_of_files(pattern, self.left, &mut found)?;
        }
        Some(found.into_iter().map(|it| it.path.to_owned()).collect())
    }

    fn document(&self, folder: &str) -> Option<&str> {
        self.tree
            .at(folder.split('/'))?
            .here
            .first()
            .map(|place| place.source.text())
    }

    fn has(&self, start: &str) -> bool {
        start == "." || self.tree.has(start)
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        *self.left = self.left.checked_sub(steps)?;
        Some(())
    }
}

/// The faults of the sets themselves.
pub(super) fn check(finds: &[Finds<'_>], files: &[File]) -> Vec<Flaw> {
    finds.iter().flat_map(|Finds { file, set, refused, .. }| {
        let faults = refused.iter().map(|(span, why)| {
            let help = if set.is_go() {
                "correct the generators or the template: with `goTemplate`, a value is written `{{ .name }}`"
            } else {
                "correct the generators or the template: without `goTemplate: true`, a value is written `{{name}}`"
            };
            Fault::error(format!("Argo CD generates no Application of it: {}", shown_name(why)), help, *span)
        }).chain(alone(set, files.get(*file).and_then(|it| it.branch.as_deref())));
        faults.map(|fault| fault.within(*file, 0)).collect::<Vec<_>>()
    }).collect()
}

fn are_several<T: Ord>(all: impl Iterator<Item = T>) -> bool {
    all.collect::<BTreeSet<_>>().len() > 1
}

/// The faults of a set that decide what happens to both sides with it (argo-cd `pkg/apis/application/v1alpha1/applicationset_types.go`,
/// ApplicationSetSyncPolicy).
pub(crate) fn alone(set: &ApplicationSet, default: Option<&str>) -> Vec<Fault> {
    let at = first_line(set.span);
    let preserves = (!set.preserves).then(|| {
        let message =
            "its Applications get a finalizer: deleting the set deletes the objects of both sides at once";
        Fault::warning(
            message,
            "write `syncPolicy: { preserveResourcesOnDeletion: true }` into the set's `spec`",
            at,
        )
    });
    let sync = set.applications_sync.as_ref();
    let is_kept =
        sync.is_some_and(|it| matches!(it.value.as_str(), "create-only" | "create-update"));
    let deletes = (!is_kept).then(|| {
        let message = "an Application that the set no longer generates is deleted, when a folder is removed or renamed";
        let help = "write `syncPolicy: { applicationsSync: create-update }` into the set's `spec`, unless the controller has a `--policy`";
        Fault::warning(message, help, sync.map_or(at, |it| it.span))
    });
    let mut repositories = set.of_gits_and_sources("repoURL", "repoURL");
    let differs = repositories
        .any(|it| are_several(it.into_iter().map(normal_repo)))
        .then(|| {
            let message = "its Git generator reads another repository than its Applications";
            Fault::note(
                message,
                "write one `repoURL` into both, unless the two have the same folders",
                at,
            )
        });
    let mut revisions = set.of_gits_and_sources("revision", "targetRevision");
    let other_revision = revisions.any(|it| are_several(it.into_iter().filter_map(|it| branch_of(it, default)))).then(|| {
        let message = "its Git generator reads another revision than its Applications";
        let help = "write the same `revision` and `targetRevision`: a folder that one of them does not have makes no Application, or one that fails";
        Fault::note(message, help, at)
    });
    preserves
        .into_iter()
        .chain(deletes)
        .chain(differs)
        .chain(other_revision)
        .collect()
}
