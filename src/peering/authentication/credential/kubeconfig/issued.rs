//! A kubeconfig of a credential that was just issued, for a cluster that a person's own kubeconfig has.

use super::{Cluster, Kubeconfig, KubeconfigProblem, Names, User, usable};
use crate::diagnostic::Bug;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

/// What an API server issued.
pub(crate) enum IssuedCredential {
    /// The token of a ServiceAccount.
    Token(Zeroizing<String>),
    /// A client certificate, base64 of PEM as in the status of its request, and its key in PEM.
    Certificate { data: String, key: Zeroizing<String> },
}

/// The part of a kubeconfig that is about the cluster: its address, and how it proves who it is.
pub(crate) struct Target {
    context: String,
    cluster: Cluster,
}

impl Target {
    /// Of the JSON of a kubeconfig's `clusters[].cluster`, which has no user.
    pub(crate) fn parse(context: &str, json: &str) -> Result<Self, KubeconfigProblem> {
        let cluster = serde_json::from_str(json).map_err(|_| KubeconfigProblem::Malformed)?;
        Ok(Self { context: context.to_owned(), cluster })
    }

    /// The address at which others reach it.
    pub(crate) fn at(&self, server: Option<&str>) -> Self {
        let own = self.cluster.clone();
        let server = server.map_or_else(|| own.server.clone(), ToOwned::to_owned);
        Self { context: self.context.clone(), cluster: Cluster { server, ..own } }
    }

    /// Whether Liqo's controllers could use it, before there is a credential.
    pub(crate) fn check(&self) -> Result<(), KubeconfigProblem> {
        usable::cluster(&self.cluster)
    }

    /// Where a credential is sent.
    pub(crate) fn server(&self) -> &str {
        &self.cluster.server
    }

    /// Whether a credential is sent to a server that nothing identifies.
    pub(crate) fn is_insecure(&self) -> bool {
        self.cluster.is_insecure()
    }

    /// The YAML of a kubeconfig with one user.
    ///
    /// # Errors
    /// Only for a bug in its template.
    pub(crate) fn kubeconfig(
        &self,
        user: &str,
        credential: &IssuedCredential,
    ) -> Result<Zeroizing<String>, Bug> {
        let names =
            Names { context: self.context.clone(), cluster: self.context.clone(), user: user.to_owned() };
        let user = match credential {
            IssuedCredential::Token(token) => User { token: Some(token.clone()), ..User::default() },
            IssuedCredential::Certificate { data, key } => User {
                client_certificate_data: Some(data.clone()),
                client_key_data: Some(Zeroizing::new(STANDARD.encode(key.as_bytes()))),
                ..User::default()
            },
        };
        let text = Kubeconfig { names, cluster: self.cluster.clone(), user }.text()?;
        let text = std::str::from_utf8(&text).map_err(|_| Bug::new("a kubeconfig: its text"))?;
        Ok(Zeroizing::new(text.to_owned()))
    }
}
