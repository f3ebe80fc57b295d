//! A thousand peerings: all of them are checked, the report is the same on every run, and a terminal shows how far it is.

use super::document::{peering, put_peering};
use crate::harness::{Outcome, Run};
use serde_json::Value;
use tempfile::TempDir;

const COUNT: usize = 1000;

/// A hub with a thousand spokes. At the places in `planted` two of them have one node port, and one has another network of
/// the hub.
fn spokes(planted: bool) -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    for at in 0..COUNT {
        let port = if planted && at == 700 { 300 } else { at };
        let service = format!("{{ serviceType: NodePort, nodePort: {} }}", 30_000 + port);
        let pods = if planted && at == 555 {
            "podCIDRs: [10.52.0.0/16]"
        } else {
            "podCIDRs: [10.42.0.0/16]"
        };
        let own = format!("clusterID: hub\n    {pods}");
        let document = peering(
            &format!("spoke-{at}"),
            "hub",
            &[
                ("{ serviceType: LoadBalancer }", &service),
                ("clusterID: hub\n    podCIDRs: [10.42.0.0/16]", &own),
            ],
        );
        let folder = root.path().join(format!("spoke-{at:04}"));
        put_peering(&folder, &document, at);
    }
    root
}

fn validate(root: &TempDir, format: &str) -> Outcome {
    Run::new(["validate", "--format", format, "."])
        .within(root.path())
        .run()
}

#[test]
fn a_thousand_clean_peerings_are_clean() {
    let root = spokes(false);
    let outcome = validate(&root, "text");
    assert_eq!(
        (outcome.done(), outcome.stderr.as_str()),
        (
            "",
            "1000 peerings: nothing is wrong\n1000 peerings judged; not the terms of 2000 sealed files: no identity is given\n"
        )
    );
    assert!(!outcome.stderr.contains(['/', '\r']), "{outcome}");
    let json = validate(&root, "json");
    let report: Value = serde_json::from_str(json.done()).expect("JSON");
    assert_eq!(
        (&report["peerings"], &report["findings"]),
        (&COUNT.into(), &Value::Array(Vec::new()))
    );
}

#[test]
fn among_a_thousand_the_planted_conflicts_are_found() {
    let root = spokes(true);
    let text = validate(&root, "text");
    text.fails(1, "port-taken")
        .says("::: ./spoke-0300/peering.yaml:18:52");
    text.says("--> ./spoke-0700/peering.yaml:18:52")
        .says("error[disagreement]");
    text.says("--> ./spoke-0555/peering.yaml:14:15");
    assert_eq!(text.stderr.matches("error[").count(), 2, "{text}");
    let json = validate(&root, "json");
    let report = json.json();
    assert_eq!(report["findings"][0]["path"], "spec.provider.podCIDRs");
    assert_eq!(
        report["findings"][1]["path"],
        "spec.networking.gatewayServer.endpoint.nodePort"
    );
    assert_eq!(
        report["findings"][1]["related"][0]["file"],
        "./spoke-0300/peering.yaml"
    );
    let again = validate(&root, "json");
    assert_eq!((again.stdout, again.stderr), (json.stdout, String::new()));
}
