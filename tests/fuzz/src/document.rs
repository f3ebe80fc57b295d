//! The document: any text, as `validate` and `generate` look at it.

use crate::{SECRETS, example, line, shown, streams};
use argocd_peering::testing::claims::{Member, conflicts};
use argocd_peering::testing::{
    Error, Form, Invalid, Judged, Look, Problems, Source, examine, parse, report as findings, validate,
};

/// The most bytes that the program reads of one.
const CAP: usize = 64 * 1024;

pub fn document(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && text.len() <= CAP
    {
        look(text);
    }
}

/// What must hold of a document; whether it is a peering.
pub fn look(text: &str) -> bool {
    let source = Source::new("peering.yaml", text);
    let examined = examine(&source);
    let generated = parse(&source).and_then(|written| validate(&written));
    let found = &examined.problems;
    assert_eq!(
        generated.is_ok(),
        found.as_ref().is_none_or(Invalid::is_note),
        "validate and generate differ"
    );
    if let Some(invalid) = found {
        report(invalid, text);
    }
    let errors: Vec<Error> = found.clone().map(Error::from).into_iter().collect();
    let json = findings(1, &errors, Judged::default())
        .print(Form::Json)
        .expect("a report");
    shown(&json);
    if let Some(peering) = &examined.peering {
        let members = [0, 1].map(|number| Member::new(number, &source, peering));
        for conflict in conflicts(&members).values().flat_map(Problems::iter) {
            shown(&conflict.message);
        }
    }
    generated.map(|peering| streams::agree(&peering)).is_ok()
}

fn report(invalid: &Invalid, text: &str) {
    assert!(!invalid.problems.is_empty(), "wrong, and nothing is");
    for problem in invalid.problems.iter() {
        let place = problem.primary.span;
        assert!(
            text.get(place.start..place.end).is_some(),
            "a place that is none: {place:?}"
        );
    }
    shown(&invalid.screen(Look::PLAIN));
    let terminal = invalid.screen(Look::terminal(Some(80)));
    assert!(!shown(&terminal).contains('\t'), "a terminal's columns");
    let brief = invalid.brief();
    assert!(brief.lines().count() <= 20, "Argo CD shows 20 lines");
    brief.lines().for_each(line);
}

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = example::files("peering.yaml");
    let first = String::from_utf8_lossy(&seeds[0]).into_owned();
    // where people paste what they should not
    for secret in &SECRETS[..2] {
        for place in ["seed: ", "name: ", "# ", "port: ", "    "] {
            seeds.push(
                first
                    .replacen(place, &format!("{place}{secret} "), 1)
                    .into_bytes(),
            );
        }
    }
    seeds
}
