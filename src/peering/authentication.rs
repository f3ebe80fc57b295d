//! How the consumer is let into the provider.

use super::name::{FileName, SubjectName};
use super::url::{ApiServer, ProxyUrl};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The authentication module of one direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authentication {
    /// Whom the provider's `RoleBinding` names.
    pub subject: Subject,
    /// What the consumer shows.
    pub credential: Credential,
    /// What the provider's Tenant allows.
    pub condition: TenantCondition,
    /// The proxy through which the consumer reaches the provider.
    pub proxy_url: Option<ProxyUrl>,
}

/// An RBAC subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// User or group.
    pub kind: SubjectKind,
    /// As the provider's API server reads it from the credential.
    pub name: SubjectName,
}

/// The kinds of RBAC subjects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubjectKind {
    /// A client certificate's common name, an OIDC user.
    User,
    /// A client certificate's organisation, an OIDC group.
    Group,
    /// A service account of the tenant namespace, which the stream makes together with a token.
    ServiceAccount,
}

impl SubjectKind {
    /// Kubernetes' word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Group => "Group",
            Self::ServiceAccount => "ServiceAccount",
        }
    }
}

/// Where the consumer's credential comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// A sealed file beside the document.
    Kubeconfig(FileName),
    /// Liqo's `Identity`.
    Identity(Identity),
    /// Somebody else makes the Secret; nothing is emitted.
    ExistingSecret,
    /// It is not there yet; nothing is emitted.
    Pending,
}

/// What Liqo makes a kubeconfig of, with the consumer's own private key. Public data only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider's API server.
    pub api_server: ApiServer,
    /// Its certificate authority.
    pub ca: Certificate,
    /// The certificate for the consumer's key.
    pub signed_crt: Certificate,
}

/// Certificates: base64 of PEM, as Kubernetes writes bytes. Holds no private key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate(String);

impl Certificate {
    /// The certificates, if the text is some.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let pem = String::from_utf8(STANDARD.decode(text).ok()?).ok()?;
        let good = pem.trim_start().starts_with("-----BEGIN CERTIFICATE-----")
            && pem.trim_end().ends_with("-----END CERTIFICATE-----")
            && !pem.contains("PRIVATE KEY");
        good.then(|| Self(text.to_owned()))
    }

    /// The base64.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A Tenant's condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TenantCondition {
    /// The consumer may use what it has and ask for more.
    Active,
    /// It may use what it has.
    Cordoned,
    /// It loses what it has, and its rights.
    Drained,
}

impl TenantCondition {
    /// Liqo's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Active => "Active",
            Self::Cordoned => "Cordoned",
            Self::Drained => "Drained",
        }
    }
}
