//! The commands of a workstation, which Argo CD never runs. The image does not have them: the cargo feature `workstation` enables them all,
//! with their crates.

pub(crate) mod authenticate;
pub(crate) mod completions;
mod confirmation;
pub(crate) mod diff;
pub(crate) mod doctor;
mod documents;
pub(crate) mod flags;
mod given_certificates;
pub(crate) mod graph;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod inspect;
mod kubeconfig_report;
pub(crate) mod liqo_values;
pub(crate) mod list;
pub(crate) mod man;
mod new_seeds;
mod place;
pub mod playground;
mod provider;
pub(crate) mod reseal;
pub(crate) mod rights;
pub(crate) mod rotate;
pub(crate) mod seal;
pub(crate) mod seed;
mod sides;
mod streams;
mod terms_to_seal;

pub(super) use documents::no_peering;
pub(super) use place::{check_credential, note_refusals, place_in_checkout};
