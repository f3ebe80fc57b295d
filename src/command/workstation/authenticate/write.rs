//! The fields of a handshake, and how they are written into the document.

use crate::command::workstation::kubeconfig_report::{date, now};
use crate::command::{Error, Result};
use crate::diagnostic::{Source, readable, shown_name};
use crate::input::yaml::{Node, Setting, edit, write_below};
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
#[derive(Clone, Default)]
pub(super) struct Fields {
    consumers: Option<[String; 4]>,
    providers: Option<[String; 3]>,
    /// The sealed kubeconfig that is used until the provider has signed.
    kubeconfig: Option<String>,
}

impl Fields {
    /// The fields that the document has.
    pub(super) fn from_peering(peering: &Peering, user: Role) -> Self {
        let mut fields = Self::default();
        let Some(credential) = peering.credential(user) else {
            return fields;
        };
        if let Some(handshake) = credential.handshake() {
            let keys = &handshake.keys;
            let (nonce, key) = (keys.nonce.to_string(), keys.public_key.to_string());
            let (csr, signature) = (keys.csr.to_string(), keys.signature.to_string());
            fields.consumers = Some([nonce, key, csr, signature]);
        }
        if let Some(identity) = credential.identity() {
            let (server, ca) = (identity.api_server.to_string(), identity.ca.to_string());
            fields.providers = Some([server, ca, identity.signed_crt.to_string()]);
        }
        if let Some(sealed) = credential.sealed_kubeconfig() {
            fields.kubeconfig = Some(sealed.file.to_string());
        }
        fields
    }

    pub(super) fn nonce(&self) -> Option<String> {
        let [nonce, ..] = self.consumers.as_ref()?;
        Some(nonce.clone())
    }

    /// Replaces the consumer's half. If its key is another one, the provider's half is dropped: it was signed for the old key.
    pub(super) fn set_consumers(&mut self, consumers: [String; 4]) {
        let before = self.consumers.as_ref();
        if before.is_some_and(|before| before[1] != consumers[1]) {
            self.providers = None;
        }
        self.consumers = Some(consumers);
    }

    /// Takes the consumer's half, from the file that the flag names.
    pub(super) fn take_consumers(&mut self, root: &Node, from: (&'static str, &str)) -> Result {
        let way = "`argocd-peering authenticate consumer --print` prints it";
        let own = root.get("keysExchange").unwrap_or(root);
        let [nonce, key, csr, signature] = CONSUMERS.map(|name| text(Some(own), name, from, way));
        self.set_consumers([nonce?, key?, csr?, signature?]);
        Ok(())
    }

    /// Takes the provider's half: these fields, or a Tenant.
    pub(super) fn take_providers(&mut self, root: &Node, from: (&'static str, &str)) -> Result {
        let way =
            "the provider's Liqo writes the Tenant's `status.authParams` after the first sync";
        let own = root.get("keysExchange").unwrap_or(root);
        let of_tenant = root.find(&["status", "authParams"]);
        let params = of_tenant.or(own.get("authParams"));
        let aws = params.and_then(|it| it.get("awsConfig"));
        if aws.is_some_and(|it| !it.is_empty()) {
            let reason = "EKS gives an access key: seal it in a kubeconfig, as in examples/eks";
            return Err(Error::flag(from.0, reason));
        }
        let [server, ca, certificate] = PROVIDERS.map(|name| text(params, name, from, way));
        let (server, ca, certificate) = (server?, ca?, certificate?);
        if let Some(end) = end_of_validity(&certificate).filter(|end| *end <= now()) {
            let reason = format!(
                "`signedCRT` expired on {}: at the provider delete the Secret `liqo-remote-certificate` and annotate the Tenant",
                date(end)
            );
            return Err(Error::flag(from.0, reason));
        }
        self.providers = Some([server, ca, certificate]);
        self.kubeconfig = None;
        Ok(())
    }

    /// Lines for people: the fingerprint of the key, and the certificate.
    pub(super) fn lines(&self, role: Role) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some([_, key, ..]) = &self.consumers
            && let Ok(key) = key.parse::<ClusterKey>()
        {
            lines.push(format!("key: {}", readable(&key.fingerprint())));
        }
        if let (Role::Provider, Some([server, _, certificate])) = (role, &self.providers) {
            let (end, server) = (end_of_validity(certificate), shown_name(server));
            lines.push(match end {
                Some(end) => format!("certificate: until {}, for {server}", date(end)),
                None => format!("certificate: without an end, for {server}"),
            });
        }
        lines
    }

    /// The lines of `keysExchange`.
    pub(super) fn text(&self) -> Vec<String> {
        let mut lines = vec!["keysExchange:".to_owned()];
        for (name, value) in CONSUMERS.iter().zip(self.consumers.iter().flatten()) {
            lines.push(format!("  {name}: {}", scalar(value)));
        }
        if let Some(values) = &self.providers {
            lines.push("  authParams:".to_owned());
            for (name, value) in PROVIDERS.iter().zip(values) {
                lines.push(format!("    {name}: {}", scalar(value)));
            }
        }
        if let Some(file) = &self.kubeconfig {
            lines.push(format!("kubeconfig: {{ file: {} }}", scalar(file)));
        }
        lines
    }

    /// The document with the fields, if it can be edited. The new document is checked completely, as by `validate`.
    pub(super) fn write(&self, source: &Source, user: Role) -> Result<Option<String>> {
        if self.consumers.is_none() {
            let reason = "there is no `keysExchange` yet: `authenticate consumer` comes first";
            return Err(Error::flag("provider", reason));
        }
        let Some(mut text) = insert(source, user, &self.text()) else {
            return Ok(None);
        };
        // which follows from the fields
        let subject = Setting::absent(&format!("{}.authentication.subject", user.direction()));
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
fn text(
    node: Option<&Node>,
    name: &str,
    (flag, from): (&'static str, &str),
    way: &str,
) -> Result<String> {
    if let Some(node) = node
        && let Some(text) = node.text_of(name)
        && !text.is_empty()
    {
        return Ok(text.replace(['\r', '\n'], ""));
    }
    let reason = format!("`{name}` is missing in {}: {way}", shown_name(from));
    Err(Error::flag(flag, reason))
}

/// The document with these lines as its credential, if it can be edited.
pub(super) fn insert(source: &Source, user: Role, lines: &[String]) -> Option<String> {
    let path = format!("{}.authentication.credential", user.direction());
    write_below(source.text(), &Setting::absent(&path).path, lines)
}

/// The end of a certificate's validity, if the text is a certificate.
fn end_of_validity(certificate: &str) -> Option<Duration> {
    certificate.parse::<IdentityCertificate>().ok()?.end()
}

/// A YAML scalar, without quotes if it needs none.
fn scalar(text: &str) -> String {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=._-".contains(&byte);
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic());
    if begins && text.bytes().all(is_word) && text.len() > 8 {
        text.to_owned()
    } else {
        json!(text).to_string()
    }
}
