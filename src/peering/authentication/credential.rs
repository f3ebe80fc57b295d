//! The consumer's credential for the provider: one of several ways, or none yet.
//!
//! A new way is a file of this folder and a variant of [`Credential`]. The compiler then asks what it means: which fields
//! it has, which sealed file, which Secret or Identity, and what Liqo makes of it.

pub mod identity;
pub mod kubeconfig;
mod live;

use super::Authentication;
use crate::diagnostic::{Bug, Code, Rule, one_of};
use crate::document::{Decode, Decoder, Located, extended, records, schema, word_or};
use crate::input::yaml::{Node, Value};
use crate::object::{Manifest, PLACEHOLDER};
use crate::peering::delivery::Delivery;
use crate::peering::names;
use crate::peering::side::Side;
use crate::peering::values::{ClusterId, FileName, Item, ObjectName, SealedFile};
use identity::Identity;
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
    /// Somebody else makes the Secret; the stream has none.
    ExistingSecret,
    /// It does not exist yet; the stream has none.
    Pending,
}

/// A credential in a sealed file.
#[derive(Debug, Clone, Copy)]
pub enum Sealed<'c> {
    /// A kubeconfig.
    Kubeconfig(&'c SealedFile),
}

impl<'c> Sealed<'c> {
    /// The file's name.
    pub const fn file(self) -> &'c Located<FileName> {
        match self {
            Self::Kubeconfig(sealed) => &sealed.file,
        }
    }

    /// What it is, in a sentence.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kubeconfig(_) => Item::Kubeconfig.word(),
        }
    }

    /// The command that seals it.
    pub const fn command(self) -> &'static str {
        match self {
            Self::Kubeconfig(_) => kubeconfig::COMMAND,
        }
    }

    /// The item of its Secret.
    pub const fn item(self) -> Item {
        match self {
            Self::Kubeconfig(_) => Item::Kubeconfig,
        }
    }
}

/// The object of a stream that holds a credential, by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CredentialObject {
    /// A Secret in the tenant namespace.
    Secret(String),
    /// An Identity in the tenant namespace.
    Identity(String),
}

records! {
    /// The ways, of which one is written.
    Ways {
        /// A sealed kubeconfig for the provider.
        "kubeconfig" => kubeconfig: optional SealedFile;
        /// Liqo's own `Identity`: public data only.
        "identity" => identity: optional Box<Identity>;
        /// Someone else makes the Secret.
        "existingSecret" => existing: optional ExistingSecret, missing "write `existingSecret: {}`: it has no fields";
    }

    /// A Secret that already exists: `{}`, since it has no fields.
    ExistingSecret {}
}

impl CredentialObject {
    fn name(&self) -> &str {
        match self {
            Self::Secret(name) | Self::Identity(name) => name,
        }
    }
}

impl Credential {
    /// The sealed file that the stream needs for it, with its kind.
    pub const fn sealed(&self) -> Option<Sealed<'_>> {
        match self {
            Self::Kubeconfig(sealed) => Some(Sealed::Kubeconfig(sealed)),
            Self::Identity(_) | Self::ExistingSecret | Self::Pending => None,
        }
    }

    /// Whether it does not exist yet.
    pub const fn is_pending(&self) -> bool {
        match self {
            Self::Pending => true,
            Self::Kubeconfig(_) | Self::Identity(_) | Self::ExistingSecret => false,
        }
    }

    /// The object of the stream by its written name, or by its conventional one, which has the place of the peer's ID.
    pub fn object(
        &self,
        written: Option<&Located<ObjectName>>,
        peer: &Located<ClusterId>,
    ) -> Option<Located<CredentialObject>> {
        let (object, conventional): (fn(String) -> CredentialObject, String) = match self {
            Self::Kubeconfig(_) => (CredentialObject::Secret, names::control_plane_kubeconfig(peer)),
            Self::Identity(_) => (CredentialObject::Identity, names::control_plane_identity(peer)),
            Self::ExistingSecret | Self::Pending => return None,
        };
        Some(match written {
            Some(name) => Located::new(object(name.to_string()), name.span),
            None => Located::new(object(conventional), peer.span),
        })
    }

    /// Whether `names.identity` has an object here. A pending credential will have one.
    pub const fn has_object(&self) -> bool {
        match self {
            Self::Kubeconfig(_) | Self::Identity(_) | Self::Pending => true,
            Self::ExistingSecret => false,
        }
    }

    /// Whether `metadata.identity` has an object here, or may have one later.
    pub const fn may_be_identity(&self) -> bool {
        match self {
            Self::Identity(_) | Self::Pending => true,
            Self::Kubeconfig(_) | Self::ExistingSecret => false,
        }
    }
}

impl Decode for Credential {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        if !matches!(node.value, Value::Map(_)) {
            let takes = format!("a map with {}, or `pending`", one_of(Ways::FIELDS));
            return word_or(node, &["pending"], &takes, decoder).map(|_| Self::Pending);
        }
        let Ways { kubeconfig, identity, existing } = Ways::decode(node, decoder)?;
        let ways = [
            kubeconfig.map(Self::Kubeconfig),
            identity.map(Self::Identity),
            existing.map(|_| Self::ExistingSecret),
        ];
        let mut written: Vec<Self> = ways.into_iter().flatten().collect();
        let message = match written.len() {
            1 => return written.pop(),
            0 => "there is no credential here, and exactly one is needed".to_owned(),
            count => format!("there are {count} credentials here, and exactly one is needed"),
        };
        let help = format!("write {}, or `credential: pending` until there is one", one_of(Ways::FIELDS));
        decoder.refused(node, Rule::new(Code::Alternatives, message).help(help))
    }
}

schema!(Credential, generator => {
    let ways = extended(generator.subschema_for::<Ways>(), json!({ "minProperties": 1, "maxProperties": 1 }));
    json_schema!({ "anyOf": [{ "type": "string", "enum": ["pending"] }, ways] })
});

/// The object that shows this side's credential to the other one; `opened` is what its sealed file gave. A Secret that is
/// delivered without the stream needs only its name.
///
/// # Errors
/// Only for a bug: the sealed file was not opened.
pub(in crate::peering) fn manifest(
    side: &Side<'_>,
    authentication: &Authentication,
    opened: Option<&Zeroizing<Vec<u8>>>,
) -> Result<Option<Manifest>, Bug> {
    let credential = &authentication.credential;
    let Some(object) = credential.object(side.own.names.identity.as_ref(), &side.peer.id) else {
        return Ok(None);
    };
    let name = object.name();
    Ok(match credential {
        Credential::Kubeconfig(_) => {
            let kubeconfig = match (opened, side.own.delivery) {
                (Some(kubeconfig), _) => kubeconfig.clone(),
                (None, Delivery::External) => Zeroizing::new(PLACEHOLDER.to_vec()),
                (None, Delivery::Secret | Delivery::SealedSecret) => {
                    return Err(Bug::new("a credential without its kubeconfig"));
                }
            };
            Some(kubeconfig::secret(side, name, kubeconfig).into())
        }
        Credential::Identity(identity) => {
            Some(identity.manifest(side, name, authentication.proxy_url.as_ref()))
        }
        Credential::ExistingSecret | Credential::Pending => None,
    })
}
