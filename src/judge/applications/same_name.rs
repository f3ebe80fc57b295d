//! Applications of one name.

use super::{Fault, File, Finds, Flaw, applications};
use crate::argocd::application::Application;
use crate::diagnostic::quoted;
use std::collections::BTreeMap;

/// Kubernetes has one object of a name, and Argo CD tracks objects by it, also where there are two of them
/// (argo-cd `util/argo/resource_tracking.go`, `SetAppInstance`). What is in one file is applied together; of two files each can be for
/// an Argo CD of its own, so there it is a note. The name of a template is not known.
pub(super) fn check(files: &[File], finds: &[Finds<'_>]) -> Vec<Flaw> {
    let (mut names, mut found) = (BTreeMap::new(), Vec::new());
    for (number, application) in applications(files, finds) {
        if application.is_again || application.name.is_empty() || application.name.contains("{{") {
            continue;
        }
        let Some(other) = names.insert(name(application), (number, application.name.span)) else { continue };
        let message = format!("another Application is called {} too", quoted(&application.name));
        let at = application.name.span;
        let fault = if other.0 == number {
            Fault::error(message, HELP, at)
        } else {
            Fault::note(message, &format!("unless they are for two Argo CDs, {HELP}"), at)
        };
        found.push(fault.beside(other.0, other.1).within(number, 0));
    }
    found
}

const HELP: &str =
    "rename one: the one that is applied last replaces the other, and Argo CD prunes the objects of that one";

/// Namespaces of which one is not written can be the same, and need not.
pub(super) fn name(application: &Application) -> (&str, Option<&str>) {
    (&application.name, application.namespace.as_ref().map(|it| it.value.as_str()))
}
