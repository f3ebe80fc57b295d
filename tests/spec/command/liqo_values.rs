//! `validate --liqo-values`: the values that Liqo is installed with, against the document.

use crate::harness::{Outcome, Run, committed, copy_of, put, quickstart};

/// The good document, and Liqo's values of a cluster in a file.
fn said(cluster: &str, text: &str) -> Outcome {
    said_of(
        &committed("tests/diagnostics/good.yaml"),
        cluster,
        text,
        &[],
    )
}

fn said_of(document: &str, cluster: &str, text: &str, more: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    copy_of(&quickstart(), folder.path().join("x"));
    put(folder.path().join("x/peering.yaml"), document);
    put(folder.path().join("values.yaml"), text);
    let flag = format!("--liqo-values={cluster}=values.yaml");
    let run = Run::new(["validate", "x/peering.yaml", &flag]).args(more.iter().copied());
    run.within(folder.path()).run()
}

#[test]
fn each_values_file_is_judged() {
    for case in include_str!("liqo_values.txt").split("\n== ").skip(1) {
        let (head, text) = case.split_once('\n').expect("values");
        let text: String = text
            .lines()
            .filter(|it| !it.starts_with('#'))
            .map(|it| format!("{it}\n"))
            .collect();
        let mut said = head.split(" => ");
        let words: Vec<_> = said.next().expect("how it ends").split(' ').collect();
        let mut document = committed("tests/diagnostics/good.yaml");
        if let [_, _, version, replaced @ ..] = &words[..] {
            document = document.replacen(
                "spec:\n",
                &format!("spec:\n  liqoVersion: \"{version}\"\n"),
                1,
            );
            document = replaced
                .chunks(2)
                .fold(document, |it, pair| it.replace(pair[0], pair[1]));
        }
        let text = text.trim_start();
        let outcome = said_of(&document, words[1], text, &[]);
        let agrees = || said_of(&document, words[1], &text.replace("10.52", "10.42"), &[]);
        match words[0] {
            "agrees" => outcome.silent_on("remaps").done().len(),
            "noted" => outcome.done().len(),
            "refused" => outcome.fails(2, "flag").stdout.len(),
            "contradicts" => outcome.says("error[liqo-values]").stdout.len(),
            _ => {
                agrees().done().len()
                    + outcome
                        .says("` 10.52.0.0/16, and here it is 10.42.0.0/16")
                        .stdout
                        .len()
            }
        };
        let code = if matches!(words[0], "contradicts" | "form") {
            Some(1)
        } else {
            outcome.code
        };
        assert_eq!(outcome.code, code, "{case}\n{outcome}");
        said.for_each(|words| _ = outcome.says(words));
    }
}

const VALUES: &str = "discovery:
  config:
    clusterID: rome
ipam:
  podCIDR: 10.42.0.0/16
  externalCIDR: \"10.70.0.0/16\"
";

#[test]
fn what_cannot_be_compared_is_refused() {
    let bomb: String = (1..9)
        .map(|it| format!("a{it}: &a{it} [{}]\n", format!("*a{}, ", it - 1).repeat(9)))
        .collect();
    said("rome", &format!("a0: &a0 [x]\n{bomb}{VALUES}"))
        .fails(2, "flag")
        .says("larger than");
    // what is wrong with the document comes first: without it nobody knows its clusters
    let wrong = committed("tests/diagnostics/good.yaml")
        .replace("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.42.0.0]");
    said_of(&wrong, "rome", VALUES, &[])
        .ends(1)
        .says("error[cidr]")
        .silent_on("no peering here");
    said("rome", &"#".repeat(1 << 20)).fails(2, "flag");
    said("rome", &"#".repeat((1 << 20) + 1))
        .fails(3, "file")
        .says("values.yaml");
    let no_file = Run::new([
        "validate",
        "examples/quickstart",
        "--liqo-values=rome=/nowhere",
    ]);
    no_file
        .within(crate::harness::root())
        .run()
        .fails(3, "file");
    let no_cluster = Run::new([
        "validate",
        "examples/quickstart",
        "--liqo-values=values.yaml",
    ]);
    no_cluster
        .within(crate::harness::root())
        .run()
        .fails(2, "flag")
        .says("write CLUSTER=FILE");
}

#[test]
fn a_report_has_both_places() {
    let pods = VALUES.replace("10.42.0.0/16", "10.99.0.0/16");
    let good = committed("tests/diagnostics/good.yaml");
    let outcome = said_of(&good, "rome", &pods, &["--format=json"]);
    let report = outcome.json();
    let mut findings = report["findings"].as_array().expect("a list").iter();
    let found = findings.find(|it| it["code"] == "liqo-values").expect("it");
    assert_eq!(found["path"], "spec.consumer.podCIDRs", "{outcome}");
    assert_eq!(found["related"][0]["file"], "values.yaml", "{outcome}");
    assert_eq!(found["related"][0]["range"]["line"], 5, "{outcome}");
}
