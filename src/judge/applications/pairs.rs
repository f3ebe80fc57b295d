//! The two Applications of a folder.

use super::fits::own_cluster;
use super::same_name::name;
use super::{Fault, File, Flaw, Led, destinations, first_line};
use crate::argocd::application::{Application, OWN_CLUSTER};
use crate::custody::normal_repo;
use crate::diagnostic::quoted;
use crate::document::Located;
use crate::peering::Role;
use std::collections::BTreeMap;

pub(super) fn check(led: &[Led<'_>], files: &[File]) -> Vec<Flaw> {
    let (mut folders, mut found) = (BTreeMap::<usize, Vec<&Led<'_>>>::new(), Vec::new());
    for application in led {
        folders.entry(application.place.index).or_default().push(application);
    }
    for (index, applications) in folders {
        found.extend(exchanged(index, &applications));
        let mut first_of_role: [Option<&Led<'_>>; 2] = [None; 2];
        let folder = |it: &Led<'_>| files.get(it.file).map(|file| &file.folder);
        for one in &applications {
            let [consumer, provider] = &mut first_of_role;
            let first = if one.role == Role::Consumer { consumer } else { provider };
            // two of one name are reported by `names`, and of two files each can be another Argo CD's
            match *first {
                Some(twin) if name(twin.application) == name(one.application) => {}
                Some(twin) => {
                    let called = quoted(&twin.application.name);
                    let message =
                        format!("the Application {called} has this folder and the role `{}` too", twin.role);
                    let help = "both own the same objects: change the role of one, or remove it";
                    let fault = Fault::error(message, help, role_span(one));
                    found.push(fault.beside(twin.file, role_span(twin)).within(one.file, index));
                }
                None => *first = Some(one),
            }
        }
        let of_role = |role| applications.iter().filter(move |it| it.role == role);
        for one in of_role(Role::Provider) {
            let other =
                of_role(Role::Consumer).find(|it| folder(it) == folder(one)).or(first_of_role[0].as_ref());
            let is_one_argo_cd = other.is_some_and(|other| folder(other) == folder(one));
            let faults = other.into_iter().flat_map(|other| compare(one, other, is_one_argo_cd));
            found.extend(faults.map(|fault| fault.within(one.file, index)));
        }
        let (missing, only) = match first_of_role {
            [Some(only), None] => (Role::Provider, only),
            [None, Some(only)] => (Role::Consumer, only),
            _ => continue,
        };
        let message = format!("no Application with the role `{missing}` has this folder");
        let help = "add it, unless it is in the repository of another Argo CD";
        let fault = Fault::note(message, help, first_line(only.application.span));
        found.push(fault.within(only.file, index));
    }
    found
}

/// Where each goes to the cluster of the other, one slip did it, in the document or in both.
fn exchanged(index: usize, applications: &[&Led<'_>]) -> Vec<Flaw> {
    let of_role = |role| applications.iter().filter(move |it| it.role == role && it.is_exchanged());
    if let (Some(one), Some(other)) = (of_role(Role::Consumer).next(), of_role(Role::Provider).next()) {
        let [consumer, provider] = Role::BOTH.map(|role| quoted(one.place.clusters.of(role)));
        let message = format!(
            "the two sides are exchanged: the document's consumer is {consumer} and its provider {provider}, and the Applications have it the other way round"
        );
        let help = "exchange them in the document, or in both Applications";
        let fault = Fault::error(message, help, cluster_span(one));
        return vec![fault.beside(other.file, cluster_span(other)).within(one.file, index)];
    }
    let of_one = |it: &&Led<'_>| {
        let faults = destinations(it.application, it.place.clusters.of(it.role), it.role).into_iter();
        let (file, index) = (it.file, index);
        faults.map(move |fault| fault.within(file, index))
    };
    Role::BOTH.into_iter().flat_map(of_role).flat_map(of_one).collect()
}

fn cluster_span(it: &Led<'_>) -> crate::diagnostic::Span {
    let application = it.application;
    application.destination.as_ref().map_or_else(|| first_line(application.span), |it| it.span)
}

fn role_span(it: &Led<'_>) -> crate::diagnostic::Span {
    let source = &it.application.source;
    source.role.as_ref().map_or(source.plugin.span, |it| it.span)
}

/// One commit for both, or the two sides disagree; and a cluster for each.
fn compare(led: &Led<'_>, other: &Led<'_>, is_one_argo_cd: bool) -> Vec<Fault> {
    type Field = Option<Located<String>>;
    let one = led.application;
    let (here, there, other_file) = (&one.source, &other.application.source, other.file);
    let shown = |it: &Field| it.as_ref().map_or_else(|| "missing".to_owned(), |it| quoted(&it.value));
    let differs = |name: &str, of_one: &Field, of_other: &Field, as_compared: fn(&str) -> String| {
        let message =
            format!("its `{name}` is {}, and that of the other role is {}", shown(of_one), shown(of_other));
        let help = "both sides render one commit of one repository, or they can disagree";
        let at = of_one.as_ref().map_or(here.plugin.span, |it| it.span);
        let [one, other] = [of_one, of_other].map(|it| it.as_ref().map(|it| as_compared(&it.value)));
        let there = of_other.as_ref().map_or(there.plugin.span, |it| it.span);
        (one != other).then(|| Fault::note(message, help, at).beside(other_file, there))
    };
    let repo = differs("repoURL", &here.repo_url, &there.repo_url, normal_repo);
    let revision = (&here.target_revision, &there.target_revision);
    let revision = differs("targetRevision", revision.0, revision.1, str::to_owned);
    let cluster = same_cluster(one, other.application);
    let is_own = !is_one_argo_cd && one.cluster().is_some_and(|it| it.value == OWN_CLUSTER);
    let cluster = if is_own { cluster.map(|fault| of_two_argo_cds(led, fault)) } else { cluster };
    [repo, revision, cluster].into_iter().flatten().collect()
}

/// Files in two folders can be for two of them, each with its own cluster.
fn of_two_argo_cds(led: &Led<'_>, Fault { message, span, .. }: Fault) -> Fault {
    Fault::note(message, &own_cluster(led.place.clusters.of(led.role)), span)
}

/// Two roles of one peering that go to one cluster: by one name, or by one URL.
pub(crate) fn same_cluster(one: &Application, other: &Application) -> Option<Fault> {
    let url = |it: &Application| it.server.as_ref().map(|it| it.value.trim_end_matches('/').to_owned());
    let name = |it: &Application| it.cluster().map(|it| it.value);
    let is_same = |one: Option<String>, other: Option<String>| one.is_some() && one == other;
    let at = one.destination.as_ref().or(one.server.as_ref()).filter(|it| !it.value.contains("{{"))?;
    let message = format!("its destination is {}, and so is that of the other role", quoted(at));
    let is_one = is_same(url(one), url(other)) || is_same(name(one), name(other));
    is_one.then(|| Fault::error(message, "each role has its own cluster", at.span))
}
