//! The ServiceAccount that the other cluster uses here, and the Secret of its token.

pub(crate) mod live;

use super::{Subject, SubjectKind};
use crate::object::{Kind, Manifest, Secret, Wave, kind};
use crate::peering::names;
use crate::peering::side::Side;

pub(crate) static KIND: Kind =
    kind!("ServiceAccount", Wave::Material, "service_account.yaml.j2", live::ACCOUNT);

pub(crate) static TOKEN: Kind = kind!("token", Wave::Material, live::TOKEN);

/// None for a subject of another kind.
pub(super) fn manifests(side: &Side<'_>, subject: &Subject) -> Vec<Manifest> {
    match subject.kind {
        SubjectKind::User | SubjectKind::Group => Vec::new(),
        SubjectKind::ServiceAccount => {
            let account = subject.name.as_str();
            let extra = side.own.metadata.service_account.as_deref();
            vec![side.manifest(&KIND, side.object(account), extra, ()), token(side, account).into()]
        }
    }
}

/// Kubernetes fills in the token (`k8s.io/kubernetes` `pkg/controller/serviceaccount/tokens_controller.go`).
fn token(side: &Side<'_>, account: &str) -> Secret {
    Secret {
        meta: side
            .secret(names::token_secret(account))
            .annotation("kubernetes.io/service-account.name", account)
            .sync(TOKEN.wave),
        kind: &TOKEN,
        secret_type: Some("kubernetes.io/service-account-token"),
        immutable: false,
        data: Vec::new(),
    }
}
