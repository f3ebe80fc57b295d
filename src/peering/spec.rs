//! `peering.yaml` as it is written: its outermost maps. The modules' maps are declared beside their kinds.

use super::authentication::{AuthenticationSpec, Subject};
use super::cluster::{self, ClusterSpec};
use super::delivery::ExternalSpec;
use super::networking::NetworkingSpec;
use super::networking::gateway_client::{ClientEndpoint, GatewayClientSpec};
use super::networking::gateway_server::{GatewayServerSpec, ServerEndpoint};
use super::offloading::OffloadingSpec;
use super::offloading::namespace::NamespaceSpec;
use super::offloading::resource_slice::ResourceSliceSpec;
use super::values::{
    LiqoVersion, Metadata, Namespace, PeeringName, Protection, SealedFile, State, Text,
};
use crate::diagnostic::{Code, Diagnostic, Rule, list_or, quoted};
use crate::document::{Located, kind_of, records};
use crate::input::yaml::Node;
use schemars::generate::SchemaSettings;

/// The document's `apiVersion`.
pub const API_VERSION: &str = "argocd-peering/v1alpha1";

/// The document's `kind`.
pub const KIND: &str = "Peering";

/// The first line of a sealed file (C2SP `age.md`, "ASCII armor").
const ARMOR: &str = "-----BEGIN AGE ENCRYPTED FILE-----";

records! {
    /// `peering.yaml`.
    Document {
        /// The format of this file.
        "apiVersion" => api_version: required Text, missing "a peering begins with `apiVersion: argocd-peering/v1alpha1`",
            schema { "const": API_VERSION };
        /// What this file describes.
        "kind" => kind: required Text, missing "a peering begins with `kind: Peering`", schema { "const": KIND };
        /// What people call it.
        "metadata" => metadata: required Title, missing "write `metadata: { name: … }`";
        /// The peering.
        "spec" => spec: required Spec, missing "`spec` has the two clusters and what connects them";
    }

    /// What people call the peering. No key and no object depends on it.
    Title {
        /// Unique among all peerings. `init` calls the Applications `<name>-consumer` and `<name>-provider`.
        "name" => name: required Located<PeeringName>;
    }

    /// The peering.
    Spec {
        /// The oldest Liqo among all clusters that peerings connect: the same in each of their documents. A pre-release counts as the minor version before. Default: 1.0, whose fields every version has.
        "liqoVersion" => liqo_version: optional Located<LiqoVersion>, schema { "default": "1.0" };
        /// The namespace of Liqo, unless a cluster has its own `liqoNamespace`. Default: `liqo`.
        "liqoNamespace" => liqo_namespace: optional Namespace, schema { "default": "liqo" };
        /// The sealed seed of both sides' keys.
        "seed" => seed: optional SealedFile;
        /// The cluster that offloads pods.
        "consumer" => consumer: required ClusterSpec, missing "the cluster that offloads pods, with its `clusterID`";
        /// The cluster that runs them.
        "provider" => provider: required ClusterSpec, missing "the cluster that runs the pods, with its `clusterID`";
        /// The tunnel. Left out: the clusters have no network in common, or they have it already.
        "networking" => networking: optional NetworkingSpec;
        /// How the consumer is let into the provider. Left out: it is not let in.
        "authentication" => authentication: optional AuthenticationSpec;
        /// What the consumer asks for and what it offloads. Left out: nothing.
        "offloading" => offloading: optional Located<OffloadingSpec>;
        /// The other direction: the provider uses the consumer as well.
        "reverse" => reverse: optional Reverse;
        /// `Drained`: each cluster releases what it uses at the other. Default: `Active`.
        "state" => state: default State = State::Active;
        /// Whether Argo CD asks before it deletes what the other side needs, and waits while the other side uses it. Default: `confirm`.
        "protection" => protection: default Protection = Protection::Confirm;
        /// Whether both streams have Liqo's `ForeignCluster` of the other cluster, so that, with a health pack, Applications without tunnel are Degraded. Default: true.
        "foreignCluster" => foreign_cluster: default bool = true;
        /// Labels and annotations of the objects, except Secrets, SealedSecrets and ExternalSecrets (controllers that copy Secrets go by labels) and the `PublicKey`: until Liqo 1.2, a change of its metadata interrupts the tunnel.
        "commonMetadata" => common_metadata: optional Located<Metadata>;
    }

    /// What the provider uses of the consumer.
    Reverse {
        /// How the provider is let into the consumer.
        "authentication" => authentication: required AuthenticationSpec,
            missing "set its `subject` and `credential`";
        /// What it asks for and offloads there.
        "offloading" => offloading: optional Located<OffloadingSpec>;
    }
}

/// The maps that people write by hand, for advice about a field in a wrong map. The deeper maps are Kubernetes' own.
const MAPS: [(&str, &[&str]); 16] = [
    ("metadata", Title::FIELDS),
    ("spec", Spec::FIELDS),
    ("spec.consumer", ClusterSpec::FIELDS),
    ("spec.provider", ClusterSpec::FIELDS),
    ("external", ExternalSpec::FIELDS),
    ("names", cluster::Names::FIELDS),
    ("spec.networking", NetworkingSpec::FIELDS),
    ("spec.networking.gatewayServer", GatewayServerSpec::FIELDS),
    (
        "spec.networking.gatewayServer.endpoint",
        ServerEndpoint::FIELDS,
    ),
    ("spec.networking.gatewayClient", GatewayClientSpec::FIELDS),
    (
        "spec.networking.gatewayClient.endpoint",
        ClientEndpoint::FIELDS,
    ),
    ("authentication", AuthenticationSpec::FIELDS),
    ("authentication.subject", Subject::FIELDS),
    ("offloading", OffloadingSpec::FIELDS),
    ("offloading.resourceSlices", ResourceSliceSpec::FIELDS),
    ("offloading.namespaces", NamespaceSpec::FIELDS),
];

/// The maps that have a field, as advice, if they are few enough to help.
pub(super) fn places(field: &str) -> Option<String> {
    let maps = MAPS.iter().filter(|(_, fields)| fields.contains(&field));
    let places: Vec<&str> = maps.map(|(place, _)| *place).collect();
    if places.is_empty() || places.len() > 3 {
        return None;
    }
    let more = match places[..] {
        // a field of `names` that is not in `metadata` too is the name of a Secret
        ["names"] if !cluster::ObjectMetadata::FIELDS.contains(&field) => {
            ", all that a Secret takes"
        }
        _ => "",
    };
    Some(format!("write `{field}` in {}{more}", list_or(&places)))
}

fn expected_head() -> String {
    format!("a peering begins with `apiVersion: {API_VERSION}` and `kind: {KIND}`")
}

/// Reports a file of another kind as such, not each of its fields.
pub(super) fn not_a_peering(root: &Node) -> Option<Diagnostic> {
    if root.text().unwrap_or_default().starts_with(ARMOR) {
        let help = "name its folder; `argocd-peering inspect FILE` describes the sealed file";
        let rule = Rule::new(Code::NotAPeering, "this is a sealed file, not a peering");
        return Some(rule.help(help).mark(root.span));
    }
    if !root.is_map() {
        let message = format!("a peering is a map, not {}", kind_of(root));
        let rule = Rule::new(Code::WrongType, message).help(expected_head());
        return Some(rule.mark(root.span));
    }
    for (field, expected) in [("apiVersion", API_VERSION), ("kind", KIND)] {
        if let Some(value) = root.get(field)
            && let Some(found) = value.text()
            && found != expected
        {
            let message = format!("this is no peering: its `{field}` is {}", quoted(found));
            let help = if found.starts_with("argocd-peering/") {
                format!("this version reads `{API_VERSION}` only")
            } else {
                expected_head()
            };
            let rule = Rule::new(Code::NotAPeering, message).help(help);
            return Some(rule.mark(value.span));
        }
    }
    None
}

/// The JSON Schema (draft 2020-12), as text that ends with a line break.
///
/// It describes the values of single fields, and comes from the declarations that read them. Rules between fields are checked elsewhere. A
/// document that the schema refuses is refused by the program too.
pub fn schema_text() -> String {
    let mut schema = SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<Document>();
    schema.insert("title".into(), "peering.yaml of argocd-peering".into());
    // a value of this type serializes
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::schema_text;
    use serde_json::Value;

    fn schema() -> Value {
        serde_json::from_str(&schema_text()).expect("JSON")
    }

    #[test]
    fn nothing_may_be_null_and_nothing_unknown() {
        let text = schema_text();
        assert!(!text.contains("\"null\""), "a nullable field");
        let mut objects = 0;
        let mut stack = vec![schema()];
        while let Some(value) = stack.pop() {
            if let Value::Object(map) = &value {
                if map.contains_key("properties") {
                    assert_eq!(
                        map.get("additionalProperties"),
                        Some(&Value::Bool(false)),
                        "{map:?}"
                    );
                    objects += 1;
                }
                stack.extend(map.values().cloned());
            } else if let Value::Array(items) = value {
                stack.extend(items);
            }
        }
        assert!(objects > 20, "{objects}");
    }

    #[test]
    fn every_field_is_described() {
        let mut stack = vec![schema()];
        while let Some(value) = stack.pop() {
            if let Value::Object(map) = &value {
                for (name, property) in map
                    .get("properties")
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten()
                {
                    assert!(
                        property.get("description").is_some(),
                        "`{name}` has no description: {property}"
                    );
                }
                stack.extend(map.values().cloned());
            } else if let Value::Array(items) = value {
                stack.extend(items);
            }
        }
    }
}
