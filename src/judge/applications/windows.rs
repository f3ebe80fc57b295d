//! The sync windows of a project: when a commit waits.

use super::{Fault, first_line};
use crate::argocd::project::{AppProject, Window};
use crate::diagnostic::quoted;
use crate::peering::Role;

/// The finding for the windows that apply to a role's Application (argo-cd `pkg/apis/application/v1alpha1/types.go`, `SyncWindows.CanSync`).
pub(super) fn held_back(project: &AppProject, role: Role, windows: &[&Window]) -> Option<Fault> {
    let has = |is_deny| windows.iter().any(|it| it.is_deny == is_deny);
    let (kinds, when) = match (has(true), has(false)) {
        (true, true) => (
            "`allow` and `deny`",
            "a commit is synced only while one of kind `allow` is open and none of kind `deny`",
        ),
        (true, false) => ("`deny`", "while one is open, no commit is synced"),
        (false, _) => ("`allow`", "a commit is synced only while one is open"),
    };
    let message = format!(
        "the project {} has sync windows of kind {kinds} for the {role}'s Application: {when}",
        quoted(&project.name)
    );
    let help = "a rotation, a removal and what mends it wait as well; with `manualSync: true` a person can sync meanwhile";
    Some(Fault::note(message, help, first_line(windows.first()?.span)))
}
