//! What brings a Secret, in a cluster.

use crate::object::live::Impact::Harmless;
use crate::object::live::{Effect, LiveHalf, Scope, effect};

pub(crate) static SEALED_SECRET: LiveHalf = LiveHalf {
    scope: Scope::InPlaceOfSecret,
    effects: &[EFFECTS],
    ..LiveHalf::new(&["SealedSecret"], "sealedsecrets.bitnami.com")
};

pub(crate) static EXTERNAL_SECRET: LiveHalf = LiveHalf {
    scope: Scope::InPlaceOfSecret,
    effects: &[EFFECTS],
    ..LiveHalf::new(&["ExternalSecret"], "externalsecrets.external-secrets.io")
};

/// Whether it comes or goes matters for the Secret that it brings.
#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    effect(&["spec.encryptedData", "spec.template", "spec.secretStoreRef", "spec.target", "spec.data"], Harmless, "The operator of this kind writes the Secret anew. If its values change, so does what Liqo takes from it; a gateway has to be restarted then."),
];
