//! A CRD's structural schema, read into a form that holds nothing but rules we enforce.
//!
//! A keyword that is neither enforced nor known to be harmless panics: a rule that a later Liqo
//! release adds must not pass in silence.

use std::collections::BTreeMap;

use regex_lite::Regex;
use serde_json::{Value, json};

use super::format::Format;
use super::read;

/// Keywords that say nothing about which values are accepted; the last is about merging.
const HARMLESS: [&str; 4] = ["description", "title", "example", "x-kubernetes-map-type"];

/// Keywords that mean something only beside others, and are read after them.
const TOGETHER: [&str; 3] = ["format", "x-kubernetes-list-type", "x-kubernetes-list-map-keys"];

/// One node of a structural schema (k8s.io/apiextensions-apiserver `pkg/apiserver/schema`).
#[derive(Default)]
pub(super) struct Schema {
    pub(super) kind: Type,
    pub(super) nullable: bool,
    pub(super) default: Option<Value>,
    pub(super) allowed: Option<Vec<Value>>,
    pub(super) format: Option<Format>,
    pub(super) pattern: Option<Regex>,
    pub(super) min_length: Option<usize>,
    pub(super) max_length: Option<usize>,
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
    pub(super) items: Option<Box<Self>>,
    pub(super) min_items: Option<usize>,
    pub(super) max_items: Option<usize>,
    pub(super) list_type: ListType,
    pub(super) properties: BTreeMap<String, Self>,
    pub(super) required: Vec<String>,
    pub(super) additional_properties: Option<Box<Self>>,
    pub(super) preserve_unknown_fields: bool,
}

/// What a value must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Type {
    #[default]
    Anything,
    Object,
    Array,
    String,
    Integer,
    Number,
    Boolean,
    IntOrString,
}

/// Which items of a list must differ (`x-kubernetes-list-type`).
#[derive(Default)]
pub(super) enum ListType {
    /// The list is one value; nothing is compared.
    #[default]
    Atomic,
    /// No two items are equal.
    Set,
    /// No two items agree in these keys (`x-kubernetes-list-map-keys`).
    Map(Vec<String>),
}

impl Schema {
    /// The schema of a whole resource. `apiVersion`, `kind` and `metadata` are known to the API
    /// server without the CRD's help (`pruning.PruneWithOptions`, `isResourceRoot`).
    pub(super) fn of_resource(node: &Value, kind: &str) -> Self {
        let metadata = &node["properties"]["metadata"];
        let bare = metadata.is_null() || *metadata == json!({ "type": "object" });
        assert!(bare, "{kind}.metadata: rules of its own are not known to this checker");

        let mut schema = Self::read(node, kind);
        for name in ["apiVersion", "kind"] {
            let text = Self { kind: Type::String, ..Self::default() };
            schema.properties.insert(name.to_owned(), text);
        }
        schema.properties.insert("metadata".to_owned(), Self::anything());
        schema
    }

    fn anything() -> Self {
        Self { preserve_unknown_fields: true, ..Self::default() }
    }

    /// Reads the node that describes the value at path `at`, which only messages need.
    pub(super) fn read(node: &Value, at: &str) -> Self {
        let keywords = node.as_object().unwrap_or_else(|| panic!("{at}: a schema is an object, not {node}"));
        let mut schema = Self::default();
        for (keyword, value) in keywords {
            schema.take(keyword, value, at);
        }
        schema.format = node.get("format").map(|format| schema.format_named(format, at));
        schema.list_type = ListType::read(node, at);
        schema.inherit_preservation();
        let may_lack_type = schema.preserve_unknown_fields;
        assert!(schema.kind != Type::Anything || may_lack_type, "{at}: a schema needs a type");
        schema
    }

    fn take(&mut self, keyword: &str, value: &Value, at: &str) {
        match keyword {
            _ if HARMLESS.contains(&keyword) || TOGETHER.contains(&keyword) => {}
            "type" => self.kind = Type::named(read::text(value, at), at),
            "nullable" => self.nullable = read::flag(value, at),
            "default" => self.default = Some(value.clone()),
            "enum" => self.allowed = Some(read::list(value, at).to_vec()),
            "pattern" => self.pattern = Some(read::pattern(value, at)),
            "minLength" => self.min_length = Some(read::count(value, at)),
            "maxLength" => self.max_length = Some(read::count(value, at)),
            "minimum" => self.minimum = Some(read::number(value, at)),
            "maximum" => self.maximum = Some(read::number(value, at)),
            "items" => self.items = Some(Box::new(Self::read(value, &format!("{at}[]")))),
            "minItems" => self.min_items = Some(read::count(value, at)),
            "maxItems" => self.max_items = Some(read::count(value, at)),
            "properties" => self.properties = properties(value, at),
            "required" => self.required = read::texts(value, at),
            "additionalProperties" => {
                self.additional_properties = Some(Box::new(Self::read(value, &format!("{at}{{}}"))));
            }
            "x-kubernetes-preserve-unknown-fields" => {
                self.preserve_unknown_fields = read::flag(value, at);
            }
            "x-kubernetes-int-or-string" if read::flag(value, at) => self.kind = Type::IntOrString,
            "anyOf" => assert_int_or_string(value, at),
            "x-kubernetes-validations" => assert_transitions(value, at),
            _ => panic!("{at}: schema keyword `{keyword}` is not known to this checker"),
        }
    }

    fn format_named(&self, name: &Value, at: &str) -> Format {
        let name = read::text(name, at);
        Format::named(self.kind, name).unwrap_or_else(|| {
            panic!("{at}: format `{name}` of a {:?} is not known to this checker", self.kind)
        })
    }

    /// Preservation reaches through a list to its items, but not into a named field
    /// (`pruning.skipPrune`).
    fn inherit_preservation(&mut self) {
        if let Some(items) = self.items.as_mut().filter(|_| self.preserve_unknown_fields) {
            items.preserve_unknown_fields = true;
            items.inherit_preservation();
        }
    }
}

impl Type {
    fn named(name: &str, at: &str) -> Self {
        match name {
            "object" => Self::Object,
            "array" => Self::Array,
            "string" => Self::String,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "boolean" => Self::Boolean,
            _ => panic!("{at}: type `{name}` is not known to this checker"),
        }
    }
}

impl ListType {
    fn read(node: &Value, at: &str) -> Self {
        match node.get("x-kubernetes-list-type").map(|name| read::text(name, at)) {
            None | Some("atomic") => Self::Atomic,
            Some("set") => Self::Set,
            Some("map") => Self::Map(read::texts(&node["x-kubernetes-list-map-keys"], at)),
            Some(name) => panic!("{at}: list type `{name}` is not known to this checker"),
        }
    }
}

fn properties(value: &Value, at: &str) -> BTreeMap<String, Schema> {
    let fields = value.as_object().unwrap_or_else(|| panic!("{at}: properties are an object"));
    let read =
        |(name, node): (&String, &Value)| (name.clone(), Schema::read(node, &super::check::child(at, name)));
    fields.iter().map(read).collect()
}

/// The one `anyOf` that a structural schema may join with a type: it repeats what
/// `x-kubernetes-int-or-string` says (`isIntOrStringAnyOfPattern`).
fn assert_int_or_string(value: &Value, at: &str) {
    let idiom = json!([{ "type": "integer" }, { "type": "string" }]);
    assert!(*value == idiom, "{at}: this `anyOf` is not known to this checker: {value}");
}

/// CEL rules about `oldSelf` are skipped when an object is created, so they are ignored here.
///
/// The released CRDs (v1.0.0 to v1.2.0) have no others: `clusterID` of `Tenant` and `ForeignCluster`,
/// `ip` and `status.cidr` of `IP`, `cidr` and `preAllocated` of `Network`, all `self == oldSelf`.
fn assert_transitions(value: &Value, at: &str) {
    for rule in read::list(value, at) {
        let transition = read::text(&rule["rule"], at).contains("oldSelf");
        let on_create_too = rule["optionalOldSelf"] == true;
        assert!(transition && !on_create_too, "{at}: CEL rule is not known to this checker: {rule}");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Schema;

    fn read(schema: &Value) {
        Schema::read(schema, "spec");
    }

    #[test]
    #[should_panic(expected = "spec: schema keyword `maxProperties` is not known")]
    fn an_unknown_keyword_panics() {
        read(&json!({ "type": "object", "maxProperties": 1 }));
    }

    #[test]
    #[should_panic(expected = "spec.a[]: format `mac` of a String is not known")]
    fn an_unknown_format_panics_with_its_path() {
        let items = json!({ "type": "string", "format": "mac" });
        let list = json!({ "type": "array", "items": items });
        read(&json!({ "type": "object", "properties": { "a": list } }));
    }

    #[test]
    #[should_panic(expected = "spec: this `anyOf` is not known")]
    fn an_any_of_that_is_no_idiom_panics() {
        read(&json!({ "type": "object", "anyOf": [{ "required": ["a"] }] }));
    }

    #[test]
    #[should_panic(expected = "spec: CEL rule is not known")]
    fn a_rule_about_a_new_object_panics() {
        let rule = json!({ "rule": "has(self.port) != has(self.ports)" });
        read(&json!({ "type": "object", "x-kubernetes-validations": [rule] }));
    }

    #[test]
    fn a_rule_about_a_change_is_ignored() {
        let rule = json!({ "rule": "self == oldSelf", "message": "ClusterID is immutable" });
        read(&json!({ "type": "string", "x-kubernetes-validations": [rule] }));
    }

    #[test]
    #[should_panic(expected = "spec: a schema needs a type")]
    fn a_schema_without_a_type_panics() {
        read(&json!({ "description": "x" }));
    }
}
