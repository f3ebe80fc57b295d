//! A fleet: clusters with their facts, each written once, and which of them peer. From this follow values in the
//! documents of its peerings.

mod document;
mod edges;
mod facts;
mod ports;

pub(crate) use document::{CAP, Fleet, KIND, Member, parse, refused, schema};
pub(crate) use edges::{Edge, count, edges};
pub(crate) use facts::{GATEWAY_CLIENT, facts};
pub(crate) use ports::{Ports, free_port};
