//! `authenticate`: Liqo's handshake into the document, by a `kubectl` that plays both clusters.

use super::team::{Needs, Team};
use crate::harness::run::Outcome;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

const KEY: &str = include_str!("../../certificates/handshake.key");
const REQUEST: &str = include_str!("../../certificates/handshake.csr");
const CERTIFICATE: &str = include_str!("../../certificates/handshake.crt");

const KUBECTL: &str = r#"#!/bin/sh
here=${0%/*}
echo "$*" >>"$here/argv"
case "$*" in
*" get configmaps "*) case "$*" in --context=rome*) echo rome ;; *) echo milan ;; esac ;;
*" get secret authentication-keys --namespace=liqo "*) cat "$here/key" ;;
*" get tenants.authentication.liqo.io rome --namespace=liqo-tenant-rome "*) cat "$here/tenant" ;;
*) exit 1 ;;
esac
"#;

/// A folder with a `kubectl` that plays both clusters: `rome` has a key, and `milan` has signed.
pub(crate) fn clusters(folder: &Path) {
    for (name, text) in [("kubectl", KUBECTL.to_owned()), ("key", STANDARD.encode(KEY))] {
        fs::write(folder.join(name), text).expect(name);
    }
    fs::set_permissions(folder.join("kubectl"), fs::Permissions::from_mode(0o755)).expect("set");
    sign(folder, CERTIFICATE);
}

fn sign(folder: &Path, certificate: &str) {
    let params = format!(
        r#"{{"status":{{"authParams":{{"apiServer":"https://192.0.2.1:6443","ca":"{}","signedCRT":"{}"}}}}}}"#,
        STANDARD.encode(CERTIFICATE),
        STANDARD.encode(certificate)
    );
    fs::write(folder.join("tenant"), params).expect("the Tenant");
}

/// A team whose peering has a kubeconfig.
struct Place(Team);

impl Place {
    fn new() -> Self {
        let place = Self(Team::new(Needs::Kubeconfig, &[]));
        place.edit("spec:\n", "spec:\n  liqoVersion: \"1.2\"\n");
        clusters(&place.0.path(""));
        place
    }

    fn tenant(&self, certificate: &str) {
        sign(&self.0.path(""), certificate);
    }

    fn edit(&self, old: &str, new: &str) {
        let text = self.0.document();
        assert!(text.contains(old), "{old}");
        self.0.write("peering.yaml", text.replacen(old, new, 1));
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        let path = format!("{}:/usr/bin:/bin", self.0.path("").display());
        self.0.as_person(&[&["authenticate"], arguments].concat()).env("PATH", path).run()
    }

    fn stream(&self, role: &str) -> String {
        let identity = self.0.identity();
        let arguments = ["generate", ".", "--local", "--role", role, "--identity-file", &identity, "--force"];
        self.0.as_person(&arguments).run().stream().to_owned()
    }
}

const CONSUMER: [&str; 4] = ["consumer", "--from-context", "rome", "--yes"];
const PROVIDER: [&str; 4] = ["provider", "--from-context", "milan", "--yes"];

/// No Secret of the stream goes before Liqo has taken it over.
#[test]
fn a_peering_with_a_kubeconfig_moves_over() {
    let place = Place::new();
    let secret = "name: \"kubeconfig-controlplane-milan\"";
    assert!(place.stream("consumer").contains(secret));
    let outcome = place.run(&CONSUMER);
    outcome.done();
    let document = place.0.document();
    assert!(document.contains("    kubeconfig: { file: kubeconfig.age }"), "{document}");
    assert!(document.contains(&STANDARD.encode(REQUEST)), "Go's bytes: {document}");
    let (consumer, provider) = (place.stream("consumer"), place.stream("provider"));
    assert!(consumer.contains(secret) && consumer.contains("\ndata:") && !consumer.contains("\"Identity\""));
    assert!(provider.contains("authzPolicy: \"KeysExchange\"") && provider.contains("\"liqo-nonce\""));
    place.run(&PROVIDER).done();
    let consumer = place.stream("consumer");
    assert!(consumer.contains(secret) && !consumer.contains("\ndata:"), "{consumer}");
    assert!(consumer.contains("name: \"controlplane-milan\""), "{consumer}");
    assert!(!place.0.document().contains("kubeconfig"), "{}", place.0.document());
    // the private key is nowhere
    let body: String = KEY.lines().filter(|line| !line.starts_with('-')).collect();
    let told = fs::read_to_string(place.0.path("argv")).expect("what kubectl was told");
    for text in [outcome.everything(), place.0.document(), told] {
        assert!(!text.contains(&body) && !text.contains(&STANDARD.encode(KEY)), "{text}");
    }
}

/// As `init` writes it: nothing of it is in a stream yet, and who gets rights is known.
#[test]
fn a_handshake_begins_with_a_word() {
    let place = Place::new();
    let old =
        "    subject: { kind: User, name: rome }\n    credential: { kubeconfig: { file: kubeconfig.age } }\n";
    place.edit(old, "    credential: { keysExchange: pending }\n");
    let provider = place.stream("provider");
    assert!(provider.contains("authzPolicy: \"TolerateNoHandshake\"") && !provider.contains("liqo-nonce"));
    assert!(provider.contains("kind: \"User\"\n    name: \"rome\""), "{provider}");
    place.run(&PROVIDER).says("`authenticate consumer` comes first");
    place.run(&CONSUMER).done();
    place.run(&PROVIDER).done();
    assert!(place.stream("consumer").contains("name: \"controlplane-milan\""));
    let signed = place.0.document();
    let (before, _) = signed.split_once("    credential:").expect("one");
    for (new, words) in [
        ("    credential: { keysExchange: pendign }", "did you mean `pending`?"),
        (
            "    subject: { kind: User, name: milan }\n    credential: { keysExchange: pending }",
            "the credential authenticates as the user `rome`",
        ),
    ] {
        place.0.write("peering.yaml", format!("{before}{new}\n"));
        place.run(&PROVIDER).says(words);
    }
}

/// The same request and signature each time: Liqo refuses others.
#[test]
fn what_is_signed_twice_is_the_same() {
    let place = Place::new();
    place.run(&CONSUMER).done();
    let first = place.0.document();
    place.run(&CONSUMER).done();
    assert_eq!(place.0.document(), first);
}

#[test]
fn a_half_is_handed_over_as_a_file() {
    let (rome, milan) = (Place::new(), Place::new());
    let nonce = ["--nonce", "what-milan-has-given-to-rome"];
    let printed = rome.run(&[&CONSUMER[..], &nonce, &["--print"]].concat()).done().to_owned();
    assert!(!rome.0.document().contains("keysExchange"));
    fs::write(milan.0.path("rome.yaml"), &printed).expect("written");
    let file = milan.0.path("rome.yaml").display().to_string();
    milan.run(&["consumer", "--from-file", &file, "--yes"]).done();
    assert!(milan.0.document().contains("nonce: what-milan-has-given-to-rome"), "{}", milan.0.document());
    let tenant = milan.0.path("tenant").display().to_string();
    milan.run(&["provider", "--from-file", &tenant, "--yes"]).done();
    assert!(milan.0.document().contains("signedCRT: "));
}

#[test]
fn what_is_not_right_is_not_written() {
    let place = Place::new();
    let refused = |arguments: &[&str], words: &str| {
        let before = place.0.document();
        place.run(arguments).says(words);
        assert_eq!(place.0.document(), before, "{arguments:?}");
    };
    refused(&CONSUMER[..3], "there is no terminal to ask at");
    refused(&["consumer", "--from-context", "milan", "--yes"], "this is the cluster `milan`");
    refused(&PROVIDER, "there is no `keysExchange` yet");
    place.run(&CONSUMER).done();
    place.tenant(include_str!("../../certificates/client.crt"));
    refused(&PROVIDER, "is not a certificate for the key and the user of `csr`");
    fs::write(place.0.path("tenant"), r#"{"status":{}}"#).expect("written");
    refused(&PROVIDER, "there is no `apiServer`");
    refused(&PROVIDER, ": it is in `status.authParams` of the Tenant when the provider's Liqo has signed");
    fs::write(place.0.path("key"), STANDARD.encode("-----BEGIN PRIVATE KEY-----")).expect("written");
    refused(&CONSUMER, "an Ed25519 key");
}

const APPLICATION: &str = "apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: rome-milan-consumer, namespace: argocd }
spec:
  project: peering-consumer
  source:
    repoURL: https://git.example.org/net/peerings.git
    path: peerings/rome-milan
    plugin: { name: argocd-peering, parameters: [{ name: role, string: consumer }] }
  destination: { name: rome, namespace: liqo-tenant-milan }
  syncPolicy: { syncOptions: [PrunePropagationPolicy=background] }
";

/// Argo CD leaves the renewed certificate alone only with both settings.
#[test]
fn an_application_leaves_the_certificate_to_liqo() {
    const BACK: &str = "Argo CD writes back the one in Git";
    const SYNC: &str = "each sync writes the certificate in Git";
    let place = Place::new();
    let validate = |application: &str| {
        place.0.write("application-consumer.yaml", application);
        place.0.as_person(&["validate", "."]).run()
    };
    validate(APPLICATION).silent_on(BACK);
    place.run(&CONSUMER).done();
    validate(APPLICATION).says("note[unsigned]").silent_on(BACK);
    place.run(&PROVIDER).done();
    validate(APPLICATION).says(BACK).silent_on("unsigned");
    for ignored in [
        "[{ group: authentication.liqo.io, kind: Identity, jsonPointers: [/spec/authParams/signedCRT] }]",
        "[{ group: '*', kind: Identity, jqPathExpressions: [.spec.authParams] }]",
    ] {
        let with = format!("{APPLICATION}  ignoreDifferences: {ignored}\n");
        validate(&with).says(SYNC).silent_on(BACK);
        let both = with.replace("[PrunePropagation", "[RespectIgnoreDifferences=true, PrunePropagation");
        validate(&both).silent_on(SYNC).silent_on(BACK);
    }
    let other = "[{ group: authentication.liqo.io, kind: Identity, jsonPointers: [/spec/authParams/ca] }]";
    validate(&format!("{APPLICATION}  ignoreDifferences: {other}\n")).says(BACK);
}

/// Whoever can push can put another key there, and the provider signs for it.
#[test]
fn diff_names_another_key() {
    let place = Place::new();
    place.run(&CONSUMER).done();
    place.run(&PROVIDER).done();
    let before = place.0.path("before");
    fs::create_dir(&before).expect("a folder");
    fs::write(before.join("peering.yaml"), place.0.document()).expect("written");
    let key = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExM\n-----END PRIVATE KEY-----\n";
    fs::write(place.0.path("key"), STANDARD.encode(key)).expect("written");
    place.run(&CONSUMER).done();
    let before = before.display().to_string();
    let outcome = place.0.as_person(&["diff", &before, "."]).run();
    let has = |words: &str| outcome.stdout.split_whitespace().collect::<Vec<_>>().join(" ").contains(words);
    assert!(has("Another key for the other cluster's control plane") && has("widens"), "{outcome}");
}
