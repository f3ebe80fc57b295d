//! An Application of Applications: it applies the manifests of a folder, and fails where that has a peering in it.

use super::declaring_files::SKIP_FILE;
use super::sets::MadeParents;
use super::{Fault, File, Flaw, Led, Place};
use crate::argocd::application::Parent;
use crate::argocd::declared::Declared;
use crate::argocd::project::{is_known, is_match};
use crate::custody::normal_repo;
use crate::diagnostic::{quoted, shown_name};
use crate::input::folder::DOCUMENT;
use crate::state::repo::Files;
use crate::state::repo::api_groups::KUSTOMIZATIONS;
use std::collections::BTreeSet;
use std::path::Path;

/// What lies in a folder and is no manifest: the document, and its schema in the folder or above it.
const OTHERS: [&str; 2] = [DOCUMENT, "peering.schema.json"];

/// How long a pattern of a parent may be, how many lists it may have, and how many patterns it may be without them.
const LONGEST: usize = 512;
const LISTS_MAX: usize = 16;
const ALTERNATIVES_MAX: usize = 64;

/// The repositories of the Applications that lead to documents.
fn repositories(led: &[Led<'_>]) -> BTreeSet<String> {
    let of_led = led.iter().filter_map(|it| it.application.source.repo_url.as_ref());
    of_led.map(|it| normal_repo(&it.value)).collect()
}

pub(super) fn check(
    led: &[Led<'_>],
    files: &[File],
    made: &MadeParents<'_>,
    places: &[Place],
    there: &Files,
) -> Vec<Flaw> {
    let repositories = repositories(led);
    let written = files.iter().enumerate();
    let written = written.flat_map(|(number, file)| all(&file.declared).map(move |it| (number, it, false)));
    let made = made.all.iter().map(|(number, it)| (*number, it, true));
    let all = written.chain(made).filter_map(|(number, parent, is_made)| {
        let from = files.get(number)?.root.as_deref()?.join(parent.path.value.trim_start_matches("./"));
        let (mut fault, index) = fault(parent, &from, &repositories, places, there)?;
        if is_made {
            fault.message = format!("in the folder `{}` {}", shown_name(&parent.path.value), fault.message);
        }
        Some(fault.within(number, index))
    });
    all.collect()
}

fn all(declared: &Declared) -> impl Iterator<Item = &Parent> {
    declared.parents.iter().chain(&declared.parents_of_sets)
}

/// Which sets' Applications may be parents of these repositories, and are not known: the number of the file of each, and why.
pub(super) fn unjudged(made: &MadeParents<'_>, led: &[Led<'_>]) -> Vec<(usize, String)> {
    let repositories = repositories(led);
    let may_be = made.unknown.iter().filter(|(_, set, _)| {
        set.is_of(|url| repositories.is_empty() || repositories.contains(&normal_repo(url)))
    });
    may_be.map(|(number, _, why)| (*number, why.clone())).collect()
}

/// What is wrong with a parent of a folder, and the number of the document (argo-cd `reposerver/repository/repository.go`,
/// findManifests: `Failed to unmarshal`, `Object 'Kind' is missing`).
fn fault(
    parent: &Parent,
    from: &Path,
    repositories: &BTreeSet<String>,
    places: &[Place],
    there: &Files,
) -> Option<(Fault, usize)> {
    let mut below = places.iter().filter_map(|it| Some((it, it.folder.strip_prefix(from).ok()?))).peekable();
    if below.peek().is_none() || is_of_tool(from, there) {
        return None;
    }
    let patterns = Patterns::of(parent);
    let (place, (taken, is_known)) = below.find_map(|(it, folder)| {
        let is_skipped = it.source.text().contains(SKIP_FILE);
        let has = |path: &Path| {
            there.has(&from.join(path)) && !(is_skipped && path == folder.join(DOCUMENT).as_path())
        };
        Some((it, takes(parent, &patterns, folder, has)?))
    })?;
    let url = parent.repo_url.as_deref().map(normal_repo);
    let is_here = url.is_some_and(|it| repositories.contains(&it));
    // of another repository
    if !is_here && !repositories.is_empty() {
        return None;
    }
    let message = if is_known {
        format!("it takes {} for a manifest, and Argo CD fails on it", quoted(&taken))
    } else {
        format!(
            "it may take {} for a manifest: its `include` or `exclude` has a class or a nested list, or is too long, so it is not evaluated",
            quoted(&taken)
        )
    };
    let help = if parent.recurses && taken.ends_with(DOCUMENT) {
        "write `directory: { recurse: true, include: '**/application*.yaml' }`, keep the Applications in a folder of their own, or write the comment `# +argocd:skip-file-rendering` into that peering.yaml"
    } else if parent.recurses {
        // JSON has no comments
        "write `directory: { recurse: true, include: '**/application*.yaml' }`, keep the Applications in a folder of their own, or keep the schema above the folder"
    } else {
        "the folder of a peering needs the plugin: write `plugin: { name: argocd-peering, parameters: [{ name: role, string: consumer }] }`"
    };
    let fault = if is_here && is_known { Fault::error } else { Fault::note };
    Some((fault(message, help, parent.path.span), place.index))
}

/// Other tools have their own files, and Argo CD then asks them (argo-cd `util/app/discovery/discovery.go`).
fn is_of_tool(folder: &Path, there: &Files) -> bool {
    ["Chart.yaml"].iter().chain(&KUSTOMIZATIONS).any(|file| there.has(&folder.join(file)))
}

/// The first file of a peering that a parent takes, and whether its patterns are evaluated.
fn takes(
    parent: &Parent,
    patterns: &Patterns,
    below: &Path,
    has: impl Fn(&Path) -> bool,
) -> Option<(String, bool)> {
    let depth = if parent.recurses { usize::MAX } else { 0 };
    let folders = below.ancestors().filter(|folder| folder.components().count() <= depth);
    let files = folders.flat_map(|folder| OTHERS.map(|name| folder.join(name)));
    let files = files.filter(|path| has(path)).map(|path| path.display().to_string());
    let taken = files.filter_map(|path| patterns.take(&path).map(|is_known| (shown_name(&path), is_known)));
    taken.min_by_key(|(_, is_known)| !is_known)
}

/// The patterns of a parent, without their lists, made once for all folders; none where one has a class or a list in a list, or is too
/// long.
struct Patterns {
    include: Option<Vec<String>>,
    exclude: Option<Vec<String>>,
}

impl Patterns {
    fn of(parent: &Parent) -> Self {
        // without them everything is included, and nothing excluded
        let include = evaluated(parent.include.as_deref().unwrap_or("*"));
        Self { include, exclude: evaluated(parent.exclude.as_deref().unwrap_or("")) }
    }

    /// Whether a path is taken, and then whether that is known. A `*` is also a `/`, and a space in a list counts (argo-cd `util/glob`,
    /// without separators; github.com/gobwas/glob).
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

/// What a pattern is without its lists.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let Some((before, rest)) = pattern.split_once('{') else {
        return Some(vec![pattern.to_owned()]).filter(|_| !pattern.contains('}'));
    };
    let (list, after) = rest.split_once('}')?;
    let ends = alternatives(after).filter(|ends| ends.len() * list.split(',').count() <= ALTERNATIVES_MAX)?;
    let each = list.split(',').flat_map(|one| ends.iter().map(move |end| format!("{before}{one}{end}")));
    Some(each.collect())
}
