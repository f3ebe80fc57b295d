//! Identities, and what stands in sealed files: opened or not, right or damaged, in its own place or in another's.

use super::canary::shown;
use crate::harness::{Checkout, Outcome, demo, edited, identity, opened, put};
use serde_json::Value;
use std::fs;

/// The identity's text without its prefix.
fn identity_of(checkout: &Checkout) -> String {
    let text = fs::read_to_string(checkout.identity()).expect("the identity");
    let line = text
        .lines()
        .find(|line| line.starts_with("AGE-"))
        .expect("an identity");
    line.trim_start_matches("AGE-SECRET-KEY-1").to_owned()
}

fn failed(outcome: &Outcome) {
    assert_ne!(outcome.code, Some(0), "{outcome}");
    assert_eq!(outcome.stdout, "", "{outcome}");
    assert!(outcome.stderr.starts_with("error["), "{outcome}");
}

#[test]
fn identities_in_every_state() {
    let checkout = Checkout::new();
    let other = identity().1;
    let secret = identity_of(&checkout);
    let other_secret = other.trim_start_matches("AGE-SECRET-KEY-1").to_owned();
    let good = fs::read_to_string(checkout.identity()).expect("the identity");
    let line = good.lines().last().expect("a line");
    for content in [
        other.clone(),
        format!("{other}\n{line}x\n"),
        format!("{line}\n{other} {other}\n"),
        line.replace("AGE-SECRET-KEY-1", "AGE-SECRET-KEY-2"),
        line.replace("AGE-SECRET-KEY-1", "AGE-SECRET-KEY-PQ-1"),
        line.replace("AGE-SECRET-KEY-1", ""),
        line.to_lowercase().replace("age", "ag"),
        format!("identity: {line}\n"),
        format!("\"{line}\""),
        format!("\u{feff}{line}\n"),
        format!("{line}\n{}\n", "x".repeat(70_000)),
        format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{line}\n"),
        line.get(..60).expect("a part").to_owned(),
    ] {
        put(checkout.identity(), &content);
        for run in [checkout.plugin("consumer"), checkout.local("consumer")] {
            let outcome = run.run();
            failed(&outcome);
            for secret in [&secret, &other_secret, &secret.to_lowercase()] {
                assert_eq!(shown(&outcome.stderr, secret), None, "{content}: {outcome}");
            }
        }
    }
}

/// Each file in each other's place.
#[test]
fn files_in_each_others_place() {
    let base = Checkout::new();
    let secret = identity_of(&base);
    let identity = fs::read(base.identity()).expect("the identity");
    let seed = fs::read(base.folder().join("peering.seed.age")).expect("the seed");
    let text = opened(&seed, &demo());
    let armored: Vec<String> = String::from_utf8_lossy(&seed)
        .lines()
        .skip(1)
        .map(str::to_owned)
        .collect();
    let payload: Value = serde_json::from_str(&text).expect("JSON");
    let seed_text = payload
        .get("seed")
        .and_then(Value::as_str)
        .expect("a seed")
        .to_owned();
    for content in [
        identity,
        seed,
        text.into_bytes(),
        seed_text.clone().into_bytes(),
    ] {
        for place in "identity peering.seed.age kubeconfig.age peering.yaml".split(' ') {
            let checkout = Checkout::new();
            if place == "identity" {
                put(checkout.identity(), &content);
            } else {
                checkout.write(place, &content);
            }
            let outcome = checkout.plugin("consumer").run();
            let secrets = [
                secret.as_str(),
                seed_text.trim_start_matches("ARGOCD-PEERING-SEED-1"),
            ];
            if outcome.code != Some(0) {
                failed(&outcome);
            }
            for secret in secrets.into_iter().chain(
                armored
                    .iter()
                    .map(String::as_str)
                    .filter(|line| line.len() > 40),
            ) {
                assert_eq!(
                    shown(&outcome.everything(), secret),
                    None,
                    "in {place}: {outcome}"
                );
            }
        }
    }
    // and named by the document
    let named = Checkout::of(edited("peering.seed.age }", "identity.txt }"));
    fs::copy(named.identity(), named.folder().join("identity.txt")).expect("a copy");
    let outcome = named.plugin("provider").run();
    outcome.fails(3, "sealed-payload").says("identity.txt");
    assert_eq!(shown(&outcome.stderr, &secret), None, "{outcome}");
}

/// A new seed is shown to nobody, not even to whoever made it.
#[test]
fn a_new_seed_is_not_shown() {
    let checkout = Checkout::new();
    let recipient = demo().to_public().to_string();
    let new = [
        "seed",
        "new",
        "new.age",
        "--clusters",
        "consumer,provider",
        "--recipient",
        &recipient,
    ];
    let outcome = checkout.program(new).run();
    outcome.done();
    let sealed = fs::read(checkout.folder().join("new.age")).expect("the seed");
    let payload: Value = serde_json::from_str(&opened(&sealed, &demo())).expect("JSON");
    let seed = payload.get("seed").and_then(Value::as_str).expect("a seed");
    let secret = seed.trim_start_matches("ARGOCD-PEERING-SEED-1");
    assert_eq!(shown(&outcome.everything(), secret), None, "{outcome}");
    assert!(!String::from_utf8_lossy(&sealed).contains("SEED"));
}
