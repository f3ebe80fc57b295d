//! AppProjects: whether they permit what a stream has.

use super::sets::{evaluate, folder_of, generates};
use super::{File, Findings, Led, Place, first_line};
use crate::argocd::application::AppProject;
use crate::diagnostic::{Code, Diagnostic, Rule, Span, quoted};
use crate::input::yaml::{Node, documents};
use crate::peering::{Material, Role};
use crate::{rules, stream};
use std::collections::BTreeMap;

/// A stream, the project that its Application is in, and the cluster that it goes to.
struct Use<'f> {
    project: String,
    place: &'f Place,
    role: Role,
}

pub(super) fn check(led: &[Led<'_>], files: &[File], places: &[Place], findings: &mut [Findings]) {
    if files.iter().all(|file| file.declared.projects.is_empty()) {
        return;
    }
    let uses = uses(led, files, places);
    for (file, findings) in files.iter().zip(findings) {
        for project in &file.declared.projects {
            // many streams need the same
            let mut missing = BTreeMap::new();
            for used in uses.iter().filter(|it| it.project == project.name) {
                findings.index = used.place.index;
                missing.extend(missing_in(project, used).into_iter().map(|it| (it.message.clone(), it)));
            }
            findings.errors.extend(missing.into_values());
        }
    }
}

/// The streams whose destination is the document's; another one is an error of its own.
fn uses<'f>(led: &'f [Led<'f>], files: &'f [File], places: &'f [Place]) -> Vec<Use<'f>> {
    let mut uses = Vec::new();
    for &Led { application, place, role, .. } in led {
        let is_right = application.destination.as_ref().is_some_and(|it| it.value == place.cluster(role));
        let project = application.project.as_ref().filter(|_| is_right);
        uses.extend(project.map(|project| Use { project: project.value.clone(), place, role }));
    }
    for (file, set) in files.iter().flat_map(|file| file.declared.sets.iter().map(move |set| (file, set))) {
        let (Some(project), Some(destination)) = (&set.template.project, &set.template.destination) else {
            continue;
        };
        for place in places {
            let Some(folder) = folder_of(file, place).filter(|folder| generates(set, folder)) else {
                continue;
            };
            for role in Role::BOTH {
                if evaluate(&destination.value, &folder, role) == Some(place.cluster(role)) {
                    let project = project.value.replace("{{ .role }}", role.word());
                    uses.push(Use { project, place, role });
                }
            }
        }
    }
    uses
}

/// What a stream has and its project does not permit. Of a document that is wrong nothing is known.
fn missing_in(project: &AppProject, used: &Use<'_>) -> Vec<Diagnostic> {
    let Some(stream) = stream_of(used) else { return Vec::new() };
    let cluster = used.place.cluster(used.role);
    let mut missing = Vec::new();
    for object in documents(&stream) {
        let text = |keys: &[&str]| object.at(keys).and_then(Node::text).unwrap_or_default();
        let (kind, name, namespace) =
            (text(&["kind"]), text(&["metadata", "name"]), text(&["metadata", "namespace"]));
        let group = text(&["apiVersion"]).split_once('/').map_or("", |(group, _)| group);
        let is_namespaced = !namespace.is_empty();
        if !project.permits_kind(group, kind, name, is_namespaced) {
            missing.push(if is_namespaced {
                let at = project.namespaced_kinds.as_ref().map_or_else(Span::default, |it| it.span);
                let entry = format!("{{ group: \"{group}\", kind: {kind} }}");
                refusal(
                    project,
                    used,
                    &format!("the kind `{kind}`"),
                    "namespaceResourceWhitelist",
                    &entry,
                    at,
                )
            } else {
                let what = format!("the {kind} {}", quoted(name));
                let entry = format!("{{ group: \"{group}\", kind: {kind}, name: {name} }}");
                refusal(project, used, &what, "clusterResourceWhitelist", &entry, project.cluster_kinds.span)
            });
        }
        if is_namespaced && project.permits_destination(cluster, namespace) == Some(false) {
            let what = format!("the namespace {} on {}", quoted(namespace), quoted(cluster));
            let entry = format!("{{ name: {cluster}, namespace: {namespace} }}");
            missing.push(refusal(project, used, &what, "destinations", &entry, project.destinations.span));
        }
    }
    missing
}

fn stream_of(used: &Use<'_>) -> Option<String> {
    let peering = rules::read(&used.place.source).ok()?;
    let plan = stream::plan(&peering, used.role, &Material::public(&peering, used.role), None).ok()?;
    Some(stream::render(&plan).ok()?.to_string())
}

fn refusal(
    project: &AppProject,
    used: &Use<'_>,
    what: &str,
    list: &str,
    entry: &str,
    at: Span,
) -> Diagnostic {
    let name = quoted(&project.name);
    let message = format!("the project {name} does not permit {what}, which the {}'s stream has", used.role);
    let help = format!("add `- {entry}` to its `{list}`");
    Rule::new(Code::AppProject, message).help(help).at(first_line(at))
}
