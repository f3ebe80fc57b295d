//! EMIT: check the stream, then write it in one piece, or not at all.
//!
//! Argo CD prunes what a successful run leaves out, and puts a document without a `kind` into an error that
//! everyone sees. So what is not whole is never written.
//!
//! No reader of YAML is needed for that: a stream is the few forms of lines that the templates write, and nothing else
//! passes. A test holds that a reader of YAML refuses nothing that passes here.

mod lines;

use super::Plan;
use crate::diagnostic::Bug;
use crate::object::{Meta, SYNC_WAVE};
use std::collections::BTreeSet;

/// Checks that a stream is the plan's objects, all of them, each whole and once.
///
/// # Errors
/// Only for a bug in a template. Nothing of the stream is quoted.
pub fn check(stream: &str, plan: &Plan) -> Result<(), Bug> {
    let body = stream.strip_prefix("---\n").and_then(|body| body.strip_suffix('\n'));
    let documents: Vec<_> =
        body.ok_or_else(|| Bug::new("the stream is not the plan"))?.split("\n---\n").collect();
    if documents.len() != plan.manifests().len() {
        return Err(Bug::new("the stream is not the plan"));
    }
    // Argo CD keeps the last of two objects of one name, and warns only
    let mut seen = BTreeSet::new();
    for (document, manifest) in documents.into_iter().zip(plan.manifests()) {
        let meta = manifest.meta();
        let (head, rest) = document.split_once("\nmetadata:\n").ok_or_else(|| Bug::new("no metadata"))?;
        // what follows is the next field of the object, not one more of its metadata
        let is_its = rest.strip_prefix(&meta.lines()).is_some_and(|rest| !rest.starts_with("\n "));
        if !is_head(head) || !is_whole(meta) || !is_its {
            return Err(Bug::new("an object of the stream is not the plan's"));
        }
        if !lines::are_one_record(document) {
            return Err(Bug::new("the stream does not read back"));
        }
        if !seen.insert((head, &meta.namespace, &meta.name)) {
            return Err(Bug::new("two objects of one name in the stream"));
        }
    }
    Ok(())
}

/// Whether an object begins with its version and its kind.
fn is_head(head: &str) -> bool {
    let lines = head.split_once('\n');
    lines.is_some_and(|(version, kind)| {
        version.starts_with("apiVersion: \"")
            && kind.starts_with("kind: \"")
            && ![version, kind].iter().any(|line| line.ends_with(" \"\"") || line.contains('\n'))
    })
}

/// Whether an object has what Argo CD and Liqo go by. A label of the user's may be empty; none that Liqo goes by is.
fn is_whole(meta: &Meta) -> bool {
    !meta.name.is_empty()
        && meta.annotations.iter().any(|(key, _)| key == SYNC_WAVE)
        && meta.labels.iter().all(|(key, value)| !value.is_empty() || !key.contains("liqo.io/"))
}

#[cfg(test)]
mod tests {
    use super::is_whole;
    use crate::object::{Meta, SYNC_WAVE};

    #[test]
    fn an_object_without_what_argo_cd_and_liqo_go_by_is_not_whole() {
        let meta = |name: &str, label: (&str, &str), annotation: &str| Meta {
            labels: vec![(label.0.to_owned(), label.1.to_owned())],
            annotations: vec![(annotation.to_owned(), "1".to_owned())],
            ..Meta::cluster(name)
        };
        assert!(is_whole(&meta("a", ("liqo.io/remote-cluster-id", "milan"), SYNC_WAVE)));
        assert!(is_whole(&meta("a", ("team", ""), SYNC_WAVE)));
        assert!(!is_whole(&meta("", ("team", ""), SYNC_WAVE)));
        assert!(!is_whole(&meta("a", ("liqo.io/remote-cluster-id", ""), SYNC_WAVE)));
        assert!(!is_whole(&meta("a", ("team", ""), "note")));
    }
}
