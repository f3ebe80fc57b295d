//! The effects of changing an object. A kind has the effects of its fields; here are the effects of metadata, for all kinds.

use super::applications;
use crate::object::live::Impact::{Attention, Harmless, Protection, Rights};
use crate::object::live::{Effect, Object, effect};
use crate::peering::names::TENANT_NAMESPACE;
use crate::peering::values::label_key::{KeyUse, MANAGED_BY, is_free_for_workloads, key_use};
use crate::stream::kinds::live_halves_of;
use serde_json::Value;

#[rustfmt::skip] // a table
static OF_ANY: &[Effect] = &[
    effect(&["metadata.labels[liqo.io/remote-cluster-id]", "metadata.labels[liqo.io/remoteID]", "metadata.labels[liqo.io/replication]", "metadata.labels[liqo.io/tenant-namespace]", "metadata.labels[liqo.io/identity-type]", "metadata.labels[liqo.io/nonce]", "metadata.labels[networking.liqo.io/gateway-resource]"], Attention, "Liqo finds its objects by this label."),
    // argo-cd docs/user-guide/sync-options.md, "Prune=confirm"; the value that src/peering/side.rs writes
    effect(&["metadata.annotations[argocd.argoproj.io/sync-options]=Prune=confirm,Delete=confirm"], Harmless, "Argo CD will ask before it deletes this object."),
    effect(&["metadata.annotations[argocd.argoproj.io/sync-options]"], Protection, "Argo CD will no longer ask before it deletes this object."),
    effect(&["metadata.annotations[argocd.argoproj.io/sync-wave]"], Harmless, "Argo CD applies the object earlier or later than others."),
];

#[rustfmt::skip] // a table
static OF_NAMESPACES: &[Effect] = &[
    effect(&["metadata.labels", "metadata.annotations"], Attention, "Controllers and policies go by a Namespace's labels and annotations."),
];

/// argocd-operator `controllers/argocd/util.go` (setManagedNamespaces)
static MANAGED: Effect = effect(
    &[],
    Rights,
    "The Argo CD in the namespace that `argocd.argoproj.io/managed-by` names gets all rights here, on Secrets too.",
);

static FREE: Effect = effect(&[], Harmless, "Liqo does not go by it.");

static UNKNOWN: Effect = effect(&[], Attention, "Unknown here: see Liqo's documentation.");

/// The effect of an object's removal: after a drain, it holds nothing of the other cluster any longer.
pub(super) fn of_removal(object: &Object, is_drained: bool) -> &'static Effect {
    let mut halves = live_halves_of(object);
    match halves.find_map(|half| half.effect("-, drained", "")) {
        Some(effect) if is_drained => effect,
        _ => of_change(object, "-", ""),
    }
}

/// The effect of changing a field, or of adding or removing an object.
pub(super) fn of_change(object: &Object, path: &str, to: &str) -> &'static Effect {
    known_effect(object, path, to).unwrap_or(if is_free(path) { &FREE } else { &UNKNOWN })
}

/// The effect, if a table has it.
pub(crate) fn known_effect(object: &Object, path: &str, to: &str) -> Option<&'static Effect> {
    if gives_rights(object, path, to) {
        return Some(&MANAGED);
    }
    let is_namespace = object.kind() == "Namespace";
    let of_namespaces = if is_namespace { OF_NAMESPACES } else { &[] };
    let mut of_any = OF_ANY.iter().chain(of_namespaces);
    live_halves_of(object)
        .find_map(|half| half.effect(path, to))
        .or_else(|| applications::effect_of(object, path, to))
        .or_else(|| of_any.find(|effect| effect.matches_change(path, to)))
}

/// Whether an Argo CD gets rights in a Namespace: the Namespace is added with the label, or the label gets a value.
fn gives_rights(object: &Object, path: &str, to: &str) -> bool {
    if object.kind() != "Namespace" {
        return false;
    }
    if path == "+" {
        return object.label(MANAGED_BY).is_some();
    }
    path == format!("metadata.labels[{MANAGED_BY}]") && !to.is_empty()
}

/// The kind and the metadata of an object, without the labels and annotations by which other controllers can act, and by which its pods are
/// admitted. The stream's own Namespaces have such labels too, and theirs do not differ.
pub(super) fn bare(object: &Object) -> Object {
    let is_of_workloads = object.kind() == "Namespace" && object.label(TENANT_NAMESPACE).is_none();
    let mut value = object.value.clone();
    if let Value::Object(fields) = &mut value {
        fields.retain(|name, _| matches!(name.as_str(), "apiVersion" | "kind" | "metadata"));
    }
    for place in ["/metadata/labels", "/metadata/annotations"] {
        if let Some(Value::Object(map)) = value.pointer_mut(place) {
            map.retain(|key, _| match key_use(key) {
                KeyUse::Free => true,
                KeyUse::Listed => false,
                KeyUse::Taken(_) => !is_of_workloads || !is_free_for_workloads(key),
            });
        }
    }
    Object::new(value)
}

/// Whether the path is a label or an annotation that a user may set.
fn is_free(path: &str) -> bool {
    let mut maps = ["metadata.labels", "metadata.annotations"].iter();
    let Some(key) = maps.find_map(|map| path.strip_prefix(map)) else {
        return false;
    };
    is_free_for_workloads(key.trim_start_matches(['.', '[']).trim_end_matches(']'))
}

#[cfg(test)]
mod tests {
    use super::{FREE, UNKNOWN, of_change};
    use crate::judge::comparison::{Mode, differences};
    use crate::object::live::{Impact, Object};
    use crate::stream;
    use crate::stream::kinds::tests::plans;
    use serde_json::{Value, json};

    /// Where an object is: another place is another object. Labels and annotations of this program's own need attention, all of them.
    const PLACE: [&str; 3] = ["apiVersion", "kind", "metadata."];

    /// Maps of plain values whose keys are anybody's. Below any other field, a new one would be harmless by nobody's decision.
    const MAPS: [&str; 2] = ["spec.resources", "spec.resourceQuota"];

    #[test]
    fn each_field_of_each_object_has_a_class_by_decision() {
        let objects = plans()
            .iter()
            .flat_map(|plan| {
                let text = stream::render(plan).expect("no bug");
                serde_saphyr::from_multiple::<Value>(&text).expect("YAML")
            })
            .map(Object::new)
            .collect::<Vec<_>>();
        assert!(objects.len() > 200, "{}", objects.len());
        let unknown = of_change(&objects[0], "spec.other", "");
        assert_eq!(unknown.impact, Impact::Attention);
        for object in &objects {
            for it in differences(&json!({}), &object.value, Mode::States) {
                let effect = of_change(object, &it.path, &it.new_text());
                let is_decided = !std::ptr::eq(effect, &raw const UNKNOWN)
                    || PLACE.iter().any(|place| it.path.starts_with(place));
                assert!(
                    is_decided,
                    "{}: `{}` has no effect: add a row to `EFFECTS` of its kind",
                    object.title(),
                    it.path
                );
                let is_whole = effect.paths.iter().any(|path| {
                    path.split('=').next() == Some(it.path.as_str()) || MAPS.contains(path)
                });
                let is_own = effect.impact > Impact::Harmless
                    || is_whole
                    || std::ptr::eq(effect, &raw const FREE);
                assert!(
                    is_own,
                    "{}: `{}` is harmless only by what it is in",
                    object.title(),
                    it.path
                );
            }
        }
    }

    /// What somebody with push access can change to have Secrets, pods or rights elsewhere.
    #[test]
    #[allow(clippy::too_many_lines)]
    fn what_leads_elsewhere_widens_rights() {
        use Impact::{Data, Rights};
        for (group, kind, path, class) in [
            ("offloading.liqo.io", "NamespaceOffloading", "+", Rights),
            ("offloading.liqo.io", "VirtualNode", "+", Rights),
            (
                "offloading.liqo.io",
                "VirtualNode",
                "spec.kubeconfigSecretRef.name",
                Rights,
            ),
            (
                "offloading.liqo.io",
                "VirtualNode",
                "spec.vkOptionsTemplateRef.name",
                Rights,
            ),
            (
                "offloading.liqo.io",
                "VirtualNode",
                "spec.taints[0].effect",
                Data,
            ),
            ("offloading.liqo.io", "VirtualNode", "spec.labels[a]", Data),
            ("authentication.liqo.io", "Identity", "+", Rights),
            (
                "authentication.liqo.io",
                "Identity",
                "spec.authParams.apiServer",
                Rights,
            ),
            (
                "authentication.liqo.io",
                "Identity",
                "spec.authParams.ca",
                Rights,
            ),
            (
                "authentication.liqo.io",
                "Identity",
                "spec.authParams.proxyURL",
                Rights,
            ),
            (
                "authentication.liqo.io",
                "Identity",
                "spec.authParams.signedCRT",
                Impact::Harmless,
            ),
            ("authentication.liqo.io", "Tenant", "+", Rights),
            ("authentication.liqo.io", "Tenant", "spec.proxyURL", Rights),
            ("authentication.liqo.io", "ResourceSlice", "+", Rights),
            ("networking.liqo.io", "PublicKey", "+", Rights),
            (
                "external-secrets.io",
                "ExternalSecret",
                "spec.secretStoreRef.name",
                Rights,
            ),
            (
                "external-secrets.io",
                "ExternalSecret",
                "spec.data[0].remoteRef.key",
                Rights,
            ),
            ("argoproj.io", "Application", "+", Rights),
            ("argoproj.io", "ApplicationSet", "+", Rights),
            ("argoproj.io", "AppProject", "+", Rights),
            ("rbac.authorization.k8s.io", "RoleBinding", "+", Rights),
            // and what stops it, or what keeps it
            (
                "argoproj.io",
                "Application",
                "spec.syncPolicy.automated.prune=true",
                Impact::Protection,
            ),
            (
                "argoproj.io",
                "Application",
                "metadata.labels[a]",
                Impact::Attention,
            ),
            (
                "argoproj.io",
                "Application",
                "metadata.annotations[a]",
                Impact::Attention,
            ),
            ("authentication.liqo.io", "Tenant", "-", Impact::Attention),
            ("networking.liqo.io", "Configuration", "-", Impact::Traffic),
            ("networking.liqo.io", "GatewayServer", "-", Impact::Traffic),
            ("networking.liqo.io", "PublicKey", "-", Impact::Attention),
            (
                "offloading.liqo.io",
                "VirtualNode",
                "spec.createNode=false",
                Data,
            ),
            (
                "rbac.authorization.k8s.io",
                "RoleBinding",
                "-",
                Impact::Attention,
            ),
        ] {
            let object = Object::new(json!({ "apiVersion": format!("{group}/v1"), "kind": kind }));
            assert_eq!(of_change(&object, path, "").impact, class, "{kind} {path}");
        }
    }
}
