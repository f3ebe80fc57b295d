//! Liqo's custom resource definitions as JSON Schemas, for a look without an API server. `tests/conformance/apiserver` gives the same
//! examples to a real one, which also knows `ObjectMeta` and lists that are maps.
//!
//! A field that the installed CRD does not have is dropped without a word, and the Application is out of sync for ever. So a
//! field that the schema does not have is a problem here, as it is for an API server with strict field validation.

use std::collections::BTreeMap;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// The custom resource definitions of one Liqo release, by `apiVersion` and `kind`.
pub(crate) struct Crds(BTreeMap<(String, String), Validator>);

impl Crds {
    /// One release's definitions. Of each the version that is stored: others would be converted, and Git should hold what is stored.
    pub(crate) fn new(definitions: &[Value]) -> Self {
        let text = |value: &Value| value.as_str().expect("a CRD has names").to_owned();
        Self(
            definitions
                .iter()
                .map(|definition| {
                    let spec = &definition["spec"];
                    let versions = spec["versions"].as_array().expect("a CRD has versions");
                    let stored = versions
                        .iter()
                        .find(|it| it["storage"] == true)
                        .expect("a version is stored");
                    let api_version = format!("{}/{}", text(&spec["group"]), text(&stored["name"]));
                    let kind = text(&spec["names"]["kind"]);
                    let validator = validator(stored["schema"]["openAPIV3Schema"].clone(), &kind);
                    ((api_version, kind), validator)
                })
                .collect(),
        )
    }

    /// Whether it is an object of Liqo's.
    pub(crate) fn covers(object: &Value) -> bool {
        object["apiVersion"]
            .as_str()
            .is_some_and(|it| it.contains(".liqo.io/"))
    }

    /// What the API server would refuse, each with its path.
    pub(crate) fn check(&self, object: &Value) -> Vec<String> {
        let text = |field: &str| object[field].as_str().unwrap_or_default().to_owned();
        match self.0.get(&(text("apiVersion"), text("kind"))) {
            Some(validator) => validator
                .iter_errors(object)
                .map(|error| format!("{}: {error}", error.instance_path().as_str()))
                .collect(),
            None => vec![format!(
                "no CRD has {} {}",
                text("apiVersion"),
                text("kind")
            )],
        }
    }
}

fn validator(mut schema: Value, kind: &str) -> Validator {
    close(&mut schema, kind);
    // the API server knows them without the CRD's help (`pruning.PruneWithOptions`, `isResourceRoot`)
    for (field, known) in [
        ("apiVersion", json!({})),
        ("kind", json!({})),
        ("metadata", json!({})),
    ] {
        schema["properties"][field] = known;
    }
    jsonschema::options()
        .should_validate_formats(true)
        .with_format("cidr", |text: &str| text.parse::<ipnet::IpNet>().is_ok())
        .with_format("byte", |text: &str| {
            use base64::Engine as _;
            base64::engine::general_purpose::STANDARD
                .decode(text)
                .is_ok()
        })
        .build(&schema)
        .unwrap_or_else(|error| panic!("{kind}: {error}"))
}

/// Makes of a structural schema (k8s.io/apiextensions-apiserver `pkg/apiserver/schema`) a JSON Schema that says the same of an
/// object that is created. A keyword that is not known here panics: a rule of a later release must not pass in silence.
fn close(node: &mut Value, at: &str) {
    let keywords = node
        .as_object_mut()
        .unwrap_or_else(|| panic!("{at}: a schema is an object"));
    let names: Vec<String> = keywords.keys().cloned().collect();
    for name in names {
        let value = keywords.get_mut(&name).expect("a keyword");
        match name.as_str() {
            "properties" => {
                let fields = value.as_object_mut().expect("fields");
                fields
                    .iter_mut()
                    .for_each(|(name, field)| close(field, &format!("{at}.{name}")));
            }
            "items" | "additionalProperties" => close(value, at),
            "anyOf" => {
                assert_eq!(
                    *value,
                    json!([{ "type": "integer" }, { "type": "string" }]),
                    "{at}: anyOf"
                );
            }
            "format" => assert!(FORMATS.iter().any(|it| value == it), "{at}: format {value}"),
            // those about a change are skipped when an object is created, and Liqo has no others
            "x-kubernetes-validations" => {
                let is_of_a_change = |rule: &Value| {
                    rule["rule"]
                        .as_str()
                        .is_some_and(|it| it.contains("oldSelf"))
                        && rule["optionalOldSelf"] != true
                };
                assert!(
                    value.as_array().expect("rules").iter().all(is_of_a_change),
                    "{at}: CEL rule {value}"
                );
            }
            _ => assert!(
                KEYWORDS.split(' ').any(|it| it == name),
                "{at}: keyword {name}"
            ),
        }
    }
    follow_kubernetes(keywords);
}

const FORMATS: [&str; 6] = ["cidr", "ipv4", "byte", "date-time", "int32", "int64"];

/// Keywords that mean the same in JSON Schema, or nothing for one object.
const KEYWORDS: &str = "type enum pattern minLength maxLength minimum maximum minItems maxItems maxProperties required nullable \
     default description title example x-kubernetes-int-or-string x-kubernetes-preserve-unknown-fields \
     x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-map-type";

/// What Kubernetes means and JSON Schema does not.
fn follow_kubernetes(keywords: &mut Map<String, Value>) {
    if keywords.contains_key("properties")
        && keywords.get("x-kubernetes-preserve-unknown-fields") != Some(&json!(true))
    {
        keywords
            .entry("additionalProperties")
            .or_insert(json!(false));
    }
    // defaults are filled in before `required` is looked at
    let fields = keywords.get("properties").cloned().unwrap_or_default();
    if let Some(Value::Array(required)) = keywords.get_mut("required") {
        required.retain(|name| {
            fields[name.as_str().expect("a name")]
                .get("default")
                .is_none()
        });
    }
    if keywords.get("x-kubernetes-list-type") == Some(&json!("set")) {
        keywords.insert("uniqueItems".to_owned(), json!(true));
    }
    if keywords.get("nullable") == Some(&json!(true)) {
        let kind = keywords["type"].clone();
        keywords.insert("type".to_owned(), json!([kind, "null"]));
    }
    // the API server holds a number to it only beside a minimum or a maximum; Liqo's controllers could not read it
    if keywords.get("format") == Some(&json!("int32")) {
        keywords.entry("minimum").or_insert(json!(i32::MIN));
        keywords.entry("maximum").or_insert(json!(i32::MAX));
    }
}
