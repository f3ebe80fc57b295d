//! For whom a sealed file is opened. The terms are inside of it, so whoever copies it copies them.

use crate::harness::{Checkout, Outcome, edited, sealed, seed_payload, terms};
use serde_json::{Value, json};

/// The quickstart with a seed on other terms.
fn on(term: &str, value: Value) -> Checkout {
    let mut bind = terms();
    *bind.get_mut(term).expect(term) = value;
    let checkout = Checkout::new();
    checkout.write("peering.seed.age", sealed(&seed_payload(&bind)));
    checkout
}

#[track_caller]
fn denied(outcome: &Outcome, words: &str) {
    outcome.fails(3, "denied").says("peering.seed.age may not be opened here").says(words);
}

#[test]
fn the_clusters_count_for_everybody() {
    for pairs in [
        json!([]),
        json!([["rome", "milan"]]),
        json!([["consumer", "milan"]]),
        json!([["rome", "provider"]]),
        json!([["consumer", "rome"], ["rome", "provider"]]),
        json!([["consumer1", "provider"]]),
    ] {
        let checkout = on("clusters", pairs);
        denied(&checkout.plugin("provider").run(), "do not allow the clusters consumer/provider");
        denied(&checkout.local("provider").run(), "check the document's two `clusterID`s");
    }
    for pairs in [json!([["provider", "consumer"]]), json!([["rome", "milan"], ["consumer", "provider"]])] {
        on("clusters", pairs).plugin("provider").run().stream();
    }
}

/// The other way round: a document that names other clusters.
#[test]
fn a_document_about_other_clusters_gets_no_key() {
    let checkout = Checkout::of(edited("clusterID: consumer", "clusterID: mallory"));
    for run in [checkout.plugin("provider"), checkout.local("provider")] {
        denied(&run.run(), "mallory/provider");
    }
}

#[test]
fn an_absent_term_denies() {
    for term in ["projects", "repos", "paths"] {
        let mut payload = seed_payload(&terms());
        payload.pointer_mut("/bind").and_then(Value::as_object_mut).expect("bind").remove(term).expect(term);
        let checkout = Checkout::new();
        checkout.write("peering.seed.age", sealed(&payload));
        denied(&checkout.plugin("provider").run(), "do not allow");
        checkout.local("provider").run().stream();
        let checkout = on(term, json!([]));
        denied(&checkout.plugin("provider").run(), "do not allow");
        checkout.local("provider").run().stream();
    }
}

#[test]
fn another_caller_is_denied_and_a_person_is_not() {
    for (term, other, found) in [
        ("projects", "peering-consumer", "project=\"peering-provider\""),
        ("projects", "Peering-Provider", "project=\"peering-provider\""),
        ("repos", "https://git.example.org/net/others", "net/peerings.git\" path="),
        ("repos", "https://git.example.org/net", "net/peerings.git\" path="),
        ("repos", "https://git.example.org/Net/peerings", "net/peerings.git\" path="),
        ("repos", "http://git.example.org/net/peerings", "net/peerings.git\" path="),
        ("paths", "peerings", "path=\"peerings/consumer-provider\""),
        ("paths", "Peerings/consumer-provider", "path=\"peerings/consumer-provider\""),
        ("paths", ".", "path=\"peerings/consumer-provider\""),
    ] {
        let checkout = on(term, json!([other]));
        denied(&checkout.plugin("provider").run(), found);
        checkout.local("provider").run().stream();
    }
}

/// `*` alone means any; whoever writes more than that means something that the terms cannot say.
#[test]
fn there_are_no_patterns() {
    for (term, pattern) in [
        ("projects", "peering-*"),
        ("projects", "**"),
        ("repos", "https://git.example.org/net/*"),
        ("paths", "peerings/*"),
    ] {
        on(term, json!([pattern])).plugin("provider").run().fails(3, "sealed-payload");
    }
}

#[test]
fn a_star_allows_any_that_argo_cd_says() {
    for (term, variable) in [
        ("projects", "ARGOCD_APP_PROJECT_NAME"),
        ("repos", "ARGOCD_APP_SOURCE_REPO_URL"),
        ("paths", "ARGOCD_APP_SOURCE_PATH"),
    ] {
        let checkout = on(term, json!(["*"]));
        checkout.plugin("provider").env(variable, "anything-else").run().stream();
        denied(&checkout.plugin("provider").env(variable, "").run(), "=? ");
        denied(&checkout.plugin("provider").without(variable).run(), "=? ");
        // a caller that calls itself `*` is not any
        Checkout::new().plugin("provider").env(variable, "*").run().fails(3, "denied").says("=\"*\"");
    }
}

#[test]
fn spellings_of_one_repository_are_one() {
    let same = [
        "https://git.example.org/net/peerings",
        "https://git.example.org/net/peerings.git",
        "https://git.example.org/net/peerings/",
        "https://git.example.org/net/peerings.git/",
        "https://Git.Example.ORG/net/peerings.git",
        "HTTPS://git.example.org/net/peerings",
    ];
    for bound in same {
        let checkout = on("repos", json!(["https://other.example.org/a", bound]));
        for said in same {
            checkout.plugin("provider").env("ARGOCD_APP_SOURCE_REPO_URL", said).run().stream();
        }
    }
    let checkout = on("repos", json!(["git@Git.example.org:net/peerings.git"]));
    let run = |url: &str| checkout.plugin("provider").env("ARGOCD_APP_SOURCE_REPO_URL", url).run();
    run("git@git.example.org:net/peerings").stream();
    denied(&run("git@git.example.org:Net/peerings"), "repo=");
    denied(&run("root@git.example.org:net/peerings"), "repo=");
    denied(&run("ssh://git@git.example.org/net/peerings"), "repo=");
}

#[test]
fn spellings_of_one_folder_are_one_and_no_way_leads_around() {
    let checkout = Checkout::new();
    let run = |path: &str| checkout.plugin("provider").env("ARGOCD_APP_SOURCE_PATH", path).run();
    for same in ["peerings/consumer-provider", "./peerings/consumer-provider", "peerings/consumer-provider/"]
    {
        run(same).stream();
    }
    for other in [
        "peerings/consumer-provider/..",
        "peerings/../peerings/consumer-provider",
        "../peerings/consumer-provider",
        "peerings/other/../consumer-provider",
        "/peerings/consumer-provider",
        "peerings//consumer-provider",
        "peerings/./consumer-provider",
        "peerings/consumer-provider//",
        "peerings/consumer-provider\n",
        "peerings\\consumer-provider",
        "..",
        ".",
        "/",
    ] {
        run(other).fails(3, "denied").says("path=");
    }
}

/// The terms of each file count, not those of the first.
#[test]
fn every_file_has_its_own_terms() {
    let checkout = Checkout::new();
    let mut bind = terms();
    *bind.get_mut("projects").expect("projects") = json!(["other"]);
    let payload = json!({
        "v": 1, "type": "kubeconfig", "kubeconfig": crate::harness::peering::KUBECONFIG, "bind": bind,
    });
    checkout.write("kubeconfig.age", sealed(&payload));
    checkout.plugin("consumer").run().fails(3, "denied").says("kubeconfig.age may not be opened here");
    checkout.plugin("provider").run().stream();
}

/// What the caller says of itself reaches a log.
#[test]
fn a_caller_cannot_forge_lines_of_the_log() {
    let checkout = on("projects", json!(["*"]));
    let forged = "x\nopened peering.seed.age for project=admin\u{1b}[31m\u{2028}\r";
    let outcome = checkout.plugin("provider").env("ARGOCD_APP_PROJECT_NAME", forged).run();
    outcome.stream();
    assert_eq!(outcome.stderr.lines().count(), 1, "{outcome}");
    assert!(!outcome.stderr.trim_end().contains(char::is_control), "{:?}", outcome.stderr);
    let outcome = Checkout::new().plugin("provider").env("ARGOCD_APP_PROJECT_NAME", forged).run();
    outcome.fails(3, "denied");
    assert_eq!(outcome.stderr.lines().count(), 2, "the error and its help: {outcome}");
    let long = "x".repeat(100_000);
    let outcome = Checkout::new().plugin("provider").env("ARGOCD_APP_PROJECT_NAME", long).run();
    outcome.fails(3, "denied");
    assert!(outcome.stderr.len() < 1000, "{}", outcome.stderr.len());
}
