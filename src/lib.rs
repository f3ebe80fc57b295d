//! One description of a Liqo peering in, the manifests of either cluster out.
//!
//! The rooms, from the top to the bottom. Each imports only from those below it, and `tests/spec/house` holds that.
//!
//! - `cli`: the command line and the process: which command is run, and how it ends.
//! - `command`: one file a command, with its arguments and help; `generate` names the steps. Their errors, wrapped.
//! - `report`: what was found, in each form that it is printed in.
//! - `judge`: what is right, wrong, or not judged: each rule once, whatever command asks it.
//! - `state`: what commands look at, read once and bounded: a repository at one moment, a cluster.
//! - `stream`: one side's objects as text: plan, render, the check before writing.
//! - `custody`: keys, sealed files, their terms, and who may have them opened.
//! - `rules`: rules across fields, one file a rule.
//! - `peering`: what a peering is, a file a Liqo kind with its template beside it.
//! - `object`: a Kubernetes object between plan and render, and the template engine.
//! - `argocd`: what Argo CD reports to a plugin: the caller, the parameters, the environment.
//! - `document`: the framework in which a field is declared once.
//! - `input`: a folder's files, and YAML by events.
//! - `diagnostic`: what is wrong, for people and programs, and what is never shown.
//! - `uri`: a URL in its parts.
//!
//! Not an API: the programs call [`run_program`] and `run_playground`, the tests call what `testing` has.

mod argocd;
mod cli;
mod command;
// of the rooms with `allow`, a person's commands use the rest
#[cfg_attr(not(feature = "workstation"), allow(dead_code, unused_imports))]
mod custody;
#[cfg_attr(not(feature = "workstation"), allow(dead_code, unused_imports))]
mod diagnostic;
#[cfg_attr(not(feature = "workstation"), allow(dead_code, unused_imports))]
mod document;
#[cfg_attr(not(feature = "workstation"), allow(dead_code, unused_imports))]
mod input;
#[cfg(feature = "workstation")]
mod judge;
#[cfg_attr(not(feature = "workstation"), allow(dead_code, unused_imports))]
mod object;
#[cfg_attr(not(feature = "workstation"), allow(dead_code, unused_imports))]
mod peering;
#[cfg(feature = "workstation")]
mod report;
#[cfg_attr(not(feature = "workstation"), allow(dead_code, unused_imports))]
mod rules;
#[cfg(feature = "workstation")]
mod state;
mod stream;
#[cfg(feature = "workstation")]
#[doc(hidden)]
pub mod testing;
mod uri;

#[cfg(feature = "workstation")]
pub use cli::process::run_playground;
pub use cli::process::run_program;
