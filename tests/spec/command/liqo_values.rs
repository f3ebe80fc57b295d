//! `validate --liqo-values`: the values that Liqo is installed with, against the document.

use crate::harness::committed;
use crate::harness::run::{Outcome, Run};
use std::fs;

/// The quickstart, and Liqo's values of a cluster in a file.
fn said(cluster: &str, text: &str) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("x")).expect("a folder");
    let document = committed("tests/diagnostics/good.yaml");
    fs::write(folder.path().join("x/peering.yaml"), document).expect("written");
    fs::write(folder.path().join("values.yaml"), text).expect("written");
    let flag = format!("--liqo-values={cluster}=values.yaml");
    Run::new(["validate", "x/peering.yaml", &flag]).within(folder.path()).run()
}

/// Apart from what is missing beside the document.
#[track_caller]
fn agrees(cluster: &str, text: &str) {
    let outcome = said(cluster, text);
    assert!(!outcome.stderr.contains("disagreement") && !outcome.stderr.contains("error[flag]"), "{outcome}");
}

#[track_caller]
fn contradicts(cluster: &str, text: &str, words: &str) {
    let outcome = said(cluster, text);
    assert_eq!(outcome.code, Some(1), "{outcome}");
    outcome.says("error[disagreement]").says(words);
}

const VALUES: &str = "discovery:
  config:
    clusterID: rome
ipam:
  podCIDR: 10.42.0.0/16
  externalCIDR: \"10.70.0.0/16\"
";

#[test]
fn values_are_compared_where_they_say_something() {
    agrees("rome", VALUES);
    agrees("rome", "ipam: {}\n");
    agrees("rome", "ipam: { podCIDR: \"\", podCIDRs: [] }\n");
    // the list counts, where there is one (liqo deployments/liqo/templates/liqo-ipam-networks.yaml)
    agrees("rome", "ipam: { podCIDR: 10.1.0.0/16, podCIDRs: [10.42.0.0/16] }\n");
    let pods = VALUES.replace("10.42.0.0/16", "10.99.0.0/16");
    contradicts(
        "rome",
        &pods,
        "values.yaml:5: Liqo's `ipam.podCIDR` is 10.99.0.0/16, and here it is 10.42.0.0/16",
    );
    let several = "ipam: { podCIDRs: [10.42.0.0/16, 10.44.0.0/16] }\n";
    contradicts(
        "rome",
        several,
        "`ipam.podCIDRs` is 10.42.0.0/16, 10.44.0.0/16, and here it is 10.42.0.0/16",
    );
    let external = VALUES.replace("10.70.0.0/16", "10.99.0.0/16");
    contradicts("rome", &external, "values.yaml:6: Liqo's `ipam.externalCIDR` is 10.99.0.0/16");
    contradicts("milan", "ipam: { podCIDR: 10.42.0.0/16 }\n", "and here it is 10.43.0.0/16");
}

#[test]
fn a_reserved_network_is_no_cluster_of_ones_own() {
    let reserved = "ipam: { reservedSubnets: [10.64.0.0/12] }\n";
    contradicts("rome", reserved, "Liqo reserves 10.64.0.0/12, which has this `externalCIDR`");
    let outcome = said("rome", "ipam: { reservedSubnets: [10.43.128.0/17] }\n");
    outcome.says(
        "note: values.yaml:1: Liqo on rome reserves 10.43.128.0/17, so it remaps 10.43.0.0/16 of milan",
    );
}

/// (argo-cd util/helm/cmd.go)
#[test]
fn an_application_of_liqos_chart_has_them_too() {
    let application = |helm: &str| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{ name: liqo }}\nspec:\n  source:\n    chart: liqo\n    helm:\n{helm}"
        )
    };
    agrees("rome", &application("      valuesObject: { ipam: { podCIDR: 10.42.0.0/16 } }\n"));
    let values = "      values: |\n        ipam:\n          podCIDR: 10.99.0.0/16\n";
    contradicts("rome", &application(values), "Liqo's `ipam.podCIDR` is 10.99.0.0/16");
    let parameters = "      parameters: [{ name: ipam.podCIDR, value: 10.98.0.0/16 }]\n";
    contradicts("rome", &application(&format!("{parameters}{values}")), "`ipam.podCIDR` is 10.98.0.0/16");
    let object = "      valuesObject: { ipam: { podCIDR: 10.42.0.0/16 } }\n";
    agrees("rome", &application(&format!("{object}{values}")));
    let other = application(values).replace("chart: liqo", "chart: another");
    said("rome", &other)
        .fails(2, "flag")
        .says("is neither Helm values of Liqo nor an Application of Liqo's chart");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    said("rome", &VALUES.replace("clusterID: rome", "clusterID: oslo"))
        .fails(2, "flag")
        .says("values.yaml:3: the cluster's ID is oslo there, and rome in the flag");
    said("oslo", "ipam: {}\n").fails(2, "flag").says("no peering here has the cluster oslo");
    said("rome", "a: [\n").fails(2, "flag").says("is neither Helm values of Liqo");
    let no_file = Run::new(["validate", "examples/quickstart", "--liqo-values=rome=/nowhere"]);
    no_file.within(crate::harness::root()).run().fails(3, "file");
    let no_cluster = Run::new(["validate", "examples/quickstart", "--liqo-values=values.yaml"]);
    no_cluster.within(crate::harness::root()).run().fails(2, "flag").says("write CLUSTER=FILE");
}
