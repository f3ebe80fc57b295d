//! `validate --format json`: the report has the form that `docs/report.schema.json` says, and leads to the field.

use crate::generated::{self, Made};
use crate::harness::library::{report, schemas};
use crate::harness::{Schema, corpus, failures};
use serde_json::{Value, json};

const SCHEMA: &str = "docs/report.schema.json";

pub(crate) fn made() -> Vec<Made> {
    let made = |(name, text)| Made {
        path: format!("docs/{name}"),
        text,
    };
    schemas().into_iter().map(made).collect()
}

/// The report of a case of the corpus.
fn of(name: &str) -> Value {
    report(corpus::case(name).error())
}

#[test]
fn the_schema_is_current() {
    generated::REPORT.is_current();
}

#[test]
fn every_report_has_the_form_that_the_schema_says() {
    let schema = Schema::at(SCHEMA);
    let mut fields = 0;
    for (_, error) in failures::and_mistakes() {
        let report = report(error);
        schema.takes(&report);
        fields += usize::from(report["findings"][0]["path"].is_string());
    }
    assert!(fields > 100, "only {fields} reports lead to a field");
    let mut wrong = of("cidr-host-bits");
    wrong["findings"][0]["range"]["line"] = json!("13");
    assert!(!schema.is_valid(&wrong), "the schema says what a line is");
}

#[test]
fn a_finding_leads_to_its_field() {
    let report = of("cidr-overlap");
    assert_eq!(report["version"], 1);
    let finding = &report["findings"][0];
    assert_eq!(finding["code"], "cidr-overlap");
    assert_eq!(finding["file"], "peering.yaml");
    assert_eq!(finding["path"], "spec.consumer.externalCIDR");
    assert_eq!(finding["related"][0]["path"], "spec.consumer.podCIDRs[0]");
    assert_eq!(finding["related"][0]["file"], "peering.yaml");
    let range = &finding["range"];
    assert!(
        range["line"].is_u64() && range["endColumn"].as_u64() > range["column"].as_u64(),
        "{range}"
    );
}

/// A key of the user's own may have dots in it, so it stands in backticks.
#[test]
fn paths_lead_into_maps_of_the_users_own() {
    assert_eq!(
        of("unknown-field")["findings"][0]["path"],
        "spec.consumer.externalCidr"
    );
    assert!(
        of("reserved-label: tracking")["findings"][0]["path"]
            .as_str()
            .is_some_and(|path| path.contains('`'))
    );
}

/// The second place is in another file.
#[test]
fn a_conflict_leads_to_both_files() {
    let finding = &of("disagreement: liqo version")["findings"][0];
    assert_eq!(finding["file"], "rome-turin.yaml");
    assert_eq!(finding["path"], "spec.liqoVersion");
    assert_eq!(finding["related"][0]["file"], "rome-milan.yaml");
    assert_eq!(finding["related"][0]["path"], "spec.liqoVersion");
}

/// What is no YAML has no fields; what is no document has no place.
#[test]
fn what_has_no_place_says_none() {
    assert_eq!(of("syntax")["findings"][0]["path"], Value::Null);
    let run = failures::all()
        .into_iter()
        .find(|failure| failure.error.code() == "file")
        .expect("one");
    let finding = &report(run.error)["findings"][0];
    assert_eq!(
        (&finding["file"], &finding["range"]),
        (&Value::Null, &Value::Null)
    );
}
