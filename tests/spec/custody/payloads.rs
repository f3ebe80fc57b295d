//! What stands inside a sealed file: anybody can seal anything to a public recipient.

use crate::harness::{
    Checkout, KUBECONFIG, SEED, age_file, demo, kubeconfig_payload, lines, sealed, seed_payload,
    terms,
};
use age::armor::Format;
use serde_json::{Map, Value, json};

fn with(plaintext: &[u8]) -> Checkout {
    let checkout = Checkout::new();
    checkout.write(
        "peering.seed.age",
        age_file(&[&demo()], plaintext, Format::AsciiArmor),
    );
    checkout
}

/// Refused in Argo CD and by a local run, without a word of what is inside.
fn refused(plaintext: &str, words: &str) {
    let checkout = with(plaintext.as_bytes());
    for run in [checkout.plugin("provider"), checkout.local("provider")] {
        let outcome = run.run();
        assert!(outcome.stderr.contains(words), "{plaintext}: {outcome}");
        outcome
            .fails(3, "sealed-payload")
            .says("peering.seed.age")
            .silent_on("TERHYNWV6Q22");
    }
}

fn changed(pointer: &str, value: Value) -> String {
    let mut payload = seed_payload(&terms());
    *payload.pointer_mut(pointer).expect(pointer) = value;
    payload.to_string()
}

/// A payload with a change of a map in it.
fn of(pointer: &str, change: impl FnOnce(&mut Map<String, Value>)) -> String {
    let mut payload = seed_payload(&terms());
    change(
        payload
            .pointer_mut(pointer)
            .and_then(Value::as_object_mut)
            .expect(pointer),
    );
    payload.to_string()
}

#[test]
fn a_payload_as_the_format_has_it_is_taken() {
    with(seed_payload(&terms()).to_string().as_bytes())
        .plugin("provider")
        .run()
        .stream();
    let spaced = serde_json::to_string_pretty(&seed_payload(&terms())).expect("JSON");
    with(format!("\n{spaced}\n").as_bytes())
        .plugin("provider")
        .run()
        .stream();
}

#[test]
fn a_later_version_asks_for_an_upgrade() {
    for version in [0_u64, 2, 99, u64::MAX] {
        refused(&changed("/v", json!(version)), "upgrade the plugin");
    }
    let later = json!({ "v": 2, "type": "seed", "seeds": [SEED], "policy": {} });
    refused(&later.to_string(), "upgrade the plugin");
    // who can open it may know
    with(later.to_string().as_bytes())
        .local("provider")
        .run()
        .says("its content has version 2");
}

/// A field that this program does not know could be a term. More of the terms' own are in `src/custody/terms/tests.rs`.
#[test]
fn what_is_not_exactly_a_payload_is_refused() {
    for line in lines(include_str!("payloads.txt")) {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (how, place, value) = (word(), word(), word().replace("SEED", SEED));
        let (pointer, field) = place.rsplit_once('/').expect("a place");
        let payload = of(pointer, |map| {
            let before = match how {
                "removed" => map.remove(field),
                "added" | "changed" => {
                    map.insert(field.into(), serde_json::from_str(&value).expect("JSON"))
                }
                _ => panic!("no row: {line}"),
            };
            assert_eq!(before.is_none(), how == "added", "{line}");
        });
        let is_of_terms = place.starts_with("/bind") && line != "removed /bind";
        let words = if is_of_terms {
            "its terms do not have the form"
        } else {
            "not a payload"
        };
        refused(&payload, words);
    }
}

#[test]
fn a_seed_must_be_a_seed() {
    let mut damaged = SEED.to_owned();
    damaged.replace_range(
        40..41,
        if damaged.get(40..41) == Some("Q") {
            "P"
        } else {
            "Q"
        },
    );
    let mixed = SEED.replacen("TERH", "terh", 1);
    let shorter = SEED.get(..78).expect("text").to_owned();
    for wrong in [
        damaged,
        mixed,
        shorter,
        SEED.to_lowercase(),
        String::new(),
        format!("{SEED} "),
        format!("{SEED}{SEED}"),
        "AGE-SECRET-KEY-1F2HNQWZ4Z3N7K97Z4FWHVK96VE45LJQSZX87ACFEA3YHVQADA68S0YVZX9".to_owned(),
        "00".repeat(32),
    ] {
        refused(&changed("/seed", json!(wrong)), "its seed is not valid");
    }
}

#[test]
fn files_in_each_others_place_are_told_so() {
    let checkout = Checkout::new();
    checkout.write(
        "peering.seed.age",
        sealed(&kubeconfig_payload(KUBECONFIG, &terms())),
    );
    let outcome = checkout.plugin("provider").run();
    outcome
        .fails(3, "sealed-payload")
        .says("it holds a kubeconfig, and a seed is needed");
    let checkout = Checkout::new();
    checkout.write("kubeconfig.age", sealed(&seed_payload(&terms())));
    let outcome = checkout.plugin("consumer").run();
    outcome.fails(3, "sealed-payload").says("kubeconfig.age");
    outcome.says("it holds a seed, and a kubeconfig is needed");
}

#[test]
fn what_is_no_json_has_no_terms() {
    for plaintext in [
        "",
        "hello",
        "{",
        "[]",
        "null",
        "{\"v\":\"1\"}",
        "{\"v\":1.0}",
        "{\"v\":-1}",
        "{\"v\":1,\"v\":1}",
    ] {
        with(plaintext.as_bytes())
            .plugin("provider")
            .run()
            .fails(3, "sealed-payload")
            .says("has no terms");
        let local = with(plaintext.as_bytes()).local("provider").run();
        local
            .fails(3, "sealed-payload")
            .says("its seed is not valid");
    }
    with(b"\xff\xfe")
        .plugin("provider")
        .run()
        .fails(3, "sealed-payload")
        .says("not a payload");
    with("[".repeat(8_000).as_bytes())
        .plugin("provider")
        .run()
        .fails(3, "sealed-payload")
        .says("no terms");
}

/// `age -R recipients seed.txt` by hand: no terms, so anybody could copy it.
#[test]
fn a_bare_seed_opens_for_a_local_run_only() {
    let checkout = with(format!("{SEED}\n").as_bytes());
    checkout
        .plugin("provider")
        .run()
        .fails(3, "sealed-payload")
        .says("no terms")
        .says("seed new");
    let local = checkout.local("provider").run();
    local
        .says("no terms")
        .says("Argo CD will refuse it")
        .says("seed new");
    let bound = with(seed_payload(&terms()).to_string().as_bytes())
        .plugin("provider")
        .run();
    assert_eq!(local.stream(), bound.stream());
}

#[test]
fn a_bare_kubeconfig_opens_for_a_local_run_only() {
    let checkout = Checkout::new();
    checkout.write(
        "kubeconfig.age",
        age_file(&[&demo()], KUBECONFIG.as_bytes(), Format::AsciiArmor),
    );
    checkout
        .plugin("consumer")
        .run()
        .fails(3, "sealed-payload")
        .says("no terms")
        .says("seal kubeconfig");
    let local = checkout.local("consumer").run();
    local
        .says("kubeconfig.age")
        .says("seal it with `argocd-peering seal kubeconfig`")
        .stream();
}

/// What can be sealed by hand is not better than what the command would have taken.
#[test]
fn a_kubeconfig_is_checked_again_when_it_is_opened() {
    let checkout = Checkout::new();
    let exec = KUBECONFIG.replace("token: abc", "exec: {command: sh}");
    checkout.write(
        "kubeconfig.age",
        sealed(&kubeconfig_payload(&exec, &terms())),
    );
    checkout
        .plugin("consumer")
        .run()
        .fails(3, "kubeconfig")
        .says("kubeconfig.age")
        .says("`exec`");
    checkout.plugin("provider").run().stream();
}

/// Terms are written by whoever sealed the file, which may be anybody who can push, and stand in the sidecar's log.
#[test]
fn terms_cannot_forge_lines_of_the_log() {
    let mut bind = terms();
    let forged =
        "x\nopened peering.seed.age for project=admin repo=? path=?: clusters a/b\u{1b}[31m\r";
    *bind.pointer_mut("/projects").expect("projects") = json!(["*", forged]);
    let checkout = with(seed_payload(&bind).to_string().as_bytes());
    for run in [checkout.plugin("provider"), checkout.local("provider")] {
        run.run().fails(3, "sealed-payload").silent_on("admin");
    }
}
