//! `spec.authentication`, as it is written.

use super::Sealed;
use super::decode::{Decode, Located, record, word};
use crate::diagnostic::Problems;
use crate::peering::authentication::{SubjectKind, TenantCondition};
use crate::peering::name::SubjectName;
use crate::yaml::Node;

record! {
    /// How the consumer is let in.
    Authentication {
        /// Whom the provider's `RoleBinding` names.
        "subject" => subject: required Subject,
        /// What the consumer shows.
        "credential" => credential: required Credential,
        /// Default: `Active`.
        "tenantCondition" => tenant_condition: optional TenantCondition,
    }
}

record! {
    /// Whom the provider's API server takes the credential for.
    Subject {
        /// `User` or `Group`.
        "kind" => kind: required SubjectKind,
        /// As the provider reads it from the credential.
        "name" => name: required SubjectName,
    }
}

record! {
    /// The consumer's credential.
    Credential {
        /// A sealed kubeconfig for the provider.
        "kubeconfig" => kubeconfig: required Located<Sealed>,
    }
}

impl Decode for SubjectKind {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        Some(if word(node, &["User", "Group"], problems)?.value == 0 { Self::User } else { Self::Group })
    }
}

impl Decode for TenantCondition {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        Some(match word(node, &["Active", "Cordoned"], problems)?.value {
            0 => Self::Active,
            _ => Self::Cordoned,
        })
    }
}
