//! The fields of Argo CD's objects, and those that no judge looks at: a field that is in no table here is one of these too, so what a
//! newer Argo CD adds is never passed over in silence.

use crate::argocd::boolean;
use crate::input::yaml::{Node, Value};

/// What a field is to a peering.
pub(super) enum Field {
    /// A judge looks at it.
    Asked,
    /// It changes neither what is synced, nor whether and how.
    Idle,
    /// Why no judge looks at it.
    Unjudged(&'static str),
    /// What is in it; in each of them, if it is a list.
    Of(Fields),
    /// Texts `NAME=VALUE`, of which a judge knows these names.
    Named(&'static [&'static str]),
}

/// Those of a map, by their names.
type Fields = &'static [(&'static [&'static str], Field)];

use Field::{Asked, Idle, Named, Of, Unjudged};

/// A field that is set, and that no judge looks at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PassedOver {
    /// `spec.strategy`
    pub(crate) path: String,
    /// Why; None of one that is in no table.
    pub(crate) reason: Option<&'static str>,
}

/// Why one that is in no table is not judged.
pub(crate) const UNKNOWN_FIELD: &str = "no such field of Argo CD's is known here";

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/types.go`, `AppProjectSpec`)
#[rustfmt::skip] // a table
pub(super) const OF_PROJECT: Fields = &[
    (&["clusterResourceBlacklist", "clusterResourceWhitelist", "namespaceResourceBlacklist", "namespaceResourceWhitelist"], Asked),
    (&["destinations", "sourceNamespaces", "sourceRepos", "syncWindows"], Asked),
    // for people: conditions of Applications, and what they may do in Argo CD
    (&["description", "orphanedResources", "roles"], Idle),
    (&["destinationServiceAccounts"], Unjudged("what a service account may do is not known here")),
    (&["permitOnlyProjectScopedClusters"], Unjudged("which clusters are the project's is not known here")),
    (&["signatureKeys", "sourceIntegrity"], Unjudged("signatures of commits are not verified here")),
];

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/types.go`, `ApplicationSpec`)
#[rustfmt::skip] // a table
pub(super) const OF_APPLICATION: Fields = &[
    (&["destination"], Of(&[(&["name", "namespace", "server"], Asked)])),
    (&["ignoreDifferences", "project"], Asked),
    (&["info", "revisionHistoryLimit"], Idle),
    (&["source", "sources"], Of(SOURCE)),
    (&["sourceHydrator"], Of(&[
        (&["drySource"], Of(SOURCE)),
        (&["hydrateTo", "syncSource"], Unjudged("the branch that the Source Hydrator writes is not looked at")),
    ])),
    (&["syncPolicy"], Of(&[
        // without `selfHeal` each commit is synced just so
        (&["automated"], Of(&[(&["allowEmpty", "enabled", "prune"], Asked), (&["selfHeal"], Idle)])),
        // of the destination's namespace; the stream's own Namespace goes before it (argo-cd `docs/user-guide/sync-options.md`)
        (&["managedNamespaceMetadata"], Idle),
        (&["retry"], Of(&[(&["backoff"], Idle), (&["limit", "refresh"], Asked)])),
        (&["syncOptions"], Named(&[
            // some of them harm a peering
            "Delete", "Force", "Prune", "PruneLast", "PrunePropagationPolicy", "Replace", "RespectIgnoreDifferences", "SkipDryRunOnMissingResource",
            // they change no object of a stream (argo-cd `docs/user-guide/sync-options.md`)
            "ApplyOutOfSyncOnly", "ClientSideApplyMigration", "CreateNamespace", "FailOnSharedResource", "ServerSideApply", "Validate",
        ])),
    ])),
];

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/types.go`, `ApplicationSource`)
#[rustfmt::skip] // a table
const SOURCE: Fields = &[
    (&["chart", "helm", "kustomize", "path", "repoURL", "targetRevision"], Asked),
    // of a folder that `render` wrote; beside a plugin it is an error
    (&["directory"], Of(&[
        (&["exclude", "include", "recurse"], Asked),
        // of files that end in `.jsonnet`
        (&["jsonnet"], Idle),
        (&["disableExtensionFilter"], Unjudged("which other files of the folder Argo CD takes for manifests is not known here")),
    ])),
    // a `ref` is for Helm's values in other sources
    (&["name", "ref"], Idle),
    // of `env` the plugin reads `ROLE` alone
    (&["plugin"], Of(&[(&["env", "name", "parameters"], Asked)])),
    (&["tagPrefix"], Unjudged("which tag that is is not known here")),
];

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/applicationset_types.go`, `ApplicationSetSpec`)
#[rustfmt::skip] // a table
pub(super) const OF_SET: Fields = &[
    (&["generators", "goTemplate", "goTemplateOptions", "template", "templatePatch"], Asked),
    // Argo CD ignores the first; the other is about annotations and labels
    (&["applyNestedSelectors", "preservedFields"], Idle),
    (&["ignoreApplicationDifferences"], Unjudged("what others write into its Applications is not known here")),
    (&["strategy"], Unjudged("in which order its Applications are synced and deleted is not known here")),
    (&["syncPolicy"], Of(&[(&["applicationsSync", "preserveResourcesOnDeletion"], Asked)])),
];

/// Those of a `spec`.
pub(super) fn passed_over(object: &Node, fields: Fields) -> Vec<PassedOver> {
    let mut all = Vec::new();
    if let Some(spec) = object.get("spec") {
        add("spec", spec, fields, &mut all);
    }
    all
}

fn add(path: &str, map: &Node, fields: Fields, all: &mut Vec<PassedOver>) {
    for (key, value) in map.entries().iter().filter(|(_, value)| is_set(value)) {
        let key = key.text().unwrap_or_default();
        let field = fields.iter().find(|(names, _)| names.contains(&key));
        if matches!(field, Some((_, Asked | Idle))) {
            continue;
        }
        let path = format!("{path}.{key}");
        let reason = match (field, &value.value) {
            (Some((_, Unjudged(why))), _) => Some(*why),
            (Some((_, Of(fields))), Value::Map(_) | Value::List(_)) => {
                for it in std::iter::once(value).chain(value.items()) {
                    add(&path, it, fields, all);
                }
                continue;
            }
            (Some((_, Named(names))), Value::List(items)) => {
                let given = items.iter().filter_map(|it| it.text()?.split('=').next());
                let others = given.filter(|it| !names.contains(it));
                all.extend(others.map(|it| PassedOver { path: format!("{path}.{it}"), reason: None }));
                continue;
            }
            _ => None,
        };
        all.push(PassedOver { path, reason });
    }
}

/// Whether a value says something: not what a missing one says as well.
fn is_set(node: &Node) -> bool {
    match &node.value {
        Value::Plain(_) => boolean(node) != Some(false) && !node.is_empty(),
        Value::Map(entries) => !entries.is_empty(),
        Value::List(items) => !items.is_empty(),
        Value::Empty | Value::Quoted(_) => !node.is_empty(),
    }
}
