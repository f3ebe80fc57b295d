//! The items of Secrets with data.

use crate::document::words;

words! {
    /// An item of a Secret with data.
    Item {
        /// The gateway's private key (liqo `pkg/consts/externalnetwork.go`, `PrivateKeyField`).
        PrivateKey = "privateKey",
        /// Its public key.
        PublicKey = "publicKey",
        /// The credential (liqo `pkg/consts/authentication.go`, `KubeconfigSecretField`).
        Kubeconfig = "kubeconfig",
    }
}

impl Item {
    /// The item of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|item| item.word() == name)
    }

    /// Its variable in a shell, as `keys export --format env` prints it.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::PrivateKey => "WIREGUARD_PRIVATE_KEY",
            Self::PublicKey => "WIREGUARD_PUBLIC_KEY",
            Self::Kubeconfig => "LIQO_KUBECONFIG",
        }
    }
}
