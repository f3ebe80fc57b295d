//! The consumer's credential: one server, one user, everything inline.
//!
//! Liqo's `crd-replicator` parses it in its own process (`pkg/identityManager/client.go`), which has no file and no
//! credential plugin of the sealer's machine. So only what works there is accepted, and only the current context is
//! passed on.

mod issued;
#[cfg(feature = "workstation")]
mod key_pair;
mod usable;

use super::{ANOTHER_CLUSTER, EFFECTS as OF_ANY};
use crate::diagnostic::Bug;
use crate::diagnostic::secrecy::remember;
use crate::object::live::Impact::Rights;
use crate::object::live::{Cardinality, Effect, HeldSecret, LiveHalf, Scope, effect};
use crate::object::{Engine, Kind, Secret, SecretMeta, fields, kind};
use crate::peering::delivery::{BRINGERS, IMMUTABLE};
use crate::peering::names::{self, REMOTE_CLUSTER_ID};
use crate::peering::side::Side;
use crate::peering::values::DataKey;
use crate::uri::Uri;
pub(crate) use issued::{CredentialEnd, Holder, IssuedCredential, TargetCluster};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;
pub use usable::KubeconfigProblem;
use zeroize::Zeroizing;

/// The command that seals a kubeconfig.
pub(crate) const COMMAND: &str = "seal kubeconfig";

/// A kubeconfig that Liqo can use: the current context's cluster and user.
///
/// A value of this type names no file and runs no program. Only its parts serialize, for its template: they hold secrets.
pub struct Kubeconfig {
    names: EntryNames,
    cluster: ClusterEntry,
    user: UserEntry,
}

/// The names of the parts in the file. They are kept, since people know their clusters by these names.
#[derive(Serialize)]
struct EntryNames {
    context: String,
    cluster: String,
    user: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct KubeconfigFile {
    kind: Option<String>,
    current_context: Option<String>,
    #[serde(default)]
    clusters: Vec<NamedEntry<ClusterEntry>>,
    #[serde(default)]
    contexts: Vec<NamedEntry<ContextEntry>>,
    #[serde(default)]
    users: Vec<NamedEntry<UserEntry>>,
}

#[derive(Deserialize)]
struct NamedEntry<T> {
    name: String,
    #[serde(alias = "cluster", alias = "context", alias = "user")]
    content: T,
}

#[derive(Deserialize)]
struct ContextEntry {
    cluster: String,
    user: String,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(rename_all(deserialize = "kebab-case"))]
struct ClusterEntry {
    server: String,
    certificate_authority_data: Option<String>,
    certificate_authority: Option<String>,
    insecure_skip_tls_verify: Option<bool>,
    tls_server_name: Option<String>,
    proxy_url: Option<String>,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(rename_all(deserialize = "kebab-case"))]
struct UserEntry {
    token: Option<Zeroizing<String>>,
    client_certificate_data: Option<String>,
    client_key_data: Option<Zeroizing<String>>,
    username: Option<String>,
    password: Option<Zeroizing<String>>,
    #[serde(rename(deserialize = "tokenFile"))]
    token_file: Option<String>,
    client_certificate: Option<String>,
    client_key: Option<String>,
    exec: Option<RefusedField>,
    auth_provider: Option<RefusedField>,
    #[serde(rename(deserialize = "as"))]
    as_name: Option<RefusedField>,
    as_uid: Option<RefusedField>,
    as_groups: Option<RefusedField>,
    as_user_extra: Option<RefusedField>,
}

/// A field that is refused whatever its value is.
#[derive(Serialize)]
struct RefusedField;

impl<'de> Deserialize<'de> for RefusedField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer)?;
        Ok(Self)
    }
}

impl Kubeconfig {
    /// Reads a kubeconfig and keeps its current context.
    ///
    /// # Errors
    /// When it is not a kubeconfig, or could not work inside Liqo's controllers. No value is quoted.
    pub fn parse(text: &str) -> Result<Self, KubeconfigProblem> {
        let options = serde_saphyr::options! {
            with_snippet: false,
            budget: serde_saphyr::budget! { max_anchors: 0, max_aliases: 0, max_documents: 1, max_depth: 32, max_nodes: 20_000 },
        };
        if text.trim().is_empty() {
            return Err(KubeconfigProblem::Empty);
        }
        let file: KubeconfigFile = serde_saphyr::from_str_with_options(text, options)
            .map_err(|_| KubeconfigProblem::Malformed)?;
        match file.kind.as_deref() {
            None | Some("Config") => {}
            Some("Secret") => return Err(KubeconfigProblem::Secret),
            Some("Peering") => return Err(KubeconfigProblem::OtherKind("`Peering`")),
            Some("List") => return Err(KubeconfigProblem::OtherKind("`List`")),
            // any other text may be a secret
            Some(_) => return Err(KubeconfigProblem::OtherKind("another one")),
        }
        unique(&file.clusters, "clusters")?;
        unique(&file.contexts, "contexts")?;
        unique(&file.users, "users")?;
        let dangling = KubeconfigProblem::Dangling;
        let current = file.current_context.filter(|name| !name.is_empty());
        let current = current.ok_or(dangling("current-context"))?;
        let context = find(file.contexts, &current).ok_or(dangling("current-context"))?;
        let cluster = find(file.clusters, &context.cluster).ok_or(dangling("cluster"))?;
        let user = find(file.users, &context.user).ok_or(dangling("user"))?;
        let secrets = [&user.token, &user.password, &user.client_key_data];
        for secret in secrets.into_iter().flatten() {
            remember(secret);
        }
        // unlike the document's proxy, this one may have a user and a password
        let proxy = cluster.proxy_url.as_deref().unwrap_or_default();
        Uri::split(proxy).user.into_iter().for_each(remember);
        let config = Self {
            names: EntryNames {
                context: current,
                cluster: context.cluster,
                user: context.user,
            },
            cluster,
            user,
        };
        usable::check_kubeconfig(&config)?;
        Ok(config)
    }

    /// Sends the credential through the provider's proxy. Liqo's other clients take the proxy from the Tenant, this one
    /// from the kubeconfig.
    ///
    /// # Errors
    /// When the kubeconfig names another proxy, or does not verify the server: anyone with push access can write the
    /// document, and a proxy of theirs could answer in place of the server.
    pub fn with_proxy(mut self, proxy: Option<&str>) -> Result<Self, KubeconfigProblem> {
        let Some(proxy) = proxy else { return Ok(self) };
        match self.cluster.proxy_url.as_deref() {
            Some(own) if !own.is_empty() && own != proxy => Err(KubeconfigProblem::Proxy),
            _ => {
                self.cluster.proxy_url = Some(proxy.to_owned());
                usable::proxy(&self.cluster)?;
                Ok(self)
            }
        }
    }

    /// Whether the credential is sent to a server whose identity is not verified.
    pub fn is_insecure(&self) -> bool {
        self.cluster.is_insecure()
    }

    /// Its YAML, as it is in the Secret.
    ///
    /// # Errors
    /// Only for a bug in its template.
    pub fn text(&self) -> Result<Zeroizing<Vec<u8>>, Bug> {
        let view = fields! { names: self.names, cluster: self.cluster, user: self.user };
        let template = include_str!("kubeconfig.yaml.j2");
        let text = Engine::new()?.render("kubeconfig", template, view)?;
        Ok(Zeroizing::new(text.into_bytes()))
    }
}

impl ClusterEntry {
    fn is_insecure(&self) -> bool {
        self.insecure_skip_tls_verify.unwrap_or_default()
    }
}

pub(crate) static KIND: Kind = kind!("credential", Access, LIVE);

/// The Secret that Liqo's `crd-replicator` finds by its labels.
pub(super) fn secret(side: &Side<'_>, name: &str, kubeconfig: Zeroizing<Vec<u8>>) -> Secret {
    Secret {
        meta: SecretMeta::new(name, &*side.own.tenant_namespace)
            .label(names::IDENTITY_TYPE, "ControlPlane")
            .label(REMOTE_CLUSTER_ID, &*side.peer.id)
            .annotation(names::REMOTE_TENANT_NAMESPACE, &*side.peer.tenant_namespace)
            .sync(KIND.wave),
        kind: &KIND,
        secret_type: None,
        immutable: false,
        data: vec![(DataKey::Kubeconfig.word(), kubeconfig)],
    }
}

/// Refuses two entries with one name, as client-go does (`tools/clientcmd/api/v1/conversion.go`, `Convert_Slice_v1_NamedAuthInfo_To_Map`
/// and similar functions).
fn unique<T>(items: &[NamedEntry<T>], list: &'static str) -> Result<(), KubeconfigProblem> {
    let mut names = BTreeSet::new();
    for item in items {
        if !names.insert(item.name.as_str()) {
            return Err(KubeconfigProblem::Duplicate(list));
        }
    }
    Ok(())
}

fn find<T>(items: Vec<NamedEntry<T>>, name: &str) -> Option<T> {
    let mut items = items.into_iter();
    Some(items.find(|item| item.name == name)?.content)
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    scope: Scope::WithoutData,
    label: Some((names::IDENTITY_TYPE, Some("ControlPlane"))),
    cardinality: Cardinality::InCluster("identity Secrets"),
    held_secret: HeldSecret::Credential,
    effects: &[OF_ANY, EFFECTS, IMMUTABLE],
    ..LiveHalf::new(BRINGERS, "secrets")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    effect(&["data"], Rights, ANOTHER_CLUSTER),
];
