//! The commands for people: what they print is pasted into issues, and shown by CI.

use super::canary::{CANARIES, Canary, HEX};
use crate::harness::{
    Checkout, Outcome, RECIPIENT, SEED, Sample, Text, age_file, demo, edited, parts, put, sealed,
    seed_payload, terms, words,
};
use age::armor::Format;
use serde_json::{Value, json};
use std::fs;

const SEED_SECRET: Canary = Canary {
    what: "the seed",
    prefix: "ARGOCD-PEERING-SEED-1",
    text: SEED,
};

/// A line as it is typed in the folder: `ID` is the identity's flag, `TO` the recipient's.
fn typed(checkout: &Checkout, line: &str) -> Outcome {
    let word = |word| match word {
        "ID" => vec!["--identity-file", "../../../../identity/identity.txt"],
        "TO" => vec!["--recipient", RECIPIENT],
        word => vec![word],
    };
    checkout.program(line.split(' ').flat_map(word)).run()
}

/// Every command that reads a document, and what it says of it.
fn of_document(checkout: &Checkout) -> Vec<Outcome> {
    let lines = [
        "validate",
        "validate --format json",
        "keys ID",
        "generate --public --role consumer",
        "generate --local --role provider ID",
        "seed rotate --role consumer ID",
    ];
    let typed = lines.iter().map(|line| typed(checkout, line));
    typed.chain([checkout.plugin("consumer").run()]).collect()
}

/// A part of `documents.txt`: rows of two words.
fn rows(part: usize) -> impl Iterator<Item = [String; 2]> {
    let part = parts(include_str!("documents.txt")).swap_remove(part);
    part.into_iter()
        .map(|line| words(line).try_into().expect("two words"))
}

#[test]
fn a_secret_in_the_document_is_shown_by_no_command() {
    let mut sample = Sample::new();
    for canary in CANARIES.into_iter().chain([HEX]) {
        for [place, value] in rows(0).filter(|_| sample.takes()) {
            let checkout = Checkout::of(edited(&place, &value.replace('@', canary.text)));
            for outcome in of_document(&checkout) {
                // in small letters some of them are good names of a host, and then the manifests have them
                let is_right = outcome.code == Some(0);
                let said = if is_right {
                    outcome.stderr.clone()
                } else {
                    outcome.everything()
                };
                canary.is_hidden_in(&said, &value);
            }
        }
    }
}

/// What is meant is guessed from what is written, in small letters, which the mask does not take for a secret.
#[test]
fn nothing_is_guessed_from_a_secret() {
    let mut sample = Sample::new();
    for [place, value] in rows(1) {
        for [written, secret] in rows(2).filter(|_| sample.takes()) {
            let written = written.replace('@', &secret);
            let checkout = Checkout::of(edited(&place, &value.replace('@', &written)));
            for outcome in of_document(&checkout) {
                let found = super::canary::shown(&outcome.everything(), &secret);
                assert_eq!(
                    found, None,
                    "{value} {written}: {outcome}\n{}",
                    outcome.stdout
                );
            }
        }
    }
}

/// The name of a file is shown where the file is not found.
#[test]
fn a_secret_that_names_a_file_is_not_shown() {
    for canary in CANARIES.into_iter().chain([HEX]) {
        let name = canary.text.replace(['+', '/', '='], "_");
        for place in ["peering.seed.age }", "kubeconfig.age }"] {
            let checkout = Checkout::of(edited(place, &format!("{name} }}")));
            for outcome in of_document(&checkout) {
                if outcome.code != Some(0) {
                    canary.is_hidden_in(&outcome.everything(), place);
                }
            }
        }
    }
}

/// Several peerings that contradict each other by a secret.
#[test]
fn a_secret_that_two_peerings_share_is_not_shown() {
    let hex = HEX.text.get(..40).expect("a part");
    let namespace = format!("clusterID: consumer\n    tenantNamespace: {hex}");
    let checkout = Checkout::of(edited("clusterID: consumer", &namespace));
    let other = checkout.root().join("peerings/other");
    let document =
        fs::read_to_string(checkout.folder().join("peering.yaml")).expect("the document");
    let document = document.replacen("clusterID: provider", "clusterID: another", 1);
    put(other.join("peering.yaml"), document);
    for format in ["text", "json"] {
        let outcome = checkout
            .program(["validate", "--format", format, ".."])
            .run();
        outcome.ends(1);
        HEX.is_hidden_in(&outcome.everything(), format);
    }
}

/// A look into a file that somebody else sealed: its terms are theirs, and go to the terminal of whoever looks.
#[test]
fn what_is_inspected_can_neither_forge_nor_leak() {
    let checkout = Checkout::new();
    let forged = "x\nkind: seed\n\u{1b}[31m\u{9b}2J\u{202e}\r";
    let password = "https://me:hunter2-hunter2@git.example.org/a";
    for (term, value) in [
        ("projects", forged),
        ("repos", password),
        ("repos", forged),
        ("paths", forged),
    ] {
        let mut bind = terms();
        *bind.get_mut(term).expect(term) = json!([value]);
        checkout.write("peering.seed.age", sealed(&seed_payload(&bind)));
        let lines = [
            "inspect peering.seed.age ID",
            "reseal peering.seed.age TO ID",
        ];
        let outcomes = lines.map(|line| typed(&checkout, line));
        let local = checkout.local("provider").run();
        for outcome in outcomes.into_iter().chain([local]) {
            // the stream of a local run has its own private key in it
            let has_key = outcome.stdout.contains("privateKey");
            let text = if has_key {
                outcome.stderr.clone()
            } else {
                outcome.everything()
            };
            let odd = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!text.contains(odd), "{term}: {text:?}");
            let kinds = text.matches("kind: seed\n").count();
            assert_eq!(kinds, usize::from(text.contains("recipients: ")), "{text}");
            text.lacks("hunter2");
            SEED_SECRET.is_hidden_in(&text, term);
        }
    }
}

/// No command that opens a file shows what is in it, whatever state it is in.
#[test]
fn what_is_opened_is_not_shown() {
    let checkout = Checkout::new();
    let good = seed_payload(&terms()).to_string();
    let mut payloads = vec![
        good.clone(),
        SEED.to_owned(),
        format!("{SEED}x"),
        good.replace("\"v\":1", "\"v\":2"),
    ];
    payloads.extend(Sample::new().of(nearly_right(&good)));
    for payload in payloads {
        checkout.write(
            "peering.seed.age",
            age_file(&[&demo()], payload.as_bytes(), Format::Binary),
        );
        let mut outcomes = of_document(&checkout);
        outcomes.push(typed(&checkout, "inspect peering.seed.age ID"));
        for line in [
            "reseal peering.seed.age TO -o new.age ID",
            "seed rotate --role provider --new-seed TO ID",
        ] {
            let refusal = typed(&checkout, line);
            let confirmed = refusal.expected();
            let confirmed = confirmed.map(|digest| format!("{line} --expect {digest}"));
            outcomes.extend(confirmed.map(|line| typed(&checkout, &line)));
            outcomes.push(refusal);
        }
        for outcome in outcomes {
            SEED_SECRET.is_hidden_in(&outcome.everything(), &payload);
        }
        let _ = fs::remove_file(checkout.folder().join("new.age"));
    }
}

/// Payloads with one character less, with another one, or cut; and with the secret in another field.
fn nearly_right(good: &str) -> Vec<String> {
    let mut payloads = Vec::new();
    for at in (0..good.len()).step_by(29) {
        let (before, after) = good.split_at(at);
        payloads.extend([
            format!("{before}{}", &after[1..]),
            format!("{before}\"{}", &after[1..]),
            before.to_owned(),
        ]);
    }
    let with = |pointer: &str, field: &str, value: Value| {
        let mut payload = seed_payload(&terms());
        payload.pointer_mut(pointer).expect("a map")[field] = value;
        payload.to_string()
    };
    let fields = ["v", "type", "kubeconfig", "bind", "extra", "SEED"];
    payloads.extend(fields.map(|field| with("", field, json!(SEED))));
    for term in ["peerings", "projects", "repos", "paths"] {
        let values = [json!(SEED), json!([SEED]), json!([[SEED, SEED]])];
        payloads.extend(values.map(|value| with("/bind", term, value)));
    }
    let seeds = [format!("{SEED}Q"), SEED.to_lowercase(), format!("\n{SEED}")];
    payloads.extend(seeds.map(|seed| with("", "seed", json!(seed))));
    payloads
}

/// Seeds that were made elsewhere: the whole file is the secret.
#[test]
fn an_imported_seed_is_not_shown() {
    let checkout = Checkout::new();
    let import = |file: &str| {
        let line = "seed import new.age --clusters a,b TO --base64";
        typed(&checkout, &format!("{line} {file}"))
    };
    for canary in CANARIES.into_iter().chain([HEX]) {
        for content in [
            "@",
            "@\n",
            " @",
            "@@",
            "@\n@\n",
            "# a comment\n@\n",
            "\"@\"",
            "seed: @",
        ] {
            checkout.write("seed.b64", content.replace('@', canary.text));
            let outcome = import("seed.b64");
            assert_eq!(outcome.stdout, "", "{outcome}");
            canary.is_hidden_in(&outcome.stderr, content);
            let _ = fs::remove_file(checkout.folder().join("new.age"));
        }
        // in the place of its file, and of a code
        for outcome in [
            import(canary.text),
            checkout.program(["explain", canary.text]).run(),
        ] {
            assert_ne!(outcome.code, Some(0), "{outcome}");
            canary.is_hidden_in(&outcome.everything(), "a word");
        }
    }
}
