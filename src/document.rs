//! The framework in which a field of `peering.yaml` is declared once: its name, its type, its default, since which
//! Liqo it exists, how it is read, and its JSON Schema.
//!
//! `records!` declares maps, `words!` fixed sets of words, `texts!`, `integers!` and `scalar!` what a single value may
//! be. What the fields mean is the business of [`crate::peering`].

mod decode;
mod fields;
mod located;
mod pending;
mod record;
mod scalar;
mod schema;

pub use decode::{Decode, Decoder, decode_all, entries, integer, kind_of, parsed, text};
pub use fields::{Field, RecordFields};
pub use located::Located;
pub use pending::PendingOr;
pub(crate) use record::{Record, records};
pub use scalar::word_or;
pub(crate) use scalar::{integers, scalar, texts, words};
pub(crate) use schema::schema;
pub use schema::{extended, record_schema};
