//! The comment that tells an editor the schema. A file that is not there gives no help and no error: the editor is silent.

use crate::diagnostic::{Code, Problems, Span, quoted};

/// The line of the YAML language server (redhat-developer/yaml-language-server, README, "Using inlined schema").
const MODELINE: &str = "# yaml-language-server: $schema=";

pub(super) fn note(text: &str, exists: impl Fn(&str) -> bool, notes: &mut Problems) {
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let start = begin + MODELINE.len();
        begin += line.len();
        let Some(path) = line.strip_prefix(MODELINE).map(str::trim_end) else { continue };
        // what is elsewhere is not asked for
        if !path.contains("://") && !path.starts_with('/') && !exists(path) {
            let message = format!("the schema {} does not exist, so an editor checks nothing", quoted(path));
            let help = "`argocd-peering schema > peering.schema.json` makes it; write its path from this file, or remove the line";
            notes.refuse(Code::SchemaLine, Span { start, end: start + path.len() }, message, help);
        }
    }
}
