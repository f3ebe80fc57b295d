//! The certificates that are sealed with a seed: which are taken, what is shown of them, and that each is set again.

use super::team::{Needs, PATH, TERMS, Team};
use crate::harness::{
    KUBECONFIG, Outcome, encoded, kubeconfig_payload, put, read, root, seal, seed_payload,
};
use age::x25519::Recipient;
use serde_json::{Value, json};

/// `openssl x509 -in rome.crt -noout -pubkey | openssl pkey -pubin -outform DER | sha256sum`.
const ROME: &str = "086761d18e77e12570a336c665850b5a62eb6fc025a58c90a379c31344b04fbd";
const MILAN: &str = "4ff15e92e851a90557494c22764163542ab6625fc872b3a822e07a10b0b6aecd";
const OTHER: &str = "a8334d5493204b5e8108dbbf9af23a124a12c92ba9e580c8380798098a2373e2";

/// Both clusters' certificates, and another one for `rome`.
pub(super) const BOTH: &str =
    "--certificate rome=CERTS/rome.crt --certificate milan=CERTS/milan.crt";
const RENEWED: &str = "--certificate rome=CERTS/rsa-2048.crt --certificate milan=CERTS/milan.crt";

fn pem(name: &str) -> String {
    read(
        &root()
            .join("tests/certificates")
            .join(format!("{name}.crt")),
    )
}

fn shown(digest: &str) -> String {
    format!("sha256:{digest} (")
}

/// `seed new` of another file on the team's terms.
fn new(team: &Team, flags: &str) -> Outcome {
    // those of the tests are in a checkout
    team.confirms(&format!(
        "seed new new.age --clusters rome,milan --recipient TO TERMS {flags}"
    ))
}

#[test]
fn they_are_sealed_with_a_seed_and_shown() {
    let team = Team::new(Needs::Both, &TERMS);
    new(&team, BOTH)
        .says(&shown(ROME))
        .says(&shown(MILAN))
        .done();
    let before = team.inspected("new.age");
    let lines: Vec<&str> = before
        .lines()
        .filter(|line| line.starts_with("certificate: "))
        .collect();
    let line = |(name, digest)| {
        format!("certificate: \"{name}\" sha256:{digest} (4096 bits), ends on 2126-10-29")
    };
    assert_eq!(lines, [("milan", MILAN), ("rome", ROME)].map(line));
    // what is not in the file is the same as without them, and the stream is the one of its seed
    assert!(!team.inspected("peering.seed.age").contains("certificate"));
    let reseal = |flags: &str| {
        team.confirms(&format!(
            "reseal new.age --identity-file ID --recipient TO {flags}"
        ))
    };
    reseal(&format!("--path moved {BOTH}"))
        .says(&shown(ROME))
        .says(&shown(MILAN));
    assert_eq!(team.inspected("new.age"), before.replace(PATH, "moved"));
    // one is replaced, the other one is set again
    reseal(RENEWED).done();
    let after = team.inspected("new.age");
    let is_renewed = after.contains(&format!("\"rome\" sha256:{OTHER} (2048 bits)"));
    assert!(
        is_renewed && after.contains(MILAN) && !after.contains(ROME),
        "{after}"
    );
    // that of a cluster that the file is no longer for goes with it
    reseal("--clusters rome,turin --certificate rome=CERTS/rsa-2048.crt").done();
    let after = team.inspected("new.age");
    assert!(after.contains(OTHER) && !after.contains(MILAN), "{after}");
}

/// A new seed is sealed with those of the flags, and a seed that is imported can have them.
#[test]
fn they_belong_to_every_way_to_a_seed() {
    let team = Team::new(Needs::Seed, &TERMS);
    team.confirms(&format!(
        "reseal peering.seed.age --identity-file ID --recipient TO {BOTH}"
    ))
    .done();
    let rotate = "seed rotate . --role provider --identity-file ID";
    team.confirms(&format!("{rotate} --new-seed --recipient TO {RENEWED}"))
        .done();
    let after = team.inspected("peering.seed.age");
    assert!(after.contains(OTHER) && after.contains(MILAN), "{after}");
    team.types(&format!("{rotate} {RENEWED}"))
        .fails(2, "flag")
        .says("--new-seed");
    put(
        team.path("raw"),
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    );
    let import = "seed import --base64 ~/raw imported.age --clusters rome,milan --recipient TO";
    team.confirms(&format!("{import} {BOTH}")).done();
    let after = team.inspected("imported.age");
    assert!(after.contains(ROME) && after.contains(MILAN), "{after}");
}

/// Somebody else's certificate on the way to a new file would have everything sealed to them.
#[test]
fn they_are_part_of_what_is_confirmed() {
    let team = Team::new(Needs::Seed, &TERMS);
    let reseal = "reseal peering.seed.age --identity-file ID --recipient TO";
    let other = format!("{reseal} --certificate rome=CERTS/rsa-2048.crt");
    let digests = [
        reseal,
        &format!("{reseal} --certificate rome=CERTS/rome.crt"),
        &other,
    ]
    .map(|line| {
        team.types(line)
            .fails(2, "flag")
            .expected()
            .expect("a digest")
            .to_owned()
    });
    assert!(
        digests[0] != digests[1] && digests[1] != digests[2],
        "{digests:?}"
    );
    let expecting = |digest: &str| team.types(&format!("{other} --expect {digest}"));
    expecting(&digests[1]).fails(2, "flag");
    expecting(&digests[2]).done();
}

/// Two RSA-4096 certificates and what else a file has are far from the cap.
#[test]
fn they_fit_into_a_file_with_many_recipients() {
    let team = Team::new(Needs::Seed, &TERMS);
    let recipients: String = (0..20)
        .map(|_| format!(" --recipient {}", seal::identity().0.to_public()))
        .collect();
    new(&team, &format!("{BOTH}{recipients}")).done();
    let size = team.sealed("new.age").len();
    assert!(size < 12 * 1024, "{size}");
    // one seed for a fleet of so many has no place for all of theirs
    for (count, fits) in [(6, true), (7, false)] {
        let flags: String = (0..count)
            .map(|at| {
                put(
                    team.path(&format!("{at}.pem")),
                    certificate(0xff - at, 512, 650),
                );
                format!(" --clusters c{at},hub --certificate c{at}=~/{at}.pem")
            })
            .collect();
        let outcome = team.types(&format!("seed new fleet-{count}.age --recipient TO{flags}"));
        if fits {
            outcome.done();
        } else {
            outcome
                .fails(3, "sealing")
                .says("larger than 16384 bytes")
                .says("certificates");
        }
    }
}

/// A tag, the shortest form of a length, and the content (X.690, 8.1.3 and 10.1).
fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = u16::try_from(content.len()).expect("short").to_be_bytes();
    let length = match length {
        [0, short @ ..0x80] => vec![short],
        [0, length] => vec![0x81, length],
        [high, low] => vec![0x82, high, low],
    };
    [&[tag], &length[..], &content].concat()
}

/// A certificate (RFC 5280, 4.1) whose modulus has so many bytes; no one has its private key.
fn with_modulus(bytes: usize) -> String {
    certificate(0xff, bytes, 257)
}

fn certificate(first: u8, modulus: usize, signature: usize) -> String {
    let algorithm = |last: u8| {
        let id = der(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, last]]);
        der(0x30, &[&id, &[5, 0]])
    };
    let sign: &[u8] = if first < 0x80 { &[] } else { &[0] };
    let modulus = der(2, &[sign, &[first], &vec![0xff; modulus - 1]]);
    let key = der(0x30, &[&modulus, &der(2, &[&[1, 0, 1]])]);
    let info = der(0x30, &[&algorithm(1), &der(3, &[&[0], &key])]);
    let (begin, end) = (
        der(0x17, &[b"260101000000Z"]),
        der(0x17, &[b"491231235959Z"]),
    );
    let name = der(0x30, &[]);
    let to_be_signed = der(
        0x30,
        &[
            &der(2, &[&[1]]),
            &algorithm(11),
            &name,
            &der(0x30, &[&begin, &end]),
            &name,
            &info,
        ],
    );
    let certificate = der(
        0x30,
        &[
            &to_be_signed,
            &algorithm(11),
            &der(3, &[&vec![0; signature]]),
        ],
    );
    let text = encoded(certificate);
    let lines = text.as_bytes().chunks(64).map(String::from_utf8_lossy);
    format!(
        "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
        lines.collect::<Vec<_>>().join("\n")
    )
}

/// Each error names the flag, the file, the reason and the way out.
#[test]
fn what_is_not_a_certificate_to_seal_to_is_refused() {
    let team = Team::new(Needs::Seed, &TERMS);
    let key = read(&root().join("tests/certificates/rome.key"));
    // the reader of the crate der waits for the rest for ever
    let cut = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n";
    for (name, content, reason) in [
        ("empty.pem", String::new(), "not a certificate in PEM"),
        (
            "text.pem",
            "no certificate".into(),
            "not a certificate in PEM",
        ),
        ("key.pem", key, "not a certificate in PEM"),
        (
            "changed.pem",
            pem("rome").replace("MII", "MIJ"),
            "not a certificate in PEM",
        ),
        ("cut.pem", cut.into(), "not a certificate in PEM"),
        ("chain.pem", pem("rome") + &pem("milan"), "2 PEM blocks"),
        ("ec.pem", pem("ec"), "not an RSA key"),
        ("ed25519.pem", pem("ed25519"), "not an RSA key"),
        ("weak.pem", pem("rsa-1024"), "1024 bits"),
        ("exponent.pem", pem("exponent-3"), "exponent"),
        ("large.pem", with_modulus(8192), "65536 bits"),
        ("over.pem", with_modulus(1025), "8200 bits"),
        ("under.pem", certificate(0x7f, 256, 257), "2047 bits"),
        // as kubeseal does: a file that lay about is not what the controller has now
        ("expired.pem", pem("expired"), "it expired on 2020-01-01"),
        (
            "future.pem",
            pem("future"),
            "it is valid from 2100-01-01 on",
        ),
    ] {
        put(team.path(name), content);
        let outcome = new(&team, &format!("--certificate rome=~/{name}"));
        outcome
            .fails(2, "flag")
            .says("--certificate: ")
            .says(&format!("{name}: "))
            .says(reason);
        outcome.says("--fetch-cert");
        assert!(!team.folder().join("new.age").exists(), "{name}");
    }
    // what is made here differs from one that is taken in its size only
    put(
        team.path("good.pem"),
        format!("Subject:\r\n{}", with_modulus(1024)),
    );
    new(&team, "--certificate rome=~/good.pem").says("(8192 bits)");
}

#[test]
fn a_flag_that_cannot_be_meant_is_refused() {
    let team = Team::new(Needs::Both, &TERMS);
    put(team.path("large"), vec![b'x'; 16 * 1024 + 1]);
    for (certificates, code, error, reason) in [
        ("rome.pem", 2, "flag", "`rome=rome.pem`"),
        ("Rome=rome.pem", 2, "flag", "Rome"),
        (
            "turin=CERTS/rome.crt",
            2,
            "flag",
            "`turin` is not one of the clusters",
        ),
        (
            "rome=CERTS/rome.crt --certificate rome=CERTS/milan.crt",
            2,
            "flag",
            "`rome` is given twice",
        ),
        ("rome=~/large", 3, "file", "larger than 16384 bytes"),
        ("rome=nowhere.pem", 3, "file", "nowhere.pem"),
    ] {
        new(&team, &format!("--certificate {certificates}"))
            .fails(code, error)
            .says(reason);
    }
    // a kubeconfig that is sealed again needs the certificate in its own file
    let reseal = "reseal kubeconfig.age --identity-file ID --recipient TO";
    team.confirms(&format!("{reseal} --certificate rome=CERTS/rome.crt"))
        .done();
    assert!(team.inspected("kubeconfig.age").contains("certificate"));
}

/// What `inspect` says of a file that somebody sealed: anyone can seal anything to a public recipient.
fn of_payload(team: &Team, payload: &str) -> Outcome {
    let recipient: Recipient = team.recipient.parse().expect("a recipient");
    team.write(
        "x.age",
        age::encrypt_and_armor(&recipient, payload.as_bytes()).expect("sealed"),
    );
    team.types("inspect x.age --identity-file ID")
}

#[test]
fn a_payload_has_certificates_of_its_clusters_only() {
    let team = Team::new(Needs::Seed, &TERMS);
    let payload = |field: &str, value: &Value| {
        seed_payload(
            &json!({ "peerings": [{ "consumer": "rome", "provider": "milan" }], field: value }),
        )
        .to_string()
    };
    let rome = pem("rome");
    let once = payload("certificates", &json!({ "rome": rome }));
    of_payload(&team, &once).done();
    for (field, value) in [
        ("certificates", json!({ "turin": rome })),
        ("certificates", json!({ "Rome": rome })),
        ("certificates", json!({ "rome": "" })),
        ("certificates", json!({ "rome": pem("rsa-1024") })),
        ("certificates", json!({ "rome": [rome] })),
        ("certificates", json!([rome])),
        ("certificates", json!(null)),
        ("delivery", json!(["Sealed"])),
        ("delivery", json!(["sealedsecret"])),
        ("delivery", json!(["*"])),
        ("delivery", json!("SealedSecret")),
        ("delivery", json!(null)),
    ] {
        of_payload(&team, &payload(field, &value))
            .fails(3, "sealed-payload")
            .says("its terms do not have the form");
    }
    // readers of JSON do not agree on which of two counts
    let twice = once.replacen(
        "\"certificates\":{",
        &format!("\"certificates\":{{\"rome\":{},", json!(rome)),
        1,
    );
    assert_ne!(once, twice);
    of_payload(&team, &twice)
        .fails(3, "sealed-payload")
        .says("its terms do not have the form");
}

/// The file of a kubeconfig has room for one that is longer than any.
#[test]
fn a_certificate_in_a_sealed_file_has_an_end() {
    let team = Team::new(Needs::Seed, &TERMS);
    let sealed = |signature: usize| {
        let pem = certificate(0xff, 512, signature);
        let bind = json!({ "peerings": [{ "consumer": "rome", "provider": "milan" }], "certificates": { "rome": pem } });
        (
            pem.len(),
            of_payload(&team, &kubeconfig_payload(KUBECONFIG, &bind).to_string()),
        )
    };
    let (length, taken) = sealed(11_000);
    taken.done();
    assert!(length < 16 * 1024, "{length}");
    let (length, refused) = sealed(11_500);
    refused
        .fails(3, "sealed-payload")
        .says("its terms do not have the form");
    assert!((16 * 1024..17 * 1024).contains(&length), "{length}");
}

/// The flag on every command that seals; it is inherited, and what else it is, is not a delivery.
#[test]
fn a_delivery_is_demanded_by_every_sealing_command() {
    let only = ["--delivery", "SealedSecret"];
    let team = Team::new(Needs::Both, &[&TERMS[..], &only].concat());
    let to = "--identity-file ID --recipient TO";
    for file in ["peering.seed.age", "kubeconfig.age"] {
        assert!(
            team.inspected(file)
                .contains("delivery: \"SealedSecret\"\n")
        );
        team.confirms(&format!("reseal {file} {to} --path {PATH}"))
            .done();
        assert!(
            team.inspected(file)
                .contains("delivery: \"SealedSecret\"\n"),
            "it is inherited"
        );
    }
    // the document does not deliver like this: Argo CD's callers are told what they are always told
    let denied = team.own("net", PATH).run();
    denied
        .fails(3, "denied")
        .says("do not allow the clusters rome/milan")
        .silent_on("SealedSecret");
    let generate = || team.types("generate --local --role consumer --identity-file ID");
    let refused = "they allow \"SealedSecret\"; set `delivery` of `spec.consumer`";
    generate().fails(3, "delivery-denied").says(refused);
    // and before the push
    let validated = team.types("validate . --identity-file ID");
    validated
        .fails(1, "delivery-denied")
        .says("its terms do not allow the delivery `Secret`");
    // public keys are printed all the same
    team.types("keys --identity-file ID").done();
    // the document's change is the way out, and then there is no certificate yet
    let document = team.document().replacen(
        "clusterID: rome",
        "clusterID: rome\n    delivery: SealedSecret",
        1,
    );
    team.write("peering.yaml", document);
    for outcome in [generate(), team.own("net", PATH).run()] {
        outcome
            .fails(3, "certificate-missing")
            .says("reseal peering.seed.age")
            .says("--certificate rome=");
    }
    // so is another delivery in the terms
    team.confirms(&format!(
        "reseal kubeconfig.age {to} --delivery SealedSecret --delivery Secret"
    ))
    .done();
    assert!(
        team.inspected("kubeconfig.age")
            .contains("delivery: \"SealedSecret\" \"Secret\"\n")
    );
    for wrong in ["sealedsecret", "*", "\"\"", "Secret,External"] {
        new(&team, &format!("--delivery {wrong}")).ends(2);
    }
}

/// The term is not a caller's business: it cannot be told from any other one.
#[test]
fn who_is_denied_does_not_learn_that_it_was_the_delivery() {
    let read = |uses: &[&str]| {
        let team = Team::new(Needs::Seed, &[&TERMS[..], uses].concat());
        team.own("net", PATH)
            .run()
            .fails(3, "denied")
            .stderr
            .clone()
    };
    let delivery = read(&["--delivery", "External"]);
    assert_eq!(read(&["--delivery", "SealedSecret"]), delivery);
    assert_eq!(read(&["--revision", "another"]), delivery);
}
