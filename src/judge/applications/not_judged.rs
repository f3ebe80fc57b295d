//! What is named and not judged: what belongs to other tools, or to another commit. The reason has the command of the tool that knows.

use super::{ArgoFile, Place};
use crate::argocd::application::Application;
use crate::argocd::declared::{MADE_BY_SET, UnjudgedObject};
use crate::diagnostic::{Judged, quoted};
use crate::input::file::shown_path;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A part of a file that is not judged, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotJudgedFile {
    pub(crate) path: PathBuf,
    pub(crate) kind: &'static str,
    pub(crate) reason: String,
    /// Whether it names the plugin, so that `--strict` fails.
    is_ours: bool,
}

const OF_PROJECT: &str = "Argo CD judges AppProjects; `argocd-peering rights` prints a right one";
const OF_KUSTOMIZATION: &str = "`kubectl kustomize` prints what it changes";
const OF_OVERRIDE: &str = "it replaces parameters of this folder's Applications; `argocd app manifests NAME` prints the result";
const OF_PARENT: &str = "an Application without this plugin applies peering folders; `argocd app manifests NAME` prints them";
const OF_FOLDER: &str = "an Application without this plugin is in a peering's folder";

impl NotJudgedFile {
    fn new(file: &ArgoFile, kind: &'static str, reason: impl Into<String>, is_ours: bool) -> Self {
        Self {
            path: file.path.clone(),
            kind,
            reason: reason.into(),
            is_ours,
        }
    }

    /// Whether a change of it can change a peering, or what is applied with one.
    pub(crate) fn decides(&self) -> bool {
        self.is_ours || self.reason == OF_FOLDER
    }

    pub(crate) fn count(&self, judged: &mut Judged) {
        let what = shown_path(&self.path);
        judged.leave(self.kind, what, self.reason.as_str(), self.is_ours);
    }
}

/// The entry for a set whose Applications are not known.
pub(super) fn made_by_set(file: &ArgoFile) -> NotJudgedFile {
    NotJudgedFile::new(file, "ApplicationSet", MADE_BY_SET, true)
}

/// The entry for an Application of another commit than the document.
pub(super) fn of_other_commit(file: &ArgoFile, application: &Application) -> NotJudgedFile {
    let revision = application.source.target_revision.as_deref();
    let reason = format!(
        "another cluster's Application takes another commit's document, {}: validate that",
        quoted(revision.map_or("HEAD", String::as_str))
    );
    NotJudgedFile::new(file, "Application", reason, false)
}

/// The parts of files that no judge looks at.
pub(crate) fn files_not_judged(files: &[ArgoFile], places: &[Place<'_>]) -> Vec<NotJudgedFile> {
    let folders: BTreeSet<&Path> = places.iter().map(|it| it.folder).collect();
    let mut projects: BTreeSet<String> = BTreeSet::new();
    for ArgoFile { declared, .. } in files {
        for written in &declared.applications {
            projects.extend(written.project.as_deref().cloned());
        }
        for set in &declared.sets {
            for made in set.applications(&format!("{}/a/b", set.parent)) {
                projects.extend(made.project.as_deref().cloned());
            }
        }
    }
    let mut all = Vec::new();
    for file in files {
        let mut add = |kind, reason: &str, is_ours| {
            all.push(NotJudgedFile::new(file, kind, reason, is_ours));
        };
        let is_in_folder = folders.contains(file.folder.as_path());
        for UnjudgedObject { kind, reason } in &file.declared.unjudged {
            add(kind, reason, true);
        }
        if is_in_folder && let Some(reason) = &file.declared.unread {
            add("document", reason, true);
        }
        if file.is_kustomization() {
            add("kustomization", OF_KUSTOMIZATION, true);
        }
        if file.is_override() && is_in_folder {
            add("file", OF_OVERRIDE, true);
        }
        for project in &file.declared.projects {
            if projects.contains(project) {
                add("AppProject", OF_PROJECT, false);
            }
        }
        let mut others = file.declared.others.iter();
        if is_in_folder && !file.declared.others.is_empty() {
            add("Application", OF_FOLDER, false);
        } else if others.any(|path| leads_to_peerings(file, path, &folders)) {
            add("Application", OF_PARENT, false);
        }
    }
    all
}

/// Whether a path of a file's Application leads to one of the sorted folders, or to one above it.
fn leads_to_peerings(file: &ArgoFile, path: &str, folders: &BTreeSet<&Path>) -> bool {
    let Some(folder) = file.folder_at(path) else {
        return false;
    };
    let next = folders.range(folder.as_path()..).next();
    !path.is_empty() && next.is_some_and(|it| it.starts_with(&folder))
}
