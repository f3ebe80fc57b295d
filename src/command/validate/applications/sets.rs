//! ApplicationSets over folders: the folders' names are the destinations.

use super::template::evaluate;
use super::{File, Findings, Place, settings};
use crate::argocd::application::ApplicationSet;
use crate::argocd::project::{is_known, is_match};
use crate::command::error::Error;
use crate::diagnostic::{Code, Rule, quoted, shown_name};
use crate::peering::Role;
use std::collections::BTreeMap;
use std::path::Path;

/// How many steps from folder to folder the patterns of a run may take, and how many folders they may find together, of which each
/// takes a step more for 64 bytes of the template. A thousand sets that each find a hundred folders need a half.
const STEPS_MAX: usize = 1_000_000;

/// A set, and the folders that it finds.
pub(in super::super) struct Finds<'f> {
    /// Which of the files it is in.
    pub(super) file: usize,
    pub(super) set: &'f ApplicationSet,
    /// The documents, with their folders from the root of the repository.
    pub(super) places: Vec<(&'f Place, &'f str)>,
}

impl Finds<'_> {
    /// Why its Applications are not known, if they are not.
    pub(super) fn unknown(&self) -> Option<&'static str> {
        let Self { set, places, .. } = self;
        let reasons = [
            (set.is_patched, "its `templatePatch` is not evaluated"),
            (set.folders.is_empty(), "its generators are not evaluated"),
            (roles(set).is_empty(), "the `role` of its template is not known"),
            (places.is_empty(), "its patterns find no folder that was checked"),
        ];
        reasons.into_iter().find_map(|(is, reason)| is.then_some(reason))
    }
}

/// What the sets of all files find.
///
/// # Errors
/// When that is more than a run compares.
pub(in super::super) fn find_folders<'f>(
    files: &'f [File],
    places: &'f [Place],
) -> Result<Vec<Finds<'f>>, Error> {
    let mut roots: BTreeMap<Option<&Path>, Folders<'f>> = BTreeMap::new();
    let (mut left, mut finds) = (STEPS_MAX, Vec::new());
    for (number, file) in files.iter().enumerate() {
        for set in &file.declared.sets {
            let root = file.root.as_deref();
            // outside of a repository it finds nothing that is known here
            let folders = roots.entry(root).or_insert_with(|| Folders::below(root, places));
            finds.push(Finds {
                file: number,
                set,
                places: folders.of_set(set, &mut left).ok_or_else(too_many)?,
            });
        }
    }
    Ok(finds)
}

fn too_many() -> Error {
    let reason = format!(
        "the patterns of the ApplicationSets have more than {STEPS_MAX} folders to look at; name fewer folders at once"
    );
    Error::Flag { flag: "PATHS", reason }
}

/// The folders of documents, as a tree: a pattern is not compared with each of thousands of them.
#[derive(Default)]
struct Folders<'p> {
    here: Vec<(&'p Place, &'p str)>,
    below: BTreeMap<&'p str, Self>,
}

impl<'p> Folders<'p> {
    fn below(root: Option<&Path>, places: &'p [Place]) -> Self {
        let mut folders = Self::default();
        let inside = |place: &'p Place| place.folder.strip_prefix(root?).ok().and_then(Path::to_str);
        for place in places {
            let Some(folder) = inside(place) else { continue };
            let end =
                folder.split('/').fold(&mut folders, |at, segment| at.below.entry(segment).or_default());
            end.here.push((place, folder));
        }
        folders
    }

    /// What a generator finds, each folder once, if the template is all that makes its Applications. With a class in a pattern it is
    /// not known here. None if it takes more steps than are left.
    fn of_set(&self, set: &ApplicationSet, left: &mut usize) -> Option<Vec<(&'p Place, &'p str)>> {
        let mut found = Vec::new();
        let cost = cost(set);
        let is_plain = |pattern: &&str| !set.is_patched && is_known(&[pattern]);
        for pattern in set.folders.iter().map(|it| it.value.as_str()).filter(is_plain) {
            let segments: Vec<&str> = pattern.split('/').collect();
            self.find(&segments, cost, left, &mut found)?;
        }
        found.sort_by_key(|(place, _)| place.index);
        found.dedup_by_key(|(place, _)| place.index);
        Some(found)
    }

    /// Each `*` is within one segment (argo-cd `applicationset/generators/git.go`, path.Match).
    fn find(
        &self,
        pattern: &[&str],
        cost: usize,
        left: &mut usize,
        found: &mut Vec<(&'p Place, &'p str)>,
    ) -> Option<()> {
        let Some((first, rest)) = pattern.split_first() else {
            *left = left.checked_sub(cost.saturating_mul(self.here.len()))?;
            found.extend(&self.here);
            return Some(());
        };
        if !first.contains(['*', '?']) {
            return self.below.get(first).map_or(Some(()), |below| below.find(rest, cost, left, found));
        }
        for (segment, below) in &self.below {
            // a `*` is tried at each place of a segment
            *left = left.checked_sub(1 + first.len() * segment.len() / 256)?;
            if is_match(first, segment) {
                below.find(rest, cost, left, found)?;
            }
        }
        Some(())
    }
}

/// The steps that a folder of a set takes: all texts of the template are evaluated for it.
fn cost(ApplicationSet { roles, template, .. }: &ApplicationSet) -> usize {
    let it = template;
    let fields =
        [&it.project, &it.repo_url, &it.target_revision, &it.path, &it.destination, &it.target_namespace];
    let texts = fields.into_iter().chain([&it.role]).flatten().chain([&it.name]);
    let bytes = texts.map(|it| it.value.len()).chain(roles.iter().map(|it| 1 + it.len())).sum::<usize>();
    1 + bytes / 64
}

pub(super) fn check(finds: &[Finds<'_>], findings: &mut [Findings]) {
    for Finds { file, set, places } in finds {
        let Some(findings) = findings.get_mut(*file) else { continue };
        settings(&set.template, findings);
        for (place, folder) in places {
            check_folder(set, place, folder, findings);
        }
    }
}

fn check_folder(set: &ApplicationSet, place: &Place, folder: &str, findings: &mut Findings) {
    let Some(template) = &set.template.destination else { return };
    findings.index = place.index;
    for role in roles(set) {
        let Some(destination) = evaluate(&template.value, folder, role) else { continue };
        if destination != place.cluster(role) {
            let message = format!(
                "in the folder `{}` the {role}'s destination is {}, and the {role} of the document is {}",
                shown_name(folder),
                quoted(&destination),
                quoted(place.cluster(role))
            );
            let correct = if template.value.contains("{{") { "rename the folder" } else { "correct it" };
            let help = format!(
                "{correct}, or write `argocdCluster: {}` into `spec.{role}`",
                shown_name(&destination)
            );
            findings.errors.push(Rule::new(Code::Application, message).help(help).at(template.span));
        }
    }
}

/// The roles of its Applications: the one that is written, or those of its list. Of another template nothing is known.
pub(super) fn roles(set: &ApplicationSet) -> Vec<Role> {
    let Some(word) = set.template.role.as_ref().map(|it| it.value.as_str()) else { return Vec::new() };
    if word.split_whitespace().collect::<String>() != "{{.role}}" {
        return Role::find(word).into_iter().collect();
    }
    let is_listed = |role: &Role| set.roles.is_empty() || set.roles.iter().any(|it| it == role.word());
    Role::BOTH.into_iter().filter(is_listed).collect()
}
