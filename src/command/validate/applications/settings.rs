//! What Argo CD takes of an Application, and is likely a mistake.

use super::{Findings, first_line};
use crate::argocd::application::{Application, PLUGIN};
use crate::argocd::sync::Harm;
use crate::diagnostic::{Code, Rule, quoted};

/// What Argo CD takes, and is likely a mistake.
pub(super) fn settings(application: &Application, findings: &mut Findings) {
    if let Some(project) = application.project.as_ref().filter(|it| it.value == "default") {
        let message = "its project is `default`, which permits every repository and every cluster";
        let help = "give each side a project of its own, as in argocd-app/project-consumer.yaml, and seal the files for it";
        findings.notes.push(Rule::new(Code::ApplicationSetting, message).help(help).at(project.span));
    }
    if !application.is_scaled {
        let message = "it has no annotation `argocd.argoproj.io/manifest-generate-paths`";
        let help = "write `argocd.argoproj.io/manifest-generate-paths: .`, so that a commit to another folder renders nothing here";
        findings
            .notes
            .push(Rule::new(Code::ApplicationSetting, message).help(help).at(first_line(application.span)));
    }
    if application.plugin.value != PLUGIN {
        let message = format!(
            "its plugin is {}, and the name in plugin.yaml is `{PLUGIN}` without a version",
            quoted(&application.plugin)
        );
        let help = format!(
            "write `name: {PLUGIN}`, unless this Argo CD has a plugin.yaml with another `metadata.name` or a `spec.version`"
        );
        let rule = Rule::new(Code::ApplicationSetting, message).help(help);
        findings.notes.push(rule.at(application.plugin.span));
    }
    for Harm { message, help, span, .. } in application.sync.harms() {
        let rule = Rule::new(Code::ApplicationSetting, message).help(help);
        findings.notes.push(rule.at(first_line(span)));
    }
}
