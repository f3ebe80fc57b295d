//! The authentication module.

use crate::document::authentication::Authentication as Written;
use crate::peering::authentication::{Authentication, Credential, Subject, TenantCondition};

pub(super) fn authentication(written: &Written) -> Authentication {
    Authentication {
        subject: Subject { kind: written.subject.kind, name: written.subject.name.clone() },
        credential: Credential::Kubeconfig(written.credential.kubeconfig.value.file.clone()),
        condition: written.tenant_condition.unwrap_or(TenantCondition::Active),
    }
}
