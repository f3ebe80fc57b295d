//! The certificates that are sealed with a seed: which are taken, what is shown of them, and that each is set again.

use crate::harness::team::{Needs, TERMS, Team};
use crate::harness::{KUBECONFIG, Outcome, encoded, kubeconfig_payload, put, read, root, seal};
use age::x25519::Recipient;
use serde_json::json;

/// Both clusters' certificates, and another one for `rome`.
pub(super) const BOTH: &str =
    "--certificate rome=CERTS/rome.crt --certificate milan=CERTS/milan.crt";

/// `seed new` of another file on the team's terms.
fn new(team: &Team, flags: &str) -> Outcome {
    // those of the tests are in a checkout
    team.confirms(&format!(
        "seed new new.age --clusters rome,milan --recipient TO TERMS {flags}"
    ))
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
                .says("over 16384 bytes")
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

/// What cannot be had from openssl; the rest is in `certificates.cases`.
#[test]
fn a_key_that_is_too_small_or_too_large_is_refused() {
    let team = Team::new(Needs::Seed, &TERMS);
    let chain =
        ["rome", "milan"].map(|it| read(&root().join(format!("tests/certificates/{it}.crt"))));
    for (content, reason) in [
        (chain.concat(), "2 PEM blocks"),
        (with_modulus(8192), "65536 bits"),
        (with_modulus(1025), "8200 bits"),
        (certificate(0x7f, 256, 257), "2047 bits"),
    ] {
        put(team.path("x.pem"), content);
        let outcome = new(&team, "--certificate rome=~/x.pem");
        outcome.fails(2, "flag").says("x.pem: ").says(reason);
        assert!(!team.folder().join("new.age").exists(), "{reason}");
    }
    // what is made here differs from one that is taken in its size only
    let good = format!("Subject:\r\n{}", with_modulus(1024));
    put(team.path("x.pem"), good);
    new(&team, "--certificate rome=~/x.pem").says("(8192 bits)");
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
        .says("this version cannot read its terms");
    assert!((16 * 1024..17 * 1024).contains(&length), "{length}");
}
