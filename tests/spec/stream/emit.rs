//! What is written is whole. The program looks at the lines of its stream only; here a reader of YAML says the same of
//! every damaged stream that passes.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::harness::library::{Plan, passes, planned};
use crate::harness::{Peering, Sample};

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

/// Whether a reader of YAML finds this many whole objects.
fn reads_back(stream: &str, objects: usize) -> bool {
    let options = serde_saphyr::options! { with_snippet: false, budget: None };
    let Ok(heads) = serde_saphyr::from_multiple_with_options::<Head>(stream, options) else {
        return false;
    };
    let whole = |head: &Head| {
        let texts = [&head.api_version, &head.kind, &head.metadata.name];
        texts.iter().all(|text| !text.is_empty())
            && head
                .metadata
                .annotations
                .contains_key("argocd.argoproj.io/sync-wave")
            && head
                .metadata
                .labels
                .iter()
                .all(|(key, value)| !value.is_empty() || !key.contains("liqo.io/"))
    };
    let mut seen = BTreeSet::new();
    heads.len() == objects
        && heads.iter().all(whole)
        && heads.iter().all(|it| {
            seen.insert((
                &it.api_version,
                &it.kind,
                &it.metadata.namespace,
                &it.metadata.name,
            ))
        })
        && !has_empty_field(stream)
}

/// Whether a field has no value. In block style a value is after the `:`, or it is indented.
fn has_empty_field(stream: &str) -> bool {
    let depth = |line: &str, marks: &[char]| line.len() - line.trim_start_matches(marks).len();
    let mut next = stream.lines().skip(1);
    stream.lines().any(|line| {
        let next = next.next().unwrap_or_default();
        line.trim_end().ends_with(':') && depth(next, &[' ']) <= depth(line, &[' ', '-'])
    })
}

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
        "---\na: \n",
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

/// The plans and streams of the examples and of a document with unusual texts.
fn all() -> Vec<(Plan, String)> {
    let mut texts: Vec<String> = Peering::examples().iter().map(Peering::text).collect();
    texts.push(include_str!("uneven.yaml").to_owned());
    texts
        .iter()
        .flat_map(|text| planned(text).expect("two streams"))
        .collect()
}

/// A line with one change each; what stands for it may be several lines or none.
fn damaged(line: &str, next: &str) -> Vec<String> {
    let text = line.trim_start_matches(' ');
    let (key, value) = line.split_once(": ").unwrap_or((line, ""));
    let lasting = line.get(..line.len().saturating_sub(1)).unwrap_or_default();
    let values =
        ["", " ", " ~", " \"\"", " 1", " []", " {}", " *a"].map(|value| format!("{key}:{value}\n"));
    let around = [
        "L\nL\n", " L\n", "  L\n", "L\"\n", "L:\n", "L # a\n", "- L\n", "---\nL\n", "L\n---\n",
        "L\n...\n",
    ];
    let others = ["", "\n", "\t\n", "a: \"b\"\n"].map(str::to_owned);
    let replaced = [
        ("\"", ""),
        ("\"", "\"\\"),
        ("\"", "\"\\ud800"),
        ("\"", "\"\\u0061"),
        ("\"", "\"\u{7}"),
        (":", ""),
        ("- ", ""),
        ("- ", "-"),
        ("- ", "  "),
    ];
    let mut all = vec![
        format!("{line}{next}\n"),
        format!("{line} {next}\n"),
        format!("{lasting}\n"),
        format!("{key}: {value}: 1\n"),
        format!("{value}\n"),
        format!("{text}\n"),
    ];
    all.extend(
        values
            .into_iter()
            .chain(around.map(|form| form.replace('L', line)))
            .chain(others),
    );
    all.extend(replaced.map(|(from, to)| line.replacen(from, to, 1) + "\n"));
    all.extend(
        text.strip_prefix("- ")
            .map(|_| format!("{}- {text}\n", &line[..line.len() - text.len()])),
    );
    all.extend(line.strip_prefix("  ").map(|less| format!("{less}\n")));
    all.extend(line.strip_prefix(' ').map(|less| format!("{less}\n")));
    all
}

#[test]
fn every_stream_passes_both() {
    for (plan, stream) in all() {
        assert!(passes(&stream, &plan));
        assert!(reads_back(&stream, plan.manifests.len()));
    }
}

#[test]
fn no_damaged_line_passes_that_does_not_read_back() {
    let (mut made, mut passed, mut seen) = (0, 0, BTreeSet::new());
    let mut sample = Sample::new();
    for (plan, stream) in all() {
        let lines: Vec<_> = stream.split_inclusive('\n').collect();
        for index in 0..lines.len() {
            let line = lines[index].trim_end_matches('\n');
            let next = lines
                .get(index + 1)
                .map_or("", |next| next.trim_end_matches('\n'));
            // the examples have much in common
            if !seen.insert([line, next].map(str::to_owned)) {
                continue;
            }
            for new in damaged(line, next) {
                if new == lines[index] || !sample.takes() {
                    continue;
                }
                let mutant = [&lines[..index].concat(), &new, &lines[index + 1..].concat()]
                    .map(String::as_str)
                    .concat();
                made += 1;
                if passes(&mutant, &plan) {
                    passed += 1;
                    // only its document, since a reader is slow and the others are as they were
                    let before = lines[..index]
                        .iter()
                        .filter(|line| **line == "---\n")
                        .count();
                    let document = mutant.split("\n---\n").nth(before.saturating_sub(1));
                    assert!(
                        document.is_some_and(|text| reads_back(text, 1)),
                        "line {}",
                        index + 1
                    );
                }
            }
        }
    }
    let enough = made > sample.share(20_000) && passed > sample.share(500);
    assert!(enough, "{made} damaged streams, {passed} of which pass");
}

#[test]
fn no_lost_double_or_cut_document_passes() {
    for (plan, stream) in all() {
        let documents: Vec<_> = stream.split("---\n").skip(1).collect();
        let whole = |documents: &[&str]| {
            documents
                .iter()
                .map(|text| format!("---\n{text}"))
                .collect::<String>()
        };
        for index in 0..documents.len() {
            let mut lost = documents.clone();
            let it = lost.remove(index);
            let mut double = documents.clone();
            double.push(it);
            let mut replaced = documents.clone();
            replaced[index] = documents[(index + 1) % documents.len()];
            for mutant in [lost, double, replaced] {
                assert!(
                    documents.len() == 1 || !passes(&whole(&mutant), &plan),
                    "document {index}"
                );
            }
        }
        for end in 0..stream.len() - 1 {
            let cut = stream.get(..end).unwrap_or_default();
            assert!(
                !passes(cut, &plan) || reads_back(cut, documents.len()),
                "cut at {end}"
            );
        }
        assert!(!passes("", &plan));
        assert!(!passes(
            stream.strip_prefix("---\n").expect("it begins so"),
            &plan
        ));
    }
}
