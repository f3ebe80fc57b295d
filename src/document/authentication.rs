//! `spec.authentication`, as it is written.

use super::Sealed;
use super::decode::{Decode, Fields, Located, record, text, word, word_or};
use crate::diagnostic::{Code, Problems, Rule, one_of};
use crate::input::yaml::{Node, Value};
use crate::peering::authentication::{Certificate, SubjectKind, TenantCondition};
use crate::peering::name::SubjectName;
use crate::peering::url::{ApiServer, ProxyUrl};

record! {
    /// How one cluster is let into the other.
    Authentication {
        /// Whom the provider's `RoleBinding` names.
        "subject" => subject: required Subject,
        /// What the consumer shows, or `pending`.
        "credential" => credential: required Credential,
        /// Default: `Active`.
        #[schemars(extend("default" = "Active"))]
        "tenantCondition" => tenant_condition: optional TenantCondition,
        /// The proxy through which the consumer reaches the provider's API server. A sealed kubeconfig goes through it too.
        "proxyURL" => proxy_url: optional ProxyUrl,
    }
}

record! {
    /// Whom the provider's API server takes the credential for.
    Subject {
        /// `User`, `Group` or `ServiceAccount`.
        "kind" => kind: required SubjectKind,
        /// As the provider reads it from the credential.
        "name" => name: required Located<SubjectName>,
    }
}

/// The consumer's credential: one of four ways, or none yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// A sealed kubeconfig for the provider.
    Kubeconfig(Sealed),
    /// Liqo's own `Identity`.
    Identity(Identity),
    /// Somebody else makes the Secret.
    ExistingSecret,
    /// It is not there yet.
    Pending,
}

record! {
    /// Liqo's `Identity`: public data only. The consumer's Liqo adds its own private key.
    Identity {
        /// The provider's API server.
        "apiServer" => api_server: required ApiServer,
        /// Its certificate authority: base64 of PEM.
        "ca" => ca: required Certificate,
        /// The certificate for the consumer's key: base64 of PEM.
        "signedCRT" => signed_crt: required Certificate,
    }
}

/// A Secret that is there already: `{}`, since nothing is to be said of it.
struct ExistingSecret;

impl Decode for ExistingSecret {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        Fields::among(&[], node, problems)?.finish(problems).map(|()| Self)
    }
}

const CREDENTIALS: [&str; 3] = ["kubeconfig", "identity", "existingSecret"];

impl Decode for Credential {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        if !matches!(node.value, Value::Map(_)) {
            let takes = format!("a map with {}, or `pending`", one_of(&CREDENTIALS));
            return word_or(node, &["pending"], &takes, problems).map(|_| Self::Pending);
        }
        let mut fields = Fields::of(node, problems)?;
        let before = problems.iter().count();
        let kubeconfig: Option<Sealed> = fields.optional("kubeconfig", problems);
        let identity: Option<Identity> = fields.optional("identity", problems);
        let existing: Option<ExistingSecret> = fields.optional("existingSecret", problems);
        let said = CREDENTIALS.iter().filter(|name| fields.has(name)).count();
        fields.finish(problems)?;
        if said != 1 {
            let message = match said {
                0 => "there is no credential here, and exactly one is needed".to_owned(),
                _ => format!("there are {said} credentials here, and exactly one is needed"),
            };
            let help = format!("say {}, or `credential: pending` until there is one", one_of(&CREDENTIALS));
            let rule = Rule::new(Code::Alternatives, message).help(help);
            problems.push(rule.at(node.span));
        }
        if problems.iter().count() > before {
            return None;
        }
        kubeconfig
            .map(Self::Kubeconfig)
            .or_else(|| identity.map(Self::Identity))
            .or_else(|| existing.map(|_| Self::ExistingSecret))
    }
}

impl Decode for SubjectKind {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        Some(match word(node, &["User", "Group", "ServiceAccount"], problems)?.value {
            0 => Self::User,
            1 => Self::Group,
            _ => Self::ServiceAccount,
        })
    }
}

impl Decode for TenantCondition {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        Some(match word(node, &["Active", "Cordoned", "Drained"], problems)?.value {
            0 => Self::Active,
            1 => Self::Cordoned,
            _ => Self::Drained,
        })
    }
}

impl Decode for Certificate {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let written = text(node, "base64 of a PEM certificate", problems)?;
        Self::parse(written).or_else(|| {
            // not quoted: it could be a private key in the wrong place
            let rule = Rule::new(Code::Certificate, "this is not base64 of PEM certificates")
                .help("as `kubectl get -o yaml` prints it; it begins with `LS0tLS1CRUdJTiBDRVJU`");
            problems.push(rule.at(node.span));
            None
        })
    }
}
