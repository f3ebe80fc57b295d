//! An Application of Applications: it applies the manifests of a folder, and fails where that has a peering in it.

use super::{Fault, File, Findings, Led, Place};
use crate::argocd::application::Parent;
use crate::argocd::project::is_match;
use crate::custody::normal_repo;
use crate::diagnostic::{quoted, shown_name};
use crate::input::folder::DOCUMENT;
use std::path::Path;

/// What lies in a folder and is no manifest: the document, and its schema in the folder or above it.
const OTHERS: [&str; 2] = [DOCUMENT, "peering.schema.json"];

/// Other tools have their own files, and Argo CD then asks them (argo-cd `util/app/discovery/discovery.go`).
const TOOLS: [&str; 4] = ["Chart.yaml", "kustomization.yaml", "kustomization.yml", "Kustomization"];

/// (argo-cd `reposerver/repository/repository.go`, findManifests: `Failed to unmarshal`, `Object 'Kind' is missing`)
pub(super) fn check(led: &[Led<'_>], files: &[File], places: &[Place], findings: &mut Findings) {
    for (number, file) in files.iter().enumerate() {
        for (parent, root) in file.declared.parents.iter().filter_map(|it| Some((it, file.root.as_deref()?)))
        {
            let Some((place, taken)) =
                places.iter().find_map(|place| Some((place, takes(parent, root, place)?)))
            else {
                continue;
            };
            let url = parent.repo_url.as_deref().map(normal_repo);
            let of_led = || led.iter().filter_map(|it| it.application.source.repo_url.as_ref());
            let is_here = of_led().any(|it| Some(normal_repo(&it.value)) == url);
            // of another repository
            if !is_here && of_led().next().is_some() {
                continue;
            }
            let message = format!("it takes {} for a manifest, and Argo CD fails on it", quoted(&taken));
            let help = if parent.recurses {
                "write `directory: { recurse: true, include: '**/application*.yaml' }`, or keep the Applications in a folder of their own"
            } else {
                "the folder of a peering needs the plugin: write `plugin: { name: argocd-peering, parameters: [{ name: role, string: consumer }] }`"
            };
            let fault = if is_here { Fault::error } else { Fault::note };
            findings.add(number, place.index, fault(message, help, parent.path.span));
        }
    }
}

/// The first file of a peering that a parent takes.
fn takes(parent: &Parent, root: &Path, place: &Place) -> Option<String> {
    let from = root.join(parent.path.value.trim_start_matches("./"));
    let below = place.folder.strip_prefix(&from).ok()?;
    if TOOLS.iter().any(|tool| from.join(tool).exists()) {
        return None;
    }
    let depth = if parent.recurses { usize::MAX } else { 0 };
    let folders = below.ancestors().filter(|folder| folder.components().count() <= depth);
    let files = folders.flat_map(|folder| OTHERS.map(|name| folder.join(name)));
    let is_taken = |path: &String| {
        let has = |list: &Option<String>| list.as_ref().map(|list| matches(list, path));
        from.join(path).is_file() && has(&parent.include) != Some(false) && has(&parent.exclude) != Some(true)
    };
    files.map(|path| path.display().to_string()).find(is_taken).map(|path| shown_name(&path))
}

/// Whether a pattern, or one of its alternatives, is a path. A `*` is also a `/` (argo-cd `util/glob`, without separators).
fn matches(patterns: &str, path: &str) -> bool {
    let patterns = patterns.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or(patterns);
    patterns.split(',').any(|pattern| is_match(pattern.trim(), path))
}
