//! The fields of a handshake, and how they are written into the document.

use crate::command::workstation::kubeconfig_report::{date, now};
use crate::command::{Error, Result};
use crate::diagnostic::{Source, readable, shown_name};
use crate::input::yaml::{Node, Setting, edit, write_below};
use crate::peering::authentication::credential::Credential;
use crate::peering::authentication::credential::identity::IdentityCertificate;
use crate::peering::authentication::credential::keys_exchange::ClusterKey;
use crate::peering::{Peering, Role};
use crate::rules;
use serde_json::json;
use std::time::Duration;

/// The field names of the consumer's half and of the provider's, in their order.
const CONSUMERS: [&str; 4] = ["nonce", "publicKey", "csr", "signature"];
const PROVIDERS: [&str; 3] = ["apiServer", "ca", "signedCRT"];

/// The new content of `credential`.
pub(super) struct Fields {
    consumers: Option<[String; 4]>,
    providers: Option<[String; 3]>,
    /// The sealed kubeconfig that is used until the provider has signed.
    kubeconfig: Option<String>,
}

impl Fields {
    /// The fields that the document has.
    pub(super) fn from_peering(peering: &Peering, user: Role) -> Self {
        let credential = peering.credential(user);
        let keys = credential
            .and_then(Credential::handshake)
            .map(|it| &it.keys);
        let consumers = keys.map(|it| {
            [
                it.nonce.to_string(),
                it.public_key.to_string(),
                it.csr.to_string(),
                it.signature.to_string(),
            ]
        });
        let providers = credential.and_then(Credential::identity).map(|it| {
            [
                it.api_server.to_string(),
                it.ca.to_string(),
                it.signed_crt.to_string(),
            ]
        });
        let kubeconfig = credential
            .and_then(Credential::sealed_kubeconfig)
            .map(|it| it.file.to_string());
        Self {
            consumers,
            providers,
            kubeconfig,
        }
    }

    pub(super) fn nonce(&self) -> Option<String> {
        self.consumers.as_ref().map(|[nonce, ..]| nonce.clone())
    }

    /// Replaces the consumer's half. If its key is another one, the provider's half is dropped: it was signed for the old key.
    pub(super) fn sign(&mut self, consumers: [String; 4]) {
        if self
            .consumers
            .as_ref()
            .is_some_and(|it| it[1] != consumers[1])
        {
            self.providers = None;
        }
        self.consumers = Some(consumers);
    }

    /// Takes a half that was handed over, from the file that the flag names: these fields, or a Tenant.
    pub(super) fn take(
        &mut self,
        role: Role,
        root: &Node,
        (flag, from): (&'static str, &str),
    ) -> Result {
        let way = match role {
            Role::Consumer => "`argocd-peering authenticate consumer --print` prints it",
            Role::Provider => {
                "it is in `status.authParams` of the Tenant when the provider's Liqo has signed, after the first sync"
            }
        };
        let lacking = |name: &str| {
            Error::flag(
                flag,
                format!("there is no `{name}` in {}: {way}", shown_name(from)),
            )
        };
        let own = root.get("keysExchange").unwrap_or(root);
        match role {
            Role::Consumer => {
                let [nonce, key, csr, signature] =
                    CONSUMERS.map(|name| text(own, name).ok_or_else(|| lacking(name)));
                self.sign([nonce?, key?, csr?, signature?]);
            }
            Role::Provider => {
                let of_tenant = root.find(&["status", "authParams"]);
                let params = of_tenant.or(own.get("authParams"));
                if params
                    .and_then(|it| it.get("awsConfig"))
                    .is_some_and(|it| !it.is_empty())
                {
                    let reason = "EKS gives an access key, which is a secret: keep it in a sealed kubeconfig, as examples/eks does";
                    return Err(Error::flag(flag, reason));
                }
                let [server, ca, certificate] = PROVIDERS.map(|name| {
                    params
                        .and_then(|it| text(it, name))
                        .ok_or_else(|| lacking(name))
                });
                let (server, ca, certificate) = (server?, ca?, certificate?);
                if let Some(end) = end(&certificate).filter(|end| *end <= now()) {
                    let reason = format!(
                        "the certificate of `signedCRT` expired on {}: at the provider, delete the Secret `liqo-remote-certificate` of the tenant namespace and annotate the Tenant, so that Liqo signs anew",
                        date(end)
                    );
                    return Err(Error::flag(flag, reason));
                }
                self.providers = Some([server, ca, certificate]);
                self.kubeconfig = None;
            }
        }
        Ok(())
    }

    /// Lines for people: the fingerprint of the key, and the certificate.
    pub(super) fn lines(&self, role: Role) -> Vec<String> {
        let key = self
            .consumers
            .as_ref()
            .and_then(|[_, key, ..]| key.parse::<ClusterKey>().ok());
        let key = key.map(|key| format!("key: {}", readable(&key.fingerprint())));
        let certificate = self
            .providers
            .as_ref()
            .filter(|_| role == Role::Provider)
            .map(|[server, _, certificate]| {
                let end = end(certificate).map(date);
                format!(
                    "certificate: until {}, for {}",
                    end.as_deref().unwrap_or("a day that it does not say"),
                    shown_name(server)
                )
            });
        key.into_iter().chain(certificate).collect()
    }

    /// The lines of `keysExchange`.
    pub(super) fn text(&self) -> Vec<String> {
        let mut lines = vec!["keysExchange:".to_owned()];
        lines.extend(
            self.consumers
                .iter()
                .flat_map(|it| fields("  ", &CONSUMERS, it)),
        );
        if let Some(values) = &self.providers {
            lines.push("  authParams:".to_owned());
            lines.extend(fields("    ", &PROVIDERS, values));
        }
        lines.extend(
            self.kubeconfig
                .iter()
                .map(|it| format!("kubeconfig: {{ file: {} }}", scalar(it))),
        );
        lines
    }

    /// The document with the fields, if it can be edited. The new document is checked completely, as by `validate`.
    pub(super) fn write(&self, source: &Source, reverse: bool) -> Result<Option<String>> {
        if self.consumers.is_none() {
            let reason = "there is no `keysExchange` yet: `authenticate consumer` comes first";
            return Err(Error::flag("provider", reason));
        }
        let Some(mut text) = insert(source, reverse, &self.text()) else {
            return Ok(None);
        };
        // which follows from the fields
        let subject = Setting::absent(&format!("spec.{}.subject", direction(reverse)));
        if self.kubeconfig.is_none()
            && let Some(without) = edit(&text, &[subject])
        {
            text = without;
        }
        rules::parse(&Source::new(source.name(), &text))?;
        Ok(Some(text))
    }
}

/// The value of a field, without line breaks.
fn text(node: &Node, name: &str) -> Option<String> {
    node.text_of(name)
        .filter(|it| !it.is_empty())
        .map(|it| it.replace(['\r', '\n'], ""))
}

fn fields(indent: &str, names: &[&str], values: &[String]) -> Vec<String> {
    let lines = names.iter().zip(values);
    lines
        .map(|(name, value)| format!("{indent}{name}: {}", scalar(value)))
        .collect()
}

pub(super) const fn direction(reverse: bool) -> &'static str {
    if reverse {
        "reverse.authentication"
    } else {
        "authentication"
    }
}

/// The document with these lines as its credential, if it can be edited.
pub(super) fn insert(source: &Source, reverse: bool, lines: &[String]) -> Option<String> {
    let field = Setting::absent(&format!("spec.{}.credential", direction(reverse)));
    write_below(source.text(), &field.path, lines)
}

/// The end of a certificate's validity, if the text is a certificate.
fn end(certificate: &str) -> Option<Duration> {
    certificate.parse::<IdentityCertificate>().ok()?.end()
}

/// A YAML scalar, without quotes if it needs none.
fn scalar(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+/=._-".contains(&byte))
        && text.len() > 8;
    if is_plain {
        text.to_owned()
    } else {
        json!(text).to_string()
    }
}
