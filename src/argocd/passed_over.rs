//! The fields of Argo CD's objects, and those of them that no judge looks at. A field that is in no table here counts as not judged, so a
//! field that a newer Argo CD adds is always reported.

use crate::argocd::boolean;
use crate::input::yaml::{Node, Value};

/// How a field is judged.
pub(super) enum Field {
    /// A judge looks at it.
    Asked,
    /// The field changes neither what is synced, nor whether or how it is synced.
    Idle,
    /// No judge looks at it, for this reason.
    Unjudged(&'static str),
    /// The fields inside of it; if it is a list, the fields of each item.
    Of(Fields),
    /// Texts `NAME=VALUE`, of which the judges know these names.
    Named(&'static [&'static str]),
}

/// The fields of a map, by their names.
type Fields = &'static [(&'static [&'static str], Field)];

use Field::{Asked, Idle, Named, Of, Unjudged};

/// A field that is set and that no judge looks at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PassedOver {
    /// `spec.strategy`
    pub(crate) path: String,
    /// Why no judge looks at it; `None` for a field that is in no table.
    pub(crate) reason: Option<&'static str>,
}

/// Why a field that is in no table is not judged.
pub(crate) const UNKNOWN_FIELD: &str = "no such field of Argo CD's is known here";

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/types.go`, `AppProjectSpec`)
#[rustfmt::skip] // a table
pub(super) const OF_PROJECT: Fields = &[
    (&["clusterResourceBlacklist", "clusterResourceWhitelist", "namespaceResourceBlacklist", "namespaceResourceWhitelist"], Asked),
    (&["destinations", "sourceNamespaces", "sourceRepos", "syncWindows"], Asked),
    // for people only: the conditions of Applications, and rights in Argo CD
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
        // even without `selfHeal`, each commit is synced in the same way
        (&["automated"], Of(&[(&["allowEmpty", "enabled", "prune"], Asked), (&["selfHeal"], Idle)])),
        // metadata of the destination's namespace; the stream's own Namespace wins over it (argo-cd `docs/user-guide/sync-options.md`)
        (&["managedNamespaceMetadata"], Idle),
        (&["retry"], Of(&[(&["backoff"], Idle), (&["limit", "refresh"], Asked)])),
        (&["syncOptions"], Named(&[
            // options that can harm a peering
            "Delete", "Force", "Prune", "PruneLast", "PrunePropagationPolicy", "Replace", "RespectIgnoreDifferences", "SkipDryRunOnMissingResource",
            // options that change no object of a stream (argo-cd `docs/user-guide/sync-options.md`)
            "ApplyOutOfSyncOnly", "ClientSideApplyMigration", "CreateNamespace", "FailOnSharedResource", "ServerSideApply", "Validate",
        ])),
    ])),
];

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/types.go`, `ApplicationSource`)
#[rustfmt::skip] // a table
const SOURCE: Fields = &[
    (&["chart", "helm", "kustomize", "path", "repoURL", "targetRevision"], Asked),
    // for a folder that `render` wrote; in a source with a plugin it is an error
    (&["directory"], Of(&[
        (&["exclude", "include", "recurse"], Asked),
        // for files that end in `.jsonnet`
        (&["jsonnet"], Idle),
        (&["disableExtensionFilter"], Unjudged("which other files of the folder Argo CD takes for manifests is not known here")),
    ])),
    // a `ref` is for Helm's values in other sources
    (&["name", "ref"], Idle),
    // of `env`, the plugin reads only `ROLE`
    (&["plugin"], Of(&[(&["env", "name", "parameters"], Asked)])),
    (&["tagPrefix"], Unjudged("which tag that is is not known here")),
];

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/applicationset_types.go`, `ApplicationSetSpec`)
#[rustfmt::skip] // a table
pub(super) const OF_SET: Fields = &[
    (&["generators", "goTemplate", "goTemplateOptions", "template", "templatePatch"], Asked),
    // Argo CD ignores the first; the second is about annotations and labels
    (&["applyNestedSelectors", "preservedFields"], Idle),
    (&["ignoreApplicationDifferences"], Unjudged("what others write into its Applications is not known here")),
    (&["strategy"], Unjudged("in which order its Applications are synced and deleted is not known here")),
    (&["syncPolicy"], Of(&[(&["applicationsSync", "preserveResourcesOnDeletion"], Asked)])),
];

/// The fields of an object's `spec` that are set and not judged.
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
                all.extend(others.map(|it| PassedOver {
                    path: format!("{path}.{it}"),
                    reason: None,
                }));
                continue;
            }
            _ => None,
        };
        all.push(PassedOver { path, reason });
    }
}

/// Whether a value differs from a field that is left out.
fn is_set(node: &Node) -> bool {
    match &node.value {
        Value::Plain(_) => boolean(node) != Some(false) && !node.is_empty(),
        Value::Map(entries) => !entries.is_empty(),
        Value::List(items) => !items.is_empty(),
        Value::Empty | Value::Quoted(_) => !node.is_empty(),
    }
}
