//! Secrets as values.

use super::{Kind, SecretMeta, quote};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

/// The bytes of a key whose value is not known without an identity. It is not a WireGuard key (Liqo's gateway needs 32
/// bytes) and not a kubeconfig.
pub const PLACEHOLDER: &[u8] = b"PLACEHOLDER";

/// A Secret. Without `Debug`: it holds private keys and credentials, which are wiped when it is dropped.
pub struct Secret {
    /// Its name, labels and annotations.
    pub meta: SecretMeta,
    /// What it is to Liqo.
    pub kind: &'static Kind,
    /// Kubernetes' type of the Secret; none where Liqo's own has none.
    pub secret_type: Option<&'static str>,
    /// Whether Kubernetes refuses to change it.
    pub immutable: bool,
    /// The raw bytes of each key.
    pub data: Vec<(&'static str, Zeroizing<Vec<u8>>)>,
}

impl Secret {
    /// Whether its values are not known.
    pub fn has_placeholder(&self) -> bool {
        self.data.iter().any(|(_, value)| value.as_slice() == PLACEHOLDER)
    }

    /// Its YAML, without the template engine, in which copies of the data would stay.
    pub fn render(&self) -> Zeroizing<String> {
        let mut head = format!("apiVersion: \"v1\"\nkind: \"Secret\"\nmetadata:\n{}\n", self.meta.lines());
        if let Some(secret_type) = self.secret_type {
            head.push_str(&format!("type: {}\n", quote(secret_type)));
        }
        if self.immutable {
            head.push_str("immutable: true\n");
        }
        // as large as it gets, so that it never moves and leaves a copy behind
        let size: usize = self.data.iter().map(|(key, value)| key.len() + 4 * value.len() / 3 + 16).sum();
        let mut text = Zeroizing::new(String::with_capacity(head.len() + "data:\n".len() + size));
        text.push_str(&head);
        if !self.data.is_empty() {
            text.push_str("data:\n");
        }
        for (key, value) in &self.data {
            // neither a key of Liqo's nor base64 has a character that needs an escape
            for part in ["  \"", key, "\": \""] {
                text.push_str(part);
            }
            STANDARD.encode_string(value.as_slice(), &mut text);
            text.push_str("\"\n");
        }
        text
    }
}
