//! The consumer's credential for the provider: one of several ways, or none yet.
//!
//! A new way is a file of this folder and a variant of [`Credential`]. The compiler then asks what it means: which fields
//! it has, which sealed file, which Secret or Identity, and what Liqo makes of it.

pub mod identity;
pub mod kubeconfig;

use super::Authentication;
use crate::diagnostic::{Code, Rule, one_of};
use crate::document::{Decode, Decoder, Field, Fields, Located, described, schema, word_or};
use crate::input::yaml::{Node, Value};
use crate::object::{Bug, Manifest, Meta};
use crate::peering::names;
use crate::peering::side::Side;
use crate::peering::spec::SealedFile;
use crate::peering::values::name::{ClusterId, FileName};
use identity::Identity;
use schemars::json_schema;
use zeroize::Zeroizing;

/// The consumer's credential for the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// The object of a stream that holds a credential, by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    /// A Secret in the tenant namespace.
    Secret(String),
    /// An Identity in the tenant namespace.
    Identity(String),
}

static KUBECONFIG: Field = Field::new("kubeconfig");
static IDENTITY: Field = Field::new("identity");
static EXISTING: Field =
    Field { missing: Some("write `existingSecret: {}`: it has no fields"), ..Field::new("existingSecret") };
const WAYS: [&str; 3] = [KUBECONFIG.name, IDENTITY.name, EXISTING.name];

impl Credential {
    /// The sealed file that one side's stream needs for it.
    #[must_use]
    pub const fn sealed_file(&self) -> Option<&Located<FileName>> {
        match self {
            Self::Kubeconfig(sealed) => Some(&sealed.file),
            Self::Identity(_) | Self::ExistingSecret | Self::Pending => None,
        }
    }

    /// The object of the stream: an Identity or a Secret, by the name that it has if none is written.
    #[must_use]
    pub fn object(&self, peer: &ClusterId) -> Option<Object> {
        match self {
            Self::Kubeconfig(_) => Some(Object::Secret(names::control_plane_kubeconfig(peer))),
            Self::Identity(_) => Some(Object::Identity(names::control_plane_identity(peer))),
            Self::ExistingSecret | Self::Pending => None,
        }
    }

    /// Whether `names.identity` and `metadata.identity` have an object here. A pending credential will have one.
    #[must_use]
    pub const fn has_object(&self) -> bool {
        match self {
            Self::Kubeconfig(_) | Self::Identity(_) | Self::Pending => true,
            Self::ExistingSecret => false,
        }
    }
}

impl Decode for Credential {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        if !matches!(node.value, Value::Map(_)) {
            let takes = format!("a map with {}, or `pending`", one_of(&WAYS));
            return word_or(node, &["pending"], &takes, decoder).map(|_| Self::Pending);
        }
        let mut fields = Fields::among(&WAYS, node, decoder)?;
        let before = decoder.count();
        let kubeconfig: Option<SealedFile> = fields.optional(&KUBECONFIG, decoder);
        let identity: Option<Identity> = fields.optional(&IDENTITY, decoder);
        let existing: Option<ExistingSecret> = fields.optional(&EXISTING, decoder);
        let written = WAYS.iter().filter(|name| fields.has(name)).count();
        fields.finish(decoder)?;
        if written != 1 {
            let message = match written {
                0 => "there is no credential here, and exactly one is needed".to_owned(),
                _ => format!("there are {written} credentials here, and exactly one is needed"),
            };
            let help = format!("write {}, or `credential: pending` until there is one", one_of(&WAYS));
            decoder.refuse(node, Rule::new(Code::Alternatives, message).help(help));
        }
        if decoder.count() > before {
            return None;
        }
        kubeconfig
            .map(Self::Kubeconfig)
            .or_else(|| identity.map(Box::new).map(Self::Identity))
            .or_else(|| existing.map(|_| Self::ExistingSecret))
    }
}

schema!(Credential, generator => json_schema!({
    "anyOf": [
        { "type": "string", "enum": ["pending"] },
        {
            "type": "object",
            "properties": {
                "kubeconfig": described(generator.subschema_for::<SealedFile>(), "A sealed kubeconfig for the provider."),
                "identity": described(generator.subschema_for::<Identity>(), "Liqo's own `Identity`: public data only."),
                "existingSecret": described(generator.subschema_for::<ExistingSecret>(), "Somebody else makes the Secret."),
            },
            "additionalProperties": false,
            "minProperties": 1,
            "maxProperties": 1,
        },
    ],
}));

/// A Secret that already exists: `{}`, since it has no fields.
struct ExistingSecret;

impl Decode for ExistingSecret {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        Fields::among(&[], node, decoder)?.finish(decoder).map(|()| Self)
    }
}

schema!(ExistingSecret, { "type": "object", "maxProperties": 0 });

/// The object that shows this side's credential to the other one; `opened` is what its sealed file gave.
///
/// # Errors
/// Only for a bug: the sealed file was not opened.
pub(in crate::peering) fn manifest(
    side: &Side<'_>,
    authentication: &Authentication,
    opened: Option<&Zeroizing<Vec<u8>>>,
) -> Result<Option<Manifest>, Bug> {
    let name = |conventional: String| match &side.own.names.identity {
        Some(name) => name.to_string(),
        None => conventional,
    };
    Ok(match &authentication.credential {
        Credential::Kubeconfig(_) => {
            let kubeconfig = opened.ok_or_else(|| Bug("a credential without its kubeconfig".into()))?;
            let name = name(names::control_plane_kubeconfig(&side.peer.id));
            Some(kubeconfig::secret(side, &name, kubeconfig.clone()).into())
        }
        Credential::Identity(identity) => {
            let name = name(names::control_plane_identity(&side.peer.id));
            Some(identity.manifest(side, &name, authentication.proxy_url.as_ref()))
        }
        Credential::ExistingSecret | Credential::Pending => None,
    })
}

/// With the user's labels and annotations of the credential's object.
fn extra(side: &Side<'_>, meta: Meta) -> Meta {
    side.extra(meta, side.own.metadata.identity.as_deref())
}
