//! `validate --liqo-values`: the values that Liqo is installed with, against the document.

use crate::harness::checkout::quickstart;
use crate::harness::committed;
use crate::harness::run::{Outcome, Run};
use std::fs;

/// The good document, and Liqo's values of a cluster in a file.
fn said(cluster: &str, text: &str) -> Outcome {
    said_of(&committed("tests/diagnostics/good.yaml"), cluster, text, &[])
}

fn said_of(document: &str, cluster: &str, text: &str, more: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("x")).expect("a folder");
    fs::write(folder.path().join("x/peering.yaml"), document).expect("written");
    for sealed in ["peering.seed.age", "kubeconfig.age"] {
        fs::copy(quickstart().join(sealed), folder.path().join("x").join(sealed)).expect("a sealed file");
    }
    fs::write(folder.path().join("values.yaml"), text).expect("written");
    let flag = format!("--liqo-values={cluster}=values.yaml");
    let run = Run::new(["validate", "x/peering.yaml", &flag]).args(more.iter().copied());
    run.within(folder.path()).run()
}

/// Nothing is wrong, and nothing is remapped.
#[track_caller]
fn agrees(cluster: &str, text: &str) {
    let outcome = said(cluster, text);
    outcome.done();
    outcome.silent_on("remaps");
}

#[track_caller]
fn contradicts(cluster: &str, text: &str, words: &str) {
    let outcome = said(cluster, text);
    assert_eq!(outcome.code, Some(1), "{outcome}");
    outcome.says("error[liqo-values]").says(words);
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
    contradicts("rome", &pods, "Liqo has `ipam.podCIDR` 10.99.0.0/16, and here it is 10.42.0.0/16");
    said("rome", &pods).says("::: values.yaml:5:12").says("- Liqo's values");
    let several = "ipam: { podCIDRs: [10.42.0.0/16, 10.44.0.0/16] }\n";
    contradicts("rome", several, "`ipam.podCIDRs` 10.42.0.0/16, 10.44.0.0/16, and here it is 10.42.0.0/16");
    let external = VALUES.replace("10.70.0.0/16", "10.99.0.0/16");
    contradicts("rome", &external, "Liqo has `ipam.externalCIDR` 10.99.0.0/16");
    contradicts("milan", "ipam: { podCIDR: 10.42.0.0/16 }\n", "and here it is 10.43.0.0/16");
    let outcome = said("rome", "ipam: {}\n");
    outcome.says("note: values.yaml sets no network of rome: Liqo's defaults were not compared");
    said("rome", VALUES).silent_on("not compared");
}

/// (liqo pkg/ipam/ipam.go, NetworkAcquire: what is outside the pools takes no place in the tree)
#[test]
fn what_liqo_has_for_itself_is_no_network_of_a_peering() {
    let of_rome = "the external CIDR 10.70.0.0/16 meets it";
    for key in ["reservedSubnets: [10.64.0.0/12]", "serviceCIDR: 10.64.0.0/12"] {
        contradicts("rome", &format!("ipam: {{ {key} }}\n"), of_rome);
    }
    for key in ["reservedSubnets: [10.43.128.0/17]", "serviceCIDR: 10.43.128.0/17"] {
        let outcome = said("rome", &format!("ipam: {{ {key} }}\n"));
        let name = key.split(':').next().expect("a key");
        outcome.says(&format!(
            "note: values.yaml:1: Liqo on rome has `ipam.{name}` 10.43.128.0/17, so it remaps 10.43.0.0/16 of milan"
        ));
        outcome.done();
    }
    // next to them, and the cluster's own pods, which may be reserved
    agrees("rome", "ipam: { reservedSubnets: [10.44.0.0/16, 10.42.0.0/16], serviceCIDR: 10.96.0.0/12 }\n");
    // wider than the pools, or another pool
    agrees("rome", "ipam: { reservedSubnets: [8.0.0.0/5] }\n");
    agrees("rome", "ipam: { reservedSubnets: [10.64.0.0/12], pools: [192.168.0.0/16] }\n");
    // a peer's network outside the pools never keeps its addresses
    agrees("rome", "ipam: { reservedSubnets: [10.43.128.0/17], pools: [10.43.128.0/17] }\n");
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
    contradicts("rome", &application(values), "Liqo has `ipam.podCIDR` 10.99.0.0/16");
    let parameters = "      parameters: [{ name: ipam.podCIDR, value: 10.98.0.0/16 }]\n";
    contradicts("rome", &application(&format!("{parameters}{values}")), "`ipam.podCIDR` 10.98.0.0/16");
    let object = "      valuesObject: { ipam: { podCIDR: 10.42.0.0/16 } }\n";
    agrees("rome", &application(&format!("{object}{values}")));
    // (Helm pkg/strvals/parser.go; Argo CD makes a map of them, so the last of a name counts)
    let set = |parameters: &str| application(&format!("      parameters: [{parameters}]\n"));
    agrees("rome", &set("{ name: ipam.podCIDRs, value: \"{10.42.0.0/16}\" }"));
    agrees("rome", &set("{ name: \"ipam.podCIDRs[0]\", value: 10.42.0.0/16 }"));
    agrees("rome", &set("{ name: ipam.podCIDR, value: \"\" }"));
    let twice = "{ name: ipam.podCIDR, value: 10.1.0.0/16 }, { name: ipam.podCIDR, value: 10.42.0.0/16 }";
    agrees("rome", &set(twice));
    let list = set("{ name: ipam.reservedSubnets, value: \"{192.168.2.0/24, 10.64.0.0/12}\" }");
    contradicts("rome", &list, "Liqo has `ipam.reservedSubnets` 10.64.0.0/12, and the external CIDR");
    let item = "      valuesObject: { ipam: { podCIDRs: [10.42.0.0/16, 10.44.0.0/16] } }\n      parameters: [{ name: \"ipam.podCIDRs[1]\", value: 10.45.0.0/16 }]\n";
    contradicts("rome", &application(item), "`ipam.podCIDRs` 10.42.0.0/16, 10.45.0.0/16, and here");
    let bare = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: { source: { chart: liqo } }\n";
    said("rome", bare).says("sets no network of rome").done();
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
    said("rome", "a: &b {}\nipam: *b\n").fails(2, "flag").says("or it has anchors or templates");
    // what is wrong with the document comes first: without it nobody knows its clusters
    let wrong =
        committed("tests/diagnostics/good.yaml").replace("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.42.0.0]");
    let outcome = said_of(&wrong, "rome", VALUES, &[]);
    assert_eq!(outcome.code, Some(1), "{outcome}");
    outcome.says("error[cidr]").silent_on("no peering here");
    said("rome", &"#".repeat(1 << 20)).fails(2, "flag");
    said("rome", &"#".repeat((1 << 20) + 1)).fails(3, "file").says("values.yaml");
    let no_file = Run::new(["validate", "examples/quickstart", "--liqo-values=rome=/nowhere"]);
    no_file.within(crate::harness::root()).run().fails(3, "file");
    let no_cluster = Run::new(["validate", "examples/quickstart", "--liqo-values=values.yaml"]);
    no_cluster.within(crate::harness::root()).run().fails(2, "flag").says("write CLUSTER=FILE");
}

#[test]
fn a_report_has_both_places() {
    let pods = VALUES.replace("10.42.0.0/16", "10.99.0.0/16");
    let good = committed("tests/diagnostics/good.yaml");
    let outcome = said_of(&good, "rome", &pods, &["--format=json"]);
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let mut findings = report["findings"].as_array().expect("a list").iter();
    let found = findings.find(|it| it["code"] == "liqo-values").expect("it");
    assert_eq!(found["path"], "spec.consumer.podCIDRs", "{outcome}");
    assert_eq!(found["related"][0]["file"], "values.yaml", "{outcome}");
    assert_eq!(found["related"][0]["range"]["line"], 5, "{outcome}");
}
