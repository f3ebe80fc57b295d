//! A Kubernetes object between PLAN and RENDER: its metadata, its wave, and the values that its template shows.
//!
//! A Secret has its own type: its bytes become base64 only in RENDER, and are wiped when dropped.

mod engine;
pub(crate) mod live;
mod meta;
mod quote;

use crate::diagnostic::Bug;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
pub use engine::Engine;
use engine::WholeLines;
pub(crate) use meta::{HOOK, SYNC_WAVE};
pub use meta::{Meta, SecretMeta};
pub(crate) use minijinja::value::Serde;
use minijinja::{Value, context};
pub(crate) use quote::{inside, quote};
use zeroize::Zeroizing;

/// The wave of an object. Argo CD creates objects wave by wave, and deletes them in the opposite order; each wave waits until the previous
/// one is healthy.
///
/// A gateway's Secret exists before the gateway: otherwise Liqo tries again with a growing delay. A Tenant's webhook needs the labelled
/// namespace. A slice can be released only while its credential exists, so the slice is deleted first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wave {
    /// The tenant Namespace.
    Namespace = 0,
    /// The objects that a gateway needs: keys and the other cluster's networks. Also ServiceAccounts.
    Material = 1,
    /// Gateways.
    Gateway = 2,
    /// The rights of the other cluster here.
    Rights = 3,
    /// Tenants and credentials.
    Access = 4,
    /// ResourceSlices.
    Slice = 5,
    /// Virtual nodes, and the Namespaces of workloads.
    Node = 6,
    /// Namespaces that are offloaded, and Liqo's summary. Nothing waits for their health.
    Last = 7,
    /// What Argo CD applies only for a deletion, and then deletes first.
    Hook = 8,
}

/// What an object gives beside itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant {
    /// Nothing: it is an object in its namespace, or a Secret.
    Object,
    /// It is the namespace of a peering's objects.
    Namespace,
    /// It is a namespace of workloads.
    Workloads,
    /// The Secrets and pods of its namespace go to other clusters.
    Offloading,
    /// Rights, for those in [`TemplateObject::lets_in`].
    Rights,
}

/// What all objects of a kind have in common. It is declared next to the kind's fields and its template.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The name that messages use for an object of the kind.
    pub name: &'static str,
    /// In which wave Argo CD applies it.
    pub wave: Wave,
    /// Its template: the YAML of one object.
    pub template: &'static str,
    /// Whether a deletion takes something from the other side, so that Argo CD may ask first.
    pub protected: bool,
    /// What one of its objects gives, which terms and policies are compared with.
    pub gives: Grant,
    /// The kind's live half: what it is in a cluster.
    pub(crate) live: &'static live::LiveHalf,
}

/// Declares a kind that can be deleted without confirmation and gives nothing; [`Kind::protected`] and [`Kind::gives`] change that. Its
/// template is in the same folder; a Secret has none, since its bytes never enter the engine. A kind without a live half does not compile.
macro_rules! kind {
    ($name:literal, $wave:ident, $($template:literal,)? $live:path) => {
        $crate::object::Kind {
            name: $name,
            wave: $crate::object::Wave::$wave,
            template: concat!($(include_str!(concat!($template, ".yaml.j2")))?),
            protected: false,
            gives: $crate::object::Grant::Object,
            live: &$live,
        }
    };
}
pub(crate) use kind;

impl Kind {
    /// The kind, whose objects give more than an object in a namespace.
    pub const fn gives(self, gives: Grant) -> Self {
        Self { gives, ..self }
    }

    /// Protects the kind's objects from accidental removal.
    pub const fn protected(mut self) -> Self {
        self.protected = true;
        self
    }
}

/// One object of a stream.
pub enum Manifest {
    /// An object without secrets.
    Templated(TemplateObject),
    Secret(Secret),
}

impl Manifest {
    /// Its name, labels and annotations.
    pub fn meta(&self) -> &Meta {
        match self {
            Self::Templated(object) => &object.meta,
            Self::Secret(secret) => &secret.meta,
        }
    }

    /// The same object, and who gets rights by it.
    pub(crate) fn letting_in(mut self, who: impl IntoIterator<Item = String>) -> Self {
        if let Self::Templated(object) = &mut self {
            object.lets_in = who.into_iter().collect();
        }
        self
    }

    pub const fn kind(&self) -> &Kind {
        match self {
            Self::Templated(object) => &object.kind,
            Self::Secret(secret) => secret.kind,
        }
    }

    /// Argo CD's sync wave.
    pub const fn wave(&self) -> Wave {
        self.kind().wave
    }
}

impl From<Secret> for Manifest {
    fn from(secret: Secret) -> Self {
        Self::Secret(secret)
    }
}

/// An object without secrets, which anyone may read.
pub struct TemplateObject {
    pub kind: Kind,
    /// Its name, labels and annotations.
    pub meta: Meta,
    /// Who gets rights by it: `User rome`, `key sha256:…`.
    pub lets_in: Vec<String>,
    spec: Value,
}

impl TemplateObject {
    /// An object whose template gets `spec` under that name.
    pub fn manifest(kind: Kind, meta: Meta, spec: impl Into<Value>) -> Manifest {
        Manifest::Templated(Self {
            kind,
            meta,
            lets_in: Vec::new(),
            spec: spec.into(),
        })
    }

    /// The object's YAML.
    ///
    /// # Errors
    /// Only for a bug in its template.
    pub fn render(&self, engine: &mut Engine) -> Result<String, Bug> {
        let view = context! { metadata => WholeLines::to_value(self.meta.lines()), spec => self.spec.clone() };
        engine.render(self.kind.name, self.kind.template, view)
    }
}

/// The value that a template gets as `spec`: fields, each as it is serialized.
macro_rules! fields {
    ($($name:ident: $value:expr),* $(,)?) => {
        minijinja::context! { $($name => $crate::object::Serde(&$value)),* }
    };
}
pub(crate) use fields;

/// The bytes of a value that is not known without an identity. It is not a WireGuard key (Liqo's gateway needs 32
/// bytes) and not a kubeconfig.
pub const PLACEHOLDER: &[u8] = b"PLACEHOLDER";

/// A Secret. Without `Debug`: it holds private keys and credentials, which are wiped when it is dropped.
pub struct Secret {
    /// Its name, labels and annotations.
    pub meta: SecretMeta,
    /// The kind of the object that the Secret is for Liqo.
    pub kind: &'static Kind,
    /// The `type` of the Secret; `None` where Liqo's own Secret has none.
    pub secret_type: Option<&'static str>,
    /// Whether Kubernetes refuses to change it.
    pub immutable: bool,
    /// The raw bytes of each key.
    pub data: Vec<(&'static str, Zeroizing<Vec<u8>>)>,
}

impl Secret {
    /// Whether its values are placeholders.
    pub fn has_placeholder(&self) -> bool {
        let mut data = self.data.iter();
        data.any(|(_, value)| value.as_slice() == PLACEHOLDER)
    }

    /// The Secret's YAML. The template engine is not used: copies of the data would stay in its buffers.
    pub fn render(&self) -> Zeroizing<String> {
        let mut head = format!(
            "apiVersion: \"v1\"\nkind: \"Secret\"\nmetadata:\n{}\n",
            self.meta.lines()
        );
        if let Some(secret_type) = self.secret_type {
            head.push_str(&format!("type: {}\n", quote(secret_type)));
        }
        if self.immutable {
            head.push_str("immutable: true\n");
        }
        // as large as it becomes, so that the text never moves and leaves a copy
        let mut size = head.len() + "data:\n".len();
        for (key, value) in &self.data {
            size += key.len() + 4 * value.len() / 3 + 16;
        }
        let mut text = Zeroizing::new(String::with_capacity(size));
        text.push_str(&head);
        if !self.data.is_empty() {
            text.push_str("data:\n");
        }
        for (key, value) in &self.data {
            // neither Liqo's keys nor base64 have a character that needs an escape
            for part in ["  \"", key, "\": \""] {
                text.push_str(part);
            }
            STANDARD.encode_string(value.as_slice(), &mut text);
            text.push_str("\"\n");
        }
        text
    }
}
