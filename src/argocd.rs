//! What Argo CD reports to a plugin: who calls, and for which side.

pub(crate) mod application;
pub mod caller;
pub mod environment;
pub mod parameters;
