//! Kubeconfigs: their tokens, passwords and keys, when they are sealed and when they are opened.

use super::canary::shown;
use crate::harness::library::Kubeconfig;
use crate::harness::{
    Checkout, Outcome, Sample, age_file, demo, kubeconfig_payload, lines, sealed, terms, words,
};
use age::armor::Format;
use std::fs;

const TOKEN: &str = "hunter2-hunter2-hunter2";
const PASSWORD: &str = "correct horse battery staple";
/// Base64 of the first line of a private key and of some text.
const KEY_DATA: &str = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCmh1bnRlcjMtaHVudGVyMy1odW50ZXIzCg==";
const SECRETS: [&str; 3] = [TOKEN, PASSWORD, KEY_DATA];

const TOKEN_LINE: &str = "token: hunter2-hunter2-hunter2";
const PASSWORD_LINES: &str = "username: u\n    password: correct horse battery staple";

/// One that is taken: a user with a certificate and, in `other`, a token or a password.
fn kubeconfig(other: &str) -> String {
    format!(
        "current-context: c
clusters: [{{name: k, cluster: {{server: 'https://192.0.2.1:6443'}}}}]
contexts: [{{name: c, context: {{cluster: k, user: u}}}}]
users:
- name: u
  user:
    {other}
    client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==
    client-key-data: {KEY_DATA}
"
    )
}

/// The kubeconfig, and each way to make it wrong that the program has a word for.
fn variants() -> Vec<String> {
    let both = format!("{TOKEN_LINE}\n    {PASSWORD_LINES}");
    let goods = [
        kubeconfig(TOKEN_LINE),
        kubeconfig(PASSWORD_LINES),
        kubeconfig(&both),
    ];
    let mut variants = Vec::new();
    for good in &goods {
        let twice = [
            format!("{good}{good}"),
            format!("{good}---\n{good}"),
            format!("{good}  x\n"),
        ];
        variants.push(good.clone());
        variants.extend(twice);
    }
    for row in lines(include_str!("kubeconfigs.txt")).map(words) {
        let [_, from, to] = &row[..] else {
            panic!("{row:?}")
        };
        let fitting: Vec<&String> = goods
            .iter()
            .filter(|good| good.contains(from.as_str()))
            .collect();
        assert!(!fitting.is_empty(), "{from}");
        variants.extend(
            fitting
                .into_iter()
                .map(|good| good.replacen(from.as_str(), to, 1)),
        );
    }
    variants
}

#[track_caller]
fn hidden(outcome: &Outcome, text: &str) {
    for secret in SECRETS {
        assert_eq!(shown(&outcome.stderr, secret), None, "{text}\n{outcome}");
    }
    if outcome.code != Some(0) {
        assert_eq!(outcome.stdout, "", "{outcome}");
    }
}

#[test]
fn sealing_repeats_no_value() {
    let recipient = demo().to_public().to_string();
    let (mut refused, mut sample) = (0, Sample::new());
    for text in variants().into_iter().filter(|_| sample.takes()) {
        let checkout = Checkout::new();
        fs::remove_file(checkout.folder().join("kubeconfig.age")).expect("the kubeconfig");
        checkout.write("k.yaml", &text);
        let arguments = [
            "seal",
            "kubeconfig",
            "k.yaml",
            "--clusters",
            "a,b",
            "--recipient",
            &recipient,
        ];
        let outcome = checkout.program(arguments).run();
        hidden(&outcome, &text);
        assert_eq!(outcome.stdout, "");
        refused += usize::from(outcome.code != Some(0));
    }
    assert!(refused > sample.share(30), "{refused}");
}

#[test]
fn opening_repeats_no_value() {
    let checkout = Checkout::new();
    let (mut refused, mut sample) = (0, Sample::new());
    for text in variants().into_iter().filter(|_| sample.takes()) {
        checkout.write(
            "kubeconfig.age",
            sealed(&kubeconfig_payload(&text, &terms())),
        );
        let bound = checkout.plugin("consumer").run();
        hidden(&bound, &text);
        refused += usize::from(bound.code != Some(0));
        checkout.write(
            "kubeconfig.age",
            age_file(&[&demo()], text.as_bytes(), Format::AsciiArmor),
        );
        hidden(&checkout.plugin("consumer").run(), &text);
        hidden(&checkout.local("consumer").run(), &text);
    }
    assert!(refused > sample.share(30), "{refused}");
}

/// Every single slip of a hand: what is said is one of a few constant sentences.
#[test]
fn a_slip_at_every_place_is_not_quoted() {
    for good in [kubeconfig(TOKEN_LINE), kubeconfig(PASSWORD_LINES)] {
        every_slip(&good);
    }
}

fn every_slip(good: &str) {
    assert!(Kubeconfig::parse(good).is_ok(), "it is taken as it is");
    let mut refused = 0;
    for at in 0..good.len() {
        let (before, after) = good.split_at(at);
        let after_next = good.get(at + 1..).expect("ASCII");
        for text in [
            format!("{before}{after_next}"),
            format!("{before}\"{after}"),
            format!("{before}: {after}"),
            format!("{before}\n{after}"),
            format!("{before}[{after}"),
            format!("{before}*{after}"),
            format!("{before}\0{after}"),
        ] {
            if let Err(problem) = Kubeconfig::parse(&text) {
                refused += 1;
                let said = format!("{problem}{problem:?}{}", problem.help());
                for secret in SECRETS {
                    assert_eq!(shown(&said, secret), None, "{said}");
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}
