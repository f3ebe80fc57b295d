//! What is in sealed files, and what they are sealed with.

use crate::{SECRETS, example, line};
use argocd_peering::testing::{
    Certificate, Identities, Kubeconfig, Payload, PayloadKind, Sealer, Seed, Attempts, check_unopened,
};
use std::fs;
use std::sync::LazyLock;

/// The identity of the examples.
static IDENTITIES: LazyLock<Identities> = LazyLock::new(|| {
    Identities::load(&example::path("examples/identities/demo-identity.txt"))
        .expect("the examples' identity")
});

/// What is in the examples' sealed files.
static PLAINTEXTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    example::files(".age")
        .iter()
        .filter_map(|file| IDENTITIES.open(file, &mut Attempts::default()).ok())
        .map(|text| text.to_vec())
        .collect()
});

pub fn age(data: &[u8]) {
    if let Err(problem) = check_unopened(data) {
        line(&problem.to_string());
        line(&problem.help());
    }
    match IDENTITIES.open(data, &mut Attempts::default()) {
        Ok(plaintext) => assert!(
            PLAINTEXTS.contains(&plaintext),
            "a changed file opens to something else"
        ),
        Err(problem) => line(&problem.to_string()),
    }
}

pub fn age_seeds() -> Vec<Vec<u8>> {
    let mut seeds = example::files(".age");
    seeds.extend(SECRETS.map(|secret| secret.as_bytes().to_vec()));
    let stanza = format!("-> X25519 {}\n{}\n", "A".repeat(43), "A".repeat(43));
    let header = format!(
        "age-encryption.org/v1\n{}--- {}\n",
        stanza.repeat(3),
        "A".repeat(43)
    );
    seeds.push(header.into_bytes());
    seeds
}

pub fn payload(data: &[u8]) {
    let payload = match Payload::parse(data) {
        Ok(payload) => payload,
        Err(problem) => {
            line(&problem.to_string());
            return line(&problem.help());
        }
    };
    if let Some(terms) = &payload.terms {
        line(&format!("{terms:?}"));
    }
    if let Err(problem) = payload.seed() {
        line(&problem.to_string());
    }
    for kind in PayloadKind::ALL {
        let again = Payload::parse(data).and_then(|payload| payload.of_kind(kind));
        let is_other = payload.kind.is_some_and(|found| found != kind);
        assert_eq!(again.is_err(), is_other, "a payload of two kinds");
    }
}

pub fn payload_seeds() -> Vec<Vec<u8>> {
    let mut seeds = PLAINTEXTS.clone();
    for secret in SECRETS {
        let bind = r#"{"allow":[{"peerings":[{"consumer":"rome","provider":"milan"}],"projects":["*=rome","a=milan"],"repos":["https://u@H/x.git/"],"paths":["./a/b/"],"revisions":["main"],"delivery":["Secret"],"labelDomains":["example.org=rome"]}]}"#;
        seeds.push(
            format!(r#"{{"v":1,"type":"seed","seed":"{secret}","bind":{bind}}}"#).into_bytes(),
        );
        seeds.push(
            format!(
                r#"{{"v":1,"type":"kubeconfig","kubeconfig":"token: {secret}","bind":{bind}}}"#
            )
            .into_bytes(),
        );
        seeds.push(secret.as_bytes().to_vec());
    }
    seeds
}

pub fn kubeconfig(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let config = match Kubeconfig::parse(text) {
        Ok(config) => config,
        Err(problem) => return line(&problem.to_string()),
    };
    let written = config.text().expect("a kubeconfig");
    let read = std::str::from_utf8(&written).expect("a text");
    let again = Kubeconfig::parse(read)
        .and_then(|config| config.with_proxy(None))
        .expect("its own kubeconfig");
    assert_eq!(
        again.text().expect("a kubeconfig"),
        written,
        "it changes when it is read again"
    );
    assert_eq!(
        crate::yaml::documents(read).map(|them| them.len()),
        Ok(1),
        "YAML 1.1"
    );
    if let Err(problem) = config.with_proxy(Some("http://proxy.example.org:3128")) {
        line(&problem.to_string());
    }
}

pub fn kubeconfig_seeds() -> Vec<Vec<u8>> {
    let certificate = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==";
    let users = [
        format!("token: {}", SECRETS[2]),
        format!("{{username: a, password: \"{}\"}}", SECRETS[2]),
        format!(
            "{{client-certificate-data: {certificate}, client-key-data: LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCg==}}"
        ),
    ];
    let one = |user: &String| {
        let user = if user.starts_with('{') {
            user.clone()
        } else {
            format!("{{{user}}}")
        };
        format!(
            "apiVersion: v1\nkind: Config\nclusters:\n- name: a\n  cluster:\n    server: https://milan.example.org:6443\n    \
             certificate-authority-data: {certificate}\n    proxy-url: http://me:{}@proxy:3128\ncontexts:\n- \
             {{name: a, context: {{cluster: a, user: a}}}}\ncurrent-context: a\nusers: [{{name: a, user: {user}}}]\n",
            SECRETS[2]
        )
        .into_bytes()
    };
    users.iter().map(one).collect()
}

pub fn certificate(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let certificate: Certificate = match text.parse() {
        Ok(certificate) => certificate,
        Err(problem) => return line(&problem.to_string()),
    };
    assert!(
        (2048..=8192).contains(&certificate.bits()),
        "{} bits",
        certificate.bits()
    );
    let again: Certificate = certificate.pem().parse().expect("its own certificate");
    assert_eq!(again, certificate, "it changes when it is read again");
    let seal = |certificate| {
        let sealer = Sealer::new(Seed::new([7; 32]), certificate);
        sealer
            .seal("namespace", "name", "item", b"value")
            .expect("a sealed value")
    };
    assert_eq!(seal(certificate), seal(again), "sealing is deterministic");
}

pub fn certificate_seeds() -> Vec<Vec<u8>> {
    let folder = fs::read_dir(example::path("tests/certificates")).expect("certificates");
    let mut files: Vec<_> = folder
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "crt"));
    let mut seeds: Vec<_> = files
        .iter()
        .map(|path| fs::read(path).expect("a certificate"))
        .collect();
    // on which a reader of PEM never ended
    seeds.push(b"-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n".to_vec());
    seeds
}
