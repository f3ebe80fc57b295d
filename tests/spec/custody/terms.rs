//! For whom a sealed file is opened. The terms are inside of it, so whoever copies it copies them. Which terms deny whom is the
//! table `tests/authorise.json`; here is what comes of it.

use crate::harness::{
    Checkout, KUBECONFIG, Outcome, edited, kubeconfig_payload, sealed, seed_payload, terms,
};
use serde_json::{Value, json};

/// The terms with another one among them.
fn with(term: &str, value: Value) -> Value {
    let mut bind = terms();
    *bind.get_mut(term).expect(term) = value;
    bind
}

/// The quickstart with a seed on other terms.
fn on(term: &str, value: Value) -> Checkout {
    let checkout = Checkout::new();
    checkout.write(
        "peering.seed.age",
        sealed(&seed_payload(&with(term, value))),
    );
    checkout
}

#[track_caller]
fn denied(outcome: &Outcome, words: &str) {
    outcome
        .fails(3, "denied")
        .says("peering.seed.age may not be opened here")
        .says(words);
}

/// The clusters count for everybody, and the other terms for Argo CD.
#[test]
fn a_person_is_denied_for_the_clusters_alone() {
    let checkout = on(
        "peerings",
        json!([{ "consumer": "consumer", "provider": "rome" }, { "consumer": "rome", "provider": "provider" }]),
    );
    denied(
        &checkout.plugin("provider").run(),
        "do not allow the clusters consumer/provider",
    );
    denied(
        &checkout.local("provider").run(),
        "check the document's two `clusterID`s",
    );
    for (term, other, found) in [
        (
            "projects",
            "peering-consumer",
            "project=\"peering-provider\"",
        ),
        (
            "repos",
            "https://git.example.org/net/others",
            "net/peerings.git\" path=",
        ),
        ("paths", "peerings", "path=\"peerings/consumer-provider\""),
    ] {
        let checkout = on(term, json!([other]));
        denied(&checkout.plugin("provider").run(), found);
        checkout.local("provider").run().stream();
    }
}

/// The other way round: a document that names another cluster.
#[test]
fn a_document_about_another_cluster_gets_no_key() {
    let checkout = Checkout::of(edited("clusterID: consumer", "clusterID: mallory"));
    for run in [checkout.plugin("provider"), checkout.local("provider")] {
        denied(&run.run(), "mallory/provider");
    }
}

/// An empty variable says as little as one that is not there.
#[test]
fn a_star_allows_any_that_argo_cd_says() {
    for (term, variable) in [
        ("projects", "ARGOCD_APP_PROJECT_NAME"),
        ("repos", "ARGOCD_APP_SOURCE_REPO_URL"),
        ("paths", "ARGOCD_APP_SOURCE_PATH"),
    ] {
        let checkout = on(term, json!(["*"]));
        checkout
            .plugin("provider")
            .env(variable, "anything-else")
            .run()
            .stream();
        denied(&checkout.plugin("provider").env(variable, "").run(), "=? ");
        denied(&checkout.plugin("provider").without(variable).run(), "=? ");
        // a caller that calls itself `*` is not any
        Checkout::new()
            .plugin("provider")
            .env(variable, "*")
            .run()
            .fails(3, "denied")
            .says("=\"*\"");
    }
}

#[test]
fn no_spelling_of_a_folder_leads_to_another() {
    let checkout = Checkout::new();
    for path in [
        "peerings/consumer-provider/..",
        "peerings/consumer-provider//",
        "peerings/consumer-provider\n",
        "peerings/x/../consumer-provider",
        "peerings\\consumer-provider",
        "..",
        "/",
    ] {
        checkout
            .plugin("provider")
            .env("ARGOCD_APP_SOURCE_PATH", path)
            .run()
            .fails(3, "denied")
            .says("path=");
    }
}

/// The terms of each file count, not those of the first.
#[test]
fn every_file_has_its_own_terms() {
    let checkout = Checkout::new();
    let payload = kubeconfig_payload(KUBECONFIG, &with("projects", json!(["other"])));
    checkout.write("kubeconfig.age", sealed(&payload));
    checkout
        .plugin("consumer")
        .run()
        .fails(3, "denied")
        .says("kubeconfig.age may not be opened here");
    checkout.plugin("provider").run().stream();
}

/// What the caller says of itself reaches a log.
#[test]
fn a_caller_cannot_forge_lines_of_the_log() {
    let checkout = on("projects", json!(["*"]));
    let forged = "x\nopened peering.seed.age for project=admin\u{1b}[31m\u{2028}\r";
    let outcome = checkout
        .plugin("provider")
        .env("ARGOCD_APP_PROJECT_NAME", forged)
        .run();
    outcome.stream();
    assert_eq!(outcome.stderr.lines().count(), 1, "{outcome}");
    assert!(
        !outcome.stderr.trim_end().contains(char::is_control),
        "{:?}",
        outcome.stderr
    );
    let outcome = Checkout::new()
        .plugin("provider")
        .env("ARGOCD_APP_PROJECT_NAME", forged)
        .run();
    outcome.fails(3, "denied");
    assert_eq!(
        outcome.stderr.lines().count(),
        2,
        "the error and its help: {outcome}"
    );
    let long = "x".repeat(100_000);
    let outcome = Checkout::new()
        .plugin("provider")
        .env("ARGOCD_APP_PROJECT_NAME", long)
        .run();
    outcome.fails(3, "denied");
    assert!(outcome.stderr.len() < 1000, "{}", outcome.stderr.len());
}
