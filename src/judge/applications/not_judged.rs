//! What is named and not judged: what belongs to other tools, or to another commit. The reason has the command of the tool that knows.

use super::{File, Place};
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

const OF_PROJECT: &str = "an AppProject is Argo CD's to judge, which reports what it refuses; `argocd-peering rights` prints a right one";
const OF_KUSTOMIZATION: &str =
    "a kustomization changes what it names; `kubectl kustomize` prints that";
const OF_OVERRIDE: &str = "it replaces parameters of Applications of this folder; `argocd app manifests NAME` prints what they get";
const OF_PARENT: &str = "an Application without this plugin applies files of folders with peerings; `argocd app manifests NAME` prints them";
const OF_FOLDER: &str = "an Application without this plugin is in the folder of a peering";

impl NotJudgedFile {
    fn new(file: &File, kind: &'static str, reason: impl Into<String>, is_ours: bool) -> Self {
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
pub(super) fn made_by_set(file: &File) -> NotJudgedFile {
    NotJudgedFile::new(file, "ApplicationSet", MADE_BY_SET, true)
}

/// The entry for an Application of another commit than the document.
pub(super) fn of_other_commit(file: &File, application: &Application) -> NotJudgedFile {
    let revision = application.source.target_revision.as_ref();
    let revision = revision.map_or_else(|| "HEAD".to_owned(), |it| it.value.clone());
    let reason = format!(
        "an Application for another cluster takes the document of another commit, {}: validate that one",
        quoted(&revision)
    );
    NotJudgedFile::new(file, "Application", reason, false)
}

/// The parts of files that no judge looks at.
pub(crate) fn files_not_judged(files: &[File], places: &[Place<'_>]) -> Vec<NotJudgedFile> {
    let folders: BTreeSet<&Path> = places.iter().map(|it| it.folder).collect();
    let applications = files.iter().flat_map(|it| &it.declared.applications);
    let made = files.iter().flat_map(|it| &it.declared.sets);
    let mut projects: BTreeSet<String> = applications
        .filter_map(|it| Some(it.project.as_ref()?.value.clone()))
        .collect();
    for set in made {
        let of_folder = set.applications(&format!("{}/a/b", set.parent));
        projects.extend(
            of_folder
                .into_iter()
                .filter_map(|it| Some(it.project?.value)),
        );
    }
    let mut all = Vec::new();
    for file in files {
        let is_in_folder = folders.contains(file.folder.as_path());
        for UnjudgedObject { kind, reason } in &file.declared.unjudged {
            all.push(NotJudgedFile::new(file, kind, reason.as_str(), true));
        }
        if let Some(reason) = file.declared.unread.as_ref().filter(|_| is_in_folder) {
            all.push(NotJudgedFile::new(file, "document", reason.as_str(), true));
        }
        if file.is_kustomization() {
            all.push(NotJudgedFile::new(
                file,
                "kustomization",
                OF_KUSTOMIZATION,
                true,
            ));
        }
        if file.is_override() && is_in_folder {
            all.push(NotJudgedFile::new(file, "file", OF_OVERRIDE, true));
        }
        for _ in file
            .declared
            .projects
            .iter()
            .filter(|it| projects.contains(*it))
        {
            all.push(NotJudgedFile::new(file, "AppProject", OF_PROJECT, false));
        }
        let has_peerings = |path: &String| {
            let folder = file.folder_at(path).filter(|_| !path.is_empty());
            folder.is_some_and(|it| has_folder_below(&it, &folders))
        };
        if is_in_folder && !file.declared.others.is_empty() {
            all.push(NotJudgedFile::new(file, "Application", OF_FOLDER, false));
        } else if file.declared.others.iter().any(has_peerings) {
            all.push(NotJudgedFile::new(file, "Application", OF_PARENT, false));
        }
    }
    all
}

/// Whether one of the sorted folders is this one, or is below it.
fn has_folder_below(folder: &Path, folders: &BTreeSet<&Path>) -> bool {
    let next = folders.range(folder..).next();
    next.is_some_and(|it| it.starts_with(folder))
}
