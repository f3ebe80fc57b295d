//! PARSE, second half: a tree of nodes to the document as it is meant to be written.
//!
//! Every field that exists is declared here, once. A value of these types has the right shape, and each of its
//! scalars keeps its own rules; whether they fit together is the business of [`crate::rules`].

pub mod authentication;
pub mod decode;
mod domain;
mod fields;
mod hint;
pub mod metadata;
pub mod networking;
pub mod offloading;
mod place;
pub(crate) mod reserved;
pub mod resources;
pub mod scalar;
pub mod selector;
pub mod virtual_node;

use crate::custody::keys::PublicKey;
use crate::diagnostic::{Code, Diagnostic, Invalid, Paths, Problems, Rule, Source, one_of, quoted};
use crate::input::yaml::{Node, Value};
use crate::peering::cidr::Cidr;
use crate::peering::endpoint::Generation;
use crate::peering::name::{
    ClusterId, ConfigurationName, FileName, GatewayName, Namespace, ObjectName, PeeringName, RoleBindingName,
    SecretName, Title,
};
use crate::peering::version::LiqoVersion;
use crate::peering::{Protection, State};
use authentication::Authentication;
use decode::{Decode, Located, record, word};
use metadata::{Extra, ObjectExtras};
use networking::Networking;
use offloading::Offloading;

/// The document's `apiVersion`.
pub const API_VERSION: &str = "argocd-peering/v1alpha1";

/// The document's `kind`.
pub const KIND: &str = "Peering";

record! {
    /// `peering.yaml`.
    Document {
        /// `argocd-peering/v1alpha1`
        #[schemars(extend("const" = API_VERSION))]
        "apiVersion" => api_version: required Literal,
        /// `Peering`
        #[schemars(extend("const" = KIND))]
        "kind" => kind: required Literal,
        /// What people call it.
        "metadata" => metadata: required Metadata,
        /// The peering.
        "spec" => spec: required Spec,
    }
}

record! {
    /// What people call the peering. No key and no object depends on it.
    Metadata {
        /// Unique among all peerings. Argo CD's Applications are called `<name>-consumer` and `<name>-provider`.
        "name" => name: required Located<PeeringName>,
    }
}

record! {
    /// The peering.
    Spec {
        /// The lowest Liqo on either cluster; a pre-release counts as the minor version before. Default: 1.0, whose fields every version has.
        #[schemars(extend("default" = "1.0"))]
        "liqoVersion" => liqo_version: optional Located<LiqoVersion>,
        /// Where Liqo is installed. Default: `liqo`.
        #[schemars(extend("default" = "liqo"))]
        "liqoNamespace" => liqo_namespace: optional Namespace,
        /// The sealed seed of both sides' keys.
        "seed" => seed: optional Located<Sealed>,
        /// The cluster that offloads pods.
        "consumer" => consumer: required Cluster,
        /// The cluster that runs them.
        "provider" => provider: required Cluster,
        /// Left out: no networking module.
        "networking" => networking: optional Located<Networking>,
        /// Left out: no authentication module.
        "authentication" => authentication: optional Located<Authentication>,
        /// Left out: no offloading module.
        "offloading" => offloading: optional Located<Offloading>,
        /// The other direction: the provider uses the consumer as well.
        "reverse" => reverse: optional Reverse,
        /// `Drained` is the first of two commits of a teardown. Default: `Active`.
        #[schemars(extend("default" = "Active"))]
        "state" => state: optional State,
        /// Whether Argo CD asks before it deletes what the other side needs. Default: `confirm`.
        #[schemars(extend("default" = "confirm"))]
        "protection" => protection: optional Protection,
        /// Labels and annotations of every object but the `PublicKey`: until Liqo 1.2 a change of its own ones interrupts the tunnel.
        "commonMetadata" => common_metadata: optional Located<Extra>,
    }
}

impl Spec {
    /// The lowest Liqo on either cluster; if nothing is said, the lowest whose fields every later one has.
    #[must_use]
    pub fn lowest_liqo(&self) -> LiqoVersion {
        self.liqo_version.as_ref().map_or(LiqoVersion::V1_0, |written| written.value)
    }
}

record! {
    /// What the provider uses of the consumer.
    Reverse {
        /// How the provider is let into the consumer.
        "authentication" => authentication: required Located<Authentication>,
        /// What it asks for and offloads there.
        "offloading" => offloading: optional Located<Offloading>,
    }
}

record! {
    /// A sealed file beside the document.
    Sealed {
        /// The name of a file beside the document.
        "file" => file: required Located<FileName>,
    }
}

record! {
    /// One of the two clusters.
    Cluster {
        /// Liqo's cluster ID.
        "clusterID" => cluster_id: required Located<ClusterId>,
        /// Argo CD's name of the cluster; for the `ApplicationSet` only.
        "argocdCluster" => argocd_cluster: optional Located<Title>,
        /// The pods' networks, as the cluster itself knows them.
        #[schemars(extend("minItems" = 1))]
        "podCIDRs" => pod_cidrs: optional Located<Vec<Located<Cidr>>>,
        /// Liqo's external network of the cluster.
        "externalCIDR" => external_cidr: optional Located<Cidr>,
        /// Default: `liqo-tenant-` and the other cluster's ID.
        "tenantNamespace" => tenant_namespace: optional Located<Namespace>,
        /// Raised to replace the cluster's key. Default: 1.
        #[schemars(extend("default" = 1))]
        "keyGeneration" => key_generation: optional Generation,
        /// This side's own seed, which only its own Argo CD can open. Default: `spec.seed`.
        "seed" => seed: optional Located<Sealed>,
        /// With a seed: the key that it is expected to give. Without: the key of a side whose seed is elsewhere.
        "publicKey" => public_key: optional Located<PublicKey>,
        /// Names of objects that exist already.
        "names" => names: optional Names,
        /// Labels and annotations of single objects.
        "metadata" => metadata: optional ObjectExtras,
    }
}

record! {
    /// Names that replace the conventional ones.
    Names {
        /// The `GatewayServer` or `GatewayClient`.
        "gateway" => gateway: optional Located<GatewayName>,
        /// The Configuration.
        "configuration" => configuration: optional Located<ConfigurationName>,
        /// The Secret with the gateway's keys.
        "keySecret" => key_secret: optional Located<SecretName>,
        /// The `PublicKey`.
        "publicKey" => public_key: optional Located<ObjectName>,
        /// The Tenant, where the other cluster is let in.
        "tenant" => tenant: optional Located<ObjectName>,
        /// The `RoleBinding`, where the other cluster is let in.
        "roleBinding" => role_binding: optional Located<RoleBindingName>,
        /// The Secret or Identity with the credential, where the other cluster is used.
        "identity" => identity: optional Located<ObjectName>,
    }
}

/// A text that must be one constant; which one is checked before anything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal;

impl Decode for Literal {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        decode::text(node, "a string", problems).map(|_| Self)
    }
}

impl Decode for bool {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        if let Value::Plain(text) = &node.value
            && let crate::input::yaml::Plain::Boolean(boolean) = crate::input::yaml::read_plain(text)
        {
            return Some(boolean);
        }
        match &node.value {
            Value::Plain(text)
                if ["y", "yes", "on", "true"].contains(&text.to_ascii_lowercase().as_str()) =>
            {
                problems.push(not_everybodys_boolean(text, "true").at(node.span));
            }
            Value::Plain(text)
                if ["n", "no", "off", "false"].contains(&text.to_ascii_lowercase().as_str()) =>
            {
                problems.push(not_everybodys_boolean(text, "false").at(node.span));
            }
            _ => decode::wrong_type(node, &one_of(&["true", "false"]), problems),
        }
        None
    }
}

fn not_everybodys_boolean(text: &str, meant: &str) -> Rule {
    Rule::new(
        Code::AmbiguousScalar,
        format!("`{text}` is a boolean to some readers of YAML and a string to others"),
    )
    .help(format!("say `{meant}`"))
}

impl Decode for Protection {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let word = word(node, &["confirm", "none"], problems)?;
        Some(if word.value == 0 { Self::Confirm } else { Self::None })
    }
}

impl Decode for State {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let word = word(node, &["Active", "Drained"], problems)?;
        Some(if word.value == 0 { Self::Active } else { Self::Drained })
    }
}

/// Reads a document.
///
/// # Errors
/// With every problem of its shape and of its scalars.
pub fn parse(source: &Source) -> Result<Document, Invalid> {
    let invalid =
        |problems: Problems, paths| Invalid { problems: problems.sorted(), source: source.clone(), paths };
    let root =
        crate::input::yaml::parse(source.text()).map_err(|problems| invalid(problems, Paths::default()))?;
    let mut problems = Problems::default();
    if let Some(diagnostic) = not_a_peering(&root) {
        problems.push(diagnostic);
        return Err(invalid(problems, root.paths()));
    }
    match Document::decode(&root, &mut problems) {
        Some(document) if problems.is_empty() => Ok(document),
        _ => Err(invalid(problems, root.paths())),
    }
}

/// The fields of a document's places. Only messages need them, so the tree is not kept for them.
#[must_use]
pub fn paths(source: &Source) -> Paths {
    crate::input::yaml::parse(source.text()).map(|root| root.paths()).unwrap_or_default()
}

/// A file of something else is told so, instead of listing all its fields as unknown.
fn not_a_peering(root: &Node) -> Option<Diagnostic> {
    let begins = format!("a peering begins with `apiVersion: {API_VERSION}` and `kind: {KIND}`");
    let Value::Map(entries) = &root.value else {
        let message = format!("a peering is a map, not {}", decode::kind_of(root));
        return Some(Rule::new(Code::WrongType, message).help(begins).at(root.span));
    };
    let said = |name: &str| {
        entries.iter().find_map(|(key, value)| match (&key.value, &value.value) {
            (Value::Plain(key) | Value::Quoted(key), Value::Plain(text) | Value::Quoted(text))
                if key == name =>
            {
                Some((text.as_str(), value.span))
            }
            _ => None,
        })
    };
    for (field, expected) in [("apiVersion", API_VERSION), ("kind", KIND)] {
        match said(field) {
            Some((found, span)) if found != expected => {
                let message = format!("this is no peering: its `{field}` is {}", quoted(found));
                let help = if found.starts_with("argocd-peering/") {
                    format!("this version of the program reads `{API_VERSION}` only")
                } else {
                    begins
                };
                return Some(Rule::new(Code::NotAPeering, message).help(help).at(span));
            }
            _ => {}
        }
    }
    None
}
