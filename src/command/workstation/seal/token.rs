//! The token of a ServiceAccount that does not expire: a Secret that Kubernetes fills (kubernetes
//! `pkg/controller/serviceaccount/tokens_controller.go`). The stream makes both, and Argo CD adopts a Secret that is made here.

use super::provider::{Provider, SECONDS};
use crate::command::error::Unissued;
use crate::command::{Result, Streams};
use crate::diagnostic::{secrecy, shown_name};
use crate::peering::authentication::credential::kubeconfig::IssuedCredential;
use crate::peering::names::token_secret;
use crate::state::ProgramProblem;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use zeroize::Zeroizing;

const TYPE: &str = "kubernetes.io/service-account-token";
const ACCOUNT: &str = "kubernetes.io/service-account.name";

/// A ServiceAccount, and whether the Secret of its token has to be made.
pub(super) struct Account {
    pub(super) namespace: String,
    pub(super) name: String,
    is_secret_missing: bool,
}

impl Account {
    /// Looks for the account and its Secret.
    pub(super) fn find(
        provider: &Provider<'_>,
        namespace: &str,
        name: &str,
        streams: &mut Streams<'_>,
    ) -> Result<Self> {
        let (scope, secret) = (format!("--namespace={namespace}"), token_secret(name));
        let account = ["get", "serviceaccounts", name, &scope, "--ignore-not-found", "-o", "name"];
        if provider.read(&account, streams)?.trim().is_empty() {
            let (namespace, name) = (namespace.to_owned(), name.to_owned());
            return Err(provider.refused(Unissued::NoAccount { namespace, name }));
        }
        let form = r"-o=jsonpath={.type} {.metadata.annotations.kubernetes\.io/service-account\.name}";
        let found =
            provider.read(&["get", "secrets", &secret, &scope, "--ignore-not-found", form], streams)?;
        let is_secret_missing = found.trim().is_empty();
        if !is_secret_missing && found.trim() != format!("{TYPE} {name}") {
            let problem = Unissued::OtherSecret { namespace: namespace.to_owned(), name: secret };
            return Err(provider.refused(problem));
        }
        Ok(Self { namespace: namespace.to_owned(), name: name.to_owned(), is_secret_missing })
    }

    /// What is done, for people.
    pub(super) fn plan(&self) -> String {
        let verb = if self.is_secret_missing { "create and read" } else { "read" };
        format!(
            "{verb} the Secret `{}` in the namespace `{}`: a token of the ServiceAccount `{}` that does not expire",
            shown_name(&token_secret(&self.name)),
            shown_name(&self.namespace),
            shown_name(&self.name)
        )
    }

    pub(super) fn issue(
        &self,
        provider: &mut Provider<'_>,
        streams: &mut Streams<'_>,
    ) -> Result<IssuedCredential> {
        let secret = token_secret(&self.name);
        if self.is_secret_missing {
            let object = json!({
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": { "name": secret, "namespace": self.namespace, "annotations": { ACCOUNT: self.name } },
                "type": TYPE,
            });
            provider.create(&object, streams)?;
            let what = format!("Secret {secret} in the namespace {}, with the token", self.namespace);
            provider.made(what, "secrets", &secret, Some(&self.namespace));
        }
        let scope = format!("--namespace={}", self.namespace);
        let token = provider.wait_for(
            &["get", "secrets", &secret, &scope, "-o=jsonpath={.data.token}"],
            |answer| Ok(Some(answer.trim()).filter(|it| !it.is_empty()).map(secret_text)),
            streams,
        )?;
        let token = token.ok_or_else(|| {
            provider.refused(Unissued::NoToken {
                namespace: self.namespace.clone(),
                name: secret,
                seconds: SECONDS,
            })
        })?;
        let bytes = STANDARD.decode(&*token).map(Zeroizing::new).unwrap_or_default();
        match std::str::from_utf8(&bytes) {
            Ok(token) if !token.is_empty() => Ok(IssuedCredential::Token(secret_text(token))),
            _ => Err(provider.context().failed(ProgramProblem::Unexpected("a token in base64")).into()),
        }
    }
}

/// A text that is masked from now on.
fn secret_text(text: &str) -> Zeroizing<String> {
    secrecy::remember(text);
    Zeroizing::new(text.to_owned())
}
