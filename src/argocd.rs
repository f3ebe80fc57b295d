//! What Argo CD reports to a plugin: who calls, and for which side.

#[cfg(feature = "workstation")]
pub(crate) mod application;
#[cfg(feature = "workstation")]
pub(crate) mod application_set;
pub mod caller;
#[cfg(feature = "workstation")]
pub(crate) mod declared;
#[cfg(feature = "workstation")]
mod field;
pub mod parameters;
#[cfg(feature = "workstation")]
pub(crate) mod plugin;
#[cfg(feature = "workstation")]
pub(crate) mod sync;

#[cfg(feature = "workstation")]
use field::{is_true, locate, locate_filled};

/// The characters that make a text a pattern, or the denial of one, in the lists of an AppProject (argo-cd `util/glob`,
/// `pkg/apis/application/v1alpha1/app_project_types.go`, isDenyPattern).
pub(crate) const PATTERN: [char; 8] = ['*', '?', '[', ']', '{', '}', '!', '\\'];
