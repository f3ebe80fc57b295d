//! How the consumer is let into the provider.

use super::name::{FileName, SubjectName};

/// The authentication module of one direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authentication {
    /// Whom the provider's `RoleBinding` names.
    pub subject: Subject,
    /// What the consumer shows.
    pub credential: Credential,
    /// What the provider's Tenant allows.
    pub condition: TenantCondition,
}

/// An RBAC subject of group `rbac.authorization.k8s.io`.
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
}

impl SubjectKind {
    /// Kubernetes' word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Group => "Group",
        }
    }
}

/// Where the consumer's credential comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// A sealed file beside the document.
    Kubeconfig(FileName),
}

/// A Tenant's condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TenantCondition {
    /// The consumer may use what it has and ask for more.
    Active,
    /// It may use what it has.
    Cordoned,
}

impl TenantCondition {
    /// Liqo's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Active => "Active",
            Self::Cordoned => "Cordoned",
        }
    }
}
