//! What the credential authenticates as at the provider's API server: an RBAC subject (`k8s.io/api` `rbac/v1`).

use crate::document::{Located, records, words};
use crate::peering::values::SubjectName;

records! {
    /// The user, group or ServiceAccount that the credential authenticates as.
    Subject {
        /// What the credential authenticates as. A `ServiceAccount` is made by the provider's stream.
        "kind" => kind: required SubjectKind, missing "a subject is a `User`, a `Group` or a `ServiceAccount`";
        /// As the provider reads it from the credential.
        "name" => name: required Located<SubjectName>;
    }
}

words! {
    /// The kinds of RBAC subjects.
    SubjectKind {
        /// A client certificate's common name, an OIDC user.
        User = "User",
        /// A client certificate's organisation, an OIDC group.
        Group = "Group",
        /// A service account of the tenant namespace, which the stream makes together with a token.
        ServiceAccount = "ServiceAccount",
    }
}
