//! Liqo's Identity: the provider's address and the certificate for the consumer's own private key, public data only
//! (liqo `apis/authentication/v1beta1/identity_types.go`).

pub(crate) mod live;

use crate::diagnostic::{Code, Rule, readable};
use crate::document::{records, scalar};
use crate::object::{Kind, Manifest, Wave, fields, kind};
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
        "ca" => ca: required Certificate;
        /// The certificate for the consumer's key: base64 of PEM.
        "signedCRT" => signed_crt: required Certificate;
    }
}

/// Certificates: base64 of PEM, as Kubernetes writes bytes. Without a private key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate(String);

impl Certificate {
    /// `base64` breaks its lines and Go reads them so (`encoding/base64`). Text around the certificates explains them
    /// (RFC 7468, section 2).
    fn read(text: &str) -> Result<Self, Rule> {
        let base64 = text.replace(['\r', '\n'], "");
        let pem =
            STANDARD.decode(&base64).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let begin = pem.find("-----BEGIN CERTIFICATE-----");
        let end = pem.rfind("-----END CERTIFICATE-----");
        if begin.is_some() && end > begin && !pem.contains("PRIVATE KEY") {
            return Ok(Self(base64));
        }
        // not quoted: it could be a private key in the wrong place
        Err(Rule::new(Code::Certificate, "this is not base64 of PEM certificates").help(format!(
            "as `kubectl get -o yaml` prints it; it begins with `{}`",
            readable("LS0tLS1CRUdJTiBDRVJU")
        )))
    }
}

scalar!(Certificate, takes "base64 of a PEM certificate", read Self::read, shown |it| it.0, schema {
    "type": "string", "pattern": "^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$",
});

pub(crate) static KIND: Kind = kind!("Identity", Wave::Access, "identity.yaml.j2", live::LIVE);

impl Identity {
    pub(super) fn manifest(&self, side: &Side<'_>, name: &str, proxy: Option<&ProxyUrl>) -> Manifest {
        let spec = fields! {
            peer: side.peer.id,
            remote_namespace: side.peer.tenant_namespace,
            written: self,
            proxy_url: proxy,
        };
        side.manifest(&KIND, side.object(name), side.own.metadata.identity.as_deref(), spec)
    }
}
