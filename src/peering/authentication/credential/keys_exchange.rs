//! Liqo's handshake as part of the document: the provider's nonce, the consumer's request and signature with its own key, and the
//! certificate that the provider signed. All of it is public, and Liqo renews the certificate (liqo `authentication/tenant-controller`,
//! `remoterenewer-controller`, `localrenewer-controller`).
//!
//! **A live peering moves to the handshake without losing a Secret.** The replicator's finalizer holds a deleted identity Secret while
//! anything is replicated, and nothing new is replicated until then (liqo `internal/crdReplicator/crdReplicator-operator.go`). So the old
//! Secret is never pruned: until there is a certificate, `kubeconfig` stays next to `keysExchange` and in the stream. Then the Identity
//! gets the name with which Liqo takes over this Secret, and the stream still has the Secret, without data. Argo CD prunes nothing that the
//! stream still has. Once Liqo has made the Identity the Secret's owner, Argo CD does not prune the Secret either (argo-cd
//! `gitops-engine/pkg/cache/cluster.go`, GetManagedLiveObjs): it is deleted with the Identity. Both are in one wave. In two waves, Argo CD
//! would wait for the deletion of a Secret that itself waits for objects of the Identity.
//!
//! **The RoleBinding stays in the provider's stream.** Liqo keeps a RoleBinding of this name, and creates a missing one only at the
//! Tenant's next reconcile, which may be months away: a consumer whose binding is pruned has no rights until then (liqo
//! `pkg/tenantNamespace/bindings.go`).

#[cfg(feature = "workstation")]
mod client_key;
mod proof;

use super::identity::{self, Identity};
use super::kubeconfig;
use crate::diagnostic::Code;
use crate::document::{Decoder, Located, records};
use crate::object::live::Impact::{Attention, Harmless};
use crate::object::live::{Cardinality, Effect, Fields, LiveHalf, Object, Scope, effect};
use crate::object::{Kind, Manifest, TemplateObject, fields, kind};
use crate::peering::names;
use crate::peering::side::Side;
use crate::peering::values::SealedFile;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
#[cfg(feature = "workstation")]
pub(crate) use client_key::ClientKey;
pub(crate) use proof::CONTROL_PLANE;
use proof::MADE;
pub use proof::{ClusterKey, Nonce, NonceSignature, SigningRequest};

records! {
    /// Liqo's handshake: public data only. The consumer keeps its private key, and Liqo renews the certificate.
    KeysExchange {
        /// What the consumer signs: random text that no other peering has. The provider's stream has it in a Secret.
        ours "nonce" => nonce: required Located<Nonce>;
        /// The consumer's public key: base64 of PEM, `data.publicKey` of the Secret `authentication-keys` in its Liqo's namespace.
        "publicKey" => public_key: required ClusterKey;
        /// The request for the consumer's certificate: base64 of PEM, of that key. Its subject is `O=liqo.io, CN=<the consumer's clusterID>`.
        "csr" => csr: required Located<SigningRequest>;
        /// The signature over the nonce, by that key: base64.
        "signature" => signature: required Located<NonceSignature>;
        /// What the provider signed: `status.authParams` of its Tenant. Left out until it has.
        ours "authParams" => auth_params: optional Located<Identity>;
    }
}

/// A handshake that the provider's Liqo accepts: request and signature are made with the key.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Handshake {
    /// The consumer's half, and the first certificate, if the provider has signed it.
    pub keys: KeysExchange,
    /// The kubeconfig that a peering uses that moves to the handshake, until the provider has signed.
    kubeconfig: Option<SealedFile>,
}

impl Handshake {
    /// The handshake of a document, if its parts belong together. `kubeconfig` is the field next to it.
    pub(super) fn new(
        keys: KeysExchange,
        kubeconfig: Option<SealedFile>,
        decoder: &mut Decoder,
    ) -> Option<Self> {
        let (key, csr, signature) = (&keys.public_key, &keys.csr, &keys.signature);
        let mut wrong = Vec::new();
        if !key.has_signed(csr) {
            let message = "another key than `publicKey` made this request";
            wrong.push((csr.span, message, MADE));
        }
        if !key.has_signed_nonce(&keys.nonce, signature) {
            let message = "this is not the signature of `publicKey` over `nonce`";
            wrong.push((signature.span, message, MADE));
        }
        if let Some(signed) = &keys.auth_params {
            if !key.signed(&signed.signed_crt, &csr.user) {
                let message = "`signedCRT` is not for the key and user of `csr`";
                let help = "remove `authParams`, then run `argocd-peering authenticate provider`";
                wrong.push((signed.span, message, help));
            }
            if kubeconfig.is_some() {
                let message = "the provider has signed: `kubeconfig` has no effect";
                let help = "remove `kubeconfig`: Liqo takes its Secret over";
                wrong.push((signed.span, message, help));
            }
        }
        for (span, message, help) in &wrong {
            let problems = &mut decoder.problems;
            problems.add(Code::KeysExchange, *span, *message, *help);
        }
        wrong.is_empty().then_some(Self { keys, kubeconfig })
    }

    /// The Identity of the certificate that the provider has signed.
    pub(super) const fn identity(&self) -> Option<&Identity> {
        match &self.keys.auth_params {
            Some(signed) => Some(&signed.value),
            None => None,
        }
    }

    /// The kubeconfig that is used until the provider has signed.
    pub const fn kubeconfig(&self) -> Option<&SealedFile> {
        self.kubeconfig.as_ref()
    }
}

pub(crate) static NONCE_KIND: Kind = kind!("nonce", Rights, "keys_exchange/nonce", NONCE);

/// The kind of the Secret that Liqo fills from the Identity.
static TAKEN_OVER: Kind = kind!(
    "credential",
    Access,
    "keys_exchange/taken_over",
    kubeconfig::LIVE
);

/// The Secret in which the provider's Liqo finds the nonce (liqo `authentication/forge/nonce.go`, `pkg/utils/getters`). Liqo keeps an
/// existing one (`authentication/noncecreator-controller`).
pub(in crate::peering::authentication) fn nonce(side: &Side<'_>, nonce: &str) -> Manifest {
    let spec = fields! { nonce: STANDARD.encode(nonce) };
    let meta = side
        .object_meta(names::NONCE)
        .label(names::NONCE_LABEL, true)
        .sync(NONCE_KIND.wave, Some("ServerSideApply=true"));
    TemplateObject::manifest(NONCE_KIND, meta, spec)
}

/// The Secret that Liqo makes from the Identity, as far as it is known.
pub(super) fn taken_over_secret(side: &Side<'_>, identity: &str) -> Manifest {
    let meta = side
        .object_meta(names::identity_kubeconfig(identity))
        .label(names::IDENTITY_TYPE, "ControlPlane")
        .annotation(names::REMOTE_TENANT_NAMESPACE, &*side.peer.tenant_namespace)
        .sync(TAKEN_OVER.wave, Some("ServerSideApply=true"));
    TemplateObject::manifest(TAKEN_OVER, meta, fields! {})
}

pub(crate) static NONCE: LiveHalf = LiveHalf {
    scope: Scope::WithoutData,
    label: Some((names::NONCE_LABEL, None)),
    cardinality: Cardinality::InCluster("nonces"),
    effects: &[EFFECTS],
    ..LiveHalf::new(&["Secret"], "secrets")
};

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // LCM/authentication/tenant-controller/tenant_controller.go:258-300
    effect(&["+"], Harmless, "Liqo checks the consumer's signature over it."),
    effect(&["data"], Attention, "Liqo renews the certificate once the Tenant has the new signature."),
    effect(&["-"], Attention, "Liqo signs no new certificate; the last one works until it expires."),
    effect(&["-, drained"], Harmless, "The drain left nothing."),
];

/// The handshake of a live Tenant, as the document's fields. `None` if a document cannot have it, for example with an RSA key.
pub(crate) fn read_back(
    tenant: &Object,
    nonce: &Object,
    identity: Option<&Object>,
    user: &str,
) -> Option<Fields> {
    let is_one = matches!(tenant.text("/spec/authzPolicy"), "" | "KeysExchange");
    let nonce = String::from_utf8(STANDARD.decode(nonce.string("/data/nonce")?).ok()?).ok()?;
    let [key, csr, signature] =
        ["publicKey", "csr", "signature"].map(|it| tenant.text(&format!("/spec/{it}")));
    let certificate = identity.map(|it| it.text("/spec/authParams/signedCRT"));
    let fields = Fields::default()
        .set("nonce", nonce.as_str())
        .read_back::<KeysExchange>(tenant.find("/spec"), &[]);
    if !is_one || !proof::holds([&nonce, key, csr, signature], user, certificate) {
        return None;
    }
    Some(fields.set("authParams", identity.map(identity::read_back)))
}
