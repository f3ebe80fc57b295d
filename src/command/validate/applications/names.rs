//! Applications of one name.

use super::{File, Findings, with_other};
use crate::argocd::application::Application;
use crate::diagnostic::{Code, Rule, quoted};
use std::collections::BTreeMap;

/// Kubernetes has one object of a name, and Argo CD tracks objects by it, also where there are two of them
/// (argo-cd `util/argo/resource_tracking.go`, `SetAppInstance`).
pub(super) fn check(files: &[File], findings: &mut [Findings]) {
    let mut names = BTreeMap::new();
    for (number, (file, findings)) in files.iter().zip(findings).enumerate() {
        for application in file.declared.applications.iter().filter(|it| !it.name.is_empty()) {
            let Some(other) = names.insert(name(application), (number, application.name.span)) else {
                continue;
            };
            let message = format!("another Application is called {} too", quoted(&application.name));
            let help = "rename one: the one that is applied last replaces the other, and Argo CD prunes the objects of that one";
            let rule = Rule::new(Code::Application, message).help(help).at(application.name.span);
            findings.errors.push(with_other(rule, number, files, other));
        }
    }
}

/// Namespaces of which one is not written can be the same, and need not.
pub(super) fn name(application: &Application) -> (&str, Option<&str>) {
    (&application.name, application.namespace.as_deref())
}
