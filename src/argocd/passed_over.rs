//! The fields of Argo CD's objects, and those that no judge looks at: a field that is in no table here is one of these too, so what a
//! newer Argo CD adds is never passed over in silence.

use crate::diagnostic::{Judged, quoted};
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
type Fields = &'static [(&'static str, Field)];

use Field::{Asked, Idle, Named, Of, Unjudged};

/// A field that is set, and that no judge looks at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PassedOver {
    /// `spec.strategy`
    pub(crate) path: String,
    /// Why; None of one that is in no table.
    pub(crate) reason: Option<&'static str>,
}

impl PassedOver {
    /// Adds it as not judged of a file or of an object. What this program does not know it was asked about.
    pub(crate) fn count(&self, of: &str, judged: &mut Judged) {
        let what = format!("{} of {of}", quoted(&self.path));
        match self.reason {
            Some(reason) => judged.pass_over("field", what, reason),
            None => judged.leave_out("field", what, "no such field of Argo CD's is known here"),
        }
    }
}

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/types.go`, `AppProjectSpec`)
pub(super) const OF_PROJECT: Fields = &[
    ("clusterResourceBlacklist", Asked),
    ("clusterResourceWhitelist", Asked),
    ("description", Idle),
    ("destinationServiceAccounts", Unjudged("what a service account may do is not known here")),
    ("destinations", Asked),
    ("namespaceResourceBlacklist", Asked),
    ("namespaceResourceWhitelist", Asked),
    // a condition of the Application
    ("orphanedResources", Idle),
    ("permitOnlyProjectScopedClusters", Unjudged("which clusters are the project's is not known here")),
    // what people may do in Argo CD
    ("roles", Idle),
    ("signatureKeys", Unjudged(SIGNED)),
    ("sourceIntegrity", Unjudged(SIGNED)),
    ("sourceNamespaces", Asked),
    ("sourceRepos", Asked),
    ("syncWindows", Asked),
];

const SIGNED: &str = "signatures of commits are not verified here";

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/types.go`, `ApplicationSpec`)
pub(super) const OF_APPLICATION: Fields = &[
    ("destination", Of(&[("name", Asked), ("namespace", Asked), ("server", Asked)])),
    ("ignoreDifferences", Asked),
    ("info", Idle),
    ("project", Asked),
    ("revisionHistoryLimit", Idle),
    ("source", Of(SOURCE)),
    (
        "sourceHydrator",
        Of(&[
            ("drySource", Of(SOURCE)),
            ("hydrateTo", Unjudged(HYDRATED)),
            ("syncSource", Unjudged(HYDRATED)),
        ]),
    ),
    ("sources", Of(SOURCE)),
    (
        "syncPolicy",
        Of(&[
            (
                "automated",
                // without `selfHeal` each commit is synced just so
                Of(&[("allowEmpty", Asked), ("enabled", Asked), ("prune", Asked), ("selfHeal", Idle)]),
            ),
            // of the destination's namespace; the stream's own Namespace goes before it (argo-cd `docs/user-guide/sync-options.md`)
            ("managedNamespaceMetadata", Idle),
            ("retry", Of(&[("backoff", Idle), ("limit", Asked), ("refresh", Asked)])),
            ("syncOptions", Named(OPTIONS)),
        ]),
    ),
];

/// Those of `super::sync`, and those that change no object of a stream (argo-cd `docs/user-guide/sync-options.md`).
const OPTIONS: &[&str] = &[
    "ApplyOutOfSyncOnly",
    "ClientSideApplyMigration",
    "CreateNamespace",
    "Delete",
    "FailOnSharedResource",
    "Force",
    "Prune",
    "PruneLast",
    "PrunePropagationPolicy",
    "Replace",
    "RespectIgnoreDifferences",
    "ServerSideApply",
    "SkipDryRunOnMissingResource",
    "Validate",
];

const HYDRATED: &str = "the branch that the Source Hydrator writes is not looked at";

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/types.go`, `ApplicationSource`)
const SOURCE: Fields = &[
    ("chart", Asked),
    ("directory", Asked),
    ("helm", Asked),
    ("kustomize", Asked),
    ("name", Idle),
    ("path", Asked),
    // of `env` the plugin reads `ROLE` alone
    ("plugin", Of(&[("env", Asked), ("name", Asked), ("parameters", Asked)])),
    // a name for Helm's values in other sources
    ("ref", Idle),
    ("repoURL", Asked),
    ("tagPrefix", Unjudged("which tag that is is not known here")),
    ("targetRevision", Asked),
];

/// (argo-cd 3.6 `pkg/apis/application/v1alpha1/applicationset_types.go`, `ApplicationSetSpec`)
pub(super) const OF_SET: Fields = &[
    // ignored, since Argo CD always does it
    ("applyNestedSelectors", Idle),
    ("generators", Asked),
    ("goTemplate", Asked),
    ("goTemplateOptions", Asked),
    ("ignoreApplicationDifferences", Unjudged("what others write into its Applications is not known here")),
    // annotations and labels of Applications
    ("preservedFields", Idle),
    ("strategy", Unjudged("when each of its Applications is synced is not known here")),
    ("syncPolicy", Of(&[("applicationsSync", Asked), ("preserveResourcesOnDeletion", Asked)])),
    ("template", Asked),
    ("templatePatch", Asked),
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
        let path = || format!("{path}.{key}");
        let reason = match (fields.iter().find(|(name, _)| *name == key), &value.value) {
            (Some((_, Asked | Idle)), _) => continue,
            (Some((_, Unjudged(why))), _) => Some(*why),
            (Some((_, Of(fields))), Value::Map(_)) => {
                add(&path(), value, fields, all);
                continue;
            }
            (Some((_, Of(fields))), Value::List(items)) => {
                for it in items {
                    add(&path(), it, fields, all);
                }
                continue;
            }
            (Some((_, Named(names))), Value::List(items)) => {
                let given = items.iter().filter_map(|it| it.text()?.split('=').next());
                let others = given.filter(|it| !names.contains(it));
                all.extend(others.map(|it| PassedOver { path: format!("{}.{it}", path()), reason: None }));
                continue;
            }
            _ => None,
        };
        all.push(PassedOver { path: path(), reason });
    }
}

/// Whether a value says something: not what a missing one says as well.
fn is_set(node: &Node) -> bool {
    match &node.value {
        Value::Plain(text) => text != "false" && !node.is_empty(),
        Value::Map(entries) => !entries.is_empty(),
        Value::List(items) => !items.is_empty(),
        Value::Empty | Value::Quoted(_) => !node.is_empty(),
    }
}
