//! One description of a Liqo peering in, the manifests of either cluster out.
//!
//! The data flows through the modules in this order:
//!
//! 1. [`source`] reads a folder's files, bounded, without following links.
//! 2. [`yaml`] and [`document`] parse them: a tree that knows its places, then typed fields.
//! 3. [`validate`] makes of what was written a [`peering`]: all problems at once, or a value that cannot be wrong.
//! 4. [`sealed`] opens the sealed files, if their terms allow the [`caller`]; [`keys`] derives both gateways' keys.
//! 5. [`plan`] lists one side's objects in the order of their waves.
//! 6. [`render`] makes text of them, one template a kind.
//! 7. [`emit`] reads the text back, and writes all of it or nothing.
//!
//! [`run`] has one function a command; `generate` is these seven steps. What can be wrong with the document is a
//! [`diagnostic`], what can go wrong with the run an [`error`].

pub mod caller;
pub mod cli;
pub mod diagnostic;
pub mod document;
pub mod emit;
pub mod environment;
pub mod error;
pub mod explain;
pub mod fleet;
pub mod keys;
pub mod kubeconfig;
pub mod parameters;
pub mod peering;
pub mod plan;
pub mod process;
pub mod redact;
pub mod render;
pub mod report;
pub mod rotation;
pub mod run;
pub mod schema;
pub mod sealed;
pub mod source;
pub mod store;
pub mod terminal;
pub mod terms;
pub mod validate;
pub mod yaml;
