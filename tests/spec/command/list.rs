//! `list`: a line for each peering, in an order that people expect; when its credentials end is in `list.cases`.

use crate::harness::{Outcome, Run, Schema, root};
use std::path::Path;

fn run(folder: &Path, words: &[&str]) -> Outcome {
    Run::new(words.iter().copied()).within(folder).run()
}

#[test]
fn a_line_a_peering() {
    let outcome = run(
        &root().join("examples"),
        &["list", "hub-and-spoke", "external", "offloading-only"],
    );
    assert_eq!(
        outcome.done(),
        "\
NAME             CONSUMER → PROVIDER  STATE   LIQO  GATEWAY                       KEY GENERATIONS  DELIVERY
external         naples → bari        Active  1.0   provider 172.16.183.16:30742  1, 1             External/External
hub-spoke-1      spoke-1 → hub        Active  1.0   provider 172.16.183.16:30001  1, 1             Secret/Secret
hub-spoke-2      spoke-2 → hub        Active  1.0   provider 172.16.183.16:30002  1, 1             Secret/Secret
hub-spoke-3      spoke-3 → hub        Active  1.0   provider 172.16.183.16:30003  1, 1             Secret/Secret
offloading-only  trento → bolzano     Active  1.0   none                          1, 1             Secret/Secret
"
    );
    assert_eq!(outcome.stderr, "");
}

#[test]
fn the_report_has_the_form_that_the_schema_says() {
    let schema = Schema::at("docs/list.schema.json");
    let identity = root()
        .join("examples/identities/demo-identity.txt")
        .display()
        .to_string();
    for more in [&[][..], &["--identity-file", &identity]] {
        let words =
            "list sealed-secret quickstart network-only liqo-identity everything --format json";
        let words: Vec<&str> = words.split(' ').chain(more.iter().copied()).collect();
        let report = run(&root().join("examples"), &words).ends(0).json();
        schema.takes(&report);
        let everything = &report["peerings"][0];
        assert_eq!(everything["consumer"]["keyGeneration"], 2);
        assert_eq!(everything["provider"]["delivery"], "SealedSecret");
        assert_eq!(everything["gateway"]["port"], 51821);
        let sealed = report["peerings"][4]["ends"].as_array().expect("ends");
        assert_eq!(
            sealed.len(),
            if more.is_empty() { 0 } else { 4 },
            "{sealed:?}"
        );
    }
}
