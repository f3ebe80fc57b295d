//! What Argo CD reports to a plugin: who calls, and for which side.

pub(crate) mod application;
pub(crate) mod application_set;
pub mod caller;
pub(crate) mod declared;
mod field;
pub mod parameters;
pub(crate) mod plugin;
pub(crate) mod project;
pub(crate) mod sync;
pub(crate) mod template;

/// What makes a text a pattern, or the denial of one, in the lists of an AppProject (argo-cd `util/glob`,
/// `pkg/apis/application/v1alpha1/app_project_types.go`, isDenyPattern).
pub(crate) const PATTERN: [char; 8] = ['*', '?', '[', ']', '{', '}', '!', '\\'];
