//! What every Secret with data is in a cluster, however it gets there.

use crate::object::live::Impact::Attention;
use crate::object::live::{Effect, effect};

/// The Secret, and what stands in its place in a stream, with its labels.
pub(in crate::peering) const BRINGERS: &[&str] = &["Secret", "SealedSecret", "ExternalSecret"];

#[rustfmt::skip] // a table
pub(in crate::peering) const IMMUTABLE: &[Effect] = &[
    effect(&["type", "immutable"], Attention, "Kubernetes refuses the change: delete the Secret, and Argo CD creates it anew."),
];
