//! How the Secrets with data of one side reach their cluster.

use super::values::{DataKey, ObjectName, Text, decimal};
use crate::diagnostic::{Code, Rule, is_unseen, quoted};
use crate::document::{Decode, Decoder, Located, records, schema, texts, words};
use crate::input::yaml::Node;
use crate::object::live::Impact::Attention;
use crate::object::live::{Effect, effect};
use schemars::json_schema;

words! {
    /// How the Secrets with data of a side reach its cluster.
    Delivery {
        /// In the stream, readable for Argo CD.
        Secret = "Secret",
        /// In the stream, sealed to the cluster's sealed-secrets controller.
        SealedSecret = "SealedSecret",
        /// Not by the stream.
        External = "External",
    }

    /// The kind of a store. Without a kind, external-secrets takes a `SecretStore` too (external-secrets
    /// `apis/externalsecrets/v1/externalsecret_types.go`).
    StoreKind {
        /// In the tenant namespace.
        SecretStore = "SecretStore",
        /// For the whole cluster.
        ClusterSecretStore = "ClusterSecretStore",
    }
}

records! {
    /// Where external-secrets' operator finds the values of a side's Secrets.
    ExternalSpec {
        /// The store that has them.
        "secretStoreRef" => store: required SecretStoreRef, missing "name the store: `secretStoreRef: { name: … }`";
        /// What each value is called in the store. All of them are stored in base64.
        "keys" => keys: required Located<ExternalKeys>, missing "name each value, such as `privateKey`, below `keys`";
        /// How long the operator waits before it reads the store again, such as `5m`. Default: the operator's, one hour.
        "refreshInterval" => refresh_interval: optional Interval;
    }

    /// A store of external-secrets.
    SecretStoreRef {
        /// The store's name.
        "name" => name: required ObjectName;
        /// The store's kind. Default: `SecretStore`.
        "kind" => kind: default StoreKind = StoreKind::SecretStore;
    }

    /// What the values are called in the store: those that the side has.
    ExternalKeys {
        /// The gateway's private key; with `networking`.
        "privateKey" => private_key: optional Located<RemoteRef>;
        /// The gateway's public key; with `networking`.
        "publicKey" => public_key: optional Located<RemoteRef>;
        /// The kubeconfig; with a `credential` that is one.
        "kubeconfig" => kubeconfig: optional Located<RemoteRef>;
    }

    /// A value of a store.
    RemoteKey {
        /// The key in the store.
        "key" => key: required StoreKey, missing "name the value: `key: …`";
        /// A part of what is there, if the store has maps.
        "property" => property: optional StoreKey;
    }
}

texts! {
    /// Hours, minutes and seconds, one after the other and each at most once, as `1h30m`: a part of what Go's durations can be
    /// (Go `time.ParseDuration`).
    Interval, takes "an interval", schema { "type": "string", "pattern": INTERVAL, "minLength": 2 },
    check_interval;

    /// What a store calls a value: 1 to 1024 bytes on one line, without a space at an end. Each provider has its own rules,
    /// and these are common to them.
    StoreKey, takes "a store's key, or a map with `key`",
    schema { "type": "string", "minLength": 1, "maxLength": 1024 }, check_store_key;
}

fn check_store_key(text: &str) -> Result<(), Rule> {
    text.parse::<Text>()?;
    if text.trim() == text && !text.chars().any(is_unseen) {
        return Ok(());
    }
    let text = quoted(text);
    let message = format!("{text} has a space at an end or an invisible character");
    Err(Rule::new(Code::InvalidText, message).help("write the key as the store shows it"))
}

const INTERVAL: &str = "^([1-9][0-9]{0,3}h)?([1-9][0-9]{0,3}m)?([1-9][0-9]{0,3}s)?$";

fn check_interval(text: &str) -> Result<(), Rule> {
    let mut rest = text;
    for unit in ['h', 'm', 's'] {
        if let Some((number, after)) = rest.split_once(unit)
            && let Some(1..=9999_u16) = decimal(number)
        {
            rest = after;
        }
    }
    if rest.is_empty() && !text.is_empty() {
        return Ok(());
    }
    let rule = Rule::wrong_value(Code::InvalidText, text, "an interval");
    Err(rule.help("for example `5m`, `45s` or `1h30m`"))
}

/// A value of a store: its key, or a map with more.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RemoteRef(pub RemoteKey);

impl Decode for RemoteRef {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        if node.is_map() {
            return RemoteKey::decode(node, decoder).map(Self);
        }
        let (key, property) = (StoreKey::decode(node, decoder)?, None);
        Some(Self(RemoteKey { key, property }))
    }
}

schema!(RemoteRef, generator => {
    json_schema!({ "anyOf": [generator.subschema_for::<StoreKey>(), generator.subschema_for::<RemoteKey>()] })
});

impl ExternalKeys {
    /// The key of an item in the store.
    pub const fn remote(&self, item: DataKey) -> Option<&Located<RemoteRef>> {
        match item {
            DataKey::PrivateKey => self.private_key.as_ref(),
            DataKey::PublicKey => self.public_key.as_ref(),
            DataKey::Kubeconfig => self.kubeconfig.as_ref(),
        }
    }
}

/// The kinds that bring a Secret's data: the Secret, and the objects that replace it in a stream.
pub(in crate::peering) const BRINGERS: &[&str] = &["Secret", "SealedSecret", "ExternalSecret"];

#[rustfmt::skip] // a table
pub(in crate::peering) const IMMUTABLE: &[Effect] = &[
    effect(&["type", "immutable"], Attention, REFUSED),
];

/// The effect of a change that Kubernetes or Liqo's webhook refuses.
pub(in crate::peering) const REFUSED: &str =
    "The API server refuses the change: delete the object, and Argo CD recreates it.";

#[cfg(test)]
mod tests {
    use super::check_store_key;

    #[test]
    fn a_stores_key_is_what_one_sees() {
        assert!(check_store_key("peerings/rome key").is_ok());
        for wrong in ["", " a", "a ", "a\u{200b}b", "a\nb"] {
            assert!(check_store_key(wrong).is_err(), "{wrong:?}");
        }
    }
}
