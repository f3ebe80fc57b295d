//! What a provider issues. For a user, a client certificate: a CertificateSigningRequest that the person who runs this approves
//! (kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests). For a ServiceAccount, a token that does not expire: a
//! Secret that Kubernetes fills (kubernetes `pkg/controller/serviceaccount/tokens_controller.go`). The stream has the ServiceAccount and
//! that Secret, so Argo CD adopts a Secret that is created here.

use crate::command::error::workstation::Unissued;
use crate::command::workstation::provider::{Provider, SECONDS};
use crate::command::{Result, Streams};
use crate::custody::{self, keys};
use crate::diagnostic::{secrecy, shown_name};
use crate::object::live::{Object, text_at};
use crate::peering::authentication::credential::keys_exchange::ClientKey;
use crate::peering::authentication::credential::kubeconfig::IssuedCredential;
use crate::peering::names::token_secret;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use zeroize::Zeroizing;

const RESOURCE: &str = "certificatesigningrequests.certificates.k8s.io";

/// The start of a request's name. The API server appends five letters and digits.
const PREFIX: &str = "argocd-peering-";

/// The steps of issuing a certificate, for people.
pub(super) fn certificate_plan(user: &str, seconds: u32) -> String {
    let time = match seconds / 3600 {
        hours if hours % 24 == 0 => format!("{} days", hours / 24),
        hours => format!("{hours} hours"),
    };
    format!(
        "create and approve a CertificateSigningRequest `{PREFIX}…` for the user `{}`, for {time}",
        shown_name(user)
    )
}

pub(super) fn issue_certificate(
    provider: &mut Provider<'_>,
    user: &str,
    seconds: u32,
    streams: &mut Streams<'_>,
) -> Result<IssuedCredential> {
    let key = ClientKey::new(&*keys::random().map_err(custody::Error::from)?);
    let request = json!({
        "apiVersion": "certificates.k8s.io/v1",
        "kind": "CertificateSigningRequest",
        "metadata": { "generateName": PREFIX },
        "spec": {
            "request": STANDARD.encode(key.request(user, None)?),
            "signerName": "kubernetes.io/kube-apiserver-client",
            "expirationSeconds": seconds,
            "usages": ["client auth"],
        },
    });
    let name = provider.create(&request, streams)?;
    let end = name.strip_prefix(PREFIX).unwrap_or_default();
    if end.is_empty() || !end.bytes().all(|it| it.is_ascii_alphanumeric()) {
        return Err(provider.unexpected("the name of the object that was created"));
    }
    provider.record_object(
        format!("CertificateSigningRequest {name}, which Kubernetes deletes later"),
        RESOURCE,
        &name,
        None,
    );
    provider.run_get(&["certificate", "approve", &name], streams)?;
    let arguments = ["get", RESOURCE, &name, "-o", "json"];
    let data = provider.wait_for(&arguments, |answer| certificate(&name, answer), streams)?;
    let Some(data) = data else {
        let seconds = SECONDS;
        return Err(provider.refused(Unissued::NoCertificate { name, seconds }));
    };
    let pem = STANDARD.decode(&data).unwrap_or_default();
    if !key.signs_certificate(&pem) {
        return Err(provider.refused(Unissued::OtherKey { name }));
    }
    Ok(IssuedCredential::Certificate {
        data,
        key: key.pem()?,
    })
}

/// The certificate of a request, if it is issued already.
fn certificate(name: &str, answer: &str) -> Result<Option<String>, Unissued> {
    let request = Object::new(serde_json::from_str(answer).unwrap_or_default());
    for condition in request.list("/status/conditions") {
        let [kind, message, reason] =
            ["type", "message", "reason"].map(|field| text_at(condition, field));
        let reason = if message.is_empty() { reason } else { message };
        let (name, reason) = (name.to_owned(), reason.to_owned());
        match kind {
            "Denied" => return Err(Unissued::Denied { name, reason }),
            "Failed" => return Err(Unissued::Failed { name, reason }),
            _ => {}
        }
    }
    let certificate = request.string("/status/certificate");
    Ok(certificate.map(ToOwned::to_owned))
}

const TYPE: &str = "kubernetes.io/service-account-token";
const ACCOUNT: &str = "kubernetes.io/service-account.name";

/// A ServiceAccount, and whether the Secret of its token has to be created.
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
        let optional = "--ignore-not-found";
        let account = [
            "get",
            "serviceaccounts",
            name,
            &scope,
            optional,
            "-o",
            "name",
        ];
        if provider.run_get(&account, streams)?.trim().is_empty() {
            let (namespace, name) = (namespace.to_owned(), name.to_owned());
            return Err(provider.refused(Unissued::NoAccount { namespace, name }));
        }
        let form =
            r"-o=jsonpath={.type} {.metadata.annotations.kubernetes\.io/service-account\.name}";
        let get = ["get", "secrets", &secret, &scope, optional, form];
        let found = provider.run_get(&get, streams)?;
        let is_secret_missing = found.trim().is_empty();
        if !is_secret_missing && found.trim() != format!("{TYPE} {name}") {
            let (namespace, name) = (namespace.to_owned(), secret);
            return Err(provider.refused(Unissued::OtherSecret { namespace, name }));
        }
        Ok(Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            is_secret_missing,
        })
    }

    /// The steps of issuing a token, for people.
    pub(super) fn plan(&self) -> String {
        let verb = if self.is_secret_missing {
            "create and read"
        } else {
            "read"
        };
        let names = [&token_secret(&self.name), &self.namespace, &self.name];
        let [secret, namespace, name] = names.map(|name| shown_name(name));
        format!(
            "{verb} the Secret `{secret}` in `{namespace}`: a token of the ServiceAccount `{name}` that does not expire"
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
            let namespace = &self.namespace;
            let what = format!("Secret {secret} in {namespace}, with the token");
            provider.record_object(what, "secrets", &secret, Some(namespace));
        }
        let scope = format!("--namespace={}", self.namespace);
        let form = "-o=jsonpath={.data.token}";
        let get = ["get", "secrets", &secret, &scope, form];
        let token = provider.wait_for(&get, |answer| Ok(filled_token(answer)), streams)?;
        let Some(token) = token else {
            let (namespace, name, seconds) = (self.namespace.clone(), secret, SECONDS);
            return Err(provider.refused(Unissued::NoToken {
                namespace,
                name,
                seconds,
            }));
        };
        let bytes = Zeroizing::new(STANDARD.decode(&*token).unwrap_or_default());
        match std::str::from_utf8(&bytes) {
            Ok(token) if !token.is_empty() => Ok(IssuedCredential::Token(secret_text(token))),
            _ => Err(provider.unexpected("a token in base64")),
        }
    }
}

/// The token in base64, if it is filled in already.
fn filled_token(answer: &str) -> Option<Zeroizing<String>> {
    let token = Some(answer.trim()).filter(|token| !token.is_empty());
    token.map(secret_text)
}

/// A text that is a secret: it is masked in all later output.
fn secret_text(text: &str) -> Zeroizing<String> {
    secrecy::remember(text);
    Zeroizing::new(text.to_owned())
}
