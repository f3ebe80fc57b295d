//! `authenticate`: Liqo's handshake into the document, by a `kubectl` that plays both clusters.

use crate::command::validate::application;
use crate::harness::team::{Needs, PATH, Team};
use crate::harness::{Outcome, REPO, Text, encoded, put};
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
--context=nowhere*) echo 'error: context "nowhere" does not exist' >&2; exit 1 ;;
*" get configmaps "*) if [ -e "$here/maps" ]; then cat "$here/maps"; else case "$*" in --context=rome*) echo liqo rome ;; *range*) echo liqo milan ;; *) echo milan ;; esac; fi ;;
*" get secret authentication-keys --namespace=liqo "*) cat "$here/key" ;;
*" get tenants.authentication.liqo.io rome --namespace=liqo-tenant-rome "*) cat "$here/tenant" ;;
*) exit 1 ;;
esac
"#;

/// A folder with a `kubectl` that plays both clusters: `rome` has a key, and `milan` has signed.
pub(crate) fn clusters(folder: &Path) {
    for (name, text) in [("kubectl", KUBECTL.to_owned()), ("key", encoded(KEY))] {
        put(folder.join(name), text);
    }
    fs::set_permissions(folder.join("kubectl"), fs::Permissions::from_mode(0o755)).expect("set");
    sign(folder, CERTIFICATE);
}

fn sign(folder: &Path, certificate: &str) {
    let params = format!(
        r#"{{"status":{{"authParams":{{"apiServer":"https://192.0.2.1:6443","ca":"{}","signedCRT":"{}"}}}}}}"#,
        encoded(CERTIFICATE),
        encoded(certificate)
    );
    put(folder.join("tenant"), params);
}

/// A team whose peering has a kubeconfig.
struct Place(Team);

impl Place {
    fn new() -> Self {
        Self::of(Needs::Kubeconfig, &[])
    }

    fn of(needs: Needs, uses: &[&str]) -> Self {
        let place = Self(Team::new(needs, uses));
        place.edit("spec:\n", "spec:\n  liqoVersion: \"1.2\"\n");
        clusters(&place.0.path(""));
        place
    }

    /// With both halves.
    fn exchanged() -> Self {
        let place = Self::new();
        place.run(CONSUMER).done();
        place.run(PROVIDER).done();
        place
    }

    fn sign_with_another_key(&self) {
        put(self.0.path("key"), encoded(OTHER_KEY));
        self.run(CONSUMER).done();
    }

    /// What `diff` shows of a change, in one line.
    fn diff(&self, change: impl FnOnce(&Self)) -> String {
        let before = self.0.path("before");
        put(before.join("peering.yaml"), self.0.document());
        change(self);
        let outcome = self.0.types("diff ~/before .");
        outcome
            .stdout
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn tenant(&self, certificate: &str) {
        sign(&self.0.path(""), certificate);
    }

    fn edit(&self, old: &str, new: &str) {
        let text = self.0.document();
        text.has(old);
        self.0.write("peering.yaml", text.replacen(old, new, 1));
    }

    fn run(&self, line: &str) -> Outcome {
        let path = format!("{}:/usr/bin:/bin", self.0.path("").display());
        self.0
            .typing(&format!("authenticate {line}"))
            .env("PATH", path)
            .run()
    }

    fn stream(&self, role: &str) -> String {
        let line = format!("generate . --local --role {role} --identity-file ID --force");
        self.0.types(&line).stream().to_owned()
    }

    /// No cluster was asked.
    #[track_caller]
    fn asked_nobody(&self) {
        assert!(!self.0.path("argv").exists(), "a cluster was asked");
    }
}

const CONSUMER: &str = "consumer --from-context rome --yes";
const PROVIDER: &str = "provider --from-context milan --yes";

/// No Secret of the stream goes before Liqo has taken it over.
#[test]
fn a_peering_with_a_kubeconfig_moves_over() {
    let place = Place::new();
    let secret = "name: \"kubeconfig-controlplane-milan\"";
    assert!(place.stream("consumer").contains(secret));
    let outcome = place.run(CONSUMER);
    outcome
        .says("\n`rome` signs for `milan`, with the key in the Secret ")
        .done();
    let document = place.0.document();
    document.has("    kubeconfig: { file: kubeconfig.age }");
    assert!(
        document.contains(&encoded(REQUEST)),
        "Go's bytes: {document}"
    );
    let (consumer, provider) = (place.stream("consumer"), place.stream("provider"));
    consumer.has(secret).has("\ndata:").lacks("\"Identity\"");
    provider
        .has("authzPolicy: \"KeysExchange\"")
        .has("\"liqo-nonce\"");
    place.run(PROVIDER).done();
    place
        .stream("consumer")
        .has(secret)
        .lacks("\ndata:")
        .has("name: \"controlplane-milan\"");
    assert!(
        !place.0.document().contains("kubeconfig"),
        "{}",
        place.0.document()
    );
    // the private key is nowhere
    let body: String = KEY.lines().filter(|line| !line.starts_with('-')).collect();
    let told = fs::read_to_string(place.0.path("argv")).expect("what kubectl was told");
    for text in [outcome.everything(), place.0.document(), told] {
        assert!(
            !text.contains(&body) && !text.contains(&encoded(KEY)),
            "{text}"
        );
    }
}

/// Who signs for whom is shown when the cluster was reached.
#[test]
fn a_context_that_is_missing_is_said_before_who_signs() {
    let outcome = Place::new().run("consumer --from-context nowhere --yes");
    outcome
        .fails(3, "program")
        .says("context nowhere")
        .silent_on("signs for");
}

/// The key is that of the cluster's Liqo, and not of a namespace that the document names, or that has made a second ConfigMap.
#[test]
fn the_key_is_that_of_the_clusters_liqo() {
    let place = Place::new();
    let signed = place.run(CONSUMER);
    signed.says("in the Secret `authentication-keys` of the namespace `liqo`");
    signed
        .says("a certificate of the user `rome` in the group `liqo.io`")
        .done();
    for (maps, words) in [
        (
            "mallory rome\n",
            "the Liqo of `rome` is in the namespace `mallory`, and the document has `liqoNamespace: liqo`",
        ),
        (
            "liqo rome\nmallory rome\n",
            "several namespaces have a ConfigMap",
        ),
        (
            "liqo other\nmallory rome\n",
            "several namespaces have a ConfigMap",
        ),
        (
            "liqo other\n",
            "this is the cluster `other`, and the document has `rome`",
        ),
        ("liqo \n", "this is the cluster"),
        ("", "has no ConfigMap `liqo-clusterid-configmap`"),
    ] {
        let place = Place::new();
        put(place.0.path("maps"), maps);
        let refused = place.run(CONSUMER);
        refused.fails(2, "flag").says(words).silent_on("signs for");
        let told = fs::read_to_string(place.0.path("argv")).expect("what kubectl was told");
        told.lacks("get secret");
    }
    let place = Place::new();
    place.edit(
        "clusterID: rome",
        "clusterID: rome\n    liqoNamespace: mallory",
    );
    place
        .run(CONSUMER)
        .fails(2, "flag")
        .says("`liqoNamespace: mallory`: correct the document");
}

/// Before a key is read.
#[test]
fn a_direction_that_the_document_does_not_have_is_refused() {
    let place = Place::new();
    for more in ["--reverse", "--reverse --print"] {
        let outcome = place.run(&format!("{CONSUMER} {more}"));
        outcome
            .fails(2, "flag")
            .says("the document has no `spec.reverse.authentication`");
    }
    place.asked_nobody();
}

/// A form that a person writes.
#[test]
fn an_authentication_in_brackets_is_edited() {
    let place = Place::new();
    let old = "  authentication:\n    subject: { kind: User, name: rome }\n    credential: { kubeconfig: { file: kubeconfig.age } }\n";
    for (brackets, comment) in [
        ("{ credential: { keysExchange: pending } } # a\n", " # a"),
        (
            "{ subject: { kind: User, name: rome }, credential: pending }\n",
            "",
        ),
    ] {
        let before = place.0.document();
        place.edit(old, &format!("  authentication: {brackets}"));
        place.run(CONSUMER).done();
        place
            .0
            .document()
            .has(&format!("  authentication:{comment}\n    credential:\n"));
        place.0.write("peering.yaml", before);
    }
}

/// As `init` writes it: nothing of it is in a stream yet, and who gets rights is known.
#[test]
fn a_handshake_begins_with_a_word() {
    let place = Place::new();
    let old = "    subject: { kind: User, name: rome }\n    credential: { kubeconfig: { file: kubeconfig.age } }\n";
    place.edit(old, "    credential: { keysExchange: pending }\n");
    let provider = place.stream("provider");
    provider
        .has("authzPolicy: \"TolerateNoHandshake\"")
        .lacks("liqo-nonce");
    provider.has("kind: \"User\"\n    name: \"rome\"");
    place
        .run(PROVIDER)
        .says("`authenticate consumer` comes first");
    place.run(CONSUMER).done();
    place.run(PROVIDER).done();
    assert!(
        place
            .stream("consumer")
            .contains("name: \"controlplane-milan\"")
    );
    let signed = place.0.document();
    let (before, _) = signed.split_once("    credential:").expect("one");
    for (new, words) in [
        (
            "    credential: { keysExchange: pendign }",
            "did you mean `pending`?",
        ),
        (
            "    subject: { kind: User, name: milan }\n    credential: { keysExchange: pending }",
            "the credential authenticates as the user `rome`",
        ),
    ] {
        place.0.write("peering.yaml", format!("{before}{new}\n"));
        place.run(PROVIDER).says(words);
    }
}

/// The same request and signature each time: Liqo refuses others.
#[test]
fn what_is_signed_twice_is_the_same() {
    let place = Place::new();
    place.run(CONSUMER).done();
    let first = place.0.document();
    place.run(CONSUMER).done();
    assert_eq!(place.0.document(), first);
}

#[test]
fn a_half_is_handed_over_as_a_file() {
    let (rome, milan) = (Place::new(), Place::new());
    let printed = rome.run(&format!(
        "{CONSUMER} --nonce what-milan-has-given-to-rome --print"
    ));
    assert!(!rome.0.document().contains("keysExchange"));
    put(milan.0.path("rome.yaml"), printed.done());
    milan.run("consumer --from-file ~/rome.yaml --yes").done();
    assert!(
        milan
            .0
            .document()
            .contains("nonce: what-milan-has-given-to-rome"),
        "{}",
        milan.0.document()
    );
    milan.run("provider --from-file ~/tenant --yes").done();
    assert!(milan.0.document().contains("signedCRT: "));
}

#[test]
fn what_is_not_right_is_not_written() {
    let place = Place::new();
    let refused = |line: &str, words: &str| {
        let before = place.0.document();
        place.run(line).says(words);
        assert_eq!(place.0.document(), before, "{line}");
    };
    refused(
        "consumer --from-context rome",
        "there is no terminal to ask at",
    );
    refused(
        "consumer --from-context milan --yes",
        "this is the cluster `milan`",
    );
    refused(PROVIDER, "there is no `keysExchange` yet");
    place.run(CONSUMER).done();
    place.tenant(include_str!("../../certificates/client.crt"));
    refused(
        PROVIDER,
        "is not a certificate for the key and the user of `csr`",
    );
    let key: String = KEY.lines().filter(|line| !line.starts_with('-')).collect();
    place.tenant(&format!("{key}\n{CERTIFICATE}"));
    refused(
        PROVIDER,
        "this is not base64 of PEM with certificates and nothing else",
    );
    place.tenant(include_str!("../../certificates/expired.crt"));
    refused(PROVIDER, "the certificate of `signedCRT` expired on ");
    put(place.0.path("tenant"), r#"{"status":{}}"#);
    refused(PROVIDER, "there is no `apiServer`");
    refused(
        PROVIDER,
        ": it is in `status.authParams` of the Tenant when the provider's Liqo has signed",
    );
    put(place.0.path("key"), encoded("-----BEGIN PRIVATE KEY-----"));
    refused(CONSUMER, "an Ed25519 key");
}

/// A person saves the document while the command asks, or reads a cluster.
#[test]
fn an_edit_made_meanwhile_stays() {
    let place = Place::new();
    let document = place.0.folder().join("peering.yaml");
    let edit = format!("echo '# meanwhile' >>'{}'\ncase", document.display());
    put(place.0.path("kubectl"), KUBECTL.replacen("case", &edit, 1));
    place
        .run(CONSUMER)
        .says("peering.yaml: it has changed since this command read it");
    let text = place.0.document();
    assert!(
        text.ends_with("# meanwhile\n") && !text.contains("nonce"),
        "{text}"
    );
}

/// A key is read only for a document that can be written.
#[test]
fn a_document_that_cannot_be_edited_is_refused_before_the_key_is_read() {
    let place = Place::new();
    let text = place.0.document();
    let (start, _) = text.split_once("  authentication:\n").expect("it");
    let split = "  authentication: { credential: # to come\n      { keysExchange: pending } }\n";
    place.0.write("peering.yaml", format!("{start}{split}"));
    place
        .run(CONSUMER)
        .says("`spec.authentication` is not written so that it can be edited");
    place.asked_nobody();
    place
        .run(&format!("{CONSUMER} --print"))
        .prints("  signature: ")
        .done();
    fs::create_dir(place.0.root().join(".git")).expect("a checkout");
    std::os::unix::fs::symlink(place.0.folder(), place.0.root().join("link")).expect("a link");
    fs::remove_file(place.0.path("argv")).expect("it");
    let through = place.run("consumer ../../link --from-context rome --yes");
    through.says("links in a repository are not followed");
    place.asked_nobody();
}

/// Both halves keep what a person wrote: the ends of lines, and comments.
#[test]
fn comments_and_the_ends_of_lines_stay() {
    let place = Place::new();
    let flow = "    credential: { kubeconfig: { file: kubeconfig.age } }\n";
    let block = "    credential: # c1\n      # c2\n      kubeconfig: # c3\n        file: kubeconfig.age # c4 '#'\n";
    for (written, kept) in [
        (
            &*flow.replace('\n', " # c0\n"),
            "    credential: # c0\n      keysExchange:\n",
        ),
        (
            block,
            "    credential: # c1\n      # c2\n      # c3\n      # c4 '#'\n      keysExchange:\n",
        ),
    ] {
        for ends in ["\n", "\r\n"] {
            let before = place.0.document();
            place.edit(flow, written);
            place
                .0
                .write("peering.yaml", place.0.document().replace('\n', ends));
            for half in [CONSUMER, PROVIDER] {
                place.run(half).done();
                let text = place.0.document();
                assert_eq!(
                    text.matches('\n').count(),
                    text.matches(ends).count(),
                    "{text}"
                );
                text.has(&kept.replace('\n', ends));
            }
            place.0.write("peering.yaml", before);
        }
    }
}

/// Argo CD leaves the renewed certificate alone only with both settings.
#[test]
fn an_application_leaves_the_certificate_to_liqo() {
    const BACK: &str = "Argo CD writes back the one in Git";
    const SYNC: &str = "each sync writes the certificate in Git";
    let place = Place::new();
    let validate = |application: &str| {
        place.0.write("application-consumer.yaml", application);
        place.0.types("validate .")
    };
    let application = application("consumer", "rome", PATH);
    validate(&application).silent_on(BACK);
    place.run(CONSUMER).done();
    validate(&application)
        .says("note[unsigned]")
        .silent_on(BACK);
    place.run(PROVIDER).done();
    validate(&application).says(BACK).silent_on("unsigned");
    for ignored in [
        "[{ group: authentication.liqo.io, kind: Identity, jsonPointers: [/spec/authParams/signedCRT] }]",
        "[{ group: '*', kind: Identity, jqPathExpressions: [.spec.authParams] }]",
    ] {
        let with = format!("{application}  ignoreDifferences: {ignored}\n");
        validate(&with).says(SYNC).silent_on(BACK);
        let both = with.replace(
            "[PrunePropagation",
            "[RespectIgnoreDifferences=true, PrunePropagation",
        );
        validate(&both).silent_on(SYNC).silent_on(BACK);
    }
    for other in [
        "[{ group: authentication.liqo.io, kind: Identity, jsonPointers: [/spec/authParams/ca] }]",
        "[{ group: '*', kind: Identity, name: other, jsonPointers: [/spec/authParams/signedCRT] }]",
        "[{ group: '*', kind: Identity, namespace: other, jsonPointers: [/spec/authParams/signedCRT] }]",
    ] {
        validate(&format!("{application}  ignoreDifferences: {other}\n")).says(BACK);
    }
    let wide =
        "[{ group: authentication.liqo.io, kind: Identity, jsonPointers: [/spec/authParams] }]";
    validate(&format!("{application}  ignoreDifferences: {wide}\n"))
        .says("has `/spec/authParams` of `Identity`");
}

/// Another key than the one of Liqo at `rome`.
const OTHER_KEY: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExM\n-----END PRIVATE KEY-----\n";

/// Whose key it is cannot be seen in Git, so the seed's owner or the operator says it.
#[test]
fn a_key_is_pinned_by_terms_and_by_the_policy() {
    const TERMS: [&str; 6] = [
        "--project",
        "p-rome=consumer",
        "--project",
        "p-milan=provider",
        "--repo",
        REPO,
    ];
    let signed = |uses: &[&str], needs| {
        let place = Place::of(needs, &[&TERMS[..], &["--path", PATH], uses].concat());
        let shown = place.run(CONSUMER).stderr;
        place.run(PROVIDER).done();
        let (_, key) = shown.split_once("key: ").expect("the fingerprint");
        (place, key.lines().next().expect("a line").to_owned())
    };
    let provider = |place: &Place, policy: Option<&str>| {
        let run = place.0.own("p-milan", PATH);
        let run = match policy {
            Some(key) => {
                let allow = format!(
                    "[{{projects: ['*'], repos: ['*'], paths: ['*'], publicKeys: ['{key}']}}]"
                );
                run.arg("--policy-file").arg(place.0.policy(&allow))
            }
            None => run,
        };
        run.env(
            "ARGOCD_APP_PARAMETERS",
            r#"[{"name":"role","string":"provider"}]"#,
        )
        .run()
    };
    let local = |place: &Place| {
        place
            .0
            .types("generate --local --role provider --identity-file ID")
    };
    let (free, key) = signed(&[], Needs::Both);
    let nobodys = format!("sha256:{}", "0".repeat(64));
    // by the policy, also where nothing is opened
    let (open, _) = signed(&[], Needs::Kubeconfig);
    for place in [&free, &open] {
        provider(place, None).stream();
        provider(place, Some(&key)).stream();
        provider(place, Some(&nobodys)).fails(3, "denied");
    }
    provider(&open, Some(&nobodys))
        .says("does not allow the subject or key")
        .says("entry 1 of `allow`");
    open.sign_with_another_key();
    provider(&open, Some(&key)).fails(3, "denied");
    // by the terms of the seed
    let (pinned, _) = signed(&["--public-key", &key], Needs::Both);
    provider(&pinned, None).stream();
    local(&pinned).done();
    pinned.sign_with_another_key();
    provider(&pinned, None).fails(3, "denied").silent_on(&key);
    local(&pinned)
        .fails(3, "delivery-denied")
        .says("the subject or key")
        .says(&key);
    let wrong = "seed new x.age --clusters rome,milan --public-key sha256:AB --recipient TO TERMS";
    pinned
        .0
        .types(wrong)
        .fails(2, "flag")
        .says("64 hexadecimal digits");
}

/// What is public can be copied. A signature counts for its nonce only, so a second provider with that nonce is named.
#[test]
fn a_nonce_is_for_one_provider() {
    let place = Place::new();
    place.run(CONSUMER).done();
    let elsewhere = place.0.root().join("peerings/rome-turin");
    fs::create_dir(&elsewhere).expect("a folder");
    let turin = place.0.document().replace("milan", "turin");
    let validated = |text: &str| {
        put(elsewhere.join("peering.yaml"), text);
        place.0.types("validate ..")
    };
    validated(&turin)
        .fails(1, "duplicate-name")
        .says("there is another nonce `");
    let (start, rest) = turin.split_once("nonce: ").expect("a nonce");
    let (_, end) = rest.split_once('\n').expect("its end");
    let outcome = validated(&format!("{start}nonce: another-nonce-of-turin\n{end}"));
    outcome
        .fails(1, "keys-exchange")
        .says("this is not the signature of `publicKey` over `nonce`");
}

/// A nonce that changes alone stops the renewal in silence, and no document can have that. With its signature it can change, and the
/// certificate stays: it is for the key.
#[test]
fn a_nonce_changes_with_its_signature() {
    let sign = |place: &Place| {
        place
            .run(&format!("{CONSUMER} --nonce a-new-nonce-of-milan"))
            .done();
        assert!(
            place.0.document().contains("signedCRT: "),
            "{}",
            place.0.document()
        );
    };
    Place::exchanged()
        .diff(sign)
        .has("the signature over the new one")
        .lacks("Another key");
}

/// Whoever can push can put another key there, and the provider signs for it.
#[test]
fn diff_names_another_key() {
    let words = Place::exchanged().diff(Place::sign_with_another_key);
    for part in [
        "Another key for the other cluster's control plane",
        "widens",
    ] {
        words.has(part);
    }
}
