//! The two Applications of a folder, and Applications with the same name.

use super::document_rules::{is_exchanged, own_cluster};
use super::{
    FileFaults, OfFile, PeeringApplication, Place, destination_faults, error, first_line,
    mark_other, note,
};
use crate::argocd::application::{Application, OWN_CLUSTER, OWN_URL, PluginSource};
use crate::custody::normal_repo;
use crate::diagnostic::{Diagnostic, Span, quoted};
use crate::document::Located;
use crate::peering::Role;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Tells whether an Application of a role takes another commit than the document's: another one of the role goes to the document's cluster,
/// and this one goes to another cluster, from another branch or repository.
pub(crate) fn other_commits<'c>(
    cluster: &'c str,
    of_role: &[&Application],
) -> impl Fn(&Application) -> bool + use<'c> {
    let is_for_document =
        move |it: &Application| it.cluster().is_some_and(|it| it.value == cluster);
    let own = of_role
        .iter()
        .filter(|it| is_for_document(it))
        .map(|it| commit(it));
    let own: BTreeSet<[String; 2]> = own.collect();
    move |it| !own.is_empty() && !is_for_document(it) && !own.contains(&commit(it))
}

/// The repository and the revision. Without a revision it is `HEAD` (argo-cd `docs/user-guide/tracking_strategies.md`).
fn commit(application: &Application) -> [String; 2] {
    let source = &application.source;
    let repo = source.repo_url.as_ref().map(|it| normal_repo(it));
    let revision = source.target_revision.as_deref().map(String::as_str);
    let revision = revision.filter(|it| !it.is_empty()).unwrap_or("HEAD");
    let revision = revision.strip_prefix("refs/heads/").unwrap_or(revision);
    [repo.unwrap_or_default(), revision.to_owned()]
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
    for ((_, role), all) in sides {
        let cluster = all.first().map_or("", |it| it.place.cluster(role));
        let applications: Vec<&Application> = all.iter().map(|it| it.application).collect();
        let is_other = other_commits(cluster, &applications);
        let (of_others, own): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|it| is_other(it.application));
        kept.extend(own);
        others.extend(of_others);
    }
    [kept, others]
}

impl PeeringApplication<'_> {
    fn role_span(&self) -> Span {
        let source = &self.application.source;
        let role = source.role.as_ref();
        role.map_or(source.plugin.span, |it| it.span)
    }

    fn cluster_span(&self) -> Span {
        let application = self.application;
        let destination = application.destination.as_ref();
        destination.map_or_else(|| first_line(application.span), |it| it.span)
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
    let of_role = |role| all.iter().find(move |it| it.role == role);
    let [consumer, provider] = Role::BOTH.map(of_role);
    for one in all {
        if let Some(first) = of_role(one.role) {
            faults.add(one.file, Some(one.place), twin(one, first));
        }
    }
    for one in all.iter().filter(|it| it.role == Role::Provider) {
        let mut consumers = all.iter().filter(|it| it.role == Role::Consumer);
        let beside = consumers.find(|it| it.file.folder == one.file.folder);
        if let Some(other) = beside.or(consumer) {
            let of_pair = compare(one, other, beside.is_some());
            faults.add(one.file, Some(one.place), of_pair);
        }
    }
    let ((Some(only), None) | (None, Some(only))) = (consumer, provider) else {
        return;
    };
    let message = format!(
        "no Application with the role `{}` has this folder",
        only.role.peer()
    );
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
        if is_exchanged(it.application, it.place, own) {
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
    let help = "both own the same objects: change one's role, or remove one";
    let is_one_file = one.file.path == first.file.path;
    let level = if is_one_file { error } else { note };
    let fault = level(message, help, one.role_span());
    Some(mark_other(fault, one.file, (first.file, first.role_span())))
}

/// The fault of two Applications that go to each other's cluster: one slip, in the document or in both of them.
fn check_exchanged<'f>(all: &[PeeringApplication<'f>], faults: &mut FileFaults<'f>) {
    let exchanged = all
        .iter()
        .filter(|it| is_exchanged(it.application, it.place, it.role));
    let exchanged: Vec<&PeeringApplication<'f>> = exchanged.collect();
    let [consumer, provider] = Role::BOTH.map(|role| exchanged.iter().find(|it| it.role == role));
    if let (Some(one), Some(other)) = (consumer, provider) {
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
    let repo = differs("repoURL", both, |it| it.repo_url.as_ref(), normal_repo);
    let revision = differs(
        "targetRevision",
        both,
        |it| it.target_revision.as_ref(),
        str::to_owned,
    );
    let mut faults: Vec<Diagnostic> = [repo, revision].into_iter().flatten().collect();
    if let Some(it) = same_cluster(one.application, other.application) {
        let own = one
            .application
            .cluster()
            .filter(|it| it.value == OWN_CLUSTER);
        // files in two folders can be for two Argo CDs, each with its own cluster
        faults.push(if is_one_argo_cd || own.is_none() {
            it
        } else {
            let help = own_cluster(one.place.cluster(one.role));
            note(it.message, &help, it.primary.span)
        });
    }
    faults
}

/// The fault of a field that differs between the two sources.
fn differs(
    name: &str,
    [one, other]: [&PeeringApplication<'_>; 2],
    field: fn(&PluginSource) -> Option<&Located<String>>,
    as_compared: fn(&str) -> String,
) -> Option<Diagnostic> {
    let [source, other_source] = [one, other].map(|it| &it.application.source);
    let (value, other_value) = (field(source), field(other_source));
    if value.map(|it| as_compared(it)) == other_value.map(|it| as_compared(it)) {
        return None;
    }
    let shown = |it: Option<&Located<String>>| it.map_or("missing".to_owned(), |it| quoted(it));
    let (own, other_shown) = (shown(value), shown(other_value));
    let message = format!("its `{name}` is {own}, and the other role's is {other_shown}");
    let help = "both sides must render one commit of one repository";
    let at = other_value.map_or(other_source.plugin.span, |it| it.span);
    let fault = note(
        message,
        help,
        value.map_or(source.plugin.span, |it| it.span),
    );
    Some(mark_other(fault, one.file, (other.file, at)))
}

/// The fault of two roles of one peering that go to one cluster, by one name or one URL. With argocd-agent, Applications of two namespaces
/// are for two agents, and each calls its own cluster by [`OWN_URL`].
pub(crate) fn same_cluster(one: &Application, other: &Application) -> Option<Diagnostic> {
    let [url, other_url] =
        [one, other].map(|it| it.server.as_ref().map(|it| it.value.trim_end_matches('/')));
    let [name, other_name] = [one, other].map(|it| it.cluster().map(|it| it.value));
    let namespace = |it: &Application| it.namespace.as_ref().map(|it| it.value.clone());
    let are_of_agents = url == Some(OWN_URL) && namespace(one) != namespace(other);
    let is_one = (url.is_some() && url == other_url) || (name.is_some() && name == other_name);
    let at = one.destination.as_ref().or(one.server.as_ref())?;
    let name = quoted(at);
    let message = format!("its destination is {name}, and so is the other role's");
    (is_one && !are_of_agents).then(|| error(message, "each role has its own cluster", at.span))
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
        let own = folders.get(it.file.folder.as_path());
        // of a folder that was copied, `claims` reports the document
        let is_copied = own.zip(it.target).is_some_and(|(own, target)| {
            let [own_ids, ids] = [own, target].map(|it| BTreeSet::from(it.peering.clusters.ids()));
            own.index != target.index && own_ids == ids
        });
        if application.is_further_source || application.name.is_empty() || is_copied {
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

const RENAME: &str =
    "rename one: the one applied last replaces the other, whose objects are pruned";

/// The name and the namespace. Two namespaces can be the same if one of them is not written.
fn name(application: &Application) -> (&str, Option<&str>) {
    let namespace = application.namespace.as_deref();
    (&application.name, namespace.map(String::as_str))
}
