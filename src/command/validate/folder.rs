//! The files in a peering's folder that nothing uses.

use super::beside::Here;
use crate::diagnostic::{Code, Invalid, Problems, Severity, Source, Span, quoted};
use crate::peering::{Peering, Role};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files of a document's folder that are for nothing: sealed files that it does not name, and manifests that the plugin does not print.
pub(super) fn unused(here: &Here, peering: &Peering) -> Vec<Invalid> {
    let manifests = here.manifests.iter().filter(|_| !here.is_kustomized).map(|path| unapplied(path));
    let twin = |path: &PathBuf| {
        let message = "peering.yaml is beside this file, and the plugin reads only that one".to_owned();
        note(path, message, "move what is missing there into peering.yaml, and remove this file".to_owned())
    };
    let twins = here.twins.iter().map(twin);
    here.sealed.iter().filter_map(|path| note_unused(path, peering)).chain(manifests).chain(twins).collect()
}

/// A manifest beside the document. Of a source with a plugin, Argo CD applies what the plugin prints (argo-cd
/// `reposerver/repository/repository.go`, GenerateManifests).
fn unapplied(path: &Path) -> Invalid {
    let message =
        "the Applications of this folder do not apply this manifest: Argo CD applies what the plugin prints";
    let help = "if it is to be applied, move it into a folder that another source or Application names";
    note(path, message.to_owned(), help.to_owned())
}

/// A sealed file that the document does not name.
fn note_unused(path: &Path, peering: &Peering) -> Option<Invalid> {
    let name = path.file_name()?.to_str()?;
    // also those that a drained peering does not show: it needs them again when the teardown is taken back
    let authentication = |role| peering.directions.of(role).authentication.as_ref();
    let credentials = Role::BOTH.map(|role| authentication(role).map(|it| &it.credential));
    let sealed = credentials.iter().flatten().filter_map(|it| it.sealed()).map(|it| it.file().as_str());
    let seeds = Role::BOTH.into_iter().filter_map(|role| peering.seed_of(role)).map(|it| it.as_str());
    let used: BTreeSet<&str> = sealed.chain(seeds).collect();
    if used.contains(name) {
        return None;
    }
    let is_missing = |name: &&&str| path.with_file_name(name).symlink_metadata().is_err();
    if let Some(missing) = used.iter().find(is_missing) {
        let message = format!("no field names {}, and {} is not here", quoted(name), quoted(missing));
        let help = format!(
            "if it is this file, write `{{ file: {name} }}` for it in peering.yaml, or rename it to {missing}"
        );
        return Some(note(path, message, help));
    }
    let is_pending = credentials.iter().flatten().any(|it| it.is_pending());
    let (message, help) = if is_pending {
        let message = format!("{} is here, and `credential` is still `pending`", quoted(name));
        (
            message,
            format!(
                "if it is the sealed kubeconfig, write `credential: {{ kubeconfig: {{ file: {name} }} }}`"
            ),
        )
    } else {
        (
            format!("no field names the sealed file {}", quoted(name)),
            "name it in peering.yaml, or remove it".to_owned(),
        )
    };
    Some(note(path, message, help))
}

fn note(path: &Path, message: String, help: String) -> Invalid {
    let mut problems = Problems::default();
    problems.refuse(Code::UnusedFile, Span::default(), message, help);
    Invalid::of_file(Severity::Note, problems, &Source::new(&path.display().to_string(), String::new()))
}
