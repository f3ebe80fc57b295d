//! Key material in wrong places of a document. All of it is made up.

use crate::harness::corpus::GOOD;

/// What must not be seen, and its kind. Each is as long as a real one.
pub(crate) const SECRETS: [(&str, &str); 10] = [
    ("a WireGuard key", "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30="),
    ("an age identity", "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33"),
    (
        "a post-quantum age identity",
        "AGE-SECRET-KEY-PQ-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J3",
    ),
    (
        "an age plugin's identity",
        "AGE-PLUGIN-YUBIKEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y",
    ),
    ("a seed", "ARGOCD-PEERING-SEED-1QQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS23V9CCRYDPK8QARC0SZRRXVH"),
    (
        "a seed in lower case",
        "argocd-peering-seed-1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0szrrxvh",
    ),
    ("a key in hexadecimal", "78ed423fa4b96c2b458f4884c430c5c83b86cc093effe062b450e4678de0737d"),
    ("a short token behind its field's name", "token: hunter2-hunter2-hunter2"),
    ("letters and digits", "hT9wQ2mXcVb7NzLrK4pJdF6sYgA1uE8oB3iRtM5w"),
    (
        "a token",
        "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJrdWJlcm5ldGVzIiwic3ViIjoicm9tZSJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg",
    ),
];

/// Documents that have the secret on a line that a diagnostic shows.
pub(crate) fn documents(secret: &str) -> Vec<(&'static str, String)> {
    let with = |from: &str, to: String| {
        assert!(GOOD.contains(from), "{from:?} is in the good document");
        GOOD.replacen(from, &to, 1)
    };
    let body: Vec<String> =
        secret.as_bytes().chunks(32).map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    vec![
        ("as a value", with("clusterID: rome", format!("clusterID: \"{secret}\""))),
        ("as a plain value", with("clusterID: rome", format!("clusterID: {secret}"))),
        (
            "in a public key's place",
            with("clusterID: rome", format!("clusterID: rome\n    publicKey: {secret}x")),
        ),
        (
            "in a field that is none",
            with("clusterID: rome", format!("clusterID: rome\n    privateKey: {secret}")),
        ),
        ("as a key", with("clusterID: rome", format!("clusterID: rome\n    \"{secret}\": x"))),
        ("as a key twice", with("spec:\n", format!("spec:\n  \"{secret}\": x\n  \"{secret}\": y\n"))),
        ("in a comment", with("clusterID: rome", format!("clusterID: Rome # {secret}"))),
        ("beside another problem", with("[10.42.0.0/16]", format!("[10.42.0.1/16, {secret}]"))),
        ("as a word", with("kind: User", format!("kind: {secret}"))),
        ("as a name", with("name: demo", format!("name: {secret}"))),
        (
            "as a label",
            with("spec:\n", format!("spec:\n  commonMetadata: {{ labels: {{ a: \"{secret} \" }} }}\n")),
        ),
        ("as a quantity", with("128Gi", format!("\"{secret}\""))),
        ("as a file", with("peering.seed.age", format!("./{secret}"))),
        ("as a seed", with("{ file: peering.seed.age }", secret.to_owned())),
        ("as a list of one", with("[10.42.0.0/16]", secret.to_owned())),
        ("as an address", with("172.16.183.16", format!("\"{secret}:1\""))),
        ("as a bare address", with("172.16.183.16", format!("\"{secret}\""))),
        ("as a quoted name", with("name: demo", format!("name: \"{secret}\""))),
        (
            "as the name of an object",
            with("clusterID: rome", format!("clusterID: rome\n    names: {{ tenant: \"{secret}\" }}")),
        ),
        ("as a server", with("credential: {", format!("proxyURL: \"{secret}\"\n    credential: {{"))),
        (
            "as a certificate",
            with(
                "{ kubeconfig: { file: kubeconfig.age } }",
                format!("{{ identity: {{ apiServer: \"https://a\", ca: \"{secret}\", signedCRT: x }} }}"),
            ),
        ),
        ("where YAML breaks", with("clusterID: rome", format!("clusterID: @{secret}"))),
        ("as apiVersion", with("argocd-peering/v1alpha1", secret.to_owned())),
        ("as the whole document", secret.to_owned()),
        (
            "as PEM",
            with(
                "clusterID: rome",
                format!(
                    "clusterID: |\n      -----BEGIN PRIVATE KEY-----\n      {}\n      -----END PRIVATE KEY-----",
                    body.join("\n      ")
                ),
            ),
        ),
        (
            "as a kubeconfig",
            with("clusterID: rome", format!("clusterID: rome\n    user: {{ token: {secret} }}")),
        ),
    ]
}
