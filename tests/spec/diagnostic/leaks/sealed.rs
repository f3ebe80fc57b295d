//! Identities, and what stands in sealed files: opened or not, right or damaged, in its own place or in another's.

use super::canary::{Canary, shown};
use crate::harness::{
    Checkout, Outcome, SEED, Sample, age_file, demo, edited, identity, opened, put, seed_payload,
    terms,
};
use age::armor::Format;
use serde_json::{Value, json};
use std::fs;

const SEED_SECRET: Canary = Canary {
    what: "the seed",
    prefix: "ARGOCD-PEERING-SEED-1",
    text: SEED,
};

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

/// A good run prints private keys to stdout, since that is what it is for, and neither the seed nor the identity.
#[test]
fn a_good_run_prints_neither_seed_nor_identity() {
    let checkout = Checkout::new();
    checkout.write(
        "peering.seed.age",
        age_file(
            &[&demo()],
            seed_payload(&terms()).to_string().as_bytes(),
            Format::AsciiArmor,
        ),
    );
    for role in ["consumer", "provider"] {
        for run in [checkout.plugin(role), checkout.local(role)] {
            let outcome = run.run();
            let key = outcome
                .stream()
                .lines()
                .find_map(|line| line.trim().strip_prefix("\"privateKey\": \""));
            let key = key.expect("a private key").trim_end_matches('"').to_owned();
            assert!(key.len() > 40);
            assert_eq!(shown(&outcome.stderr, &key), None, "{outcome}");
            assert_eq!(shown(&outcome.everything(), &identity_of(&checkout)), None);
            SEED_SECRET.is_hidden_in(&outcome.everything(), role);
            assert_eq!(shown(&outcome.stderr, "example-token"), None, "{outcome}");
        }
    }
}

/// The other side's private key is nobody's business on this side.
#[test]
fn a_stream_has_its_own_private_key_only() {
    let checkout = Checkout::new();
    let key = |role: &str| {
        let outcome = checkout.plugin(role).run();
        let stream = outcome.stream();
        let key = stream
            .lines()
            .find_map(|line| line.trim().strip_prefix("\"privateKey\": \""))
            .expect("a key");
        (key.trim_end_matches('"').to_owned(), stream.to_owned())
    };
    let ((consumer_key, consumer), (provider_key, provider)) = (key("consumer"), key("provider"));
    assert_eq!(shown(&provider, &consumer_key), None);
    assert_eq!(shown(&consumer, &provider_key), None);
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
        for place in [
            "identity",
            "peering.seed.age",
            "kubeconfig.age",
            "peering.yaml",
        ] {
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

/// Payloads that are nearly right: one character less, another one, or the secret in another field.
#[test]
fn payloads_that_are_nearly_right() {
    let checkout = Checkout::new();
    let good = seed_payload(&terms()).to_string();
    let mut payloads: Vec<String> = Vec::new();
    for at in (0..good.len()).step_by(5) {
        let (before, after) = (
            good.get(..at).expect("ASCII"),
            good.get(at + 1..).expect("ASCII"),
        );
        payloads.push(format!("{before}{after}"));
        payloads.push(format!("{before}\"{after}"));
        payloads.push(before.to_owned());
    }
    for field in ["v", "type", "kubeconfig", "bind", "extra", "SEED"] {
        let mut payload = seed_payload(&terms());
        payload
            .as_object_mut()
            .expect("a map")
            .insert(field.to_owned(), json!(SEED));
        payloads.push(payload.to_string());
        payload.as_object_mut().expect("a map").remove("seed");
        payloads.push(payload.to_string());
    }
    for term in ["peerings", "projects", "repos", "paths"] {
        for value in [
            json!(SEED),
            json!([SEED]),
            json!([[SEED, SEED]]),
            json!([[SEED.to_lowercase(), "provider"]]),
        ] {
            let mut payload = seed_payload(&terms());
            *payload
                .pointer_mut(&format!("/bind/allow/0/{term}"))
                .expect("a term") = value;
            payloads.push(payload.to_string());
        }
    }
    for seed in [
        format!("{SEED}Q"),
        SEED.to_lowercase(),
        SEED.replace("SEED-1", "SEED-2"),
        format!("\n{SEED}"),
    ] {
        payloads.push(json!({ "v": 1, "type": "seed", "seed": seed, "bind": terms() }).to_string());
        payloads.push(seed);
    }
    payloads.push(good.replace("\"v\":1", &format!("\"v\":\"{SEED}\"")));
    assert!(payloads.len() > 200);
    for payload in Sample::new().of(payloads) {
        checkout.write(
            "peering.seed.age",
            age_file(&[&demo()], payload.as_bytes(), Format::Binary),
        );
        for run in [checkout.plugin("provider"), checkout.local("provider")] {
            let outcome = run.run();
            SEED_SECRET.is_hidden_in(&outcome.everything(), &payload);
            if outcome.code != Some(0) {
                failed(&outcome);
            }
        }
    }
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
