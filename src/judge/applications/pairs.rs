//! The two Applications of a folder, and Applications with the same name.

use super::fits::own_cluster;
use super::{Fault, File, Finds, Flaw, Led, applications, destinations, first_line};
use crate::argocd::application::{Application, OWN_CLUSTER, Source};
use crate::custody::normal_repo;
use crate::diagnostic::quoted;
use crate::document::Located;
use crate::peering::Role;
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn check(led: &[Led<'_>], files: &[File]) -> Vec<Flaw> {
    let mut folders = BTreeMap::<usize, Vec<&Led<'_>>>::new();
    for it in led {
        folders.entry(it.place.index).or_default().push(it);
    }
    folders
        .iter()
        .flat_map(|(index, all)| of_folder(*index, all, files))
        .collect()
}

fn of_folder(index: usize, all: &[&Led<'_>], files: &[File]) -> Vec<Flaw> {
    let mut found = exchanged(index, all);
    let [consumer, provider] =
        Role::BOTH.map(|role| all.iter().copied().find(|it| it.role == role));
    for one in all {
        let first = if one.role == Role::Consumer {
            consumer
        } else {
            provider
        };
        found.extend(first.and_then(|first| twin(one, first)));
    }
    for one in all.iter().filter(|it| it.role == Role::Provider) {
        let mut consumers = all.iter().copied().filter(|it| it.role == Role::Consumer);
        let beside = consumers.find(|it| folder(it, files) == folder(one, files));
        let faults = beside
            .or(consumer)
            .map(|other| compare(one, other, beside.is_some()));
        found.extend(
            faults
                .into_iter()
                .flatten()
                .map(|fault| fault.within(one.file, index)),
        );
    }
    let (missing, only) = match (consumer, provider) {
        (Some(only), None) => (Role::Provider, only),
        (None, Some(only)) => (Role::Consumer, only),
        _ => return found,
    };
    let message = format!("no Application with the role `{missing}` has this folder");
    let help = "add it, unless it is in the repository of another Argo CD";
    let fault = Fault::note(message, help, first_line(only.application.span));
    found.push(fault.within(only.file, index));
    found
}

fn folder<'f>(it: &Led<'_>, files: &'f [File]) -> Option<&'f Path> {
    files.get(it.file).map(|file| file.folder.as_path())
}

/// The fault of a second Application for a folder and a role. [`of_one_name`] reports two with the same name; two in different files may be
/// for two Argo CDs.
fn twin(one: &Led<'_>, first: &Led<'_>) -> Option<Flaw> {
    if name(first.application) == name(one.application) {
        return None;
    }
    let called = quoted(&first.application.name);
    let message = format!(
        "the Application {called} has this folder and the role `{}` too",
        first.role
    );
    let help = "both own the same objects: change the role of one, or remove it";
    let fault = Fault::error(message, help, role_span(one));
    Some(
        fault
            .beside(first.file, role_span(first))
            .within(one.file, one.place.index),
    )
}

/// The fault of two Applications that go to each other's cluster: one slip, in the document or in both of them.
fn exchanged(index: usize, applications: &[&Led<'_>]) -> Vec<Flaw> {
    let exchanged: Vec<_> = applications.iter().filter(|it| it.is_exchanged()).collect();
    let [consumer, provider] = Role::BOTH.map(|role| exchanged.iter().find(|it| it.role == role));
    if let (Some(one), Some(other)) = (consumer, provider) {
        let [consumer, provider] = Role::BOTH.map(|role| quoted(one.place.clusters.of(role)));
        let message = format!(
            "the two sides are exchanged: the document's consumer is {consumer} and its provider {provider}, and the Applications have it the other way round"
        );
        let help = "exchange them in the document, or in both Applications";
        let fault = Fault::error(message, help, cluster_span(one));
        return vec![
            fault
                .beside(other.file, cluster_span(other))
                .within(one.file, index),
        ];
    }
    let mut found = Vec::new();
    for it in exchanged {
        let faults = destinations(it.application, it.place.clusters.of(it.role), it.role);
        found.extend(faults.into_iter().map(|fault| fault.within(it.file, index)));
    }
    found
}

fn cluster_span(it: &Led<'_>) -> crate::diagnostic::Span {
    let application = it.application;
    application
        .destination
        .as_ref()
        .map_or_else(|| first_line(application.span), |it| it.span)
}

fn role_span(it: &Led<'_>) -> crate::diagnostic::Span {
    let source = &it.application.source;
    source
        .role
        .as_ref()
        .map_or(source.plugin.span, |it| it.span)
}

/// The faults of two Applications with different commits, by which the two sides disagree, or with the same cluster.
fn compare(led: &Led<'_>, other: &Led<'_>, is_one_argo_cd: bool) -> Vec<Fault> {
    let repo = differs(
        "repoURL",
        led,
        other,
        |it| it.repo_url.as_ref(),
        normal_repo,
    );
    let revision = differs(
        "targetRevision",
        led,
        other,
        |it| it.target_revision.as_ref(),
        str::to_owned,
    );
    let cluster = same_cluster(led.application, other.application);
    let is_own = !is_one_argo_cd
        && led
            .application
            .cluster()
            .is_some_and(|it| it.value == OWN_CLUSTER);
    let cluster = if is_own {
        cluster.map(|fault| of_two_argo_cds(led, fault))
    } else {
        cluster
    };
    [repo, revision, cluster].into_iter().flatten().collect()
}

/// The fault of a field that differs between the two sources.
fn differs(
    name: &str,
    led: &Led<'_>,
    other: &Led<'_>,
    field: fn(&Source) -> Option<&Located<String>>,
    as_compared: fn(&str) -> String,
) -> Option<Fault> {
    let [source, other_source] = [led, other].map(|it| &it.application.source);
    let (one, its) = (field(source), field(other_source));
    if one.map(|it| as_compared(&it.value)) == its.map(|it| as_compared(&it.value)) {
        return None;
    }
    let message = format!(
        "its `{name}` is {}, and that of the other role is {}",
        shown(one),
        shown(its)
    );
    let help = "both sides render one commit of one repository, or they can disagree";
    let at = one.map_or(source.plugin.span, |it| it.span);
    let there = its.map_or(other_source.plugin.span, |it| it.span);
    Some(Fault::note(message, help, at).beside(other.file, there))
}

fn shown(it: Option<&Located<String>>) -> String {
    it.map_or_else(|| "missing".to_owned(), |it| quoted(&it.value))
}

/// The fault as a note: files in two folders can be for two Argo CDs, each with its own cluster.
fn of_two_argo_cds(led: &Led<'_>, Fault { message, span, .. }: Fault) -> Fault {
    Fault::note(message, &own_cluster(led.place.clusters.of(led.role)), span)
}

/// The fault of two roles of one peering that go to one cluster, by one name or one URL.
pub(crate) fn same_cluster(one: &Application, other: &Application) -> Option<Fault> {
    let [url, other_url] =
        [one, other].map(|it| it.server.as_ref().map(|it| it.value.trim_end_matches('/')));
    let [name, other_name] = [one, other].map(|it| it.cluster().map(|it| it.value));
    let at = one
        .destination
        .as_ref()
        .or(one.server.as_ref())
        .filter(|it| !it.value.contains("{{"))?;
    let message = format!(
        "its destination is {}, and so is that of the other role",
        quoted(at)
    );
    let is_one = (url.is_some() && url == other_url) || (name.is_some() && name == other_name);
    is_one.then(|| Fault::error(message, "each role has its own cluster", at.span))
}

/// The faults of Applications with the same name. Kubernetes has one object with a name, and Argo CD tracks objects by this name even where
/// there are two (argo-cd `util/argo/resource_tracking.go`, `SetAppInstance`). Objects of one file are applied together; objects of two
/// files can be for two Argo CDs, so there it is a note. Names from templates are not known.
pub(super) fn of_one_name(files: &[File], finds: &[Finds<'_>]) -> Vec<Flaw> {
    let (mut names, mut found) = (BTreeMap::new(), Vec::new());
    for (number, set, application) in applications(files, finds) {
        if application.is_again || application.name.is_empty() || application.name.contains("{{") {
            continue;
        }
        let at = application.name.span;
        let Some((other, its_set, its_place)) = names.insert(name(application), (number, set, at))
        else {
            continue;
        };
        let help = match (set, its_set) {
            (Some(set), Some(other)) if set == other => RENAME_IN_SET,
            (Some(_), Some(_)) => RENAME_OF_SET,
            _ => RENAME,
        };
        let message = format!(
            "another Application is called {} too",
            quoted(&application.name)
        );
        let fault = if other == number {
            Fault::error(message, help, at)
        } else {
            Fault::note(
                message,
                &format!("unless they are for two Argo CDs, {help}"),
                at,
            )
        };
        found.push(fault.beside(other, its_place).within(number, 0));
    }
    found
}

const RENAME: &str = "rename one: the one that is applied last replaces the other, and Argo CD prunes the objects of that one";

/// (argo-cd `applicationset/controllers/applicationset_controller.go`, validateGeneratedApplications)
const RENAME_IN_SET: &str = "give each its own name in the template: of those with one name Argo CD makes none, and before 3.2 the first";

/// (the same file, createOrUpdateInCluster: SetControllerReference)
const RENAME_OF_SET: &str = "rename one: the Application is the set's that makes it first, and the other set cannot change it";

/// The name and the namespace. Two namespaces can be the same if one of them is not written.
fn name(application: &Application) -> (&str, Option<&str>) {
    (
        &application.name,
        application.namespace.as_ref().map(|it| it.value.as_str()),
    )
}
