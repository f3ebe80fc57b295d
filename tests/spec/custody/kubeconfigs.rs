//! Kubeconfigs: only what works inside of Liqo's controllers is sealed, and only its current context is passed on.

use super::commands::{TERMS, bare};
use crate::harness::{KUBECONFIG, Outcome, Text, committed, decoded, encoded, opened, put};
use std::fs;
use x509_cert::Certificate;
use x509_cert::der::asn1::BitString;
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{DecodePem as _, EncodePem as _};

/// Base64 of the first line of a certificate and of a key: no more is looked at.
const CERTIFICATE: &str = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==";
const KEY: &str = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCg==";

/// `seal kubeconfig` of this text; the outcome, and whether there is a file afterwards.
fn seal(text: impl AsRef<[u8]>) -> (Outcome, bool) {
    seal_with(text, &[])
}

fn seal_with(text: impl AsRef<[u8]>, flags: &[&str]) -> (Outcome, bool) {
    let (checkout, _, recipient) = bare();
    put(checkout.folder().join("k.yaml"), text);
    let run = checkout
        .program(["seal", "kubeconfig", "k.yaml"])
        .args(TERMS)
        .args(flags.iter().copied());
    let outcome = run.args(["--recipient", &recipient]).run();
    (outcome, checkout.folder().join("kubeconfig.age").exists())
}

#[track_caller]
fn changed(from: &str, to: &str) -> String {
    assert!(KUBECONFIG.contains(from), "{from}");
    KUBECONFIG.replace(from, to)
}

/// The consumer's stream with this kubeconfig, and with this proxy in the document.
fn deliver(text: &str, proxy: Option<&str>) -> Outcome {
    let (checkout, _, recipient) = bare();
    put(checkout.folder().join("k.yaml"), text);
    for command in [
        ["seed", "new"].as_slice(),
        &["seal", "kubeconfig", "k.yaml"],
    ] {
        let other: &[&str] = if command[0] == "seal" {
            &["--allow-other-user"]
        } else {
            &[]
        };
        let run = checkout
            .program(command.iter().copied())
            .args(TERMS)
            .args(other.iter().copied());
        run.args(["--recipient", &recipient])
            .run()
            .silent_on("instead of `pending`")
            .done();
    }
    if let Some(proxy) = proxy {
        let credential = "    credential: { kubeconfig";
        let peering =
            fs::read_to_string(checkout.folder().join("peering.yaml")).expect("the document");
        peering.has(credential);
        let proxied = format!("    proxyURL: {proxy}\n{credential}");
        checkout.write("peering.yaml", peering.replace(credential, &proxied));
    }
    checkout.plugin("consumer").run()
}

/// The kubeconfig in the consumer's Secret.
fn kubeconfig_of(outcome: &Outcome) -> String {
    let mut values = outcome
        .stream()
        .lines()
        .filter_map(|line| line.trim().strip_prefix("\"kubeconfig\": \""));
    let value = values
        .next()
        .expect("a kubeconfig in the stream")
        .trim_end_matches('"');
    assert_eq!(values.next(), None, "one kubeconfig");
    String::from_utf8(decoded(value)).expect("UTF-8")
}

fn delivered(text: &str) -> String {
    kubeconfig_of(&deliver(text, None))
}

/// Its key is not known to be another one's.
#[test]
fn a_certificate_without_a_public_key_is_sealed() {
    let pem = committed("tests/certificates/client-ec.crt");
    let mut certificate = Certificate::from_pem(pem).expect("a certificate");
    certificate
        .tbs_certificate
        .subject_public_key_info
        .subject_public_key = BitString::from_bytes(&[]).expect("an empty one");
    let certificate = encoded(certificate.to_pem(LineEnding::LF).expect("PEM"));
    let key = encoded(committed("tests/certificates/client-ec.key"));
    let data = format!("client-certificate-data: {certificate}, client-key-data: {key}");
    let (outcome, made) = seal_with(changed("token: abc", &data), &["--allow-other-user"]);
    outcome.done();
    assert!(made);
}

/// The proxy in front of the provider's API server is said once, in the document.
#[test]
fn the_documents_proxy_is_the_kubeconfigs() {
    let with = |proxy: &str| with_cluster(&format!("proxy-url: '{proxy}'"));
    let proxy = "http://proxy.example.org:3128";
    for text in [KUBECONFIG.to_owned(), with(""), with(proxy)] {
        kubeconfig_of(&deliver(&text, Some(proxy))).has(&format!("proxy-url: \"{proxy}\""));
    }
    deliver(&with("http://other.example.org"), Some(proxy))
        .fails(3, "kubeconfig")
        .says("`proxyURL`");
}

const SERVER: &str = "server: 'https://192.0.2.1:6443'";

/// A kubeconfig with more fields of its cluster.
fn with_cluster(fields: &str) -> String {
    changed(SERVER, &format!("{SERVER}, {fields}"))
}

/// A number to YAML is quoted in the Secret.
#[test]
fn a_token_of_digits_stays_a_text() {
    assert!(delivered(&changed("token: abc", "token: 12345")).contains("token: \"12345\""));
}

/// As much as is taken.
fn padded(filler: &str) -> String {
    let left = 64 * 1024 - KUBECONFIG.len() - 3;
    format!("{KUBECONFIG}# {}\n", filler.repeat(left / filler.len()))
}

#[test]
fn the_largest_kubeconfig_goes_both_ways() {
    assert!(delivered(&padded("a")).contains("abc"));
}

/// An age file is in parts of 64 KiB, and others open it, too, if the last one has one byte.
#[test]
fn a_content_of_any_length_is_sealed() {
    let sealed = |comment: &str| {
        let (checkout, identity, recipient) = bare();
        put(
            checkout.folder().join("k.yaml"),
            format!("{KUBECONFIG}#{comment}"),
        );
        let run = checkout.program(["seal", "kubeconfig", "k.yaml"]);
        run.args(TERMS)
            .args(["--recipient", &recipient])
            .run()
            .done();
        let sealed = fs::read(checkout.folder().join("kubeconfig.age")).expect("a file");
        (sealed.len(), opened(&sealed, &identity).len())
    };
    let (_, least) = sealed("");
    let wanted = 64 * 1024 + 1;
    assert_eq!(sealed(&"#".repeat(wanted - least)).1, wanted);
    // the largest file that is read again; in the payload's JSON a quote is two bytes
    let quotes = "\"".repeat((96_525 - least) / 2);
    assert_eq!(sealed(&quotes).0, 128 * 1024);
}

/// What could not be opened is not sealed: in the payload's JSON these are two bytes each.
#[test]
fn a_kubeconfig_full_of_quotes_is_not_sealed() {
    let (outcome, made) = seal(padded("\\\""));
    outcome
        .fails(3, "sealing")
        .says("k.yaml")
        .says("it has over 131072 bytes");
    assert!(!made);
}

/// As `kubectl config view --raw -o json` prints it.
#[test]
fn json_is_taken() {
    let json = serde_json::json!({
        "kind": "Config", "apiVersion": "v1", "preferences": {}, "current-context": "c",
        "clusters": [{ "name": "k", "cluster": { "server": "https://192.0.2.1:6443", "certificate-authority-data": CERTIFICATE } }],
        "contexts": [{ "name": "c", "context": { "cluster": "k", "user": "u", "namespace": "x" } }],
        "users": [{ "name": "u", "user": { "client-certificate-data": CERTIFICATE, "client-key-data": KEY } }],
    });
    let delivered = delivered(&serde_json::to_string_pretty(&json).expect("JSON"));
    for part in ["https://192.0.2.1:6443", CERTIFICATE, KEY] {
        delivered.has(part);
    }
}

#[test]
fn only_the_current_context_leaves_the_file() {
    let many = "apiVersion: v1
kind: Config
current-context: milan
clusters:
- {name: rome, cluster: {server: 'https://rome.example.org', certificate-authority: rome.crt}}
- {name: milan, cluster: {server: 'https://milan.example.org', tls-server-name: milan}}
contexts:
- {name: rome, context: {cluster: rome, user: rome-admin}}
- {name: milan, context: {cluster: milan, user: milan-admin}}
users:
- {name: rome-admin, user: {exec: {command: rome-login}, token: rome-token}}
- {name: milan-admin, user: {token: milan-token}}
";
    let delivered = delivered(many);
    delivered
        .has("milan-token")
        .has("https://milan.example.org")
        .lacks("rome");
    delivered.has("tls-server-name: \"milan\"");
}

/// Values that would end a quoted scalar or begin another field.
#[test]
fn a_value_cannot_become_a_field() {
    let text = changed(
        "token: abc",
        "username: u, password: \"x\\\"\\nexec: {command: sh}\\u2028\\u0085\"",
    );
    let delivered = delivered(&text);
    let read: serde_json::Value = serde_saphyr::from_str(&delivered).expect("YAML");
    let user = read
        .pointer("/users/0/user")
        .and_then(serde_json::Value::as_object)
        .expect("a user");
    assert_eq!(
        user.keys().collect::<Vec<_>>(),
        ["password", "username"],
        "{delivered}"
    );
    assert_eq!(
        user.get("password").and_then(|it| it.as_str()),
        Some("x\"\nexec: {command: sh}\u{2028}\u{85}")
    );
}
