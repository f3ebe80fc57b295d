//! No secret is shown, wherever it was put.
//!
//! Argo CD keeps a plugin's stderr in the Application's status, in Redis, in its log and on its screen. So canaries are put
//! wherever a secret belongs or could be pasted by mistake, every error that can be reached is driven, and what was
//! printed is searched for them: for any twelve characters in a row.

mod arguments;
mod canary;
mod commands;
mod disguises;
mod exhaustive;
mod forms;
mod kubeconfigs;
mod pasted;
mod places;
mod public;
mod sealed;
mod urls;
