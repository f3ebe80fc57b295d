//! `docs/project/coverage.md` is true: every field of Liqo's CRDs, and how peering.yaml expresses it.
//!
//! What it says stands in `tests/coverage/*.yaml`. The tests that are not ignored hold it against the golden streams and the
//! JSON Schema. The ignored ones hold it against Liqo's custom resource definitions: see [`liqo`](crate::harness::liqo).

mod page;
mod places;
pub(crate) mod table;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use self::places::Places;
use self::table::{How, Kind, Kinds, Reason, meant};
use crate::generated::Made;
use crate::harness::{Peering, ROLES, liqo};

pub(crate) fn made() -> Vec<Made> {
    let kinds = Kinds::read();
    let text = page::text(&kinds, &kinds.tables(), &Places::read());
    vec![Made {
        path: "docs/project/coverage.md".to_owned(),
        text,
    }]
}

/// The only reasons there are, beside those that are data: `status` is what is below `status`, and the only word that
/// cannot be said is `ExternalName`.
#[test]
fn what_is_omitted_has_its_reason() {
    let mut problems = Vec::new();
    for kind in Kinds::read().tables() {
        for row in &kind.rows {
            let mut wrong =
                |why: &str| problems.push(format!("{} {}: {why}", kind.name, row.field));
            let is_status = row.field == "status" || row.field.starts_with("status.");
            if is_status != matches!(row.how, How::Omitted(Reason::Status)) {
                wrong("`status` is what is below `status`, and nothing else");
            }
            if matches!(row.how, How::Omitted(Reason::Liqo | Reason::Unread)) && row.note.is_none()
            {
                wrong("who writes it, or why does Liqo not read it?");
            }
            if let How::Expressed(_, without) = &row.how
                && without.keys().any(|word| word != "ExternalName")
            {
                wrong("every word must be there, but for `ExternalName`");
            }
            if row.is_emitted() && row.field.contains("**") {
                wrong("a field that is emitted has a line of its own");
            }
        }
    }
    assert_none(&problems);
}

// ---- the golden streams ---------------------------------------------------------------------

/// Of each kind all values in all golden streams, by path.
fn emitted(tables: &[Kind]) -> BTreeMap<&str, BTreeMap<String, Vec<Value>>> {
    let mut emitted: BTreeMap<&str, BTreeMap<String, Vec<Value>>> = BTreeMap::new();
    for (example, role) in Peering::examples()
        .iter()
        .flat_map(|example| ROLES.map(|role| (example, role)))
    {
        for object in example.golden(role).1 {
            let of_kind = |kind: &&Kind| {
                object["kind"] == kind.name.as_str()
                    && object["apiVersion"] == kind.api_version.as_str()
            };
            if let Some(kind) = tables.iter().find(of_kind) {
                let values = emitted.entry(&kind.name).or_default();
                for (path, found) in table::of_object(&object, kind) {
                    values.entry(path).or_default().extend(found);
                }
            }
        }
    }
    emitted
}

#[test]
fn what_is_said_to_be_emitted_is_in_a_golden_stream() {
    let tables = Kinds::read().tables();
    let emitted = emitted(&tables);
    let mut problems = Vec::new();
    for kind in &tables {
        for row in kind.rows.iter().filter(|row| row.is_emitted()) {
            let values = emitted
                .get(kind.name.as_str())
                .and_then(|values| values.get(&row.field));
            match (&row.how, values) {
                (_, None) => {
                    problems.push(format!("{} {}: in no golden stream", kind.name, row.field));
                }
                (How::Fixed(fixed), Some(values)) if values.iter().any(|value| value != fixed) => {
                    problems.push(format!(
                        "{} {}: is not always {fixed}",
                        kind.name, row.field
                    ));
                }
                _ => {}
            }
        }
    }
    assert_none(&problems);
}

#[test]
fn what_is_in_a_golden_stream_is_said_to_be_emitted() {
    let tables = Kinds::read().tables();
    let mut problems = Vec::new();
    for (name, values) in emitted(&tables) {
        let kind = tables
            .iter()
            .find(|kind| kind.name == name)
            .expect("it is from there");
        for (path, values) in values {
            let empty = values
                .iter()
                .all(|value| matches!(value, Value::Array(_) | Value::Object(_)));
            if !(kind.row(&path).is_some_and(table::Row::is_emitted)
                || empty && kind.has_below(&path))
            {
                problems.push(format!(
                    "{name} {path}: a golden stream has it, tests/coverage does not"
                ));
            }
        }
    }
    assert_none(&problems);
}

// ---- peering.yaml ---------------------------------------------------------------------------

#[test]
fn every_place_is_one_of_peering_yaml() {
    let schema = Places::read();
    let mut problems = Vec::new();
    for kind in Kinds::read().tables() {
        for row in &kind.rows {
            if row.places().is_empty() && matches!(row.how, How::Expressed(..) | How::Derived(_)) {
                problems.push(format!("{} {}: from where?", kind.name, row.field));
            }
            let places = row.places().iter().flat_map(|place| meant(place));
            for place in places.filter(|place| schema.at(place).is_empty()) {
                problems.push(format!(
                    "{} {}: peering.yaml has no {place}",
                    kind.name, row.field
                ));
            }
        }
    }
    assert_none(&problems);
}

// ---- Liqo's CRDs ----------------------------------------------------------------------------

/// The version of a CRD that is stored: its name and its schema.
fn stored(crd: &Value) -> (String, &Value) {
    let versions = crd["spec"]["versions"]
        .as_array()
        .expect("a CRD has versions");
    let version = versions
        .iter()
        .find(|version| version["storage"] == true)
        .expect("one is stored");
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    let api_version = format!("{}/{}", text(&crd["spec"]["group"]), text(&version["name"]));
    (api_version, &version["schema"]["openAPIV3Schema"])
}

fn kind_of(crd: &Value) -> &str {
    crd["spec"]["names"]["kind"]
        .as_str()
        .expect("a CRD has a kind")
}

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn every_kind_is_named() {
    let kinds = Kinds::read();
    let both: Vec<&String> = kinds
        .concerned
        .iter()
        .chain(kinds.not_concerned.keys())
        .collect();
    let named: BTreeSet<&str> = both.iter().map(|name| name.as_str()).collect();
    assert_eq!(
        named.len(),
        both.len(),
        "a kind is concerned or not, and not both"
    );
    for (tag, crds) in liqo::releases() {
        let found: BTreeSet<&str> = crds.iter().map(kind_of).collect();
        let unnamed: Vec<_> = found.difference(&named).collect();
        assert!(
            unnamed.is_empty(),
            "{tag}: kinds.yaml does not name {unnamed:?}"
        );
        // LIQO_CRDS may name a folder without the kinds that are in no stream
        let missing: Vec<_> = kinds
            .concerned
            .iter()
            .filter(|kind| !found.contains(kind.as_str()))
            .collect();
        assert!(
            missing.is_empty(),
            "{tag}: no CRD is of the kind {missing:?}"
        );
    }
}

#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
#[allow(
    clippy::print_stdout,
    reason = "how much was checked is part of the result"
)]
fn every_field_is_named_with_its_first_release() {
    let releases = liqo::releases();
    let mut problems = Vec::new();
    let mut checked = 0;
    for kind in Kinds::read().tables() {
        let mut since: BTreeMap<String, &str> = BTreeMap::new();
        for (tag, crds) in releases {
            let crd = crds
                .iter()
                .find(|crd| kind_of(crd) == kind.name)
                .expect("see every_kind_is_named");
            let (api_version, schema) = stored(crd);
            assert_eq!(api_version, kind.api_version, "{} in {tag}", kind.name);
            let fields = table::of_schema(schema);
            for gone in since.keys().filter(|field| !fields.contains_key(*field)) {
                problems.push(format!(
                    "{} {gone}: {tag} does not have it any more",
                    kind.name
                ));
            }
            for field in fields.into_keys() {
                since.entry(field).or_insert(tag);
            }
        }
        checked += since.len();
        for (field, tag) in since.iter().filter(|(field, _)| kind.row(field).is_none()) {
            problems.push(format!(
                "{} {field}: {tag} has it, tests/coverage does not",
                kind.name
            ));
        }
        // the CRDs say nothing of metadata
        for row in kind
            .rows
            .iter()
            .filter(|row| !row.field.starts_with("metadata."))
        {
            let first = since
                .iter()
                .filter(|(field, _)| row.covers(field))
                .map(|(_, tag)| *tag)
                .min();
            if first != Some(row.since.as_str()) {
                let found = first.unwrap_or("no release");
                problems.push(format!(
                    "{} {}: {found} has it first, not {}",
                    kind.name, row.field, row.since
                ));
            }
        }
    }
    println!("{checked} fields of {} releases", releases.len());
    assert_none(&problems);
}

/// What Liqo has as a word of a fixed set can be said, word for word.
#[test]
#[ignore = "needs Liqo's CRDs: set LIQO_CRDS to a folder with one subfolder a release tag"]
fn every_word_can_be_said() {
    let places = Places::read();
    let mut problems = Vec::new();
    let mut checked = 0;
    for (tag, crds) in liqo::releases() {
        for kind in Kinds::read().tables() {
            let crd = crds
                .iter()
                .find(|crd| kind_of(crd) == kind.name)
                .expect("see every_kind_is_named");
            for (field, schema) in table::of_schema(stored(crd).1) {
                let words = schema["enum"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str);
                let words: Vec<&str> = words.collect();
                let Some(row) = kind.row(&field).filter(|_| !words.is_empty()) else {
                    continue;
                };
                let Some(unsaid) = unsaid(&row.how, &words, &places) else {
                    continue;
                };
                checked += 1;
                if !unsaid.is_empty() {
                    problems.push(format!(
                        "{} {field} in {tag}: cannot be {unsaid:?}",
                        kind.name
                    ));
                }
            }
        }
    }
    assert_none(&problems);
    assert!(checked > 0, "Liqo's CRDs have words");
}

/// Those of a field's words that cannot be in a stream; nothing if the field is not said at all.
fn unsaid<'w>(how: &How, words: &[&'w str], places: &Places) -> Option<Vec<&'w str>> {
    let can_be_said: Vec<&str> = match how {
        How::Expressed(said, without) => {
            let said = said.iter().flat_map(|place| places.words(place));
            said.chain(without.keys().map(String::as_str)).collect()
        }
        // the other words have their reason in the note
        How::Fixed(value) if words.iter().any(|word| value == word) => words.to_vec(),
        How::Fixed(_) => Vec::new(),
        How::Derived(_) | How::Omitted(_) => return None,
    };
    Some(
        words
            .iter()
            .filter(|word| !can_be_said.contains(word))
            .copied()
            .collect(),
    )
}

#[track_caller]
fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}
