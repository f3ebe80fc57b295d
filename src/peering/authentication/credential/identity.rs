//! Liqo's Identity: the provider's address and the certificate for the consumer's own private key, public data only
//! (liqo `apis/authentication/v1beta1/identity_types.go`).

use super::x509::{certificates, validity};
use super::{ANOTHER_CLUSTER, EFFECTS as OF_ANY};
use crate::diagnostic::{Code, Rule, readable};
use crate::document::{records, scalar};
use crate::object::live::Impact::{Harmless, Rights};
use crate::object::live::{
    Check, Effect, Fields, Finding, LOGS, LiveHalf, Object, StatusContext, effect, error,
};
use crate::object::{Kind, Manifest, fields, kind};
use crate::peering::side::Side;
use crate::peering::values::{ApiServer, ProxyUrl};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

records! {
    /// Liqo's `Identity`: public data only. The consumer's Liqo adds its own private key.
    Identity {
        /// The provider's API server.
        "apiServer" => api_server: required ApiServer;
        /// Its certificate authority: base64 of PEM.
        "ca" => ca: required IdentityCertificate;
        /// The certificate for the consumer's key: base64 of PEM.
        "signedCRT" => signed_crt: required IdentityCertificate;
    }
}

/// Certificates: base64 of PEM, as Kubernetes writes bytes. No other text is accepted next to them: it could be a private key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityCertificate(String);

impl IdentityCertificate {
    /// The program `base64` breaks its lines, and Go ignores the line breaks (`encoding/base64`).
    fn parse(text: &str) -> Result<Self, Rule> {
        let base64 = Self(text.replace(['\r', '\n'], ""));
        // the value is not quoted: it could be a private key in the wrong place
        if base64.first_certificate().is_some() {
            return Ok(base64);
        }
        let help = format!(
            "`base64 -w0 FILE` encodes PEM: it begins with `{}`",
            readable("LS0tLS1CRUdJTiBDRVJU")
        );
        let message = "this is not base64 of PEM certificates only";
        Err(Rule::new(Code::Certificate, message).help(help))
    }

    /// The first certificate, which is the holder's own.
    pub(crate) fn first_certificate(&self) -> Option<x509_cert::Certificate> {
        let pem = String::from_utf8(STANDARD.decode(&self.0).ok()?).ok()?;
        certificates(&pem)?.into_iter().next()
    }

    /// When the first certificate expires, since 1970.
    pub(crate) fn end(&self) -> Option<std::time::Duration> {
        let [_, end] = validity(&self.first_certificate()?);
        Some(end)
    }
}

scalar!(IdentityCertificate, takes "base64 of a PEM certificate", read Self::parse, shown |it| it.0, schema {
    "type": "string", "pattern": "^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$",
});

pub(crate) static KIND: Kind = kind!("Identity", Access, "identity", LIVE);

impl Identity {
    pub(super) fn manifest(
        &self,
        side: &Side<'_>,
        name: &str,
        proxy: Option<&ProxyUrl>,
    ) -> Manifest {
        let spec = fields! {
            peer: side.peer.id,
            remote_namespace: side.peer.tenant_namespace,
            written: self,
            proxy_url: proxy,
        };
        let extra = side.own.metadata.identity.as_deref();
        side.manifest(&KIND, side.object_meta(name), extra, spec)
    }
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    effects: &[OF_ANY, EFFECTS],
    status,
    certificate: Some("/spec/authParams/signedCRT"),
    written_by_cluster: &["spec.authParams.awsConfig.awsUserArn"],
    // (liqo `authentication/localrenewer-controller/localrenewer_controller.go`)
    overwritten_by_liqo: &["spec.authParams"],
    ..LiveHalf::new(&["Identity"], "identities.authentication.liqo.io")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // LCM/authentication/identity-controller/identity_controller.go:99-131
    effect(&["spec.authParams.signedCRT"], Harmless, "Liqo connects with the new one; tunnel and running pods stay."),
    effect(&["spec.clusterID", "spec.namespace", "spec.type", "spec.authParams"], Rights, ANOTHER_CLUSTER),
];

/// An Identity as the document's fields.
pub(crate) fn read_back(identity: &Object) -> Fields {
    Fields::default().read_back::<Identity>(identity.find("/spec/authParams"), &[])
}

/// (liqo `apis/authentication/v1beta1/identity_types.go`, IdentityStatus)
fn status(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    if !object.text("/status/kubeconfigSecretRef/name").is_empty() {
        return Vec::new();
    }
    let message = "Liqo has not made its kubeconfig's Secret";
    vec![error(Check::LiqoIdentity, message, LOGS)]
}
