//! Files in a peering's folder that nothing usable.

use super::document::UsableFiles;
use super::judgement::Judgement;
use super::world::World;
use crate::custody::store::TEMPORARY;
use crate::diagnostic::{Code, Invalid, quoted};
use std::path::Path;

/// Notes sealed files that the document does not name, and manifests that the plugin does not print.
pub(super) fn judge(world: &World, judgement: &mut Judgement) {
    let Some(files) = &world.folder_files else {
        return;
    };
    for (number, document) in world.documents.iter().enumerate() {
        let (Some(folder), Some(usable)) = (files.folder(number), document.usable_files()) else {
            continue;
        };
        for path in &folder.sealed {
            judgement.add_all(Some(number), note_unused(path, &usable));
        }
        if !folder.is_kustomized {
            for path in &folder.manifests {
                judgement.add(Some(number), note_unapplied(path));
            }
        }
    }
}

/// A manifest beside the document. For a source with a plugin, Argo CD applies only what the plugin prints (argo-cd
/// `reposerver/repository/repository.go`, GenerateManifests).
fn note_unapplied(path: &Path) -> Invalid {
    let message = "this folder's Applications do not apply this manifest";
    let help = "move it to another source: the plugin does not print it";
    note(path, message.to_owned(), help)
}

/// A sealed file that the document does not name.
fn note_unused(path: &Path, usable: &UsableFiles) -> Option<Invalid> {
    // a document can name no file that is not UTF-8
    let name = &*path.file_name()?.to_string_lossy();
    if usable.sealed_files.contains(name) {
        return None;
    }
    let shown = quoted(name);
    let (message, help) = if name.starts_with(TEMPORARY) {
        (
            format!("a stopped run has left {shown}"),
            "delete it, unless another run is writing now".to_owned(),
        )
    } else if let Some(missing) = &usable.missing {
        let shown_missing = quoted(missing);
        (
            format!("no field names {shown}, and {shown_missing} is not here"),
            format!("if it is this file, rename it to {missing}, or write `{{ file: {name} }}`"),
        )
    } else if usable.is_pending {
        (
            format!("{shown} is here, and `credential` is still `pending`"),
            format!(
                "if it is the sealed kubeconfig, write `credential: {{ kubeconfig: {{ file: {name} }} }}`"
            ),
        )
    } else {
        (
            format!("no field names the sealed file {shown}"),
            "name it in peering.yaml, or remove it".to_owned(),
        )
    };
    Some(note(path, message, &help))
}

fn note(path: &Path, message: String, help: &str) -> Invalid {
    Invalid::of_path(Code::UnusedFile, path, message, help)
}
