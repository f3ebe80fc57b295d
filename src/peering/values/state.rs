//! What holds for all objects of a peering.

use crate::document::words;

words! {
    /// Whether a peering is in use.
    State {
        /// It is.
        Active = "Active",
        /// The consumer lets go: no offloading, no slices, no credential. The provider keeps everything, so that Liqo
        /// can clean up there.
        Drained = "Drained",
    }

    /// Whether Argo CD asks before it deletes the Tenant, the `RoleBinding` and Namespaces.
    Protection {
        /// It asks.
        Confirm = "confirm",
        /// It does not.
        None = "none",
    }
}
