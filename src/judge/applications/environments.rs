//! Environments of one folder: by branch, or by repository. Each has Applications of its own, and a document of its own commit.

use super::way::{Way, branch_of};
use super::{Asked, File, OfOtherEnvironment};
use crate::argocd::application::Application;
use crate::custody::normal_repo;
use crate::diagnostic::quoted;
use crate::peering::Role;
use std::collections::{BTreeMap, BTreeSet};

/// Of a role's Applications those of other environments: of another commit, and for another cluster, than the one that goes to the
/// document's. For one cluster both own the same objects, and of one commit the document has one cluster. `default` is the branch that
/// `HEAD` is, if it is known.
pub(crate) fn other_environments<T: Copy>(
    cluster: &str,
    default: Option<&str>,
    of_role: &[(T, &Application)],
) -> Vec<T> {
    let mut all = of_role.iter().map(|(_, it)| *it);
    let own = all.find(|it| it.cluster().is_some_and(|it| it.value == cluster));
    let Some(own) = own else { return Vec::new() };
    let of_own = commit(own, default);
    let others = of_role.iter().filter(|(_, it)| commit(it, default) != of_own && is_for_another(it, own));
    others.map(|(key, _)| *key).collect()
}

/// Why it is not judged.
pub(crate) fn why_not_judged(application: &Application) -> String {
    let (repo, revision) = commit(application, None);
    format!("for another cluster, from {} of {}", quoted(&revision), quoted(&repo))
}

/// (argo-cd `docs/user-guide/tracking_strategies.md`; without a revision it is `HEAD`)
fn commit(application: &Application, default: Option<&str>) -> (String, String) {
    let repo = application.source.repo_url.as_ref().map(|it| normal_repo(&it.value));
    let revision = application.source.target_revision.as_ref().map(|it| it.value.as_str());
    let revision = branch_of(revision.unwrap_or_default(), default).unwrap_or("HEAD");
    (repo.unwrap_or_default(), revision.to_owned())
}

/// Whether two are for different clusters, as far as that is known: both by name, or both by URL.
fn is_for_another(one: &Application, other: &Application) -> bool {
    let name = |it: &Application| it.cluster().map(|it| it.value);
    let url = |it: &Application| it.server.as_ref().map(|it| it.value.trim_end_matches('/').to_owned());
    let differ = |one: Option<String>, other: Option<String>| {
        one.zip(other).is_some_and(|(one, other)| one != other && !(one + &other).contains("{{"))
    };
    differ(name(one), name(other)) || differ(url(one), url(other))
}

/// The Applications of a document and a role, by their numbers.
struct Side<'a> {
    cluster: &'a str,
    default: Option<&'a str>,
    of_role: Vec<(usize, &'a Application)>,
}

/// Takes those of other environments off this checkout's documents.
pub(super) fn take_out_others(asked: &mut [Asked<'_>], files: &[File]) -> Vec<OfOtherEnvironment> {
    let mut sides = BTreeMap::<(usize, Role), Side<'_>>::new();
    for (number, it) in asked.iter().enumerate() {
        let Some((place, led)) = it.way.place().zip(it.led()) else { continue };
        let cluster = place.clusters.of(led.role).as_str();
        let default = files.get(it.file).and_then(|it| it.branch.as_deref());
        let side = Side { cluster, default, of_role: Vec::new() };
        sides.entry((place.index, led.role)).or_insert(side).of_role.push((number, &it.application));
    }
    let others = sides.values().flat_map(|it| other_environments(it.cluster, it.default, &it.of_role));
    let others: BTreeSet<usize> = others.collect();
    let mut left = Vec::new();
    for (_, it) in asked.iter_mut().enumerate().filter(|(number, _)| others.contains(number)) {
        it.way = Way::To(None);
        let (name, reason) = (it.application.name.value.clone(), why_not_judged(&it.application));
        left.push(OfOtherEnvironment {
            file: it.file,
            is_written: !it.application.is_generated,
            name,
            reason,
        });
    }
    left
}
