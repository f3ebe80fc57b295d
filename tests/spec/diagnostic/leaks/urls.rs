//! Passwords in repositories' URLs. Argo CD has better places for them, and they are found there nevertheless.

use crate::harness::corpus::GOOD;
use crate::harness::{Checkout, RECIPIENT, Run, demo, sealed, seed_payload, terms};
use serde_json::json;

const PASSWORD: &str = "hunter2-hunter2";
const URL: &str = "https://me:hunter2-hunter2@git.example.org/net/peerings.git";

/// The plugin for an Application with this repository, and a seed that any repository may open, or this one.
fn plugin(repos: &[&str], url: &str) -> Run {
    let mut bind = terms();
    *bind.get_mut("repos").expect("repos") = json!(repos);
    let checkout = Checkout::new();
    checkout.write("peering.seed.age", sealed(&seed_payload(&bind)));
    checkout
        .plugin("provider")
        .env("ARGOCD_APP_SOURCE_REPO_URL", url)
}

#[test]
fn who_asks_and_who_is_denied_is_told_without_a_password() {
    for url in [
        URL,
        "ssh://me:hunter2-hunter2@git.example.org/a",
        "HTTPS://hunter2-hunter2@git.example.org/a",
    ] {
        let outcome = plugin(&["*"], url).run();
        outcome.stream();
        outcome
            .says("opened peering.seed.age")
            .says("repo=")
            .says("git.example.org")
            .silent_on(PASSWORD);
        plugin(&["https://elsewhere.example.org/a"], url)
            .run()
            .fails(3, "denied")
            .silent_on(PASSWORD);
    }
}

/// Terms would be repeated at each run, so none are taken that have a password.
#[test]
fn terms_with_a_password_are_refused_without_repeating_it() {
    plugin(&[URL], URL)
        .run()
        .fails(3, "sealed-payload")
        .silent_on(PASSWORD);
}

#[test]
fn nothing_is_sealed_on_terms_with_a_password() {
    let checkout = Checkout::new();
    let run = checkout.program([
        "seed",
        "new",
        "new.age",
        "--clusters",
        "a,b",
        "--recipient",
        RECIPIENT,
    ]);
    assert_eq!(demo().to_public().to_string(), RECIPIENT);
    run.args(["--repo", URL, "--project", "a", "--path", "a"])
        .run()
        .fails(2, "flag")
        .silent_on(PASSWORD);
}

/// Where a document has a URL or an address.
#[test]
fn a_documents_urls_are_shown_without_a_password() {
    let credential = "    credential: { kubeconfig: { file: kubeconfig.age } }";
    for url in "http://me:hunter2-hunter2@host:3128 https://hunter2-hunter2@host socks5://me:hunter2-hunter2@host".split(' ') {
        for (from, to) in [
            (credential, format!("    proxyURL: {url}\n{credential}")),
            (
                credential,
                format!(
                    "    credential: {{ identity: {{ apiServer: '{url}', ca: a, signedCRT: b }} }}"
                ),
            ),
            (
                "addresses: [172.16.183.16]",
                format!("addresses: [\"{url}\"]"),
            ),
            ("clusterID: rome", format!("clusterID: \"{url}\"")),
        ] {
            assert!(GOOD.contains(from), "{from}");
            let checkout = Checkout::new();
            checkout.write("peering.yaml", GOOD.replacen(from, &to, 1));
            for outcome in [
                checkout.plugin("consumer").run(),
                checkout.program(["validate", "."]).run(),
            ] {
                assert_eq!(outcome.code, Some(1), "{to}: {outcome}");
                outcome.silent_on(PASSWORD);
            }
        }
    }
}
