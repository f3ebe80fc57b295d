//! The gateways' keys: the source of each, and the Secret that a gateway mounts.

use crate::diagnostic::{Code, Rule};
use crate::object::live::Impact::{Attention, Harmless, Traffic};
use crate::object::live::{Cardinality, Effect, HeldSecret, LiveHalf, Scope, effect};
use crate::object::{Kind, PLACEHOLDER, Secret, kind};
use crate::peering::context::Context;
use crate::peering::delivery::{BRINGERS, IMMUTABLE};
use crate::peering::names;
use crate::peering::side::Side;
use crate::peering::values::{DataKey, FileName, PublicKey, Role};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

/// The source of a side's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// The key is derived from a sealed seed. If a public key is written too, it must be the derived one.
    Seed(FileName, Option<PublicKey>),
    /// The seed is in another place; the public key is written.
    Elsewhere(PublicKey),
}

impl KeySource {
    /// The public key, if it is written.
    pub const fn written(&self) -> Option<PublicKey> {
        match self {
            Self::Elsewhere(key) => Some(*key),
            Self::Seed(_, key) => *key,
        }
    }
}

/// The keys of one side's stream.
pub struct Keys {
    /// The key of its own gateway.
    pub own: OwnKey,
    /// The public key of the other gateway; unknown only where no seed was opened.
    pub peer: Option<PublicKey>,
}

/// The key of a side's own gateway.
pub enum OwnKey {
    /// Both halves.
    Pair {
        /// The private half: 32 bytes, clamped.
        private: Zeroizing<[u8; 32]>,
        /// The public half.
        public: PublicKey,
    },
    /// No seed was opened: only the public half, if it is written.
    Public(Option<PublicKey>),
}

impl OwnKey {
    pub(crate) const fn public(&self) -> Option<PublicKey> {
        match self {
            Self::Pair { public, .. } => Some(*public),
            Self::Public(public) => *public,
        }
    }
}

pub(super) fn resolve(context: &mut Context<'_, '_>, role: Role) -> Option<KeySource> {
    let cluster = context.cluster(role);
    let seed = cluster.seed.as_ref().or(context.seed);
    let key = cluster.public_key.map(|key| key.value);
    match (seed, key) {
        (Some(seed), key) => Some(KeySource::Seed(seed.file.value.clone(), key)),
        (None, Some(key)) => Some(KeySource::Elsewhere(key)),
        (None, None) => report_missing(context, role),
    }
}

/// Reports a side without a key. If neither side has one, it is reported once, at the consumer.
fn report_missing<T>(context: &mut Context<'_, '_>, role: Role) -> Option<T> {
    let peer = context.cluster(role.peer());
    let elsewhere = peer.seed.as_ref().map(|seed| seed.file.span);
    let elsewhere = elsewhere.or(peer.public_key.map(|key| key.span));
    let whose = match (elsewhere, role) {
        (Some(_), _) => format!("the {role}'s key"),
        (None, Role::Consumer) => "both sides' keys".to_owned(),
        (None, Role::Provider) => return None,
    };
    let message = format!("networking needs {whose}: there is neither seed nor `publicKey`");
    let help = "set `seed: { file: peering.seed.age }` in `spec` and run `argocd-peering seed new`; another organisation's `publicKey` is enough";
    let problem = Rule::new(Code::Seed, message)
        .help(help)
        .mark(context.cluster(role).id.span);
    let label = format!("the {}'s key comes from here", role.peer());
    context.problems.push(match elsewhere {
        Some(span) => problem.also(span, label),
        None => problem,
    });
    None
}

pub(crate) static KIND: Kind = kind!("keys", Material, LIVE);

/// The Secret that a side's own gateway mounts. Liqo finds it by its labels, not by its name.
pub(super) fn secret(side: &Side<'_>, keys: &Keys) -> Secret {
    let name = match &side.own.names.key_secret {
        Some(name) => name.to_string(),
        None => names::key_secret(keys.own.public()),
    };
    let (private, public): (&[u8], _) = match &keys.own {
        OwnKey::Pair { private, public } => (private.as_slice(), Some(*public)),
        OwnKey::Public(public) => (PLACEHOLDER, *public),
    };
    let public = public.as_ref().map_or(PLACEHOLDER, |key| key.as_bytes());
    Secret {
        meta: side
            .secret(name)
            .label(names::GATEWAY_RESOURCE, "true")
            .sync(KIND.wave),
        kind: &KIND,
        secret_type: Some("Opaque"),
        // a Secret that is named after its key never changes
        immutable: side.own.names.key_secret.is_none(),
        // Liqo mounts the Secret and reads 32 raw bytes (liqo `pkg/gateway/tunnel/wireguard/keys.go`)
        data: vec![
            (DataKey::PrivateKey.word(), Zeroizing::new(private.to_vec())),
            (DataKey::PublicKey.word(), Zeroizing::new(public.to_vec())),
        ],
    }
}

/// In a cluster.
pub(crate) static LIVE: LiveHalf = LiveHalf {
    scope: Scope::WithoutData,
    label: Some((names::GATEWAY_RESOURCE, Some("true"))),
    cardinality: Cardinality::InCluster("key Secrets"),
    held_secret: HeldSecret::OwnKey,
    effects: &[EFFECTS, IMMUTABLE],
    ..LiveHalf::new(BRINGERS, "secrets")
};

/// The key in an item of a Secret or in a PublicKey, or why it is not one. It has 32 bytes in base64; so has a Secret's private key (liqo
/// `pkg/gateway/tunnel/wireguard/keys.go`). Kubernetes accepts line breaks in base64 (Go `encoding/base64`).
pub(crate) fn read_key(item: &str) -> Result<String, String> {
    let text = item.replace(['\n', '\r'], "");
    let Ok(key) = STANDARD.decode(&text) else {
        return Err("is not base64".to_owned());
    };
    if key.len() == 32 {
        return Ok(text);
    }
    let inner = STANDARD.decode(key.trim_ascii());
    let is_twice = matches!(inner, Ok(inner) if inner.len() == 32);
    let why = match key.as_slice() {
        _ if is_twice => ": it is encoded twice",
        [b'-', b'-', b'-', ..] => ": it is PEM",
        [.., b'\n'] => ": it ends in a line break",
        _ => "",
    };
    Err(format!("has {} bytes, and Liqo reads 32{why}", key.len()))
}

#[rustfmt::skip] // a table
const EFFECTS: &[Effect] = &[
    // one gateway reads its key when it starts: pkg/gateway/tunnel/wireguard/keys.go; two Secrets: wireguard/utils.go:217-247
    effect(&["data, name kept"], Attention, "The gateway keeps its old key until `kubectl rollout restart deployment gw-NAME`. The tunnel is down until both have changed."),
    effect(&["data"], Traffic, "The tunnel is down until both clusters are synced and the old Secret is pruned."),
    effect(&["+"], Harmless, "The gateway takes its key from it."),
    effect(&["-"], Attention, "The running gateway keeps its key, and cannot restart without a Secret."),
];
