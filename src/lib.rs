//! One description of a Liqo peering in, the manifests of either cluster out.
//!
//! The rooms, from the top to the bottom: each imports only from those below it.
//!
//! - [`cli`]: the command line's types and help.
//! - [`command`]: one file a command; `generate` names the steps.
//! - [`stream`]: one side's objects, as text.
//! - [`custody`]: keys, sealed files and their terms.
//! - [`rules`]: what no single field can be blamed for.
//! - [`peering`]: what a peering is.
//! - [`object`]: what all objects have: metadata, a Secret with data, the template engine.
//! - [`argocd`]: what Argo CD says to a plugin.
//! - [`document`]: the fields of `peering.yaml`.
//! - [`input`]: a folder's files, and YAML.
//! - [`diagnostic`]: what is wrong, for people.
//! - `uri`: a URL in its parts.

pub mod argocd;
pub mod cli;
pub mod command;
pub mod custody;
pub mod diagnostic;
pub mod document;
pub mod input;
pub mod object;
pub mod peering;
pub mod rules;

pub mod stream;
mod uri;
