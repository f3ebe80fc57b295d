//! `fleet import`: what documents do not agree on is not lost in silence.

use super::{check, describe, fleet, place, three, write};
use crate::harness::{Text, put};
use std::fs;

const PAIRS: &str = "    - { consumers: [c0], providers: [c1, c2] }\n";

/// The documents of two pairs, one of them edited.
fn edited(from: &str, to: &str) -> super::Place {
    let place = place(&fleet(&three(), PAIRS));
    write(&place).done();
    let path = place.path().join("peerings/c0/c1/peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    text.has(from);
    put(&path, text.replacen(from, to, 1));
    place
}

fn import(place: &super::Place) -> crate::harness::run::Outcome {
    place.run(&["fleet", "import", "peerings"])
}

/// What is not written has its default.
#[test]
fn a_default_contradicts_another_value() {
    let place = edited("    clusterID: c0\n", "    clusterID: c0\n    delivery: SealedSecret\n");
    let outcome = import(&place);
    outcome.fails(2, "flag");
    outcome.says("delivery of `c0`: \"SealedSecret\" in peerings/c0/c1/peering.yaml, \"Secret\" in");
    // and a default of all is not written
    let place = edited("    clusterID: c0\n", "    clusterID: c0\n    delivery: Secret\n");
    import(&place).omits("delivery").done();
}

/// Two releases in a fleet are no reason to lower one of them.
#[test]
fn a_version_is_written_if_all_documents_have_it() {
    for (version, words) in [
        ("", "1 of 2 documents have none"),
        ("  liqoVersion: \"1.1\"\n", "the documents have different ones"),
    ] {
        let place = edited("  liqoVersion: \"1.2\"\n", version);
        let outcome = import(&place);
        outcome.omits("liqoVersion").says("note: fleet.yaml has no `liqoVersion`").says(words).done();
        describe(&place, &outcome.stdout);
        assert_eq!(check(&place).done(), "2 documents as fleet.yaml says\n");
    }
}

#[test]
fn a_document_that_does_not_say_everything_is_named() {
    let place = edited(
        "    gatewayClient:\n      endpoint:\n        # where the other cluster reaches the gateway\n        addresses: [\"172.20.0.2\"]\n",
        "    gatewayClient: pending\n",
    );
    import(&place).says("note: peerings/c0/c1/peering.yaml has `gatewayClient: pending`").says("`c1`").done();
}
