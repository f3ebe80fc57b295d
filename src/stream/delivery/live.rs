//! What brings a Secret, in a cluster.

use crate::object::live::Impact::Harmless;
use crate::object::live::{Awaited, Check, Effect, Finding, LiveHalf, Object, Scope, effect, error};

pub(crate) static SEALED_SECRET: LiveHalf = LiveHalf {
    scope: Scope::InPlaceOfSecret,
    effects: &[EFFECTS],
    status: sealed_secret,
    ..LiveHalf::new(&["SealedSecret"], "sealedsecrets.bitnami.com")
};

pub(crate) static EXTERNAL_SECRET: LiveHalf = LiveHalf {
    scope: Scope::InPlaceOfSecret,
    effects: &[EFFECTS],
    status: external_secret,
    ..LiveHalf::new(&["ExternalSecret"], "externalsecrets.external-secrets.io")
};

/// Whether it comes or goes matters for the Secret that it brings.
#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    effect(&["spec.encryptedData", "spec.template", "spec.secretStoreRef", "spec.target", "spec.data"], Harmless, "The operator of this kind writes the Secret anew. If its values change, so does what Liqo takes from it; a gateway has to be restarted then."),
    effect(&["spec.refreshInterval"], Harmless, "The operator reads the store at other times. The Secret stays."),
];

/// (sealed-secrets `pkg/apis/sealedsecrets/v1alpha1/types.go`, SealedSecretSynced)
fn sealed_secret(object: &Object, _: &Awaited<'_>) -> Vec<Finding> {
    let help = "the sealed-secrets controller must run there, with the key of the certificate that the Secret was sealed with: `argocd-peering reseal` takes another one";
    not_filled(Check::SealedSecret, "the controller has not unsealed it", object.condition("Synced"), help)
}

/// (external-secrets `apis/externalsecrets/v1/externalsecret_types.go`, ExternalSecretReady)
fn external_secret(object: &Object, _: &Awaited<'_>) -> Vec<Finding> {
    let help = "external-secrets' operator must run there, and its store must have the values of the document's keys: `kubectl annotate externalsecret NAME force-sync=1` has it try at once";
    not_filled(Check::ExternalSecret, "the operator has not filled it", object.condition("Ready"), help)
}

fn not_filled(check: Check, what: &str, condition: Option<(&str, String)>, help: &str) -> Vec<Finding> {
    let why = match condition {
        Some(("True", _)) => return Vec::new(),
        Some((_, why)) => why,
        None => ": it has no status".to_owned(),
    };
    vec![error(check, format!("{what}{why}"), help)]
}
