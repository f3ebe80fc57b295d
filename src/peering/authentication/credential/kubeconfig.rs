//! The consumer's credential: one server, one user, everything inline.
//!
//! Liqo's `crd-replicator` parses it in its own process (`pkg/identityManager/client.go`), where no file of the
//! sealer's machine and no credential plugin exists. So only what works there is taken, and only the
//! current context is passed on.

mod problem;
mod usable;

use super::extra;
use crate::object::{Bug, Engine, Meta, Secret, Wave};
use crate::peering::names::REMOTE_CLUSTER_ID;
use crate::peering::side::Side;
use crate::uri::Uri;
use serde::Deserialize;
use zeroize::Zeroizing;

pub use problem::KubeconfigProblem;

/// A kubeconfig that Liqo can use: the current context's cluster and user.
///
/// A value of this type names no file and runs no program.
pub struct Kubeconfig {
    names: Names,
    cluster: Cluster,
    user: User,
}

/// What the parts are called in the file; kept, since people know their clusters by these names.
struct Names {
    context: String,
    cluster: String,
    user: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct File {
    current_context: Option<String>,
    #[serde(default)]
    clusters: Vec<Named<Cluster>>,
    #[serde(default)]
    contexts: Vec<Named<Context>>,
    #[serde(default)]
    users: Vec<Named<User>>,
}

#[derive(Deserialize)]
struct Named<T> {
    name: String,
    #[serde(alias = "cluster", alias = "context", alias = "user")]
    content: T,
}

#[derive(Deserialize)]
struct Context {
    cluster: String,
    user: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Cluster {
    server: String,
    certificate_authority_data: Option<String>,
    certificate_authority: Option<String>,
    insecure_skip_tls_verify: Option<bool>,
    tls_server_name: Option<String>,
    proxy_url: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct User {
    token: Option<Zeroizing<String>>,
    client_certificate_data: Option<String>,
    client_key_data: Option<Zeroizing<String>>,
    username: Option<String>,
    password: Option<Zeroizing<String>>,
    #[serde(rename = "tokenFile")]
    token_file: Option<String>,
    client_certificate: Option<String>,
    client_key: Option<String>,
    exec: Option<serde::de::IgnoredAny>,
    auth_provider: Option<serde::de::IgnoredAny>,
    #[serde(rename = "as")]
    as_name: Option<serde::de::IgnoredAny>,
    as_uid: Option<serde::de::IgnoredAny>,
    as_groups: Option<serde::de::IgnoredAny>,
    as_user_extra: Option<serde::de::IgnoredAny>,
}

impl Kubeconfig {
    /// Reads a kubeconfig and keeps its current context.
    ///
    /// # Errors
    /// When it is none, or one that could not work inside Liqo's controllers. No value is quoted.
    pub fn parse(text: &str) -> Result<Self, KubeconfigProblem> {
        let options = serde_saphyr::options! {
            with_snippet: false,
            budget: serde_saphyr::budget! { max_anchors: 0, max_aliases: 0, max_documents: 1, max_depth: 32, max_nodes: 20_000 },
        };
        let file: File =
            serde_saphyr::from_str_with_options(text, options).map_err(|_| KubeconfigProblem::Malformed)?;
        let current = file.current_context.filter(|name| !name.is_empty());
        let current = current.ok_or(KubeconfigProblem::Dangling("current-context"))?;
        let context = find(file.contexts, &current).ok_or(KubeconfigProblem::Dangling("current-context"))?;
        let cluster = find(file.clusters, &context.cluster).ok_or(KubeconfigProblem::Dangling("cluster"))?;
        let user = find(file.users, &context.user).ok_or(KubeconfigProblem::Dangling("user"))?;
        let names = Names { context: current, cluster: context.cluster, user: context.user };
        let config = Self { names, cluster, user };
        let user = &config.user;
        for secret in [&user.token, &user.password, &user.client_key_data].into_iter().flatten() {
            crate::diagnostic::redact::remember(secret);
        }
        // unlike the document's, this proxy may have a user and a password
        let proxy = config.cluster.proxy_url.as_deref().and_then(|url| Uri::split(url).authority.user);
        proxy.into_iter().for_each(crate::diagnostic::redact::remember);
        usable::check(&config)?;
        Ok(config)
    }

    /// The same through the provider's proxy: Liqo's other clients take it from the Tenant, and this one from here.
    ///
    /// # Errors
    /// When it names another proxy already, or does not verify the server: the document is written by anyone with push
    /// access, and a proxy of theirs could answer in the server's place.
    pub fn through(mut self, proxy: Option<&str>) -> Result<Self, KubeconfigProblem> {
        let Some(proxy) = proxy else { return Ok(self) };
        match self.cluster.proxy_url.as_deref() {
            Some(own) if !own.is_empty() && own != proxy => Err(KubeconfigProblem::Proxy),
            _ => {
                self.cluster.proxy_url = Some(proxy.to_owned());
                usable::proxy(&self.cluster).map(|()| self)
            }
        }
    }

    /// Whether it is sent to a server that nothing identifies.
    #[must_use]
    pub fn is_insecure(&self) -> bool {
        self.cluster.is_insecure()
    }

    /// Its YAML, as it is in the Secret.
    ///
    /// # Errors
    /// Only for a bug in its template.
    pub fn text(&self) -> Result<Zeroizing<Vec<u8>>, Bug> {
        let text = Engine::new()?.render("kubeconfig", include_str!("kubeconfig.yaml.j2"), &self.expose())?;
        Ok(Zeroizing::new(text.into_bytes()))
    }

    /// What the template shows. Holds secrets.
    fn expose(&self) -> Exposed<'_> {
        fn secret(value: Option<&Zeroizing<String>>) -> Option<&str> {
            value.map(|value| value.as_str()).filter(|value| !value.is_empty())
        }
        let (cluster, user) = (&self.cluster, &self.user);
        Exposed {
            context_name: &self.names.context,
            cluster_name: &self.names.cluster,
            user_name: &self.names.user,
            server: &cluster.server,
            certificate_authority_data: cluster.certificate_authority_data.as_deref(),
            insecure_skip_tls_verify: cluster.is_insecure(),
            tls_server_name: cluster.tls_server_name.as_deref(),
            proxy_url: cluster.proxy_url.as_deref().filter(|url| !url.is_empty()),
            token: secret(user.token.as_ref()),
            client_certificate_data: user.client_certificate_data.as_deref(),
            client_key_data: secret(user.client_key_data.as_ref()),
            username: user.username.as_deref(),
            password: secret(user.password.as_ref()),
        }
    }
}

impl Cluster {
    fn is_insecure(&self) -> bool {
        self.insecure_skip_tls_verify.unwrap_or_default()
    }
}

/// The kubeconfig's fields, secrets included, for its template and nothing else.
#[derive(serde::Serialize)]
struct Exposed<'k> {
    context_name: &'k str,
    cluster_name: &'k str,
    user_name: &'k str,
    server: &'k str,
    certificate_authority_data: Option<&'k str>,
    insecure_skip_tls_verify: bool,
    tls_server_name: Option<&'k str>,
    proxy_url: Option<&'k str>,
    token: Option<&'k str>,
    client_certificate_data: Option<&'k str>,
    client_key_data: Option<&'k str>,
    username: Option<&'k str>,
    password: Option<&'k str>,
}

/// The Secret that Liqo's `crd-replicator` finds by its labels.
pub(super) fn secret(side: &Side<'_>, name: &str, kubeconfig: Zeroizing<Vec<u8>>) -> Secret {
    let meta = Meta::new(name, &*side.own.tenant_namespace)
        .label("liqo.io/identity-type", "ControlPlane")
        .label(REMOTE_CLUSTER_ID, &*side.peer.id)
        .annotation("liqo.io/remote-tenant-namespace", &*side.peer.tenant_namespace)
        .sync(Wave::Access, Some(Secret::SYNC_OPTIONS));
    Secret {
        meta: extra(side, meta),
        wave: Wave::Access,
        secret_type: None,
        immutable: false,
        data: vec![("kubeconfig", kubeconfig)],
    }
}

fn find<T>(items: Vec<Named<T>>, name: &str) -> Option<T> {
    items.into_iter().find(|item| item.name == name).map(|item| item.content)
}
