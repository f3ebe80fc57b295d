//! Several environments with one folder: by branch, or by repository. Each has its own Applications, and the document of its own commit.

use super::way::{Way, branch_of};
use super::{Asked, File, OfOtherEnvironment};
use crate::argocd::application::Application;
use crate::custody::normal_repo;
use crate::diagnostic::quoted;
use crate::peering::Role;
use std::collections::{BTreeMap, BTreeSet};

/// The Applications of a role that belong to other environments: those with another commit and another cluster than the Application that
/// goes to the document's cluster; if only URLs are known, than the one of the default branch. Two Applications for one cluster own the
/// same objects, and at one commit the document has one cluster. `default` is the branch that `HEAD` means, if it is known.
pub(crate) fn other_environments<T: Copy>(
    cluster: &str,
    default: Option<&str>,
    of_role: &[(T, &Application)],
) -> Vec<T> {
    let all = || of_role.iter().map(|(_, it)| *it);
    let of_name = all().find(|it| it.cluster().is_some_and(|it| it.value == cluster));
    let is_default = |it: &&Application| commit(it, default).1 == default.unwrap_or("HEAD");
    // the order of the files must not decide
    let first = || all().min_by_key(|it| (!is_default(it), commit(it, default)));
    let is_by_url = || all().any(|it| it.cluster().is_none());
    let Some(own) = of_name.or_else(|| first().filter(|_| is_by_url())) else {
        return Vec::new();
    };
    let of_own = commit(own, default);
    let others = of_role
        .iter()
        .filter(|(_, it)| commit(it, default) != of_own && is_for_another(it, own));
    others.map(|(key, _)| *key).collect()
}

/// Why the Application is not judged.
pub(crate) fn why_not_judged(application: &Application) -> String {
    let (repo, revision) = commit(application, None);
    let is_url = application.cluster().is_none();
    let cluster = if is_url {
        "a cluster by URL that is not known to be the same"
    } else {
        "another cluster"
    };
    format!(
        "for {cluster}, from {} of {}",
        quoted(&revision),
        quoted(&repo)
    )
}

/// (argo-cd `docs/user-guide/tracking_strategies.md`; without a revision it is `HEAD`)
fn commit(application: &Application, default: Option<&str>) -> (String, String) {
    let repo = application
        .source
        .repo_url
        .as_ref()
        .map(|it| normal_repo(&it.value));
    let revision = application
        .source
        .target_revision
        .as_ref()
        .map(|it| it.value.as_str());
    let revision = branch_of(revision.unwrap_or_default(), default).unwrap_or("HEAD");
    (repo.unwrap_or_default(), revision.to_owned())
}

/// Whether two Applications are for different clusters. True also if one has a name and the other a URL, so that it is not known.
fn is_for_another(one: &Application, other: &Application) -> bool {
    let name = |it: &Application| it.cluster().map(|it| it.value);
    let url = |it: &Application| {
        it.server
            .as_ref()
            .map(|it| it.value.trim_end_matches('/').to_owned())
    };
    let differ = |one: Option<String>, other: Option<String>| {
        one.zip(other)
            .is_some_and(|(one, other)| one != other && !(one + &other).contains("{{"))
    };
    let is_unknown =
        |one, other| name(one).is_some() && name(other).is_none() && url(other).is_some();
    is_unknown(one, other)
        || is_unknown(other, one)
        || differ(name(one), name(other))
        || differ(url(one), url(other))
}

/// The Applications of a document and a role, by their numbers.
struct Side<'a> {
    cluster: &'a str,
    default: Option<&'a str>,
    of_role: Vec<(usize, &'a Application)>,
}

/// Removes the Applications of other environments from this checkout's documents.
pub(super) fn take_out_others(asked: &mut [Asked<'_>], files: &[File]) -> Vec<OfOtherEnvironment> {
    let mut sides = BTreeMap::<(usize, Role), Side<'_>>::new();
    for (number, it) in asked.iter().enumerate() {
        let Some((place, led)) = it.way.place().zip(it.led()) else {
            continue;
        };
        let cluster = place.clusters.of(led.role).as_str();
        let default = files.get(it.file).and_then(|it| it.branch.as_deref());
        let side = Side {
            cluster,
            default,
            of_role: Vec::new(),
        };
        sides
            .entry((place.index, led.role))
            .or_insert(side)
            .of_role
            .push((number, &it.application));
    }
    let others = sides
        .values()
        .flat_map(|it| other_environments(it.cluster, it.default, &it.of_role));
    let others: BTreeSet<usize> = others.collect();
    let mut left = Vec::new();
    for (_, it) in asked
        .iter_mut()
        .enumerate()
        .filter(|(number, _)| others.contains(number))
    {
        it.way = Way::To(None);
        let (name, reason) = (
            it.application.name.value.clone(),
            why_not_judged(&it.application),
        );
        left.push(OfOtherEnvironment {
            file: it.file,
            is_written: !it.application.is_generated,
            name,
            reason,
        });
    }
    left
}
