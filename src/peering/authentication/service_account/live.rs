//! The ServiceAccount and the Secret of its token in a cluster.

use crate::object::live::Impact::{Attention, Harmless};
use crate::object::live::{Effect, LiveHalf, Scope, effect};
use crate::peering::delivery::live::IMMUTABLE;

pub(crate) static ACCOUNT: LiveHalf = LiveHalf {
    scope: Scope::InTenantNamespace,
    effects: &[EFFECTS],
    ..LiveHalf::new(&["ServiceAccount"], "serviceaccounts")
};

pub(crate) static TOKEN: LiveHalf = LiveHalf {
    scope: Scope::WithoutData,
    effects: &[EFFECTS, IMMUTABLE],
    ..LiveHalf::new(&["Secret"], "secrets")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // Kubernetes: a token is its ServiceAccount's, by UID
    effect(&["-"], Attention, "The token is gone for good, and with it the other cluster's credential: a new ServiceAccount has another one."),
    effect(&["+"], Harmless, "Kubernetes makes a token, which belongs into the other cluster's kubeconfig."),
    effect(&["metadata.annotations[kubernetes.io/service-account.name]"], Attention, "The token is another ServiceAccount's: make the other cluster's kubeconfig anew."),
    effect(&["automountServiceAccountToken"], Harmless, "Pods with this account get no token."),
];
