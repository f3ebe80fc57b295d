//! The scalars' schemas: type, pattern, limits, examples. A pattern may allow more than the type's own rule, never less.

use crate::custody::keys::PublicKey;
use crate::document::authentication::{Credential, Identity};
use crate::document::metadata::{Annotations, Labels, NodeAnnotations, NodeLabels, WorkloadLabels};
use crate::document::networking::{GatewayClient, KnownClient, ServiceType};
use crate::document::offloading::{Class, ClusterSelector, MappingWord};
use crate::document::resources::{NEEDED, Resources};
use crate::document::scalar::{
    ApiVersion, Bytes, LabelValue, ObjectKind, QualifiedName, ScopeOperator, Seconds, TaintEffect, Text,
    Time, TolerationOperator, Weight,
};
use crate::document::selector::{NodeSelectorTerm, Terms};
use crate::document::{Literal, Sealed, reserved};
use crate::peering::authentication::{Certificate, SubjectKind, TenantCondition};
use crate::peering::cidr::Cidr;
use crate::peering::endpoint::{Address, Generation, Mtu, NodePort, Port, Protocol, Service};
use crate::peering::name::{
    ClusterId, ConfigurationName, FileName, GatewayName, Namespace, ObjectName, PeeringName, RoleBindingName,
    SecretName, SliceName, SubjectName, Title,
};
use crate::peering::offloading::{Clusters, Mapping, PodOffloading};
use crate::peering::role::Role;
use crate::peering::url::{ApiServer, ProxyUrl};
use crate::peering::version::LiqoVersion;
use crate::peering::{Protection, State};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// Declares schemas that stand where they are used.
macro_rules! schemas {
    ($($type:ident($generator:ident): $schema:expr;)*) => {
        $(impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        })*
    };
}

const LABEL: &str = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
const SUBDOMAIN: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
const HOST: &str = r"^[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*\.?$";
const QUALIFIED: &str = r"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$";
const LABEL_VALUE: &str = "^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$";
const QUANTITY: &str = r"^\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]{1,3})?$";

/// A host at which a pod finds itself, in a lookahead.
const OWN_HOST: &str = r"(?!(localhost|127(\.[0-9]+){3}|0\.0\.0\.0|\[::1?\])([:/?#]|$))";

fn word(words: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": words })
}

fn name(pattern: &str, longest: usize) -> Schema {
    json_schema!({ "type": "string", "pattern": pattern, "minLength": 1, "maxLength": longest })
}

fn url(schemes: &str, host: &str, example: &str) -> Schema {
    let pattern = format!("^{schemes}://{host}[^/?#@]+([/?#].*)?$");
    json_schema!({ "type": "string", "pattern": pattern, "maxLength": 2048, "examples": [example] })
}

fn integer(least: i64, most: i64) -> Schema {
    json_schema!({ "type": "integer", "minimum": least, "maximum": most })
}

fn map(keys: &str, values: &Schema) -> Schema {
    json_schema!({ "type": "object", "propertyNames": { "pattern": keys }, "additionalProperties": values })
}

/// The same without the keys that are not the user's; `but` is a domain whose keys are, here.
fn own(values: &Schema, but: Option<&str>) -> Schema {
    let domains = reserved::DOMAINS.iter().filter(|(domain, _)| Some(*domain) != but);
    let domains: Vec<String> = domains.map(|(domain, _)| domain.replace('.', r"\.")).collect();
    let links = reserved::LINKS.replace('.', r"\.");
    let domains = format!(r"^(?!{links}/)([-a-z0-9.]*\.)?({})/", domains.join("|"));
    let keys = reserved::KEYS.map(|(key, _)| key);
    let taken = json_schema!({
        "anyOf": [{ "pattern": domains, "not": { "enum": reserved::FREE } }, { "enum": keys }],
    });
    json_schema!({
        "type": "object",
        "propertyNames": { "pattern": QUALIFIED, "not": taken },
        "additionalProperties": values,
    })
}

fn label() -> Schema {
    json_schema!({ "type": "string", "pattern": LABEL_VALUE })
}

fn annotation() -> Schema {
    json_schema!({ "type": "string", "maxLength": 16384 })
}

schemas! {
    Literal(_generator): json_schema!({ "type": "string" });
    ClusterId(_generator): json_schema!({
        "type": "string", "pattern": "^(?![0-9]+$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "maxLength": 63, "examples": ["rome"],
    });
    Namespace(_generator): name(LABEL, 63);
    GatewayName(_generator): name(LABEL, 58);
    SliceName(_generator): name(LABEL, 51);
    ObjectName(_generator): name(SUBDOMAIN, 253);
    ConfigurationName(_generator): name(SUBDOMAIN, 207);
    RoleBindingName(_generator): name(r"^(?!\.{1,2}$)[^/%]+$", 253);
    SecretName(_generator): name(SUBDOMAIN, 253);
    PeeringName(_generator): json_schema!({
        "type": "string", "pattern": SUBDOMAIN, "maxLength": 244, "examples": ["rome-milan"],
    });
    Title(_generator): json_schema!({ "type": "string", "minLength": 1, "maxLength": 253 });
    SubjectName(_generator): json_schema!({ "type": "string", "minLength": 1, "maxLength": 253, "examples": ["rome"] });
    FileName(_generator): json_schema!({
        "type": "string", "pattern": "^[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$", "examples": ["peering.seed.age"],
    });
    LiqoVersion(_generator): json_schema!({
        "type": "string", "pattern": r"^v?[1-9][0-9]{0,3}\.(0|[1-9][0-9]{0,3})(\.(0|[1-9][0-9]{0,3})(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?)?$",
        "examples": ["1.2"],
    });
    Cidr(_generator): json_schema!({
        "type": "string", "pattern": r"^(?!(0|127|169\.254|22[4-9]|23[0-9])\.)([0-9]{1,3}\.){3}[0-9]{1,3}/(3[0-2]|[12][0-9]|[3-9])$", "examples": ["10.42.0.0/16"],
    });
    Address(_generator): json_schema!({
        "type": "string", "pattern": HOST, "not": { "pattern": r"^((.*\.)?localhost\.?|127(\.[0-9]+){3}|0\.0\.0\.0)$" },
        "maxLength": 254, "examples": ["172.16.183.16", "gateway.example.org"],
    });
    PublicKey(_generator): json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$" });
    ApiServer(_generator): url("https", OWN_HOST, "https://172.16.183.16:6443");
    ProxyUrl(_generator): url("(https?|socks5)", "", "http://proxy.example.org:3128");
    Certificate(_generator): json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$" });
    Class(_generator): name("^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$", 63);
    Text(_generator): json_schema!({ "type": "string", "minLength": 1, "maxLength": 1024 });
    QualifiedName(_generator): name(QUALIFIED, 317);
    LabelValue(_generator): json_schema!({ "type": "string", "pattern": LABEL_VALUE });
    Port(_generator): integer(1, 65_535);
    NodePort(_generator): integer(30_000, 32_767);
    Mtu(_generator): integer(576, 8920);
    Generation(_generator): integer(1, i64::from(u32::MAX));
    Weight(_generator): integer(1, 100);
    Seconds(_generator): integer(0, i64::MAX);
    Bytes(_generator): integer(0, i64::MAX);
    Role(_generator): word(&Self::WORDS);
    Protection(_generator): word(&["confirm", "none"]);
    State(_generator): word(&["Active", "Drained"]);
    Protocol(_generator): word(&["UDP", "TCP"]);
    ServiceType(_generator): word(&Service::WORDS);
    SubjectKind(_generator): word(&["User", "Group", "ServiceAccount"]);
    TenantCondition(_generator): word(&["Active", "Cordoned", "Drained"]);
    PodOffloading(_generator): word(&Self::WORDS);
    MappingWord(_generator): word(&Mapping::WORDS);
    ObjectKind(_generator): name("^[A-Z][A-Za-z0-9]*$", 63);
    ApiVersion(_generator): json_schema!({
        "type": "string", "pattern": "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        "examples": ["networking.liqo.io/v1beta1"],
    });
    Time(_generator): json_schema!({
        "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
        "examples": ["2026-01-31T12:00:00Z"],
    });
    TaintEffect(_generator): word(&["NoSchedule", "PreferNoSchedule", "NoExecute"]);
    TolerationOperator(_generator): word(&["Exists", "Equal"]);
    ScopeOperator(_generator): word(&["In", "NotIn", "Exists", "DoesNotExist"]);
    Labels(_generator): own(&label(), None);
    WorkloadLabels(_generator): own(&label(), Some(reserved::POD_SECURITY));
    NodeLabels(_generator): map(QUALIFIED, &label());
    Annotations(_generator): own(&annotation(), None);
    NodeAnnotations(_generator): map(QUALIFIED, &annotation());
    Resources(_generator): resources();
    Clusters(generator): json_schema!({
        "anyOf": [word(&["thisPeer", "all"]), generator.subschema_for::<ClusterSelector>()],
    });
    GatewayClient(generator): json_schema!({
        "anyOf": [word(&["pending"]), generator.subschema_for::<KnownClient>()],
    });
    Credential(generator): json_schema!({
        "anyOf": [
            word(&["pending"]),
            {
                "type": "object",
                "properties": {
                    "kubeconfig": described(generator.subschema_for::<Sealed>(), "A sealed kubeconfig for the provider."),
                    "identity": described(generator.subschema_for::<Identity>(), "Liqo's own `Identity`: public data only."),
                    "existingSecret": {
                        "type": "object",
                        "maxProperties": 0,
                        "description": "Somebody else makes the Secret.",
                    },
                },
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
            },
        ],
    });
    Terms(generator): json_schema!({
        "type": "array", "minItems": 1, "items": generator.subschema_for::<NodeSelectorTerm>(),
    });
    NodeSelectorTerm(_generator): json_schema!({
        "type": "object",
        "properties": {
            "matchExpressions": described(expressions(), "Of the Node's labels."),
            "matchFields": described(field_expressions(), "Of the Node's fields."),
        },
        "additionalProperties": false,
        "minProperties": 1,
    });
}

/// Amounts; those that a Node needs are above zero, and what is not divided is no fraction.
fn resources() -> Schema {
    let amount = json_schema!({
        "anyOf": [{ "type": "string", "pattern": QUANTITY }, { "type": "number", "minimum": 0 }],
        "examples": ["20", "500m", "128Gi"],
    });
    let mut schema = map(QUALIFIED, &amount);
    let some = json_schema!({ "anyOf": [{ "type": "string", "pattern": "[1-9]" }, { "type": "number", "exclusiveMinimum": 0 }] });
    let whole = json_schema!({ "type": ["string", "integer"] });
    schema.insert(
        "allOf".into(),
        serde_json::json!([
            { "patternProperties": { (format!("^({})$", NEEDED.join("|"))): some } },
            { "patternProperties": { "^(memory|pods|ephemeral-storage|.*/.*)$": whole } },
        ]),
    );
    schema
}

fn described(mut schema: Schema, description: &str) -> Schema {
    schema.insert("description".into(), description.into());
    schema
}

fn expressions() -> Schema {
    let value = json_schema!({ "type": "string", "minLength": 1, "pattern": LABEL_VALUE });
    let operator = word(&["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]);
    requirements(name(QUALIFIED, 317), operator, json_schema!({ "type": "array", "items": value }))
}

fn field_expressions() -> Schema {
    let node = name(SUBDOMAIN, 253);
    let one = json_schema!({ "type": "array", "items": node, "minItems": 1, "maxItems": 1 });
    requirements(word(&["metadata.name"]), word(&["In", "NotIn"]), one)
}

fn requirements(key: Schema, operator: Schema, values: Schema) -> Schema {
    json_schema!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "key": described(key, "The label or field."),
                "operator": described(operator, "Kubernetes' word."),
                "values": described(values, "As many as the operator takes."),
            },
            "required": ["key", "operator"],
            "additionalProperties": false,
        },
    })
}
