//! A fleet: clusters with their facts once, and which of them peer. What the documents of its peerings then say.

mod document;
mod edges;
mod edit;
mod facts;
mod ports;
mod says;

pub(crate) use document::{CAP, KIND, parse, refused, schema};
pub(crate) use edges::{Edge, count, edges};
pub(crate) use edit::{Unclear, edit};
pub(crate) use facts::{GATEWAY_CLIENT, SEED, authentication, facts, new_document};
pub(crate) use ports::Ports;
