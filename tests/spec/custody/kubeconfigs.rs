//! Kubeconfigs: only what works inside of Liqo's controllers is sealed, and only its current context is passed on.

use super::commands::{TERMS, bare};
use crate::harness::{
    Checkout, KUBECONFIG, Outcome, Text, committed, decoded, edited, encoded, kubeconfig_payload,
    put, sealed, table, terms,
};
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
fn refused(text: impl AsRef<[u8]>, words: &str) {
    let (outcome, made) = seal(text);
    outcome.fails(3, "kubeconfig").says("k.yaml").says(words);
    assert!(!made, "nothing is made");
}

#[track_caller]
fn changed(from: &str, to: &str) -> String {
    assert!(KUBECONFIG.contains(from), "{from}");
    KUBECONFIG.replace(from, to)
}

/// With two directions nothing says whose credential a new file is, so the document is left to the person.
#[test]
fn of_two_directions_none_is_chosen() {
    let other = "  reverse: { authentication: { subject: { kind: User, name: a }, credential: { existingSecret: {} } } }\n  networking:\n";
    for (networking, names) in [("  networking:\n", true), (other, false)] {
        let (checkout, _, recipient) = bare();
        let document =
            fs::read_to_string(checkout.folder().join("peering.yaml")).expect("the document");
        let line = document
            .lines()
            .find(|it| it.contains("credential:"))
            .expect("a credential")
            .to_owned();
        let document = document.replace(&line, "    credential: pending");
        checkout.write(
            "peering.yaml",
            document.replace("  networking:\n", networking),
        );
        put(checkout.folder().join("k.yaml"), KUBECONFIG);
        let run = checkout
            .program(["seal", "kubeconfig", "k.yaml", "--allow-other-user"])
            .args(TERMS);
        let outcome = run.args(["--recipient", &recipient]).run();
        outcome.done();
        assert_eq!(
            outcome.stderr.contains("in place of `pending`"),
            names,
            "{outcome}"
        );
        let after =
            fs::read_to_string(checkout.folder().join("peering.yaml")).expect("the document");
        assert_eq!(after.contains("credential: pending"), !names, "{after}");
    }
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
            .silent_on("in place of `pending`")
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

#[test]
fn each_change_is_sealed_or_refused() {
    for line in table::lines(include_str!("kubeconfigs.txt")) {
        let (change, words) = line.split_once(" => ").unwrap_or((line, ""));
        let text = table::changed(KUBECONFIG, &table::words(change));
        assert_ne!(text, KUBECONFIG, "{line}");
        let text = text.replace("CERTIFICATE", CERTIFICATE).replace("KEY", KEY);
        if words.is_empty() {
            assert!(seal(text).1, "{line}");
        } else {
            refused(text, words);
        }
    }
}

/// kubectl copies the file of a certificate, and not that of a token.
#[test]
fn a_token_is_not_flattened() {
    let (outcome, _) = seal(changed("token: abc", "tokenFile: t"));
    outcome
        .fails(3, "kubeconfig")
        .says("write the token itself as `token`")
        .silent_on("--flatten");
}

/// As `base64` without `-w0` breaks it.
#[test]
fn base64_over_lines_is_taken() {
    let broken = |text: &str, end: &str| format!("\"{}{end}{}{end}\"", &text[..20], &text[20..]);
    for end in ["\\n", "\\r\\n"] {
        let (certificate, key) = (broken(CERTIFICATE, end), broken(KEY, end));
        let user = format!("client-certificate-data: {certificate}, client-key-data: {key}");
        assert!(seal(changed("token: abc", &user)).1, "{end}");
    }
}

/// A Secret has them in base64 once more.
#[test]
fn what_is_not_the_value_is_called_so() {
    let token = encoded("{\"alg\":\"RS256\"}");
    let twice = encoded(format!("{token}.e30.x"));
    refused(
        changed("token: abc", &format!("token: {twice}")),
        "still in base64",
    );
    let in_a_secret = format!(
        "apiVersion: v1\nkind: Secret\ndata:\n  value: {}\n",
        encoded(KUBECONFIG)
    );
    refused(
        &in_a_secret,
        "this is a Secret, and not the kubeconfig in it",
    );
    refused(&in_a_secret, "jsonpath='{.data.value}' | base64 -d");
}

/// Go finds PEM at the beginning of a line only.
#[test]
fn pem_begins_a_line() {
    let pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    let with = |pem: &str| with_cluster(&format!("certificate-authority-data: {}", encoded(pem)));
    for before in ["\u{feff}", " ", "x", "a\n\t"] {
        let words = "`certificate-authority-data` does not begin at the beginning of a line";
        refused(with(&format!("{before}{pem}")), words);
    }
    for before in ["", "\n", "subject: x\n", "\r\n", "\u{feff}\n"] {
        assert!(seal(with(&format!("{before}{pem}"))).1, "{before:?}");
    }
    let user = |key: &str| {
        let key = encoded(key);
        changed(
            "token: abc",
            &format!("client-certificate-data: {CERTIFICATE}, client-key-data: {key}"),
        )
    };
    refused(
        user("\u{feff}-----BEGIN EC PRIVATE KEY-----\n"),
        "`client-key-data` does not begin",
    );
    assert!(
        seal(user(
            "-----BEGIN EC PARAMETERS-----\n-----BEGIN EC PRIVATE KEY-----\n"
        ))
        .1
    );
}

/// As Go's `tls.X509KeyPair` asks.
#[test]
fn a_certificate_has_its_own_key() {
    let text = |certificate: &str, key: &str| {
        let data = |name: &str| encoded(committed(&format!("tests/certificates/{name}")));
        let (certificate, key) = (data(certificate), data(key));
        changed(
            "token: abc",
            &format!("client-certificate-data: {certificate}, client-key-data: {key}"),
        )
    };
    let pairs = [
        ("client-ec.crt", "client-ec.key", "other-ec.key"),
        ("client-ec.crt", "client-ec-pkcs8.key", "other-ec.key"),
        (
            "client-ed25519.crt",
            "client-ed25519.key",
            "other-ed25519.key",
        ),
        ("client-ed25519.crt", "client-ed25519.key", "client-ec.key"),
        ("rome.crt", "rome.key", "milan.key"),
        ("rome.crt", "rome.key", "client-ec.key"),
    ];
    for (certificate, key, other) in pairs {
        assert!(
            seal_with(text(certificate, key), &["--allow-other-user"]).1,
            "{certificate} and {key}"
        );
        let (outcome, made) = seal_with(text(certificate, other), &["--allow-other-user"]);
        outcome.fails(3, "kubeconfig");
        outcome.says("its `client-key-data` is not the key of its `client-certificate-data`");
        assert!(!made, "{certificate} and {other}");
    }
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

/// In the pods of Liqo's controllers it is another address than here. A proxy can run there, and behind a proxy of the provider
/// the name is the provider's, so it is sealed.
#[test]
fn an_address_of_every_pod_is_a_warning() {
    const PROXY: &str = "warning: its `proxy-url` is a loopback address";
    const OWN: &str = "warning: in a pod its `server` is the API server of the pod's own cluster";
    let authority = format!("certificate-authority-data: {CERTIFICATE}");
    let of = |host: &str, more: &str| {
        seal(changed(
            SERVER,
            &format!("server: 'https://{host}', {authority}, {more}"),
        ))
    };
    for (host, more, words) in [
        (
            "192.0.2.1:6443",
            "proxy-url: 'socks5://127.0.0.1:1080'",
            PROXY,
        ),
        (
            "192.0.2.1:6443",
            "proxy-url: 'http://localhost:3128'",
            PROXY,
        ),
        ("192.0.2.1:6443", "proxy-url: 'http://[::1]:1'", PROXY),
        (
            "192.0.2.1:6443",
            "proxy-url: 'http://proxy.example.org:3128'",
            "",
        ),
        ("kubernetes.default.svc", "", OWN),
        (
            "kubernetes.default.svc.cluster.local:443",
            "proxy-url: ''",
            OWN,
        ),
        (
            "kubernetes.default.svc",
            "proxy-url: 'http://10.80.0.2:8118'",
            "",
        ),
        ("api.example.org", "", ""),
    ] {
        let (outcome, made) = of(host, more);
        assert!(made, "{host}, {more}: {outcome}");
        for warning in [PROXY, OWN] {
            assert_eq!(
                outcome.stderr.contains(warning),
                warning == words,
                "{host}, {more}: {outcome}"
            );
        }
    }
    of(
        "192.0.2.1/me:hunter22",
        "proxy-url: 'http://me:hunter22@192.0.2.2'",
    )
    .0
    .silent_on("hunter22");
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

/// What `peering.yaml` refuses as an API server's URL, `seal kubeconfig` refuses as well: one rule for both.
#[test]
fn the_server_is_one_that_the_document_would_take() {
    let identity = |server: &str| {
        let identity =
            format!("identity: {{ apiServer: \"{server}\", ca: Cg==, signedCRT: Cg== }}");
        let checkout = Checkout::of(edited("kubeconfig: { file: kubeconfig.age }", &identity));
        checkout.program(["validate", "."]).run()
    };
    for (server, words) in [
        ("https://:6443", "not an https://"),
        ("https://?", "not an https://"),
        ("https://1.2.3.400", "not an https://"),
        ("https://1.2.3.4:99999", "a port from 1 to 65535"),
        ("https://1.2.3.4:0", "a port from 1 to 65535"),
        ("https://1.2.3.4:", "a port from 1 to 65535"),
        ("https://user:pw@1.2.3.4", "has a user name in it"),
        ("https://me@127.0.0.1:6443", "has a user name in it"),
        ("https://127.0.0.1", "loopback"),
        ("HTTPS://1.2.3.4", "not an https://"),
    ] {
        refused(changed("https://192.0.2.1:6443", server), words);
        let outcome = identity(server);
        assert!(
            outcome.code == Some(1) && outcome.stderr.contains("apiServer:"),
            "{server}: {outcome}"
        );
    }
}

const INSECURE: &str = "insecure-skip-tls-verify: true";
const SERVER: &str = "server: 'https://192.0.2.1:6443'";

/// A kubeconfig with more fields of its cluster.
fn with_cluster(fields: &str) -> String {
    changed(SERVER, &format!("{SERVER}, {fields}"))
}

/// Whoever answers at the server's address would get the credential.
#[test]
fn an_unverified_server_is_sealed_only_if_it_is_asked_for_by_name() {
    let text = with_cluster(INSECURE);
    refused(&text, "--insecure-skip-tls-verify");
    let (outcome, made) = seal_with(&text, &["--insecure-skip-tls-verify"]);
    outcome.done();
    assert!(made);
    // the flag allows, and changes nothing
    assert!(seal_with(KUBECONFIG, &["--insecure-skip-tls-verify"]).1);
    assert!(!delivered(KUBECONFIG).contains("insecure"));
}

/// Whoever can push writes the document's `proxyURL`, and the kubeconfig's own may be anybody's.
#[test]
fn a_proxy_needs_a_verified_server() {
    let proxied = with_cluster(&format!(
        "{INSECURE}, proxy-url: 'http://proxy.example.org:3128'"
    ));
    let (outcome, made) = seal_with(&proxied, &["--insecure-skip-tls-verify"]);
    outcome
        .fails(3, "kubeconfig")
        .says("goes through a proxy")
        .says("certificate-authority-data");
    assert!(!made);
    // one that was sealed before
    let opened = |text: &str, proxy: Option<&str>| {
        let line = proxy.map_or_else(String::new, |proxy| format!("    proxyURL: {proxy}\n"));
        let checkout = Checkout::of(edited(
            "    credential: {",
            &format!("{line}    credential: {{"),
        ));
        checkout.write(
            "kubeconfig.age",
            sealed(&kubeconfig_payload(text, &terms())),
        );
        checkout.plugin("consumer").run()
    };
    let insecure = with_cluster(INSECURE);
    assert!(kubeconfig_of(&opened(&insecure, None)).contains("insecure-skip-tls-verify: true"));
    for outcome in [
        opened(&insecure, Some("http://proxy.example.org:3128")),
        opened(&proxied, None),
    ] {
        outcome.fails(3, "kubeconfig").says("goes through a proxy");
    }
    let verified = kubeconfig_of(&opened(KUBECONFIG, Some("http://proxy.example.org:3128")));
    verified.has("proxy-url: \"http://proxy.example.org:3128\"");
}

/// A number to YAML is quoted in the Secret.
#[test]
fn a_token_of_digits_stays_a_text() {
    assert!(delivered(&changed("token: abc", "token: 12345")).contains("token: \"12345\""));
}

#[test]
fn what_is_no_kubeconfig_is_called_so() {
    refused(format!("{KUBECONFIG}---\n{KUBECONFIG}"), "not a kubeconfig");
    seal(b"\xff\xfe").0.fails(3, "file").says("not UTF-8");
    seal(vec![b'#'; 65 * 1024])
        .0
        .fails(3, "file")
        .says("larger than 65536 bytes");
}

/// What is not read is passed over, up to as much as a kubeconfig can have.
#[test]
fn a_kubeconfig_is_neither_deep_nor_long() {
    let deep = |levels: usize| {
        format!(
            "{KUBECONFIG}x: {}{}\n",
            "[".repeat(levels),
            "]".repeat(levels)
        )
    };
    let long = |values: usize| format!("{KUBECONFIG}x: [{}]\n", "1,".repeat(values));
    for taken in [deep(20), long(19_000)] {
        assert!(seal(taken).1);
    }
    for text in [deep(40), long(20_001)] {
        refused(text, "not a kubeconfig");
    }
}

#[test]
fn a_kubeconfig_that_is_not_there() {
    let (checkout, _, recipient) = bare();
    for (path, words) in [
        ("missing.yaml", "no such file"),
        (".", "not a regular file"),
        ("/dev/zero", "not a regular file"),
    ] {
        let run = checkout.program(["seal", "kubeconfig", path]).args(TERMS);
        run.args(["--recipient", &recipient])
            .run()
            .fails(3, "file")
            .says(path)
            .says(words);
    }
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

/// What could not be opened is not sealed: in the payload's JSON these are two bytes each.
#[test]
fn a_kubeconfig_full_of_quotes_is_not_sealed() {
    let (outcome, made) = seal(padded("\\\""));
    outcome
        .fails(3, "sealing")
        .says("k.yaml")
        .says("it would be larger than");
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
