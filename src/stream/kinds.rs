//! Every kind of a stream: the only list. The tests find a kind that is missing here.

use super::delivery;
use crate::object::Kind;
use crate::object::live::{LiveHalf, Object, Scope};
use crate::peering::authentication::credential::{identity, keys_exchange, kubeconfig};
use crate::peering::authentication::{resource_quota, role_binding, service_account, tenant};
use crate::peering::cluster::{foreign_cluster, tenant_namespace};
use crate::peering::networking::{configuration, gateway_client, gateway_server, keys, public_key};
use crate::peering::observed::OBSERVED;
use crate::peering::offloading::{namespace, resource_slice, virtual_node};

/// The order in which an object's kind is searched: a kind that is recognised by a label comes before the others of its
/// resource.
pub(crate) static KINDS: [&Kind; 21] = [
    &tenant_namespace::KIND,
    &keys::KIND,
    &public_key::KIND,
    &configuration::KIND,
    &gateway_server::KIND,
    &gateway_client::KIND,
    &role_binding::KIND,
    &kubeconfig::KIND,
    &keys_exchange::NONCE_KIND,
    &identity::KIND,
    &tenant::KIND,
    &service_account::KIND,
    &service_account::TOKEN,
    &resource_slice::KIND,
    &virtual_node::KIND,
    &namespace::WORKLOAD,
    &namespace::OFFLOADING,
    &foreign_cluster::KIND,
    &resource_quota::KIND,
    &delivery::SEALED_SECRET,
    &delivery::EXTERNAL_SECRET,
];

/// Whether objects of this kind are Secrets, or make them.
pub(crate) fn makes_secret(kind: &Kind) -> bool {
    let resource = kind.live.resource;
    resource == keys::LIVE.resource
        || resource == delivery::LIVE_SEALED_SECRET.resource
        || resource == delivery::LIVE_EXTERNAL_SECRET.resource
}

/// Whether objects of this kind are Namespaces.
pub(crate) fn is_namespace(kind: &Kind) -> bool {
    kind.live.resource == tenant_namespace::KIND.live.resource
}

/// The resources of a stream's kinds that are read in one of these ways.
pub(crate) fn resources(scopes: &[Scope]) -> Vec<&'static str> {
    resources_of(KINDS.iter().map(|kind| kind.live), scopes)
}

/// The resources of a stream's kinds, and of the objects that Liqo makes from them.
pub(crate) fn all_resources(scopes: &[Scope]) -> Vec<&'static str> {
    resources_of(live_halves(), scopes)
}

fn resources_of(
    halves: impl Iterator<Item = &'static LiveHalf>,
    scopes: &[Scope],
) -> Vec<&'static str> {
    let mut resources = Vec::new();
    for half in halves.filter(|half| scopes.contains(&half.scope)) {
        if !resources.contains(&half.resource) {
            resources.push(half.resource);
        }
    }
    resources
}

/// The live halves of all kinds, and of the objects that Liqo makes from them.
pub(crate) fn live_halves() -> impl Iterator<Item = &'static LiveHalf> {
    KINDS.iter().map(|kind| kind.live).chain(OBSERVED)
}

/// The live halves of an object: first its own, then that of all objects of its kind.
pub(crate) fn live_halves_of(object: &Object) -> impl Iterator<Item = &'static LiveHalf> {
    live_halves().filter(|half| half.matches(object))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{KINDS, live_halves};
    use crate::diagnostic::Source;
    use crate::object::live::Object;
    use crate::peering::{Material, Role};
    use crate::{rules, stream};
    use serde_json::Value;
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    /// The documents below a folder.
    fn documents(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path());
        entries
            .flat_map(|path| {
                let is_document = path.ends_with("peering.yaml");
                if path.is_dir() {
                    documents(&path)
                } else {
                    Vec::from_iter(is_document.then_some(path))
                }
            })
            .collect()
    }

    /// Both streams of every example.
    pub(crate) fn plans() -> Vec<stream::Plan> {
        let documents = documents(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"));
        let plans = documents.iter().flat_map(|path| {
            let text = std::fs::read_to_string(path).expect("a document");
            let peering =
                rules::parse(&Source::new("peering.yaml", text.as_str())).expect("an example");
            Role::BOTH.map(|role| {
                stream::plan(&peering, role, &Material::public(&peering, role), None)
                    .expect("no bug")
            })
        });
        plans.collect()
    }

    /// A kind that is not in the list is not checked by doctor, has no effect in diff, and is not imported.
    #[test]
    fn every_kind_of_a_stream_is_listed_and_recognised() {
        let mut seen = BTreeSet::new();
        for plan in plans() {
            let text = stream::render(&plan).expect("no bug");
            let objects: Vec<Value> = serde_saphyr::from_multiple(&text).expect("YAML");
            for (manifest, object) in plan.manifests.iter().zip(objects) {
                let kind = manifest.kind();
                let is_listed = KINDS
                    .iter()
                    .any(|listed| std::ptr::eq(listed.live, kind.live));
                assert!(is_listed, "`{}` is not in stream::kinds::KINDS", kind.name);
                let object = Object::new(object);
                assert!(
                    kind.live.matches(&object),
                    "`{}` does not recognise {object}",
                    kind.name
                );
                seen.insert(kind.name);
            }
        }
        assert_eq!(
            seen.len(),
            KINDS.len(),
            "no example has one of them: {seen:?}"
        );
    }

    /// An effect names a whole field. The beginning of a name, or all of `spec`, would also cover fields of which
    /// nothing is known.
    #[test]
    fn an_effect_is_of_whole_fields() {
        let paths = live_halves()
            .flat_map(|half| half.effects.iter().copied().flatten())
            .flat_map(|it| it.paths);
        for path in paths {
            let name = path.split('=').next().unwrap_or_default();
            let is_whole =
                !matches!(name, "spec" | "" | "status") && !name.ends_with(['.', '[', '/']);
            assert!(is_whole, "`{path}` is of more than a field");
        }
    }
}
