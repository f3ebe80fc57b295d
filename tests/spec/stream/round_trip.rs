//! Every object of Kubernetes' own survives its Kubernetes type. Liqo's objects have `crds`.

use k8s_openapi::api::core::v1::{Namespace, Secret, ServiceAccount};
use k8s_openapi::api::rbac::v1::RoleBinding;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::peerings::assert_everywhere;
use crate::harness::objects::{Id, differences};

#[test]
fn every_object_survives_its_kubernetes_type() {
    assert_everywhere(|stream| stream.objects.iter().flat_map(problems).collect());
}

/// What becomes of an object as the API server's types read it. Paths only: a Secret's values are not shown.
fn problems(object: &Value) -> Vec<String> {
    let id = Id::of(object);
    let read = match (id.group.as_str(), id.kind.as_str()) {
        ("", "Namespace") => through::<Namespace>(object),
        ("", "Secret") => through::<Secret>(object),
        ("", "ServiceAccount") => through::<ServiceAccount>(object),
        ("rbac.authorization.k8s.io", "RoleBinding") => through::<RoleBinding>(object),
        // tests/conformance gives them to an API server with their CRDs
        ("bitnami.com", "SealedSecret") | ("external-secrets.io", "ExternalSecret") => return Vec::new(),
        (group, _) if group.ends_with(".liqo.io") => return Vec::new(),
        _ => panic!("{id}: no test knows this kind: give it a row here, or a check of its own"),
    };
    match read {
        Ok(read) => differences(object, &read)
            .iter()
            .map(|(path, _)| format!("{id}: {path}: does not survive"))
            .collect(),
        Err(error) => vec![format!("{id}: {error}")],
    }
}

/// The types ignore fields that they do not know, so a misspelt field is not there on the way back.
fn through<T: DeserializeOwned + Serialize>(object: &Value) -> Result<Value, serde_json::Error> {
    serde_json::to_value(serde_json::from_value::<T>(object.clone())?)
}

// ---- the check itself -----------------------------------------------------------------------

fn secret() -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": { "name": "a", "namespace": "b" },
        "immutable": true,
        "data": { "privateKey": "AAAA" },
    })
}

fn with(mut object: Value, key: &str, value: Value) -> Value {
    object[key] = value;
    object
}

#[test]
fn a_good_object_passes() {
    assert_eq!(problems(&secret()), Vec::<String>::new());
}

#[test]
fn a_misspelt_field_is_found() {
    let found = problems(&with(secret(), "imutable", json!(true)));
    assert_eq!(found, ["Secret b/a: .imutable: does not survive"]);
}

#[test]
fn values_of_the_wrong_type_are_found() {
    let cases = [
        ("immutable", json!("true")),
        ("data", json!({ "privateKey": "not base64!" })),
        ("apiVersion", json!("v2")),
        ("metadata", json!({ "name": "a", "namespace": "b", "labels": { "on": true } })),
    ];
    for (key, value) in cases {
        assert_eq!(problems(&with(secret(), key, value)).len(), 1, "{key}");
    }
}

#[test]
#[should_panic(expected = "ConfigMap b/a: no test knows this kind")]
fn a_kind_without_a_row_is_found() {
    problems(&with(secret(), "kind", json!("ConfigMap")));
}
