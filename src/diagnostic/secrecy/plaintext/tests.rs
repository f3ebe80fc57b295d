use super::{Plaintext, plaintexts};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Each with whether it is in base64.
fn kinds(text: &str) -> Vec<(Plaintext, bool)> {
    let found = plaintexts(text).into_iter();
    found.map(|it| (it.kind, it.is_encoded)).collect()
}

/// A key of the alphabet, which opens nothing.
fn identity() -> String {
    format!(
        "AGE-SECRET-KEY-1{}",
        "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2)
    )
}

fn wireguard_key() -> String {
    "aB3d".repeat(10) + "xY4="
}

fn kubeconfig(user: &str) -> String {
    format!("apiVersion: v1\nkind: Config\nusers:\n- name: rome\n  user:\n    {user}\n")
}

#[test]
fn a_whole_secret_is_found_as_it_is_and_in_base64() {
    let json = "{\"kind\": \"Config\",\n \"users\": [{\"user\": {\n \"token\": \"hunter22\"\n}}]}";
    for (text, kind) in [
        (format!("# key\n{}\n", identity()), Plaintext::AgeIdentity),
        (
            identity().replace("AGE-SECRET-KEY", "ARGOCD-PEERING-SEED"),
            Plaintext::Seed,
        ),
        (
            "AGE-PLUGIN-SE-1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".to_owned(),
            Plaintext::AgeIdentity,
        ),
        (
            format!("[Interface]\nPrivateKey = {}\n", wireguard_key()),
            Plaintext::WireguardKey,
        ),
        (
            format!(
                "data:\n  privateKey: {}\n",
                STANDARD.encode(wireguard_key())
            ),
            Plaintext::WireguardKey,
        ),
        (
            format!("export WIREGUARD_PRIVATE_KEY={}\n", wireguard_key()),
            Plaintext::WireguardKey,
        ),
        (kubeconfig("password: hunter22"), Plaintext::Kubeconfig),
        (json.to_owned(), Plaintext::Kubeconfig),
        (
            "current-context: a\nusers:\n- user:\n    token: hunter22\n".to_owned(),
            Plaintext::Kubeconfig,
        ),
    ] {
        assert_eq!(kinds(&text), [(kind, false)], "{text}");
        let long = text + &"\n".repeat(60);
        let digits = STANDARD.encode(&long);
        let wrapped: Vec<&str> = (0..digits.len())
            .step_by(76)
            .map(|at| &digits[at..digits.len().min(at + 76)])
            .collect();
        for data in [digits.clone(), format!("|\n    {}", wrapped.join("\n    "))] {
            let secret = format!("kind: Secret\ndata:\n  x: {data}\n");
            assert_eq!(kinds(&secret), [(kind, true)], "{secret}");
        }
        assert_eq!(kinds(&STANDARD.encode(digits)), [], "two deep");
    }
}

#[test]
fn what_is_no_secret_is_not_found() {
    let ciphertext: String = STANDARD.encode(
        (0..600u32)
            .map(|at| (at * at / 7 + at * 31).to_le_bytes()[0] ^ 0xa5)
            .collect::<Vec<_>>(),
    );
    for text in [
        "lines of `AGE-SECRET-KEY-1…`, and `AGE-SECRET-KEY-1ABC`",
        "PrivateKey = <the key>\n",
        "kind: Config\nusers:\n- user:\n    token: REDACTED\n    client-key-data: DATA+OMITTED\n",
        "kind: Config\nusers:\n- user:\n    tokenFile: /var/run/secrets/token\n",
        "kind: Config\nusers:\n- user:\n    token:\n      description: a token\n",
        "users:\n- user:\n    token: hunter22\n",
        "kind: Config\nusersFile: x\nuser:\n  token: hunter22\n",
        "contexts: [ci]\nusers: []\nargs: [--token=/etc/ci/token]\n",
        "kind: Secret\nstringData:\n  password: hunter22\n",
        "package x\nconst text = `\nkind: Config\nusers:\n- user:\n    token: hunter22\n`\n",
        "# A page\n\nSome words:\n\n    kind: Config\n    users:\n    - user:\n        token: hunter22\n",
        "age1tf0pltjzlulg8v9xu5hxrdle7gjuuvrf7dnqpk3l25kskkwleayq2sm9js",
        "liqo.io/nonce: aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789+/aBcDeFgHiJkLmNoPqRsTuVw==",
        &format!("-----BEGIN AGE ENCRYPTED FILE-----\n{ciphertext}\n"),
    ] {
        assert_eq!(kinds(text), [], "{text}");
    }
}
