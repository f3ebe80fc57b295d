//! A sealed file, by its name.

use super::FileName;
use crate::document::{Located, records};

records! {
    /// A sealed file beside the document.
    SealedFile {
        /// The name of a file beside the document.
        "file" => file: required Located<FileName>,
            missing "the name of a sealed file beside peering.yaml, such as `peering.seed.age`";
    }
}
