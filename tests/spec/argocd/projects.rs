//! The AppProjects of `argocd-app/`: Argo CD refuses an object of a kind that its project does not list.

use crate::harness::argocd::yaml;
use crate::harness::{Id, Peering, ROLES};
use serde_json::Value;
use std::collections::BTreeSet;

/// A group and a kind.
type Kind = (String, String);

/// What no stream has, and what is listed so that Argo CD shows it: whether the tunnel is up.
const SHOWN: (&str, &str) = ("networking.liqo.io", "Connection");

/// What a project lists.
fn listed(role: &str, field: &str) -> BTreeSet<Kind> {
    let project = yaml(&format!("argocd-app/project-{role}.yaml"));
    assert_eq!(project["metadata"]["name"], format!("peering-{role}"));
    let list = project["spec"][field]
        .as_array()
        .unwrap_or_else(|| panic!("project-{role}.yaml: {field}"));
    let text = |entry: &Value, key: &str| entry[key].as_str().expect(key).to_owned();
    let kinds: Vec<_> = list
        .iter()
        .map(|entry| (text(entry, "group"), text(entry, "kind")))
        .collect();
    for (group, kind) in &kinds {
        assert!(
            !group.contains('*') && !kind.contains('*'),
            "project-{role}.yaml, {field}: {group}/{kind}"
        );
    }
    kinds.into_iter().collect()
}

/// The objects of all golden streams of a role.
fn objects(role: &str) -> Vec<Id> {
    let streams = Peering::examples()
        .into_iter()
        .flat_map(|example| example.golden(role).1);
    let objects: Vec<Id> = streams.map(|object| Id::of(&object)).collect();
    assert!(objects.len() > 50, "{} objects", objects.len());
    objects
}

fn field(id: &Id) -> &'static str {
    if id.namespace.is_empty() {
        "clusterResourceWhitelist"
    } else {
        "namespaceResourceWhitelist"
    }
}

/// With `reverse` each side both uses and lets in, so either project must allow all that the examples of both roles
/// have; and nothing else, for whoever may push to the repository can make what is listed. With `reverse` no deletion waits.
#[test]
fn the_projects_list_what_there_is_and_no_more() {
    for role in ROLES {
        for field in ["clusterResourceWhitelist", "namespaceResourceWhitelist"] {
            let of_field = |id: Id| (self::field(&id) == field).then_some((id.group, id.kind));
            let mut kinds: BTreeSet<_> = ROLES
                .iter()
                .flat_map(|role| objects(role))
                .filter_map(of_field)
                .collect();
            if field == "namespaceResourceWhitelist" {
                kinds.insert((SHOWN.0.to_owned(), SHOWN.1.to_owned()));
            }
            kinds.retain(|(_, kind)| role == "provider" || kind != "ResourceQuota");
            assert_eq!(listed(role, field), kinds, "project-{role}.yaml: {field}");
        }
    }
}
