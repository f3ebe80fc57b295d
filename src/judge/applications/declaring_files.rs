//! The files with objects of Argo CD.

use super::overrides::{Other, is_out};
use crate::argocd::declared::{Declared, UNREAD};
use crate::diagnostic::{Source, Span, shown_name};
use crate::input::yaml::documents;
use crate::judge::rendered::{RenderedFolders, place, side_of};
use crate::state::repo::Files;
use crate::state::repo::api_groups::{ArgoFiles, Digests, RENDERED, is_kustomization, is_override};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The mark of a file that Argo CD skips (argo-cd `docs/user-guide/directory.md`, Skipping File Rendering).
pub(super) const SKIP_FILE: &str = "+argocd:skip-file-rendering";

/// The kind of a Helm chart's file that names this plugin, and is YAML only after Helm has rendered it.
pub(super) const TEMPLATE: &str = "template";

/// A file with objects of Argo CD.
pub(crate) struct File {
    /// The path as it was found. The file's text has the same name.
    pub(crate) path: PathBuf,
    pub(super) source: Source,
    /// The folder that it is in.
    pub(super) folder: PathBuf,
    /// The root of its repository, if there is one.
    pub(super) root: Option<PathBuf>,
    /// The default branch of the repository's remote, if it is known.
    pub(super) branch: Option<String>,
    pub(super) declared: Declared,
    /// Whether it has the mark with which a parent creates none of its objects.
    pub(super) is_passed_over: bool,
    /// Whether one of its sets generates Applications for a folder that `render` wrote.
    pub(super) makes_rendered: bool,
    /// Why a part of a file with the name of an Application was not read.
    pub(super) unread: Option<(String, Span)>,
    /// The chart that the file is a template of, if some of it is not judged for that reason.
    pub(super) chart: Option<PathBuf>,
    pub(super) other: Option<Other>,
}

/// The files with objects of Argo CD, in order. The place of each folder is noted.
pub(crate) fn files(
    ArgoFiles { texts, links, .. }: &mut ArgoFiles,
    there: &mut Files,
) -> Vec<File> {
    let mut files = Vec::new();
    for (path, target) in std::mem::take(links) {
        let Some((folder, Some(root))) = there.place(&path) else {
            continue;
        };
        files.extend(File::of_link(&path, folder, root, &target));
    }
    for (path, text) in std::mem::take(texts) {
        let Some((folder, root)) = there.place(&path) else {
            continue;
        };
        let branch = root.as_deref().and_then(|root| there.noted_branch(root));
        let chart = chart_of(&path, &folder, there);
        files.extend(
            File::of(&path, folder, root, text).map(|it| File { branch, ..it }.of_template(chart)),
        );
    }
    files
}

/// Adds the Applications of folders that `render` wrote; they are judged as those of their documents.
pub(super) fn add_rendered(files: &mut [File], rendered: &RenderedFolders) {
    for File {
        root,
        declared,
        makes_rendered,
        ..
    } in files
    {
        let is_rendered = |path: &str| {
            root.as_ref()
                .is_some_and(|it| rendered.contains_key(&it.join(path)))
        };
        *makes_rendered = declared
            .parents_of_sets
            .iter()
            .any(|it| is_rendered(it.start()));
        for it in std::mem::take(&mut declared.plain) {
            let folder = root
                .as_ref()
                .zip(it.source.path.as_deref())
                .map(|(root, path)| root.join(path));
            let Some((document, role)) = folder.and_then(|folder| rendered.get(&folder)) else {
                continue;
            };
            declared
                .applications
                .push(it.rendered(role.word(), document.display().to_string()));
        }
    }
}

/// The folders with the names that `render` gives for these documents, and with its file; each with its document's folder and its role.
/// They are searched among the given files, and at the paths of Applications without a plugin, which can be elsewhere.
pub(crate) fn called_rendered(
    of_sides: &Digests,
    files: &[File],
    documents: &BTreeMap<&str, &Path>,
    there: &mut Files,
) -> RenderedFolders {
    let rendered = of_sides.keys().filter(|it| it.ends_with(RENDERED));
    let mut folders: BTreeSet<PathBuf> =
        rendered.filter_map(|it| Some(there.place(it)?.0)).collect();
    for File { root, declared, .. } in files {
        let paths = declared
            .plain
            .iter()
            .filter_map(|it| Some(it.source.path.as_ref()?.value.as_str()));
        // Argo CD refuses other paths
        let inside =
            paths.filter(|it| !it.starts_with('/') && it.split('/').all(|part| part != ".."));
        folders.extend(inside.filter_map(|it| Some(root.as_ref()?.join(it))));
    }
    let called = folders.into_iter().filter_map(|folder| {
        let (peering, role) = side_of(&folder)?;
        let document = documents.get(peering)?.to_path_buf();
        let file = place(folder.ancestors().nth(2)?, peering, role);
        there.has(&file).then_some((folder, (document, role)))
    });
    called.collect()
}

impl File {
    /// The file of a text, under the name of its path; `None` if it has no object of Argo CD.
    fn of(path: &Path, folder: PathBuf, root: Option<PathBuf>, text: String) -> Option<Self> {
        let mut declared = Declared::of_text(&text);
        let unread = declared
            .unread
            .take()
            .filter(|_| is_called_application(path));
        if unread.is_some() {
            declared.unjudged.retain(|(kind, _)| *kind != UNREAD);
        }
        let other = match path {
            path if is_override(path) => Some(Other::Override(documents(&text).next())),
            path if is_kustomization(path) => Other::of_kustomization(&text),
            _ => None,
        };
        let is_passed_over = !declared.is_empty() && text.contains(SKIP_FILE);
        let is_one = !declared.is_empty() || unread.is_some() || other.is_some();
        is_one.then(|| Self {
            declared,
            is_passed_over,
            unread,
            other,
            ..Self::bare(path, folder, root, text)
        })
    }

    /// A file without objects.
    fn bare(path: &Path, folder: PathBuf, root: Option<PathBuf>, text: String) -> Self {
        Self {
            path: path.to_owned(),
            source: Source::new(&path.display().to_string(), text),
            folder,
            root,
            branch: None,
            declared: Declared::default(),
            is_passed_over: false,
            makes_rendered: false,
            unread: None,
            chart: None,
            other: None,
        }
    }

    /// Marks a file as the template of a chart: text that is not YAML before Helm has rendered it is not a mistake.
    fn of_template(mut self, chart: Option<PathBuf>) -> Self {
        let is_left = self.unread.is_some() || !self.declared.unjudged.is_empty();
        self.chart = chart.filter(|_| is_left);
        if self.chart.is_some() {
            self.unread = None;
            self.declared.unjudged = vec![(
                TEMPLATE,
                "Helm's templates are not rendered here".to_owned(),
            )];
        }
        self
    }

    /// The path without links.
    pub(super) fn place(&self) -> Option<PathBuf> {
        Some(self.folder.join(self.path.file_name()?))
    }

    /// The file of a symbolic link. Its text is the target, as in Git. `None` if the target is in the repository.
    fn of_link(path: &Path, folder: PathBuf, root: PathBuf, target: &Path) -> Option<Self> {
        let text = shown_name(&target.display().to_string());
        let out = is_out(target, &folder, &root).then_some(Other::Link);
        let other = Some(out.or_else(|| is_override(path).then_some(Other::Override(None)))?);
        Some(Self {
            other,
            ..Self::bare(path, folder, Some(root), text)
        })
    }
}

/// The chart that a file is a template of (helm `pkg/chart/loader/load.go`), with the path in the form of the file's.
fn chart_of(path: &Path, folder: &Path, there: &Files) -> Option<PathBuf> {
    let is_templates =
        |it: &Path| it.ends_with("templates") && there.has(&it.with_file_name("Chart.yaml"));
    let depth = folder.ancestors().position(is_templates)?;
    let chart = path
        .ancestors()
        .nth(depth + 2)
        .filter(|it| !it.as_os_str().is_empty());
    Some(chart.unwrap_or(Path::new(".")).to_owned())
}

/// Whether the file has the name that `init` and argocd-app give to an Application.
fn is_called_application(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with("application"))
}
