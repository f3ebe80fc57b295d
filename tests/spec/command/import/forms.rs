//! Manifests as Git has them, which is not as kubectl prints them.

use super::{guides, imported, streams};
use serde_json::{Value, json};

/// A `List` is what it has; an object of another kind is named, whatever is in it.
#[test]
fn a_list_is_read_and_another_object_is_named() {
    let [consumer, provider] = guides();
    let manifests = crate::harness::objects::documents(&consumer);
    let expected = streams(imported(&[consumer.clone(), provider.clone()], &[]).done());
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": manifests }).to_string();
    let outcome = imported(&[list, provider.clone()], &[]);
    assert_eq!(streams(outcome.done()), expected, "{outcome}");
    let wrapped = |it: &Value| json!({ "apiVersion": "kubernetes.crossplane.io/v1alpha2", "kind": "Object", "metadata": { "name": "peer" }, "spec": { "forProvider": { "manifest": it } } });
    let objects = |count: usize| -> String {
        let wrapped = manifests.iter().take(count).map(wrapped);
        wrapped.map(|it| format!("---\n{it}\n")).collect()
    };
    imported(&[consumer + &objects(2), provider.clone()], &[])
        .says("note: consumer: not read: 2 objects of kind Object (kubernetes.crossplane.io): ")
        .done();
    imported(&[objects(1), provider], &[])
        .fails(2, "flag")
        .says("not read: 1 object of kind Object (kubernetes.crossplane.io): ");
}
