//! What Argo CD reports to a plugin: who calls, and for which side.

pub mod caller;
pub mod environment;
pub mod parameters;
