//! AppProjects: whether they permit what a stream has.

use super::sets::{folder_of, generates, roles};
use super::template::evaluate;
use super::{File, Findings, Led, Place, first_line};
use crate::argocd::project::AppProject;
use crate::diagnostic::{Code, Diagnostic, Rule, Span, quoted};
use crate::input::yaml::{Node, documents};
use crate::peering::{Material, Role};
use crate::{rules, stream};
use std::collections::{BTreeMap, BTreeSet};

/// The streams of the Applications, each once however many Applications have it, with the declared projects that they are in.
type Uses<'f> = BTreeMap<(usize, Role), (&'f Place, BTreeSet<String>)>;

/// What streams need of each project, with the first document that needs it. Many streams need the same.
type Needs = BTreeMap<String, BTreeMap<(Role, Need), usize>>;

/// What a project has to permit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// An object that is in no namespace.
    Object {
        group: String,
        kind: String,
        name: String,
    },
    /// A kind of objects in namespaces.
    Kind {
        group: String,
        kind: String,
    },
    Namespace {
        cluster: String,
        name: String,
    },
}

pub(super) fn check(led: &[Led<'_>], files: &[File], places: &[Place], findings: &mut [Findings]) {
    let declared: BTreeSet<&str> =
        files.iter().flat_map(|file| &file.declared.projects).map(|it| it.name.as_str()).collect();
    if declared.is_empty() {
        return;
    }
    let needs = needs(uses(led, files, places, &declared));
    for (file, findings) in files.iter().zip(findings) {
        for project in &file.declared.projects {
            for ((role, need), index) in needs.get(&project.name).into_iter().flatten() {
                if let Some(refusal) = refusal(project, *role, need) {
                    findings.index = *index;
                    findings.errors.push(refusal);
                }
            }
        }
    }
}

/// The streams whose destination is the document's; another one is an error of its own.
fn uses<'f>(led: &[Led<'f>], files: &'f [File], places: &'f [Place], declared: &BTreeSet<&str>) -> Uses<'f> {
    let mut uses = Uses::new();
    let mut add = |project: String, place: &'f Place, role| {
        if declared.contains(project.as_str()) {
            uses.entry((place.index, role)).or_insert_with(|| (place, BTreeSet::new())).1.insert(project);
        }
    };
    for &Led { application, place, role, .. } in led {
        let is_right = application.destination.as_ref().is_some_and(|it| it.value == place.cluster(role));
        if let Some(project) = application.project.as_ref().filter(|_| is_right) {
            add(project.value.clone(), place, role);
        }
    }
    for (file, set) in files.iter().flat_map(|file| file.declared.sets.iter().map(move |set| (file, set))) {
        let (Some(project), Some(destination)) = (&set.template.project, &set.template.destination) else {
            continue;
        };
        for place in places {
            let Some(folder) = folder_of(file, place).filter(|folder| generates(set, folder)) else {
                continue;
            };
            for role in roles(set) {
                let project = evaluate(&project.value, folder, role);
                let destination = evaluate(&destination.value, folder, role);
                if let Some(project) = project.filter(|_| destination.as_deref() == Some(place.cluster(role)))
                {
                    add(project, place, role);
                }
            }
        }
    }
    uses
}

/// Each stream is rendered once, whatever the number of its Applications and their projects. Of a document that is wrong nothing
/// is known.
fn needs(uses: Uses<'_>) -> Needs {
    let mut needs = Needs::new();
    for ((index, role), (place, projects)) in uses {
        let of_stream = needs_of(place, role).unwrap_or_default();
        for project in projects {
            let of_project = needs.entry(project).or_default();
            for need in &of_stream {
                of_project.entry((role, need.clone())).or_insert(index);
            }
        }
    }
    needs
}

fn needs_of(place: &Place, role: Role) -> Option<BTreeSet<Need>> {
    let peering = rules::read(&place.source).ok()?;
    let plan = stream::plan(&peering, role, &Material::public(&peering, role), None).ok()?;
    let stream = stream::render(&plan).ok()?;
    let mut needs = BTreeSet::new();
    for object in documents(&stream) {
        let text = |keys: &[&str]| object.at(keys).and_then(Node::text).unwrap_or_default().to_owned();
        let (kind, name, namespace) =
            (text(&["kind"]), text(&["metadata", "name"]), text(&["metadata", "namespace"]));
        let group =
            text(&["apiVersion"]).split_once('/').map_or_else(String::new, |(group, _)| group.to_owned());
        if namespace.is_empty() {
            needs.insert(Need::Object { group, kind, name });
        } else {
            needs.insert(Need::Kind { group, kind });
            needs.insert(Need::Namespace { cluster: place.cluster(role).to_owned(), name: namespace });
        }
    }
    Some(needs)
}

/// What a project does not permit.
fn refusal(project: &AppProject, role: Role, need: &Need) -> Option<Diagnostic> {
    let (is_permitted, what, list, entry, at) = match need {
        Need::Object { group, kind, name } => (
            project.permits_kind(group, kind, name, false),
            format!("the {kind} {}", quoted(name)),
            "clusterResourceWhitelist",
            format!("{{ group: \"{group}\", kind: {kind}, name: {name} }}"),
            project.cluster_kinds.span,
        ),
        Need::Kind { group, kind } => (
            project.permits_kind(group, kind, "", true),
            format!("the kind `{kind}`"),
            "namespaceResourceWhitelist",
            format!("{{ group: \"{group}\", kind: {kind} }}"),
            project.namespaced_kinds.as_ref().map_or_else(Span::default, |it| it.span),
        ),
        Need::Namespace { cluster, name } => (
            project.permits_destination(cluster, name) != Some(false),
            format!("the namespace {} on {}", quoted(name), quoted(cluster)),
            "destinations",
            format!("{{ name: {cluster}, namespace: {name} }}"),
            project.destinations.span,
        ),
    };
    if is_permitted {
        return None;
    }
    let name = quoted(&project.name);
    let message = format!("the project {name} does not permit {what}, which the {role}'s stream has");
    let help = format!("add `- {entry}` to its `{list}`");
    Some(Rule::new(Code::AppProject, message).help(help).at(first_line(at)))
}
