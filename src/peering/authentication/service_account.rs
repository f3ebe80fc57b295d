//! The ServiceAccount that the other cluster uses here, and the Secret of its token.

use super::{Subject, SubjectKind};
use crate::object::live::Impact::{Attention, Harmless};
use crate::object::live::{Effect, LiveHalf, Scope, effect};
use crate::object::{Kind, Manifest, Secret, kind};
use crate::peering::delivery::IMMUTABLE;
use crate::peering::names;
use crate::peering::side::Side;

pub(crate) static KIND: Kind = kind!("ServiceAccount", Material, "service_account", LIVE);

pub(crate) static TOKEN: Kind = kind!("token", Material, LIVE_TOKEN);

/// The ServiceAccount and its token; empty for a subject of another kind.
pub(super) fn manifests(side: &Side<'_>, subject: &Subject) -> Vec<Manifest> {
    if subject.kind != SubjectKind::ServiceAccount {
        return Vec::new();
    }
    let account = subject.name.as_str();
    let extra = side.own.metadata.service_account.as_deref();
    let manifest = side.manifest(&KIND, side.object_meta(account), extra, ());
    vec![manifest, token(side, account).into()]
}

/// The Secret of the token, which Kubernetes fills in (`k8s.io/kubernetes` `pkg/controller/serviceaccount/tokens_controller.go`).
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

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    scope: Scope::InTenantNamespace,
    effects: &[EFFECTS],
    ..LiveHalf::new(&["ServiceAccount"], "serviceaccounts")
};

pub(crate) static LIVE_TOKEN: LiveHalf = LiveHalf {
    scope: Scope::WithoutData,
    effects: &[EFFECTS, IMMUTABLE],
    ..LiveHalf::new(&["Secret"], "secrets")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // Kubernetes: a token belongs to its ServiceAccount by the UID
    effect(&["-"], Attention, "The token goes, and the other cluster's credential with it."),
    effect(&["+"], Harmless, "Kubernetes makes a token for the other cluster's kubeconfig."),
    effect(&["metadata.annotations[kubernetes.io/service-account.name]"], Attention, "The token is another ServiceAccount's: renew the other cluster's kubeconfig."),
    effect(&["automountServiceAccountToken"], Harmless, "Pods with this account get no token."),
];
