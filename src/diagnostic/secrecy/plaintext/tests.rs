use super::{Found, Plaintext, plaintexts, text_of_bytes};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

fn kinds(text: &str) -> Vec<Plaintext> {
    plaintexts(text).into_iter().map(|it| it.kind).collect()
}

/// The first, and whether it is in base64.
#[track_caller]
fn finds(text: &str, kind: Plaintext, is_encoded: bool) {
    let first = plaintexts(text)
        .into_iter()
        .next()
        .map(|it| (it.kind, it.is_encoded));
    assert_eq!(first, Some((kind, is_encoded)), "{text}");
}

/// A key of the alphabet, which opens nothing.
fn identity() -> String {
    format!(
        "AGE-SECRET-KEY-1{}",
        "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2)
    )
}

fn pem() -> String {
    format!(
        "-----BEGIN EC PRIVATE KEY-----\n{}\n-----END EC PRIVATE KEY-----\n",
        "aB3d".repeat(16)
    )
}

fn kubeconfig(user: &str) -> String {
    format!("apiVersion: v1\nkind: Config\nusers:\n- name: rome\n  user:\n{user}\n")
}

fn encoded(text: &str) -> String {
    STANDARD.encode(text)
}

/// As `base64` writes it, with an indentation.
fn wrapped(text: &str, line_break: &str) -> String {
    let digits = encoded(text);
    let lines = digits
        .as_bytes()
        .chunks(76)
        .map(|line| String::from_utf8_lossy(line).into_owned());
    lines.collect::<Vec<_>>().join(line_break)
}

#[test]
fn a_whole_secret_is_found_with_its_place() {
    let found = Found {
        place: 21,
        kind: Plaintext::AgeIdentity,
        is_encoded: false,
    };
    assert_eq!(plaintexts(&format!("# key\n{}\n", identity())), [found]);
    assert_eq!(
        kinds(&identity().replace("AGE-SECRET-KEY", "ARGOCD-PEERING-SEED")),
        [Plaintext::Seed]
    );
    assert_eq!(
        kinds("AGE-PLUGIN-SE-1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
        [Plaintext::AgeIdentity]
    );
    assert_eq!(kinds(&pem()), [Plaintext::PrivateKey]);
    let wireguard = format!("[Interface]\nPrivateKey = {}=\n", "aB3d".repeat(10) + "xY4");
    assert_eq!(kinds(&wireguard), [Plaintext::WireguardKey]);
    // `keys export --format env`, and how people shorten it
    for name in [
        "WIREGUARD_PRIVATE_KEY",
        "PRIVATE_KEY",
        "PRIVATEKEY",
        "wg_private_key",
    ] {
        let variable = wireguard.replace("PrivateKey = ", &format!("{name}="));
        assert_eq!(kinds(&variable), [Plaintext::WireguardKey], "{name}");
    }
    assert_eq!(
        kinds(&kubeconfig("    password: hunter22")),
        [Plaintext::Kubeconfig]
    );
    let json = "{\"kind\": \"Config\",\n \"users\": [{\"user\": {\n \"token\": \"hunter22\"\n}}]}";
    assert_eq!(kinds(json), [Plaintext::Kubeconfig]);
    assert_eq!(
        kinds("contexts: []\nusers:\n- user:\n    token: hunter22\n"),
        [Plaintext::Kubeconfig]
    );
}

/// What `kubectl create secret … --dry-run=client -o yaml` writes, and what people make of it.
#[test]
fn a_secret_in_base64_is_found() {
    for data in [
        format!("  identity.txt: {}", encoded(&identity())),
        format!(
            "  identity.txt: \"{}\"",
            encoded(&format!("# created\n{}\n", identity()))
        ),
        format!("  identity.txt: |\n    {}", wrapped(&identity(), "\n    ")),
        format!(
            "  identity.txt: >-\r\n    {}",
            wrapped(&identity(), "\r\n    ")
        ),
        format!("  identity.txt: \"{}\"", wrapped(&identity(), "\\n")),
        format!("  identity.txt: \"{}\"", wrapped(&identity(), "\\\n     ")),
        format!("  identity.txt: !!binary {}", encoded(&identity())),
        format!("  {{identity.txt: {}}}", encoded(&encoded(&identity()))),
        format!(
            "  identity.bin: {}",
            encoded(&("\u{1}".repeat(12) + &identity()))
        ),
    ] {
        finds(
            &format!("apiVersion: v1\nkind: Secret\ndata:\n{data}\n"),
            Plaintext::AgeIdentity,
            true,
        );
    }
    let json = format!(
        "{{\"kind\":\"Secret\",\"data\":{{\"identity.txt\":\"{}\"}}}}",
        encoded(&identity())
    );
    finds(&json, Plaintext::AgeIdentity, true);
    let in_json = format!(
        "{{\\\"kind\\\":\\\"Secret\\\",\\n{}\\n}}",
        encoded(&identity())
    );
    finds(&in_json, Plaintext::AgeIdentity, true);
    finds(
        &format!("tls.key: {}", encoded(&pem())),
        Plaintext::PrivateKey,
        true,
    );
    let with_key = kubeconfig(&format!("    client-key-data: {}", encoded(&pem())));
    finds(
        &format!("  value: {}", encoded(&with_key)),
        Plaintext::Kubeconfig,
        true,
    );
    let with_token = kubeconfig("    token: hunter22");
    finds(
        &format!("  value: |\n    {}", wrapped(&with_token, "\n    ")),
        Plaintext::Kubeconfig,
        true,
    );
}

#[test]
fn a_key_is_found_in_a_string() {
    for line_break in ["\\n", "\\r\\n", "\\\\n", "\n      ", "\r\n"] {
        finds(
            &format!("{{\"key\": \"{}\"}}", pem().replace('\n', line_break)),
            Plaintext::PrivateKey,
            false,
        );
    }
    let cut = format!(
        "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ\n{}",
        pem()
    );
    finds(&cut, Plaintext::PrivateKey, false);
}

/// argo-cd `docs/operator-manual/declarative-setup.md`
#[test]
fn a_credential_of_a_cluster_is_found() {
    for config in [
        "{\"bearerToken\": \"hunter22\", \"tlsClientConfig\": {\"insecure\": false}}".to_owned(),
        "{\n  \"username\": \"admin\",\n  \"password\": \"hunter22\",\n  \"tlsClientConfig\": {}\n}"
            .to_owned(),
        "{\"execProviderConfig\": {\"command\": \"c\", \"env\": {\"AWS_SESSION_TOKEN\": \"hunter22\"}}}"
            .to_owned(),
        "bearerToken: hunter22".to_owned(),
    ] {
        finds(&config, Plaintext::ArgoCd, false);
        finds(&format!("data:\n  config: {}\n", encoded(&config)), Plaintext::ArgoCd, true);
        finds(
            &format!("config: {}", config.replace('"', "\\\"").replace('\n', "\\n")),
            Plaintext::ArgoCd,
            false,
        );
    }
    let key = format!(
        "{{\"tlsClientConfig\": {{\"keyData\": \"{}\"}}}}",
        encoded(&pem())
    );
    finds(&key, Plaintext::PrivateKey, true);
    let labelled =
        "kind: Secret\nmetadata:\n  labels:\n    argocd.argoproj.io/secret-type: repo-creds\n";
    finds(
        &format!("{labelled}stringData:\n  password: hunter22\n"),
        Plaintext::ArgoCd,
        false,
    );
    finds(
        &format!("{labelled}data: {{password: {}}}", encoded("hunter22")),
        Plaintext::ArgoCd,
        false,
    );
    // the label is another document's
    assert_eq!(
        kinds(&format!(
            "{labelled}---\ndata: {{password: {}}}",
            encoded("hunter22")
        )),
        []
    );
}

#[test]
fn a_variable_of_a_plugin_is_found() {
    for variables in [
        "- name: AWS_SECRET_ACCESS_KEY\n  value: abcd/secret",
        "- value: 'abcd/secret'\n  name: AWS_SECRET_ACCESS_KEY",
        "- {name: AWS_SESSION_TOKEN, value: abcd/secret}",
        "- {\"name\": \"AAD_SERVICE_PRINCIPAL_CLIENT_SECRET\", \"value\": \"abcd/secret\"}",
        "- {\"value\": \"abcd/secret\", \"name\": \"OS_PASSWORD\"}",
        "- { \"name\" : \"HCLOUD_TOKEN\" , \"value\" : \"abcd/secret\" }",
    ] {
        finds(
            &kubeconfig(&format!("exec:\n  env:\n  {variables}")),
            Plaintext::Cloud,
            false,
        );
        finds(
            &encoded(&kubeconfig(&format!("exec:\n  env:\n  {variables}"))),
            Plaintext::Cloud,
            true,
        );
    }
    for text in [
        "[default]\naws_secret_access_key = abcd/ABCD+secretsecretsecretsecretsecret\n",
        "export AWS_SECRET_ACCESS_KEY='abcd/ABCD+secretsecretsecretsecretsecret'\n",
        "env:\n- name: AWS_SECRET_ACCESS_KEY\n  value: abcd/ABCD+secretsecretsecretsecretsecret\n",
    ] {
        assert_eq!(kinds(text), [Plaintext::Cloud], "{text}");
    }
}

fn token(subject: &str) -> String {
    let claims = format!("{{\"aud\":[\"a\"],\"sub\":\"{subject}\"}}");
    let [header, claims] = ["{\"alg\":\"RS256\"}", &claims].map(encoded);
    let signature = "aB3d-_".repeat(20);
    format!(
        "{}.{}.{signature}",
        header.trim_end_matches('='),
        claims.trim_end_matches('=')
    )
}

#[test]
fn a_token_of_a_service_account_is_found() {
    let of_account = token("system:serviceaccount:rome:liqo");
    finds(&format!("{of_account}\n"), Plaintext::ServiceAccount, false);
    finds(
        &format!("data:\n  token: {}\n", encoded(&of_account)),
        Plaintext::ServiceAccount,
        true,
    );
    assert_eq!(kinds(&token("1234567890")), []);
}

/// PowerShell's `>` and editors of Windows write them.
#[test]
fn wide_characters_are_read() {
    let text = format!("# größer\r\nidentity: {}\r\n", identity());
    let units: Vec<u16> = text.encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let widest: Vec<u8> = text
        .chars()
        .flat_map(|c| u32::from(c).to_le_bytes())
        .collect();
    for bytes in [
        [&[0xff, 0xfe], &*little].concat(),
        [&[0xfe, 0xff], &*big].concat(),
        little,
        big,
        widest,
    ] {
        let text = text_of_bytes(&bytes);
        let found: Vec<_> = plaintexts(&text).into_iter().map(|it| it.kind).collect();
        assert_eq!(found, [Plaintext::AgeIdentity]);
        assert_eq!(
            text.get(..plaintexts(&text)[0].place)
                .unwrap_or_default()
                .matches('\n')
                .count(),
            1
        );
    }
}

#[test]
fn what_is_no_secret_is_not_found() {
    let ciphertext: String = STANDARD.encode(
        (0..600u32)
            .map(|at| (at * at / 7 + at * 31).to_le_bytes()[0] ^ 0xa5)
            .collect::<Vec<_>>(),
    );
    let certificate = pem().replace("EC PRIVATE KEY", "CERTIFICATE");
    let labelled = "metadata: {labels: {argocd.argoproj.io/secret-type: cluster}}\n";
    for text in [
        "lines of `AGE-SECRET-KEY-1…`, and `AGE-SECRET-KEY-1ABC`",
        "a program has ARGOCD-PEERING-SEED-1AGE-SECRET-KEY-1-----BEGINwhatelsethereisinittoooooooooo",
        "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\n<the key>\n-----END PRIVATE KEY-----\n",
        "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ\n-----END CERTIFICATE-----\n",
        "PrivateKey = <the key>\n",
        "kind: Config\nusers:\n- user:\n    token: REDACTED\n    client-key-data: DATA+OMITTED\n",
        "kind: Config\nusers:\n- user:\n    exec: { command: aws, env: [{name: AWS_PROFILE, value: liqo-peering}] }\n",
        "kind: Config\nusers:\n- user:\n    exec:\n      env:\n      - name: AWS_WEB_IDENTITY_TOKEN_FILE\n        value: /var/run/token\n",
        "kind: Config\nusers:\n- user:\n    exec:\n      env:\n      - name: OS_PASSWORD\n        valueFrom: somewhere\n",
        "users:\n- user:\n    token: hunter22\n",
        "kind: Config\nusers:\n- user:\n    tokenFile: /var/run/secrets/token\n",
        "kind: Config\nusers:\n- user:\n    token:\n      description: a token\n",
        "kind: Secret\nstringData:\n  password: hunter22\n",
        "package x\nconst text = `\nkind: Config\nusers:\n- user:\n    token: hunter22\n`\n",
        "# A page\n\nSome words:\n\n    kind: Config\n    users:\n    - user:\n        token: hunter22\n",
        "env:\n- name: AWS_SECRET_ACCESS_KEY\n  value: minio123\n",
        "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
        "{\"bearerToken\": \"<authentication token>\", \"tlsClientConfig\": {\"keyData\": \"<base64>\"}}",
        "{\"bearerToken\": \"{{ .token }}\", \"tlsClientConfig\": {}}",
        "bearerToken:\n  description: the token\n  type: string\n",
        "sops:\n  age: []\nbearerToken: ENC[AES256_GCM,data:abc,iv:def,tag:ghi,type:str]\n",
        "metadata:\n  labels:\n    liqo.io/nonce: \"true\"\ndata:\n  nonce: q0DoYlYwRmNRa2VxTTZxYjFGQWpzVEJmN1VwWm5rTHFUZ2JvbUZ4dA==\n",
        "age1tf0pltjzlulg8v9xu5hxrdle7gjuuvrf7dnqpk3l25kskkwleayq2sm9js",
        "liqo.io/nonce: aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789+/aBcDeFgHiJkLmNoPqRsTuVw==",
        &format!(
            "{labelled}kind: SealedSecret\nspec: {{encryptedData: {{password: {ciphertext}}}}}"
        ),
        &format!(
            "{labelled}data:\n  tls.crt: {}\n  ca.crt: {}\n",
            encoded(&certificate),
            encoded(&certificate.repeat(3))
        ),
        &format!(
            "-----BEGIN AGE ENCRYPTED FILE-----\n{ciphertext}\n-----END AGE ENCRYPTED FILE-----\n"
        ),
    ] {
        assert_eq!(kinds(text), [], "{text}");
    }
}
