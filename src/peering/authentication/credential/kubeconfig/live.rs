//! The Secret of the credential in a cluster.

use crate::object::live::Impact::Harmless;
use crate::object::live::{Effect, Holds, LiveHalf, Once, Scope, effect};
use crate::peering::authentication::credential::live::EFFECTS as OF_ANY;
use crate::peering::delivery::live::{BRINGERS, IMMUTABLE};
use crate::peering::names;

pub(crate) static LIVE: LiveHalf = LiveHalf {
    scope: Scope::WithoutData,
    label: Some((names::IDENTITY_TYPE, Some("ControlPlane"))),
    once: Once::InCluster("identity Secrets"),
    holds: Holds::Credential,
    effects: &[OF_ANY, EFFECTS, IMMUTABLE],
    ..LiveHalf::new(BRINGERS, "secrets")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    effect(&["data"], Harmless, "Liqo reconnects with the new credential. The tunnel and running pods stay."),
];
