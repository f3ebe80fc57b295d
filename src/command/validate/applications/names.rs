//! Applications of one name.

use super::{File, Findings, with_other};
use crate::argocd::application::Application;
use crate::diagnostic::{Code, Rule, quoted};
use std::collections::BTreeMap;

/// Kubernetes has one object of a name, and Argo CD tracks objects by it, also where there are two of them
/// (argo-cd `util/argo/resource_tracking.go`, `SetAppInstance`). What is in one file is applied together; of two files each can be for
/// an Argo CD of its own, so there it is a note. The name of a template is not known.
pub(super) fn check(files: &[File], findings: &mut [Findings]) {
    let mut names = BTreeMap::new();
    for (number, (file, findings)) in files.iter().zip(findings).enumerate() {
        let is_known = |it: &&Application| !it.name.is_empty() && !it.name.contains("{{");
        for application in file.declared.applications.iter().filter(is_known) {
            let Some(other) = names.insert(name(application), (number, application.name.span)) else {
                continue;
            };
            let message = format!("another Application is called {} too", quoted(&application.name));
            let is_one_file = other.0 == number;
            let (code, help) = if is_one_file {
                (Code::Application, HELP.to_owned())
            } else {
                (Code::ApplicationSetting, format!("unless they are for two Argo CDs, {HELP}"))
            };
            let rule = Rule::new(code, message).help(help).at(application.name.span);
            let list = if is_one_file { &mut findings.errors } else { &mut findings.notes };
            list.push(with_other(rule, number, files, other));
        }
    }
}

const HELP: &str =
    "rename one: the one that is applied last replaces the other, and Argo CD prunes the objects of that one";

/// Namespaces of which one is not written can be the same, and need not.
pub(super) fn name(application: &Application) -> (&str, Option<&str>) {
    (&application.name, application.namespace.as_deref())
}
