//! The two Applications of a folder, and Applications with the same name.

use super::document_rules::{goes_to, own_cluster};
use super::{
    FileFaults, OfFile, PeeringApplication, Place, destination_faults, error, first_line,
    mark_other, note, span_or,
};
use crate::argocd::application::{Application, OWN_CLUSTER, OWN_URL};
use crate::custody::normal_repo;
use crate::diagnostic::{Diagnostic, Span, quoted};
use crate::document::Located;
use crate::peering::Role;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The commits of a role's Applications that go to the document's cluster.
pub(crate) struct OwnCommits(BTreeSet<[String; 2]>);

impl OwnCommits {
    /// Of these Applications of a role.
    pub(crate) fn new<'a>(cluster: &str, all: impl Iterator<Item = &'a Application>) -> Self {
        let own = all.filter(|it| goes_to(it, cluster));
        Self(own.map(commit).collect())
    }

    /// Whether one of these Applications takes another commit than the document's: another one goes to the document's cluster, and this one
    /// to another cluster, from another branch or repository.
    pub(crate) fn excludes(&self, application: &Application) -> bool {
        !self.0.is_empty() && !self.0.contains(&commit(application))
    }
}

/// The repository and the revision. Without a revision it is `HEAD` (argo-cd `docs/user-guide/tracking_strategies.md`).
fn commit(application: &Application) -> [String; 2] {
    let source = &application.source;
    let repo = source.repo_url.as_deref().map(String::as_str);
    let repo = repo.map(normal_repo).unwrap_or_default();
    let revision = match &source.target_revision {
        Some(revision) if !revision.is_empty() => revision.as_str(),
        _ => "HEAD",
    };
    let revision = revision.strip_prefix("refs/heads/").unwrap_or(revision);
    [repo, revision.to_owned()]
}

/// Takes the Applications of other commits out. The rest is in the order of the documents.
pub(super) fn take_other_commits<'f>(
    led: Vec<PeeringApplication<'f>>,
) -> [Vec<PeeringApplication<'f>>; 2] {
    let mut sides = BTreeMap::<(usize, Role), Vec<PeeringApplication<'f>>>::new();
    for it in led {
        sides.entry((it.place.index, it.role)).or_default().push(it);
    }
    let (mut kept, mut others) = (Vec::new(), Vec::new());
    for ((_, role), mut all) in sides {
        let Some(first) = all.first() else { continue };
        let cluster = first.place.cluster(role);
        let own = OwnCommits::new(cluster, all.iter().map(|it| it.application));
        others.extend(all.extract_if(.., |it| own.excludes(it.application)));
        kept.extend(all);
    }
    [kept, others]
}

impl PeeringApplication<'_> {
    fn role_span(&self) -> Span {
        let source = &self.application.source;
        span_or(source.role.as_ref(), source.plugin.span)
    }

    fn cluster_span(&self) -> Span {
        let (cluster, whole) = (&self.application.destination, self.application.span);
        span_or(cluster.as_ref(), first_line(whole))
    }
}

pub(super) fn check_pairs<'f>(led: &[PeeringApplication<'f>], faults: &mut FileFaults<'f>) {
    for all in led.chunk_by(|one, other| one.place.index == other.place.index) {
        check_folder(all, faults);
    }
}

fn check_folder<'f>(all: &[PeeringApplication<'f>], faults: &mut FileFaults<'f>) {
    let wrong = wrong_roles(all);
    // the other findings would follow from these
    if !wrong.is_empty() {
        for (it, fault) in wrong {
            faults.add(it.file, Some(it.place), [fault]);
        }
        return;
    }
    check_exchanged(all, faults);
    // sorted by the role
    let (consumers, providers) = all.split_at(all.partition_point(|it| it.role == Role::Consumer));
    for of_role in [consumers, providers] {
        let [first, others @ ..] = of_role else {
            continue;
        };
        for one in others {
            faults.add(one.file, Some(one.place), twin(one, first));
        }
    }
    for one in providers {
        let mut all = consumers.iter();
        let beside = all.find(|it| it.file.folder == one.file.folder);
        if let Some(other) = beside.or(consumers.first()) {
            let of_pair = compare(one, other, beside.is_some());
            faults.add(one.file, Some(one.place), of_pair);
        }
    }
    let (([only, ..], []) | ([], [only, ..])) = (consumers, providers) else {
        return;
    };
    let role = only.role.peer();
    let message = format!("no Application with the role `{role}` has this folder");
    let help = "add it, unless another Argo CD's repository has it";
    let fault = note(message, help, first_line(only.application.span));
    faults.add(only.file, Some(only.place), [fault]);
}

/// The Applications that go to the other side's cluster, while no Application has the role of that side.
fn wrong_roles<'a, 'f>(
    all: &'a [PeeringApplication<'f>],
) -> Vec<(&'a PeeringApplication<'f>, Diagnostic)> {
    let mut wrong = Vec::new();
    let [first, _, ..] = all else { return wrong };
    if all.iter().any(|it| it.role != first.role) {
        return wrong;
    }
    for it in all {
        let (own, other) = (it.role, it.role.peer());
        if it.is_exchanged() {
            let message = format!("its role is `{own}`, and its cluster the {other}'s");
            let help = format!("write the role `{other}` here, or correct the cluster");
            wrong.push((it, error(message, &help, it.role_span())));
        }
    }
    wrong
}

/// The fault of a second Application for a folder and a role. [`check_names`] reports two with the same name. Two of different files may be
/// for two Argo CDs.
fn twin(one: &PeeringApplication<'_>, first: &PeeringApplication<'_>) -> Option<Diagnostic> {
    if name(first.application) == name(one.application) {
        return None;
    }
    let called = quoted(&first.application.name);
    let role = first.role;
    let message = format!("the Application {called} has this folder and the role `{role}` too");
    let help = "both own the same objects: change one's role, or delete one with `--cascade=false`";
    let is_one_file = one.file.path == first.file.path;
    let level = if is_one_file { error } else { note };
    let fault = level(message, help, one.role_span());
    Some(mark_other(fault, one.file, (first.file, first.role_span())))
}

/// The fault of two Applications that go to each other's cluster: one slip, in the document or in both of them.
fn check_exchanged<'f>(all: &[PeeringApplication<'f>], faults: &mut FileFaults<'f>) {
    let exchanged: Vec<_> = all.iter().filter(|it| it.is_exchanged()).collect();
    if let [one, ..] = exchanged.as_slice()
        && let Some(other) = exchanged.iter().find(|it| it.role > one.role)
    {
        let [consumer, provider] = Role::BOTH.map(|role| quoted(one.place.cluster(role)));
        let message = format!(
            "the sides are exchanged: the document has consumer {consumer} and provider {provider}"
        );
        let help = "exchange them in the document, or in both Applications";
        let fault = error(message, help, one.cluster_span());
        let fault = mark_other(fault, one.file, (other.file, other.cluster_span()));
        return faults.add(one.file, Some(one.place), [fault]);
    }
    for it in exchanged {
        let of_it = destination_faults(it.application, it.place.cluster(it.role), it.role);
        faults.add(it.file, Some(it.place), of_it);
    }
}

/// The faults of two Applications with different commits, by which the two sides disagree, or with the same cluster.
fn compare(
    one: &PeeringApplication<'_>,
    other: &PeeringApplication<'_>,
    is_one_argo_cd: bool,
) -> Vec<Diagnostic> {
    let both = [one, other];
    let [source, other_source] = both.map(|it| &it.application.source);
    let repos = [&source.repo_url, &other_source.repo_url].map(Option::as_ref);
    let revisions = [&source.target_revision, &other_source.target_revision].map(Option::as_ref);
    let mut faults = Vec::new();
    let [repo, other_repo] = repos.map(|it| Some(normal_repo(it?)));
    if repo != other_repo {
        faults.push(difference("repoURL", both, repos));
    }
    if source.target_revision != other_source.target_revision {
        faults.push(difference("targetRevision", both, revisions));
    }
    if let Some(mut fault) = same_cluster(one.application, other.application) {
        // files in two folders can be for two Argo CDs, each with its own cluster
        if !is_one_argo_cd && goes_to(one.application, OWN_CLUSTER) {
            let help = own_cluster(one.place.cluster(one.role));
            fault = note(fault.message, &help, fault.primary.span);
        }
        faults.push(fault);
    }
    faults
}

/// The fault of a field that differs between the two sources.
fn difference(
    name: &str,
    [one, other]: [&PeeringApplication<'_>; 2],
    values: [Option<&Located<String>>; 2],
) -> Diagnostic {
    let [own, of_other] = values.map(|it| it.map_or("missing".to_owned(), |it| quoted(it)));
    let message = format!("its `{name}` is {own}, and the other role's is {of_other}");
    let help = "both sides must render one commit of one repository";
    let [value, other_value] = values;
    let at = span_or(value, one.application.source.plugin.span);
    let other_at = span_or(other_value, other.application.source.plugin.span);
    mark_other(note(message, help, at), one.file, (other.file, other_at))
}

/// The fault of two roles of one peering that go to one cluster, by one name or one URL. With argocd-agent, Applications of two namespaces
/// are for two agents, and each calls its own cluster by [`OWN_URL`].
pub(crate) fn same_cluster(one: &Application, other: &Application) -> Option<Diagnostic> {
    let [url, other_url] =
        [one, other].map(|it| Some(it.server.as_ref()?.value.trim_end_matches('/')));
    let name = one.cluster();
    let is_one = (url.is_some() && url == other_url) || (name.is_some() && name == other.cluster());
    let are_of_agents = url == Some(OWN_URL) && one.namespace != other.namespace;
    if !is_one || are_of_agents {
        return None;
    }
    let at = one.destination.as_ref().or(one.server.as_ref())?;
    let shown = quoted(at);
    let message = format!("its destination is {shown}, and so is the other role's");
    Some(error(message, "each role has its own cluster", at.span))
}

/// The faults of Applications with the same name. Kubernetes has one object with a name, and Argo CD tracks objects by this name even where
/// there are two (argo-cd `util/argo/resource_tracking.go`, `SetAppInstance`). Objects of one file are applied together; objects of two
/// files can be for two Argo CDs, so there it is a note.
pub(super) fn check_names<'f>(
    all: &[OfFile<'f>],
    places: &[Place<'_>],
    faults: &mut FileFaults<'f>,
) {
    let mut names = BTreeMap::new();
    let folders: BTreeMap<&Path, &Place<'_>> = places.iter().map(|it| (it.folder, it)).collect();
    for it in all {
        let (application, at) = (it.application, it.application.name.span);
        if application.is_further_source || application.name.is_empty() {
            continue;
        }
        // of a folder that was copied, `claims` reports the document
        if let (Some(own), Some(target)) = (folders.get(it.file.folder.as_path()), it.target)
            && own.index != target.index
            && BTreeSet::from(own.peering.clusters.ids())
                == BTreeSet::from(target.peering.clusters.ids())
        {
            continue;
        }
        let Some(other) = names.insert(name(application), (it.file, at)) else {
            continue;
        };
        let called = quoted(&application.name);
        let message = format!("another Application is called {called} too");
        let fault = if other.0.path == it.file.path {
            error(message, RENAME, at)
        } else {
            let help = format!("unless they are for two Argo CDs, {RENAME}");
            note(message, &help, at)
        };
        faults.add(it.file, it.target, [mark_other(fault, it.file, other)]);
    }
}

const RENAME: &str = "rename one: the last one replaces the other, whose objects are pruned";

/// The name and the namespace. Two namespaces can be the same if one of them is not written.
fn name(application: &Application) -> (&str, Option<&str>) {
    let namespace = application.namespace.as_deref();
    (&application.name, namespace.map(String::as_str))
}
