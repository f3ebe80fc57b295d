//! EMIT: read the stream back, then write it in one piece, or not at all.
//!
//! Argo CD prunes what a successful run leaves out, and puts a document without a `kind` into an error that
//! everyone sees. So what is not whole is never written.

use super::Plan;
use crate::diagnostic::Bug;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// What must be there in every object. Unknown fields pass; duplicate keys do not.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "apiVersion")]
    api_version: String,
    kind: String,
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
    #[serde(default)]
    namespace: String,
    #[serde(default)]
    labels: BTreeMap<String, String>,
    annotations: BTreeMap<String, String>,
}

/// Checks that a stream reads back as the plan's objects, all of them.
///
/// # Errors
/// Only for a bug in a template. Nothing of the stream is quoted.
pub fn check(stream: &str, plan: &Plan) -> Result<(), Bug> {
    // the reader's limits are for texts of others: it stops at 1024 documents, and 64 KiB of a peering can be 3000
    let options = serde_saphyr::options! { with_snippet: false, budget: None };
    let heads: Vec<Head> = serde_saphyr::from_multiple_with_options(stream, options)
        .map_err(|_| Bug::new("the stream does not read back"))?;
    let whole = |head: &Head| {
        let texts = [&head.api_version, &head.kind, &head.metadata.name];
        texts.iter().all(|text| !text.is_empty())
            && head.metadata.annotations.contains_key("argocd.argoproj.io/sync-wave")
            // a label of the user's may be empty; none that Liqo goes by is
            && head.metadata.labels.iter().all(|(key, value)| !value.is_empty() || !key.contains("liqo.io/"))
    };
    // Argo CD keeps the last of two objects of one name, and warns only
    let mut seen = BTreeSet::new();
    let differ = heads
        .iter()
        .all(|it| seen.insert((&it.api_version, &it.kind, &it.metadata.namespace, &it.metadata.name)));
    if !differ {
        return Err(Bug::new("two objects of one name in the stream"));
    }
    if heads.is_empty() || heads.len() != plan.manifests().len() || !heads.iter().all(whole) {
        return Err(Bug::new("the stream is not the plan"));
    }
    if has_empty_field(stream) {
        return Err(Bug::new("a field without a value in the stream"));
    }
    Ok(())
}

/// Whether a field has no value, which reads as `null`: the API server drops such a field or refuses it. In block
/// style a value is after the `:`, or it is indented.
fn has_empty_field(stream: &str) -> bool {
    let depth = |line: &str, marks: &[char]| line.len() - line.trim_start_matches(marks).len();
    let mut next = stream.lines().skip(1);
    stream.lines().any(|line| {
        let next = next.next().unwrap_or_default();
        line.ends_with(':') && depth(next, &[' ']) <= depth(line, &[' ', '-'])
    })
}

#[cfg(test)]
mod tests {
    use super::has_empty_field;

    #[test]
    fn a_field_without_a_value_is_seen() {
        for whole in [
            "---\na: \"b:\"\n",
            "---\na:\n  b: 1\n",
            "---\na:\n  - b:\n      - \"c\"\n    d: true\n",
            "---\n\"a\":\n  \"b\": \"\"\n---\na: 1\n",
        ] {
            assert!(!has_empty_field(whole), "{whole}");
        }
        for empty in [
            "---\na:\n",
            "---\na:\nb: 1\n",
            "---\na:\n  b:\nc: 1\n",
            "---\na:\n---\nb: 1\n",
            "---\na:\n  - b:\n    c: 1\n",
            "---\na:\n  - b:\n  - c: 1\n",
            "---\n\"a\":\n\"b\": 1\n",
        ] {
            assert!(has_empty_field(empty), "{empty}");
        }
    }
}
