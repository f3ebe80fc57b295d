//! The Identity in a cluster.

use super::Identity;
use crate::object::live::Impact::Harmless;
use crate::object::live::{Awaited, Check, Effect, Fields, Finding, LOGS, LiveHalf, Object, effect, error};
use crate::peering::authentication::credential::live::EFFECTS as OF_ANY;

pub(crate) static LIVE: LiveHalf = LiveHalf {
    effects: &[OF_ANY, EFFECTS],
    status,
    certificate: Some("/spec/authParams/signedCRT"),
    theirs: &["spec.authParams.awsConfig.awsUserArn"],
    // (liqo `authentication/localrenewer-controller/localrenewer_controller.go`)
    taken_over: &["spec.authParams"],
    ..LiveHalf::new(&["Identity"], "identities.authentication.liqo.io")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // LCM/authentication/identity-controller/identity_controller.go:99-131
    effect(&["spec.clusterID", "spec.namespace", "spec.type", "spec.authParams"], Harmless, "Liqo writes the Secret of this Identity anew, and connects again with it. The tunnel and running pods stay."),
];

/// The Identity, as a document has it.
pub(crate) fn read_back(identity: &Object) -> Fields {
    Fields::default().read_back::<Identity>(identity.at("/spec/authParams"), &[])
}

/// (liqo `apis/authentication/v1beta1/identity_types.go`, IdentityStatus)
fn status(object: &Object, _: &Awaited<'_>) -> Vec<Finding> {
    let has_secret = !object.text("/status/kubeconfigSecretRef/name").is_empty();
    let finding = || error(Check::LiqoIdentity, "Liqo has not made its Secret with the kubeconfig", LOGS);
    (!has_secret).then(finding).into_iter().collect()
}
