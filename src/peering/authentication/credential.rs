//! The consumer's credential for the provider, in one of several forms, or none yet.
//!
//! A new form is a field of [`CredentialFields`], a variant of [`Credential`] and a file of this folder. A function of [`Credential`] treats
//! all variants alike that it does not name. [`manifests`] makes an Identity or a Secret with a kubeconfig.

pub mod identity;
pub mod keys_exchange;
pub mod kubeconfig;
pub(crate) mod x509;

use super::Authentication;
use crate::diagnostic::{Bug, Code, Rule, list_or};
use crate::document::{Decode, Decoder, Located, PendingOr, extended, records, schema, word_or};
use crate::input::yaml::Node;
use crate::object::live::Impact::{Attention, Rights};
use crate::object::live::{Effect, effect};
use crate::object::{Manifest, PLACEHOLDER, fields};
use crate::peering::delivery::Delivery;
use crate::peering::names;
use crate::peering::side::Side;
use crate::peering::values::{ClusterId, ObjectName, SealedFile};
use identity::Identity;
use keys_exchange::{Handshake, KeysExchange};
use schemars::json_schema;
use serde_json::json;
use zeroize::Zeroizing;

/// The consumer's credential for the provider.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum Credential {
    /// A kubeconfig, sealed into a file beside the document.
    Kubeconfig(SealedFile),
    /// Liqo's own `Identity`.
    Identity(Box<Identity>),
    /// Liqo's handshake: Liqo makes the credential and renews it.
    KeysExchange(Box<Handshake>),
    /// Someone else makes the Secret; the stream has none.
    ExistingSecret,
    /// The credential does not exist yet; the stream has none.
    Pending,
    /// Liqo's handshake, before the consumer has signed; the stream has none.
    PendingHandshake,
}

/// The object of a stream that holds a credential: an Identity or a Secret in the tenant namespace.
pub struct CredentialObject {
    pub is_identity: bool,
    pub name: String,
}

records! {
    /// The forms, of which one is written; a `kubeconfig` stays beside `keysExchange` until the provider has signed.
    CredentialFields {
        /// Liqo's handshake, Liqo 1.2 or later: public, and renewed; `pending` until the consumer has signed.
        "keysExchange" => keys_exchange: optional PendingOr<KeysExchange>, since "1.2";
        /// A sealed kubeconfig for the provider.
        "kubeconfig" => kubeconfig: optional SealedFile;
        /// Liqo's own `Identity`: public data only.
        "identity" => identity: optional Box<Identity>;
        /// Someone else makes the Secret.
        "existingSecret" => existing: optional ExistingSecret, missing "write `existingSecret: {}`, without fields";
    }

    /// A Secret that already exists: `{}`, since it has no fields.
    ExistingSecret {}
}

impl Credential {
    /// The sealed kubeconfig that the stream needs for the credential.
    pub const fn sealed_kubeconfig(&self) -> Option<&SealedFile> {
        match self {
            Self::Kubeconfig(sealed) => Some(sealed),
            Self::KeysExchange(handshake) => handshake.kubeconfig(),
            _ => None,
        }
    }

    /// Whether the credential does not exist yet.
    pub const fn is_pending(&self) -> bool {
        matches!(self, Self::Pending | Self::PendingHandshake)
    }

    /// Whether it authenticates as the user with the consumer's `clusterID`, and only as that one.
    pub fn is_of_cluster_id(&self) -> bool {
        match self {
            Self::PendingHandshake => true,
            Self::KeysExchange(handshake) => handshake.kubeconfig().is_none(),
            _ => false,
        }
    }

    /// The handshake, if the credential is one.
    pub const fn handshake(&self) -> Option<&Handshake> {
        match self {
            Self::KeysExchange(handshake) => Some(handshake),
            _ => None,
        }
    }

    /// The address and the certificate of an Identity in the stream.
    pub const fn identity(&self) -> Option<&Identity> {
        match self {
            Self::Identity(identity) => Some(identity),
            Self::KeysExchange(handshake) => handshake.identity(),
            _ => None,
        }
    }

    /// The object of the stream, with its written or its conventional name; the conventional one is at the place of the peer's ID. For a
    /// handshake, the written name is that of the Secret, which does not change when the provider has signed.
    pub fn object(
        &self,
        written: Option<&Located<ObjectName>>,
        peer: &Located<ClusterId>,
    ) -> Option<Located<CredentialObject>> {
        let is_identity = self.identity().is_some();
        if !is_identity && self.sealed_kubeconfig().is_none() {
            return None;
        }
        let (name, span) = match written {
            Some(name) if is_identity && self.handshake().is_some() => {
                let identity = name.as_str().strip_prefix(names::IDENTITY_KUBECONFIG);
                (identity.unwrap_or(name.as_str()).to_owned(), name.span)
            }
            Some(name) => (name.to_string(), name.span),
            None if is_identity => (names::control_plane_identity(peer), peer.span),
            None => (names::control_plane_kubeconfig(peer), peer.span),
        };
        let object = CredentialObject { is_identity, name };
        Some(Located::new(object, span))
    }

    /// Whether `metadata.identity` has an object here, or may have one later.
    pub const fn may_be_identity(&self) -> bool {
        !matches!(self, Self::Kubeconfig(_) | Self::ExistingSecret)
    }
}

impl Decode for Credential {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        if !node.is_map() {
            let fields = list_or(CredentialFields::FIELDS);
            let takes = format!("a map with {fields}, or `pending`");
            return word_or(node, &["pending"], &takes, decoder).map(|_| Self::Pending);
        }
        let mut fields = CredentialFields::decode(node, decoder)?;
        let handshake = match fields.keys_exchange {
            // a `kubeconfig` next to it belongs to the handshake
            Some(PendingOr::Known(keys)) => {
                let handshake = Handshake::new(*keys, fields.kubeconfig.take(), decoder)?;
                Some(Self::KeysExchange(Box::new(handshake)))
            }
            Some(PendingOr::Pending) => Some(Self::PendingHandshake),
            None => None,
        };
        let credentials = [
            handshake,
            fields.kubeconfig.map(Self::Kubeconfig),
            fields.identity.map(Self::Identity),
            fields.existing.map(|_| Self::ExistingSecret),
        ];
        let mut written: Vec<Self> = credentials.into_iter().flatten().collect();
        let message = match written.len() {
            1 => return written.pop(),
            0 => "there is no credential".to_owned(),
            count => format!("there are {count} credentials, not one"),
        };
        let fields = list_or(CredentialFields::FIELDS);
        let help = format!("write {fields}, or for now `credential: pending`");
        decoder.reject(node, Rule::new(Code::WrongType, message).help(help))
    }
}

schema!(Credential, generator => {
    let forms = extended(generator.subschema_for::<CredentialFields>(), json!({
        "minProperties": 1,
        "maxProperties": 2,
        "if": { "minProperties": 2 },
        "then": { "required": ["keysExchange", "kubeconfig"] },
    }));
    json_schema!({ "anyOf": [{ "type": "string", "enum": ["pending"] }, forms] })
});

/// The objects that a handshake adds on this side when the other one has signed, whether or not it already has. Their values are not known
/// before that.
pub(in crate::peering) fn awaited(
    side: &Side<'_>,
    authentication: &Authentication,
) -> Vec<Manifest> {
    let credential = &authentication.credential;
    if credential.handshake().is_none() && **credential != Credential::PendingHandshake {
        return Vec::new();
    }
    let secret = side.own.names.identity.as_ref();
    let written = secret.and_then(|it| it.as_str().strip_prefix(names::IDENTITY_KUBECONFIG));
    let usual = names::control_plane_identity(&side.peer.id);
    let name = written.map_or(usual, ToOwned::to_owned);
    let identity = side.manifest(&identity::KIND, side.object_meta(&name), None, fields! {});
    vec![identity, keys_exchange::taken_over_secret(side, &name)]
}

/// The objects with this side's credential. `opened` is the content of its sealed file. A Secret that is not delivered by the stream needs
/// only its name.
///
/// # Errors
/// Only for a bug: the sealed file was not opened.
pub(in crate::peering) fn manifests(
    side: &Side<'_>,
    authentication: &Authentication,
    opened: Option<&Zeroizing<Vec<u8>>>,
) -> Result<Vec<Manifest>, Bug> {
    let credential = &authentication.credential;
    let Some(object) = credential.object(side.own.names.identity.as_ref(), &side.peer.id) else {
        return Ok(Vec::new());
    };
    let name = &object.name;
    if let Some(identity) = credential.identity() {
        let mut manifests = vec![identity.manifest(side, name, authentication.proxy_url.as_ref())];
        if credential.handshake().is_some() {
            manifests.push(keys_exchange::taken_over_secret(side, name));
        }
        return Ok(manifests);
    }
    let kubeconfig = match (opened, side.own.delivery) {
        (Some(kubeconfig), _) => kubeconfig.clone(),
        (None, Delivery::External) => Zeroizing::new(PLACEHOLDER.to_vec()),
        _ => return Err(Bug::new("a credential without its kubeconfig")),
    };
    Ok(vec![kubeconfig::secret(side, name, kubeconfig).into()])
}

/// The effect of a credential that may be for another cluster: the credential itself names its cluster.
pub(super) const ANOTHER_CLUSTER: &str = "Liqo connects with it; tunnel and running pods stay. This cluster's slices, pods and Secrets go to its API server or proxy.";

/// The effects of a change of any credential.
#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // internal/crdReplicator/crdReplicator-operator.go:139-159
    effect(&["+"], Rights, "Liqo copies this cluster's slices to the other one."),
    effect(&["-"], Attention, "Liqo stops copying, once neither side has anything left."),
    effect(&["metadata.annotations[liqo.io/remote-tenant-namespace]"], Attention, "Liqo copies to another namespace of the other cluster; the old one's content stays."),
];

#[cfg(test)]
mod tests {
    use super::CredentialFields;
    use crate::diagnostic::{Look, Source};
    use crate::peering::parse;

    /// The advice of the field `credential` is written beside it, in another file.
    #[test]
    fn a_missing_credential_is_told_each_way() {
        let text = "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata: { name: a }\nspec:\n  consumer: { clusterID: a }\n  \
                    provider: { clusterID: b }\n  authentication: {}\n";
        let parsed = parse(&Source::new("peering.yaml", text));
        let screen = parsed.err().expect("no credential").screen(Look::PLAIN);
        for way in CredentialFields::FIELDS {
            assert!(screen.contains(&format!("`{way}`")), "{way}: {screen}");
        }
    }
}
