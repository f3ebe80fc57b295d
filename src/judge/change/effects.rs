//! What a change of an object does. A kind knows what a change of its fields does; here is what a change of metadata does to any.

use super::applications;
use crate::object::live::Impact::{Attention, Harmless, Protection, Rights};
use crate::object::live::{Effect, Object, effect};
use crate::peering::values::reserved::{self, MANAGED_BY};
use crate::stream::kinds::live_halves_of;

#[rustfmt::skip] // a table
static OF_ANY: &[Effect] = &[
    effect(&["metadata.labels[liqo.io/remote-cluster-id]", "metadata.labels[liqo.io/remoteID]", "metadata.labels[liqo.io/replication]", "metadata.labels[liqo.io/tenant-namespace]", "metadata.labels[liqo.io/identity-type]", "metadata.labels[networking.liqo.io/gateway-resource]"], Attention, "Liqo finds its objects by this label."),
    // argo-cd docs/user-guide/sync-options.md, "Prune=confirm"; the value that src/peering/side.rs writes
    effect(&["metadata.annotations[argocd.argoproj.io/sync-options]=Prune=confirm,Delete=confirm"], Harmless, "Argo CD asks before it deletes the object from now on."),
    effect(&["metadata.annotations[argocd.argoproj.io/sync-options]"], Protection, "Argo CD will no longer ask before it deletes this object."),
    effect(&["metadata.annotations[argocd.argoproj.io/sync-wave]"], Harmless, "Argo CD applies the object earlier or later than others."),
];

#[rustfmt::skip] // a table
static OF_NAMESPACES: &[Effect] = &[
    effect(&["metadata.labels", "metadata.annotations"], Attention, "Controllers and policies choose Namespaces by labels and annotations: who has rights there, which Secrets come or go, which pods start."),
];

/// argocd-operator `controllers/argocd/util.go` (setManagedNamespaces)
static MANAGED: Effect = effect(
    &[],
    Rights,
    "The Argo CD of the namespace that the label `argocd.argoproj.io/managed-by` names gets all rights in this Namespace, on its Secrets too.",
);

static FREE: Effect = effect(&[], Harmless, "Liqo does not go by it.");

static UNKNOWN: Effect =
    effect(&[], Attention, "This program does not know what it does: see Liqo's documentation of the kind.");

/// What it does that an object goes: after a drain, nothing of the other cluster is in it any more.
pub(super) fn of_removal(object: &Object, is_drained: bool) -> &'static Effect {
    let after_drain = || live_halves_of(object).find_map(|half| half.effect("-, drained", ""));
    let after_drain = is_drained.then(after_drain).flatten();
    after_drain.unwrap_or_else(|| of_change(object, "-", ""))
}

/// What a change of a field does, or one of a whole object.
pub(super) fn of_change(object: &Object, path: &str, to: &str) -> &'static Effect {
    known_effect(object, path, to).unwrap_or(if is_free(path) { &FREE } else { &UNKNOWN })
}

/// The same, as far as a table has it.
pub(crate) fn known_effect(object: &Object, path: &str, to: &str) -> Option<&'static Effect> {
    if gives_rights(object, path, to) {
        return Some(&MANAGED);
    }
    let of_kind = live_halves_of(object).find_map(|half| half.effect(path, to));
    let of_any = || OF_ANY.iter().find(|effect| effect.is_of(path, to));
    of_kind.or_else(|| applications::effect_of(object, path, to)).or_else(of_any).or_else(|| {
        OF_NAMESPACES.iter().find(|effect| object.kind() == "Namespace" && effect.is_of(path, to))
    })
}

/// Whether an Argo CD gets rights in a Namespace: it is added with the label, or the label gets a value.
fn gives_rights(object: &Object, path: &str, to: &str) -> bool {
    let is_managed = || object.at("/metadata/labels").is_some_and(|it| it.get(MANAGED_BY).is_some());
    let is_label =
        || path.strip_prefix("metadata.labels[").and_then(|it| it.strip_suffix(']')) == Some(MANAGED_BY);
    object.kind() == "Namespace" && (path == "+" && is_managed() || !to.is_empty() && is_label())
}

/// Whether it is a label or an annotation that is left to the user.
fn is_free(path: &str) -> bool {
    let key = ["metadata.labels", "metadata.annotations"].iter().find_map(|map| path.strip_prefix(map));
    let key = key.map(|key| key.trim_start_matches(['.', '[']).trim_end_matches(']'));
    key.is_some_and(|key| reserved::free_for_workloads(key).is_ok())
}
