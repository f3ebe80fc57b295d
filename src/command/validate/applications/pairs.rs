//! The two Applications of a folder.

use super::names::name;
use super::{File, Findings, Led, first_line, with_other};
use crate::custody::normal_repo;
use crate::diagnostic::{Code, Rule, quoted};
use crate::document::Located;
use crate::peering::Role;
use std::collections::BTreeMap;

pub(super) fn check(led: &[Led<'_>], files: &[File], findings: &mut [Findings]) {
    let mut folders: BTreeMap<usize, Vec<&Led<'_>>> = BTreeMap::new();
    for application in led {
        folders.entry(application.place.index).or_default().push(application);
    }
    for applications in folders.values() {
        for (number, application) in applications.iter().enumerate() {
            let Some(findings) = findings.get_mut(application.file) else { continue };
            let before = applications.get(..number).unwrap_or_default();
            // two of one name in one file are reported by `names`
            if let Some(twin) = before.iter().find(|it| it.role == application.role) {
                if twin.file == application.file && name(twin.application) == name(application.application) {
                    continue;
                }
                let span = |it: &Led<'_>| {
                    it.application.role.as_ref().map_or(it.application.plugin.span, |it| it.span)
                };
                let called = quoted(&twin.application.name);
                let message =
                    format!("the Application {called} has this folder and the role `{}` too", twin.role);
                let help = "both own the same objects: change the role of one, or remove it";
                let rule = Rule::new(Code::Application, message).help(help).at(span(application));
                findings.errors.push(with_other(rule, application.file, files, (twin.file, span(twin))));
            } else if let Some(other) = before.first() {
                compare(application, other, findings);
            }
        }
        let [only] = applications.as_slice() else { continue };
        let missing = match only.role {
            Role::Consumer => Role::Provider,
            Role::Provider => Role::Consumer,
        };
        let message = format!("no Application with the role `{missing}` has this folder");
        let help = "add it, unless it is in the repository of another Argo CD";
        if let Some(findings) = findings.get_mut(only.file) {
            let at = first_line(only.application.span);
            findings.notes.push(Rule::new(Code::ApplicationSetting, message).help(help).at(at));
        }
    }
}

/// One commit for both, or the two sides disagree.
fn compare(application: &Led<'_>, other: &Led<'_>, findings: &mut Findings) {
    let (one, other) = (application.application, other.application);
    let repo = |it: &Option<Located<String>>| it.as_ref().map(|it| normal_repo(&it.value));
    let revision = |it: &Option<Located<String>>| it.as_ref().map(|it| it.value.clone());
    let fields = [
        ("repoURL", &one.repo_url, repo(&one.repo_url) == repo(&other.repo_url), &other.repo_url),
        (
            "targetRevision",
            &one.target_revision,
            revision(&one.target_revision) == revision(&other.target_revision),
            &other.target_revision,
        ),
    ];
    for (field, here, is_equal, there) in fields {
        if is_equal {
            continue;
        }
        let shown = |it: &Option<Located<String>>| {
            it.as_ref().map_or_else(|| "missing".to_owned(), |it| quoted(&it.value))
        };
        let message =
            format!("its `{field}` is {}, and that of the other role is {}", shown(here), shown(there));
        let help = "both sides render one commit of one repository, or they can disagree";
        let at = here.as_ref().map_or(one.plugin.span, |it| it.span);
        findings.notes.push(Rule::new(Code::ApplicationSetting, message).help(help).at(at));
    }
}
