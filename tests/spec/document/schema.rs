//! The committed schema as an editor uses it: whatever it refuses, `validate` refuses too; else a person would mend what
//! is right.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;

use crate::generated::Made;
use crate::harness::library::{self, Error};
use crate::harness::{Sample, Schema, committed, corpus, files_below, mutants, read, root};

const SCHEMA: &str = "docs/peering.schema.json";

pub(crate) fn made() -> Vec<Made> {
    vec![Made {
        path: SCHEMA.to_owned(),
        text: library::schema(),
    }]
}

fn schema() -> Value {
    serde_json::from_str(&committed(SCHEMA)).expect("JSON")
}

/// Every `peering.yaml` below `examples/`, sorted.
fn examples() -> Vec<PathBuf> {
    let found = files_below(&root().join("examples"), "peering.yaml");
    assert!(found.len() > 12, "{found:?}");
    found
}

/// The document as an editor sees it, if it is YAML at all.
fn as_json(text: &str) -> Option<Value> {
    serde_saphyr::from_str(text).ok()
}

/// What `validate` says, without the checks between peerings. What is valid has a whole stream for either role.
fn is_valid(text: &str) -> bool {
    let result = library::check(text);
    if let Err(Error::Bug(bug)) = &result {
        panic!("{bug}: {text}");
    }
    result.is_ok()
}

#[test]
fn every_example_names_the_schema_and_passes_it() {
    let validator = Schema::of(&schema());
    let schema = fs::canonicalize(root().join(SCHEMA)).expect(SCHEMA);
    for path in examples() {
        let text = read(&path);
        let first = text.lines().next().unwrap_or_default();
        let named = first
            .strip_prefix("# yaml-language-server: $schema=")
            .unwrap_or_else(|| {
                panic!(
                    "{}: the first line names no schema: {first}",
                    path.display()
                );
            });
        let resolved = path.parent().expect("a folder").join(named);
        assert_eq!(
            fs::canonicalize(&resolved).ok().as_ref(),
            Some(&schema),
            "{}",
            path.display()
        );
        let value = as_json(&text).expect("YAML");
        validator.takes(&value);
    }
}

/// All values in a value.
pub(super) fn nodes(root: &Value) -> Vec<&Value> {
    let mut nodes = vec![root];
    let mut next = 0;
    while let Some(node) = nodes.get(next).copied() {
        match node {
            Value::Object(map) => nodes.extend(map.values()),
            Value::Array(items) => nodes.extend(items),
            _ => {}
        }
        next += 1;
    }
    nodes
}

/// Also the corpus of wrong documents; and the schema finds what a schema can find.
#[test]
fn what_the_schema_refuses_of_the_corpus_validate_refuses() {
    let validator = Schema::of(&schema());
    assert!(
        validator.is_valid(&as_json(corpus::GOOD).expect("YAML")),
        "the good document"
    );
    let (mut all, mut refused) = (0, 0);
    for case in corpus::all()
        .into_iter()
        .filter(|case| !case.is_repository())
    {
        let Some(value) = as_json(case.text()) else {
            continue;
        };
        // each document of a fleet is valid alone
        if case.is_fleet() || case.is_note() {
            assert!(
                validator.is_valid(&value),
                "{}: `validate` takes it",
                case.name
            );
            continue;
        }
        all += 1;
        refused += usize::from(!validator.is_valid(&value));
        assert!(!is_valid(case.text()), "{}", case.name);
    }
    assert!(refused >= 126, "only {refused} of {all}");
}

/// Each field of the examples in turn is made wrong, or only unusual.
#[test]
fn what_the_schema_refuses_of_mutants_validate_refuses() {
    let validator = Schema::of(&schema());
    let documents: Vec<Value> = examples()
        .iter()
        .map(|path| as_json(&read(path)).expect("YAML"))
        .collect();
    for document in &documents {
        assert!(is_valid(&document.to_string()), "as JSON: {document}");
    }
    let mut sample = Sample::new();
    let mutants = mutants::of_all(documents, || sample.takes());
    let verdicts: Vec<(bool, bool)> = mutants::each(&mutants, |mutant| {
        (
            is_valid(&mutant.document.to_string()),
            validator.is_valid(&mutant.document),
        )
    });
    let (all, wrong) = (
        mutants.len(),
        verdicts.iter().filter(|(valid, _)| !valid).count(),
    );
    let refused = verdicts.iter().filter(|(_, taken)| !taken).count();
    let odd = mutants
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| **verdict == (true, false));
    let odd: Vec<&str> = odd.map(|(mutant, _)| mutant.what.as_str()).collect();
    assert!(
        odd.is_empty(),
        "{} are valid, and the schema refuses them:\n{}",
        odd.len(),
        odd.join("\n")
    );
    assert!(all > sample.share(5000), "{all} mutants");
    assert!(
        refused * 100 >= wrong * 90,
        "the schema refuses {refused} of {wrong}"
    );
}

/// What an editor offers and shows is itself taken.
#[test]
fn the_schemas_own_defaults_and_examples_are_valid() {
    let root = schema();
    let mut checked = 0;
    for map in nodes(&root).into_iter().filter_map(Value::as_object) {
        let examples = map
            .get("examples")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let offered = map.get("default").into_iter().chain(examples);
        for offered in
            offered.filter(|_| map.contains_key("description") || map.contains_key("type"))
        {
            let mut alone = map.clone();
            alone.insert("$defs".to_owned(), root["$defs"].clone());
            Schema::of(&Value::Object(alone)).takes(offered);
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked}");
}
