//! Manifests as Git has them, which is not as kubectl prints them.

use super::{guides, imported, replaced, streams};
use crate::harness::put;
use serde_json::Value;

use super::import;

/// Without the namespaces, as kustomize, `kubectl -n` or an Application's destination set them.
fn without_namespaces(text: &str) -> String {
    text.lines()
        .filter(|line| !line.starts_with("  namespace: liqo-tenant-"))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn the_one_tenant_namespace_is_that_of_objects_without_one() {
    let texts = guides();
    let expected = streams(imported(&texts, &[]).done());
    let found = imported(
        &[without_namespaces(&texts[0]), without_namespaces(&texts[1])],
        &[],
    );
    assert_eq!(streams(found.done()), expected, "{found}");
    // without the Namespace nothing names it
    let consumer = without_namespaces(&texts[0]).replace("kind: Namespace\n", "kind: Other\n");
    imported(&[consumer.clone(), texts[1].clone()], &[])
        .fails(1, "manifests")
        .says("without metadata.namespace, and none of them names it")
        .says("consumer.yaml");
    // but kustomize's own file does, of all that is below it
    let consumer = replaced(&consumer, "kind: NamespaceOffloading\n", "kind: Other\n")
        .replace("  namespace: demo #", "  # ");
    let temp = tempfile::tempdir().expect("a folder");
    for (name, text) in [("c/all.yaml", &consumer), ("p/all.yaml", &texts[1])] {
        put(temp.path().join(name), text);
    }
    for text in [
        "namespace: liqo-tenant-provider\nresources: [all.yaml]\n",
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: liqo-tenant-provider\n",
    ] {
        put(temp.path().join("c/kustomization.yaml"), text);
        import(&temp.path().join("c"), &temp.path().join("p"))
            .run()
            .done();
    }
}

/// crossplane's provider-kubernetes, and a `List`.
#[test]
fn what_is_wrapped_is_unwrapped_and_its_wrapper_is_an_owner() {
    let [consumer, provider] = guides();
    let manifests = crate::harness::objects::documents(&consumer);
    let expected = streams(imported(&[consumer, provider.clone()], &[]).done());
    let object = |api: &str, it: &Value| serde_json::json!({ "apiVersion": api, "kind": "Object", "metadata": { "name": "peer" }, "spec": { "forProvider": { "manifest": it } } });
    let objects = |api: &str| {
        manifests
            .iter()
            .map(|it| format!("---\n{}\n", object(api, it)))
            .collect::<String>()
    };
    let resources: Vec<Value> = manifests
        .iter()
        .map(|it| serde_json::json!({ "name": "x", "base": object("kubernetes.crossplane.io/v1alpha2", it) }))
        .collect();
    for (wrapped, owner) in [
        (objects("kubernetes.crossplane.io/v1alpha1"), "the Crossplane Object peer"),
        (objects("kubernetes.crossplane.io/v1alpha2"), "the Crossplane Object peer"),
        (objects("kubernetes.m.crossplane.io/v1alpha1"), "the Crossplane Object peer"),
        (
            serde_json::json!({ "apiVersion": "apiextensions.crossplane.io/v1", "kind": "Composition", "metadata": { "name": "peers" }, "spec": { "resources": resources } }).to_string(),
            "the Crossplane Composition peers",
        ),
        (
            serde_json::json!({ "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "metadata": { "name": "peers" }, "spec": { "workload": { "manifests": manifests } } }).to_string(),
            "the ManifestWork peers",
        ),
        (
            serde_json::json!({ "apiVersion": "template.openshift.io/v1", "kind": "Template", "metadata": { "name": "peers" }, "objects": manifests }).to_string(),
            "the Template peers",
        ),
    ] {
        let outcome = imported(&[wrapped, provider.clone()], &[]);
        assert_eq!(streams(outcome.done()), expected, "{outcome}");
        outcome.says(&format!("note: consumer: {owner} has ")).says("managementPolicies");
    }
    let list =
        serde_json::json!({ "apiVersion": "v1", "kind": "List", "items": manifests }).to_string();
    let outcome = imported(&[list, provider], &[]);
    assert_eq!(streams(outcome.done()), expected, "{outcome}");
    outcome.silent_on("To let go");
}
