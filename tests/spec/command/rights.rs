//! `rights`: what it prints for a cluster and for the projects; that each verb is needed, and that no other one is, is shown by
//! `tests/conformance/apiserver/rights_test.go`.

use crate::generated::{Made, RIGHTS};
use crate::harness::{Outcome, REPO, Run, committed, put, root};
use std::path::Path;

fn rights(folder: &Path, words: &[&str]) -> Outcome {
    Run::new(["rights"])
        .args(words.iter().copied())
        .within(folder)
        .run()
}

/// What is printed for the quickstart.
pub(crate) fn made() -> Vec<Made> {
    let prints = [
        ("consumer", ["--cluster", "consumer"]),
        ("provider", ["--cluster", "provider"]),
        ("projects", ["--repo", REPO]),
    ];
    let print = |(name, flag): (&str, [&str; 2])| {
        let text = rights(&root().join("examples"), &["quickstart", flag[0], flag[1]])
            .done()
            .to_owned();
        Made {
            path: format!("tests/rights/{name}.yaml"),
            text,
        }
    };
    prints.map(print).into()
}

#[test]
fn the_rights_of_the_quickstart_are_as_committed() {
    RIGHTS.is_current();
}

/// The second commit of an exchange adds an Identity, and a project that was printed before it permits that.
#[test]
fn an_exchange_of_keys_has_its_rights_before_it_is_over() {
    let signed = committed("examples/keys-exchange/peering.yaml")
        .replace(
            "    clusterID: pavia\n",
            "    clusterID: pavia\n    names: { keySecret: own-keys }\n",
        )
        .replace(
            "    clusterID: lodi\n",
            "    clusterID: lodi\n    names: { keySecret: own-keys }\n",
        );
    let cut = |from: &str| {
        let (before, rest) = signed.split_once(from).expect(from);
        let (_, after) = rest.split_once("\n  offloading:").expect("the next part");
        format!("{before}\n  offloading:{after}")
    };
    let asked = cut("\n        authParams:");
    let pending = cut("\n      keysExchange:").replace(
        "    credential:\n",
        "    credential: { keysExchange: pending }\n",
    );
    let [signed, asked, pending] = [signed.clone(), asked, pending].map(|text| {
        let temp = tempfile::tempdir().expect("a folder");
        put(temp.path().join("peering.yaml"), text);
        temp
    });
    for what in [
        ["--cluster", "pavia"],
        ["--cluster", "lodi"],
        ["--repo", REPO],
    ] {
        let [signed, asked, pending] =
            [&signed, &asked, &pending].map(|it| rights(it.path(), &what).done().to_owned());
        assert!(
            asked == signed && pending == signed,
            "{what:?}: {asked}{pending}"
        );
    }
}
