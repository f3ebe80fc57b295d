//! A client certificate for a user: a CertificateSigningRequest, approved by the person who runs this
//! (kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests).

use super::super::client_key::ClientKey;
use super::provider::{Provider, SECONDS};
use crate::command::error::Unissued;
use crate::command::{Result, Streams};
use crate::diagnostic::shown_name;
use crate::object::live::Object;
use crate::peering::authentication::credential::kubeconfig::IssuedCredential;
use crate::state::ProgramProblem;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

const RESOURCE: &str = "certificatesigningrequests.certificates.k8s.io";

/// A request's name, which the API server ends with five letters and digits.
const PREFIX: &str = "argocd-peering-";

/// What is done, for people.
pub(super) fn plan(user: &str, seconds: u32) -> String {
    let time = match seconds / 3600 {
        hours if hours % 24 == 0 => format!("{} days", hours / 24),
        hours => format!("{hours} hours"),
    };
    format!(
        "create and approve a CertificateSigningRequest `{PREFIX}…` for a client certificate of the user `{}`, for {time}",
        shown_name(user)
    )
}

pub(super) fn issue(
    provider: &mut Provider<'_>,
    user: &str,
    seconds: u32,
    streams: &mut Streams<'_>,
) -> Result<IssuedCredential> {
    let key = ClientKey::generate()?;
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
        let problem = ProgramProblem::Unexpected("the name of the object that was created");
        return Err(provider.context().failed(problem).into());
    }
    provider.made(
        format!("CertificateSigningRequest {name}, which Kubernetes deletes after some time"),
        RESOURCE,
        &name,
        None,
    );
    provider.read(&["certificate", "approve", &name], streams)?;
    let arguments = ["get", RESOURCE, &name, "-o", "json"];
    let data = provider.wait_for(&arguments, |answer| certificate(&name, answer), streams)?;
    let data = data
        .ok_or_else(|| provider.refused(Unissued::NoCertificate { name: name.clone(), seconds: SECONDS }))?;
    let pem = STANDARD.decode(&data).unwrap_or_default();
    if !key.is_of(&pem) {
        return Err(provider.refused(Unissued::OtherKey { name }));
    }
    Ok(IssuedCredential::Certificate { data, key: key.pem()? })
}

/// The certificate of a request, if it has one already.
fn certificate(name: &str, answer: &str) -> Result<Option<String>, Unissued> {
    let request = Object::new(serde_json::from_str(answer).unwrap_or_default());
    for condition in request.list("/status/conditions") {
        let [kind, message, reason] = ["type", "message", "reason"]
            .map(|field| condition.get(field).and_then(Value::as_str).filter(|it| !it.is_empty()));
        let reason = message.or(reason).unwrap_or_default().to_owned();
        match kind {
            Some("Denied") => return Err(Unissued::Denied { name: name.to_owned(), reason }),
            Some("Failed") => return Err(Unissued::Failed { name: name.to_owned(), reason }),
            _ => {}
        }
    }
    Ok(request.string("/status/certificate").filter(|data| !data.is_empty()).map(ToOwned::to_owned))
}
