//! Delivery: the object that a stream has in place of a Secret with data.

use crate::custody::sealed_secret::Sealer;
use crate::diagnostic::Bug;
use crate::object::live::Impact::{Attention, Harmless, Rights};
use crate::object::live::{
    Check, Effect, Finding, LiveHalf, Object, Scope, StatusContext, effect, error,
};
use crate::object::{Kind, Manifest, PLACEHOLDER, Secret, Serde, TemplateObject, kind};
use crate::peering::cluster::Cluster;
use crate::peering::delivery::{Delivery, ExternalSpec, RemoteRef};
use crate::peering::values::DataKey;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// The wave is that of the Secret. Argo CD waits in each wave until the controller reports that the Secret exists
/// (argo-cd `resource_customizations/bitnami.com/SealedSecret/health.lua`), so it exists before its gateway.
pub(super) static SEALED_SECRET: Kind = kind!(
    "SealedSecret",
    Material,
    "delivery/sealed_secret",
    LIVE_SEALED_SECRET
);

/// The wave is that of the Secret. Argo CD waits for it (argo-cd `resource_customizations/external-secrets.io/ExternalSecret/health.lua`).
pub(super) static EXTERNAL_SECRET: Kind = kind!(
    "ExternalSecret",
    Material,
    "delivery/external_secret",
    LIVE_EXTERNAL_SECRET
);

/// The object that brings a Secret into its cluster, if the stream has one. A Secret that is not printed is wiped here.
///
/// # Errors
/// Only for a bug: something that the delivery needs is missing.
pub(super) fn deliver(
    manifest: Manifest,
    cluster: &Cluster,
    sealer: Option<&Sealer>,
) -> Result<Option<Manifest>, Bug> {
    let secret = match manifest {
        // the token's Secret has no data: Kubernetes fills it
        Manifest::Secret(secret) if !secret.data.is_empty() => secret,
        Manifest::Secret(_) | Manifest::Templated(_) => return Ok(Some(manifest)),
    };
    match (cluster.delivery, &cluster.external) {
        (Delivery::Secret, _) => Ok(Some(secret.into())),
        (Delivery::SealedSecret, _) => seal(&secret, sealer).map(Some),
        (Delivery::External, Some(it)) => external(&secret, cluster, it).map(Some),
        (Delivery::External, None) => Ok(None),
    }
}

fn seal(secret: &Secret, sealer: Option<&Sealer>) -> Result<Manifest, Bug> {
    let [name, namespace] = secret.meta.place();
    let mut items = Vec::new();
    for (item, value) in &secret.data {
        let text = match sealer {
            Some(sealer) => sealer.seal(namespace, name, item, value)?,
            // `generate --public`: nothing was opened, so nothing can be sealed
            None if secret.has_placeholder() => STANDARD.encode(PLACEHOLDER),
            None => return Err(Bug::new("a Secret to seal, and no certificate")),
        };
        items.push((item, text));
    }
    // without a type, the controller writes the Secret again right after it created it, and conflicts with Liqo's finalizer: the
    // SealedSecret is Degraded for a moment, and the sync fails (sealed-secrets `controller.go`, unseal)
    let template = template(secret, secret.secret_type.or(Some("Opaque")));
    let spec = json!({ "items": items, "template": template });
    Ok(in_place_of(secret, &SEALED_SECRET, &spec))
}

fn external(secret: &Secret, cluster: &Cluster, external: &ExternalSpec) -> Result<Manifest, Bug> {
    let mut items = Vec::new();
    for (item, _) in &secret.data {
        let remote = DataKey::find(item).and_then(|item| external.keys.remote(item));
        let Some(RemoteRef(remote)) = remote.map(|it| &it.value) else {
            return Err(Bug::new("an item is not in the store"));
        };
        items.push(json!({ "name": item, "key": remote.key, "property": remote.property }));
    }
    let store = &external.store;
    let spec = json!({
        "store": { "name": store.name, "kind": store.kind },
        "refresh_interval": external.refresh_interval,
        "name": secret.meta.name,
        "template": template(secret, secret.secret_type),
        "check": key_check(secret, cluster.id.as_str()),
        "items": items,
    });
    Ok(in_place_of(secret, &EXTERNAL_SECRET, &spec))
}

/// A template that fails while the store has another public key than the document. So no Secret is made by a commit that arrives before the
/// store's value. An immutable Secret that the operator filled from the old value would keep it until someone deletes it. A Secret with a
/// fixed name and without a written `publicKey` has nothing to compare with; it is not immutable.
///
/// external-secrets runs the template with sprig's functions on the decoded value (external-secrets 0.20 `pkg/template/v2/template.go`).
/// Its error appears in events and a status, so it contains nothing from the store.
fn key_check(secret: &Secret, cluster: &str) -> Option<serde_json::Value> {
    let mut items = secret.data.iter();
    let (item, key) = items.find(|(item, _)| *item == DataKey::PublicKey.word())?;
    if key.as_slice() == PLACEHOLDER {
        return None;
    }
    let key = STANDARD.encode(key);
    let error = format!(
        "the store has another {item} than {key}, which is {cluster}'s: put there what argocd-peering keys export prints, and the Secret follows by itself"
    );
    let text = format!(
        r#"{{{{ if ne (.{item} | b64enc) "{key}" }}}}{{{{ fail "{error}" }}}}{{{{ end }}}}{{{{ .{item} }}}}"#
    );
    Some(json!({ "item": item, "text": text }))
}

/// The object that replaces a Secret: with its name, labels, annotations and wave.
fn in_place_of(secret: &Secret, kind: &Kind, spec: &serde_json::Value) -> Manifest {
    let kind = Kind {
        wave: secret.kind.wave,
        ..*kind
    };
    TemplateObject::manifest(kind, (*secret.meta).clone(), Serde(spec))
}

/// The metadata that the controller gives to the Secret. It copies nothing else, not even Argo CD's tracking (sealed-secrets
/// `sealedsecret_expansion.go`, external-secrets `externalsecret_controller_template.go`).
fn template(secret: &Secret, secret_type: Option<&str>) -> serde_json::Value {
    let (labels, immutable) = (&secret.meta.labels, secret.immutable);
    let annotations: Vec<_> = secret.meta.lasting_annotations().collect();
    json!({ "labels": labels, "annotations": annotations, "type": secret_type, "immutable": immutable })
}

pub(crate) static LIVE_SEALED_SECRET: LiveHalf = LiveHalf {
    scope: Scope::InPlaceOfSecret,
    effects: &[EFFECTS],
    status: sealed_secret,
    ..LiveHalf::new(&["SealedSecret"], "sealedsecrets.bitnami.com")
};

pub(crate) static LIVE_EXTERNAL_SECRET: LiveHalf = LiveHalf {
    scope: Scope::InPlaceOfSecret,
    effects: &[EFFECTS],
    status: external_secret,
    ..LiveHalf::new(&["ExternalSecret"], "externalsecrets.external-secrets.io")
};

/// Whether it comes or goes matters for the Secret that it brings.
#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    effect(&["spec.secretStoreRef", "spec.data"], Rights, "The Secret's values come from another place: its writer chooses the gateway's key, or the cluster that Liqo connects to."),
    effect(&["spec.encryptedData", "spec.template", "spec.target"], Attention, "The operator rewrites the Secret; if its values change, restart the gateway."),
    effect(&["spec.refreshInterval"], Harmless, "The operator reads the store at other times. The Secret stays."),
];

/// (sealed-secrets `pkg/apis/sealedsecrets/v1alpha1/types.go`, SealedSecretSynced)
fn sealed_secret(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    let help = "check that the controller has the certificate's key; `argocd-peering reseal` changes the certificate";
    let what = "the controller has not unsealed it";
    not_filled(Check::SealedSecret, what, object.condition("Synced"), help)
}

/// (external-secrets `apis/externalsecrets/v1/externalsecret_types.go`, ExternalSecretReady)
fn external_secret(object: &Object, _: &StatusContext<'_>) -> Vec<Finding> {
    let help = "check the operator, and that its store has the document's keys; `kubectl annotate externalsecret NAME force-sync=1` retries";
    let what = "the operator has not filled it";
    not_filled(Check::ExternalSecret, what, object.condition("Ready"), help)
}

fn not_filled(
    check: Check,
    what: &str,
    condition: Option<(&str, String)>,
    help: &str,
) -> Vec<Finding> {
    let why = match condition {
        Some(("True", _)) => return Vec::new(),
        Some((_, why)) => why,
        None => ": it has no status".to_owned(),
    };
    vec![error(check, format!("{what}{why}"), help)]
}
