//! How the Secrets with data of one side reach their cluster.

use crate::document::words;

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
}

impl Delivery {
    /// The delivery of this word, exactly.
    pub fn find(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|delivery| delivery.word() == word)
    }
}
