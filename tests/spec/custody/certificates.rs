//! The certificates that are sealed with a seed: which are taken, what is shown of them, and that each is set again.

use super::team::{Needs, PATH, Team};
use crate::harness::{
    KUBECONFIG, Outcome, REPO, encoded, kubeconfig_payload, put, read, root, seal, seed_payload,
};
use serde_json::{Value, json};
use std::fs;

const TERMS: [&str; 6] = ["--project", "net", "--repo", REPO, "--path", PATH];

/// `openssl x509 -in rome.crt -noout -pubkey | openssl pkey -pubin -outform DER | sha256sum`.
const ROME: &str = "086761d18e77e12570a336c665850b5a62eb6fc025a58c90a379c31344b04fbd";
const MILAN: &str = "4ff15e92e851a90557494c22764163542ab6625fc872b3a822e07a10b0b6aecd";
const OTHER: &str = "a8334d5493204b5e8108dbbf9af23a124a12c92ba9e580c8380798098a2373e2";

fn pem(name: &str) -> String {
    read(&root().join("tests/certificates").join(format!("{name}.crt")))
}

/// `--certificate CLUSTER=FILE` with a certificate of the tests.
pub(super) fn flag(cluster: &str, name: &str) -> [String; 2] {
    let file = root().join("tests/certificates").join(format!("{name}.crt"));
    ["--certificate".into(), format!("{cluster}={}", file.display())]
}

pub(super) fn words(flags: &[[String; 2]]) -> Vec<&str> {
    flags.iter().flatten().map(String::as_str).collect()
}

fn shown(digest: &str) -> String {
    format!("sha256:{digest} (")
}

/// `seed new` of another file on the team's terms.
fn new(team: &Team, flags: &[&str]) -> Outcome {
    let seed = ["seed", "new", "new.age", "--clusters", "rome,milan", "--recipient", &team.recipient];
    // those of the tests are in a checkout
    team.confirming(&[&seed[..], &TERMS, flags].concat())
}

fn inspected(team: &Team, file: &str) -> String {
    team.person(&["inspect", file, "--identity-file", &team.identity()]).done().to_owned()
}

#[test]
fn they_are_sealed_with_a_seed_and_shown() {
    let team = Team::new(Needs::Both, &TERMS);
    let both = [flag("rome", "rome"), flag("milan", "milan")];
    new(&team, &words(&both)).says(&shown(ROME)).says(&shown(MILAN)).done();
    let before = inspected(&team, "new.age");
    let lines: Vec<&str> = before.lines().filter(|line| line.starts_with("certificate: ")).collect();
    assert_eq!(
        lines,
        [
            format!("certificate: \"milan\" sha256:{MILAN} (4096 bits), ends on 2126-10-29"),
            format!("certificate: \"rome\" sha256:{ROME} (4096 bits), ends on 2126-10-29")
        ]
    );
    // what is not in the file is the same as without them, and the stream is the one of its seed
    assert!(!inspected(&team, "peering.seed.age").contains("certificate"));
    let identity = team.identity();
    let reseal = ["reseal", "new.age", "--identity-file", &identity, "--recipient", &team.recipient];
    let moved = [&reseal[..], &["--path", "moved"], &words(&both)].concat();
    team.confirming(&moved).says(&shown(ROME)).says(&shown(MILAN));
    assert_eq!(inspected(&team, "new.age"), before.replace(PATH, "moved"));
    // one is replaced, the other one is set again
    let renewed = [flag("rome", "rsa-2048"), flag("milan", "milan")];
    team.confirming(&[&reseal[..], &words(&renewed)].concat()).done();
    let after = inspected(&team, "new.age");
    assert!(
        after.contains(&format!("\"rome\" sha256:{OTHER} (2048 bits)")) && after.contains(MILAN),
        "{after}"
    );
    assert!(!after.contains(ROME), "{after}");
    // that of a cluster that the file is no longer for goes with it
    team.confirming(&[&reseal[..], &["--clusters", "rome,turin"], &words(&renewed[..1])].concat()).done();
    let after = inspected(&team, "new.age");
    assert!(after.contains(OTHER) && !after.contains(MILAN), "{after}");
}

/// A new seed is sealed with those of the flags, and a seed that is imported can have them.
#[test]
fn they_belong_to_every_way_to_a_seed() {
    let team = Team::new(Needs::Seed, &TERMS);
    let identity = team.identity();
    let both = [flag("rome", "rome"), flag("milan", "milan")];
    let to = ["--identity-file", identity.as_str(), "--recipient", &team.recipient];
    team.confirming(&[&["reseal", "peering.seed.age"], &to[..], &words(&both)].concat()).done();
    let rotate = ["seed", "rotate", ".", "--role", "provider"];
    let renewed = [flag("rome", "rsa-2048"), flag("milan", "milan")];
    team.confirming(&[&rotate[..], &["--new-seed"], &to, &words(&renewed)].concat()).done();
    let after = inspected(&team, "peering.seed.age");
    assert!(after.contains(OTHER) && after.contains(MILAN), "{after}");
    team.person(&[&rotate[..], &to[..2], &words(&renewed)].concat()).fails(2, "flag").says("--new-seed");
    put(team.path("raw"), "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
    let raw = team.path("raw").display().to_string();
    let import = ["seed", "import", "--base64", &raw, "imported.age", "--clusters", "rome,milan"];
    team.confirming(&[&import[..], &to[2..], &words(&both)].concat()).done();
    let after = inspected(&team, "imported.age");
    assert!(after.contains(ROME) && after.contains(MILAN), "{after}");
}

/// Somebody else's certificate on the way to a new file would have everything sealed to them.
#[test]
fn they_are_part_of_what_is_confirmed() {
    let team = Team::new(Needs::Seed, &TERMS);
    let identity = team.identity();
    let reseal = ["reseal", "peering.seed.age", "--identity-file", &identity, "--recipient", &team.recipient];
    let digest = |flags: &[[String; 2]]| {
        let refusal = team.person(&[&reseal[..], &words(flags)].concat());
        refusal.fails(2, "flag").expected().expect("a digest").to_owned()
    };
    let (rome, other) = ([flag("rome", "rome")], [flag("rome", "rsa-2048")]);
    let digests = [digest(&[]), digest(&rome), digest(&other)];
    assert!(digests[0] != digests[1] && digests[1] != digests[2], "{digests:?}");
    let expecting =
        |digest: &str| team.person(&[&reseal[..], &words(&other), &["--expect", digest]].concat());
    expecting(&digests[1]).fails(2, "flag");
    expecting(&digests[2]).done();
}

/// Two RSA-4096 certificates and what else a file has are far from the cap.
#[test]
fn they_fit_into_a_file_with_many_recipients() {
    let team = Team::new(Needs::Seed, &TERMS);
    let both = [flag("rome", "rome"), flag("milan", "milan")];
    let recipients: Vec<String> =
        (0..20).flat_map(|_| ["--recipient".into(), seal::identity().0.to_public().to_string()]).collect();
    let recipients: Vec<&str> = recipients.iter().map(String::as_str).collect();
    new(&team, &[&recipients[..], &words(&both)].concat()).done();
    let size = fs::metadata(team.folder().join("new.age")).expect("it").len();
    assert!(size < 12 * 1024, "{size}");
    // one seed for a fleet of so many has no place for all of theirs
    let numbered = |at: u8| {
        let path = team.path(&format!("{at}.pem"));
        put(&path, certificate(0xff - at, 512, 650));
        ["--certificate".into(), format!("c{at}={}", path.display())]
    };
    for (count, fits) in [(6, true), (7, false)] {
        let name = format!("fleet-{count}.age");
        let clusters: Vec<String> = (0..count).map(|at| format!("c{at},hub")).collect();
        let certificates: Vec<[String; 2]> = (0..count).map(numbered).collect();
        let pairs: Vec<&str> = clusters.iter().flat_map(|pair| ["--clusters", pair]).collect();
        let fleet = ["seed", "new", &name, "--recipient", &team.recipient];
        let outcome = team.person(&[&fleet[..], &pairs, &words(&certificates)].concat());
        if fits {
            outcome.done();
        } else {
            outcome.fails(3, "sealing").says("larger than 16384 bytes").says("certificates");
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
    let (begin, end) = (der(0x17, &[b"260101000000Z"]), der(0x17, &[b"491231235959Z"]));
    let name = der(0x30, &[]);
    let to_be_signed =
        der(0x30, &[&der(2, &[&[1]]), &algorithm(11), &name, &der(0x30, &[&begin, &end]), &name, &info]);
    let certificate = der(0x30, &[&to_be_signed, &algorithm(11), &der(3, &[&vec![0; signature]])]);
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
    let refused = |name: &str, content: &str, reason: &str| {
        put(team.path(name), content);
        let certificate = format!("rome={}", team.path(name).display());
        let outcome = new(&team, &["--certificate", &certificate]);
        outcome.fails(2, "flag").says("--certificate: ").says(&format!("{name}: ")).says(reason);
        outcome.says("`kubeseal --context CLUSTER --fetch-cert`");
        assert!(!team.folder().join("new.age").exists(), "{name}");
    };
    let key = read(&root().join("tests/certificates/rome.key"));
    refused("empty.pem", "", "not a certificate in PEM");
    refused("text.pem", "no certificate", "not a certificate in PEM");
    refused("key.pem", &key, "not a certificate in PEM");
    refused("changed.pem", &pem("rome").replace("MII", "MIJ"), "not a certificate in PEM");
    // the reader of the crate der waits for the rest for ever
    let cut = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n";
    refused("cut.pem", cut, "not a certificate in PEM");
    refused("chain.pem", &(pem("rome") + &pem("milan")), "2 PEM blocks");
    refused("ec.pem", &pem("ec"), "not an RSA key");
    refused("ed25519.pem", &pem("ed25519"), "not an RSA key");
    refused("weak.pem", &pem("rsa-1024"), "1024 bits");
    refused("exponent.pem", &pem("exponent-3"), "exponent");
    refused("large.pem", &with_modulus(8192), "65536 bits");
    refused("over.pem", &with_modulus(1025), "8200 bits");
    refused("under.pem", &certificate(0x7f, 256, 257), "2047 bits");
    // what is made here differs from one that is taken in its size only
    put(team.path("good.pem"), format!("Subject:\r\n{}", with_modulus(1024)));
    let good = format!("rome={}", team.path("good.pem").display());
    new(&team, &["--certificate", &good]).says("(8192 bits)");
}

#[test]
fn a_flag_that_cannot_be_meant_is_refused() {
    let team = Team::new(Needs::Both, &TERMS);
    let rome = flag("rome", "rome");
    for (flags, reason) in [
        (vec!["--certificate", "rome.pem"], "`rome=rome.pem`"),
        (vec!["--certificate", "Rome=rome.pem"], "Rome"),
        (words(&[flag("turin", "rome")]), "`turin` is not one of the clusters"),
        (words(&[rome.clone(), flag("rome", "milan")]), "`rome` is given twice"),
    ] {
        new(&team, &flags).fails(2, "flag").says("--certificate: ").says(reason);
    }
    let too_large = format!("rome={}", team.path("large").display());
    put(team.path("large"), vec![b'x'; 16 * 1024 + 1]);
    new(&team, &["--certificate", &too_large]).fails(3, "file").says("larger than 16384 bytes");
    new(&team, &["--certificate", "rome=nowhere.pem"]).fails(3, "file").says("nowhere.pem");
    // a kubeconfig that is sealed again needs the certificate in its own file
    let identity = team.identity();
    let reseal = ["reseal", "kubeconfig.age", "--identity-file", &identity, "--recipient", &team.recipient];
    team.confirming(&[&reseal[..], &words(&[rome])].concat()).done();
    assert!(inspected(&team, "kubeconfig.age").contains("certificate"));
}

/// Anyone can seal anything to a public recipient.
#[test]
fn a_payload_has_certificates_of_its_clusters_only() {
    let team = Team::new(Needs::Seed, &TERMS);
    let recipient: age::x25519::Recipient = team.recipient.parse().expect("a recipient");
    let bind = |field: &str, value: Value| {
        let mut bind = json!({ "clusters": [["rome", "milan"]] });
        bind[field] = value;
        bind
    };
    let sealed = |payload: &str| {
        let file = age::encrypt_and_armor(&recipient, payload.as_bytes()).expect("sealed");
        team.write("x.age", file);
        team.person(&["inspect", "x.age", "--identity-file", &team.identity()])
    };
    let rome = pem("rome");
    sealed(&seed_payload(&bind("certificates", json!({ "rome": rome }))).to_string()).done();
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
        let outcome = sealed(&seed_payload(&bind(field, value.clone())).to_string());
        outcome.fails(3, "sealed-payload").says("not a payload");
    }
    // readers of JSON do not agree on which of two counts
    let once = seed_payload(&bind("certificates", json!({ "rome": rome }))).to_string();
    let twice =
        once.replacen("\"certificates\":{", &format!("\"certificates\":{{\"rome\":{},", json!(rome)), 1);
    assert_ne!(once, twice);
    sealed(&twice).fails(3, "sealed-payload").says("not a payload");
}

/// The file of a kubeconfig has room for one that is longer than any.
#[test]
fn a_certificate_in_a_sealed_file_has_an_end() {
    let team = Team::new(Needs::Seed, &TERMS);
    let recipient: age::x25519::Recipient = team.recipient.parse().expect("a recipient");
    let sealed = |signature: usize| {
        let pem = certificate(0xff, 512, signature);
        let bind = json!({ "clusters": [["rome", "milan"]], "certificates": { "rome": pem } });
        let payload = kubeconfig_payload(KUBECONFIG, &bind).to_string();
        team.write("x.age", age::encrypt_and_armor(&recipient, payload.as_bytes()).expect("sealed"));
        (pem.len(), team.person(&["inspect", "x.age", "--identity-file", &team.identity()]))
    };
    let (length, taken) = sealed(11_000);
    taken.done();
    assert!(length < 16 * 1024, "{length}");
    let (length, refused) = sealed(11_500);
    refused.fails(3, "sealed-payload").says("not a payload");
    assert!((16 * 1024..17 * 1024).contains(&length), "{length}");
}

/// The flag on every command that seals; it is inherited, and what else it is, is not a delivery.
#[test]
fn a_delivery_is_demanded_by_every_sealing_command() {
    let only = ["--delivery", "SealedSecret"];
    let team = Team::new(Needs::Both, &[&TERMS[..], &only].concat());
    let identity = team.identity();
    let to = ["--identity-file", identity.as_str(), "--recipient", &team.recipient];
    for file in ["peering.seed.age", "kubeconfig.age"] {
        assert!(inspected(&team, file).contains("delivery: \"SealedSecret\"\n"));
        team.confirming(&[&["reseal", file], &to[..], &["--path", PATH]].concat()).done();
        assert!(inspected(&team, file).contains("delivery: \"SealedSecret\"\n"), "it is inherited");
    }
    // the document does not deliver like this: Argo CD's callers are told what they are always told
    let denied = team.own("net", PATH).run();
    denied.fails(3, "denied").says("do not allow the clusters rome/milan").silent_on("SealedSecret");
    let generate = ["generate", "--local", "--role", "consumer", "--identity-file", &identity];
    let denied = team.person(&generate);
    denied.fails(3, "delivery-denied").says("they allow \"SealedSecret\"; set `delivery` of `spec.consumer`");
    // and before the push
    let validate = ["validate", ".", "--identity-file", &identity];
    team.person(&validate).fails(1, "delivery-denied").says("its terms do not allow the delivery `Secret`");
    // public keys are printed all the same
    team.person(&["keys", "--identity-file", &identity]).done();
    // the document's change is the way out, and then there is no certificate yet
    let document =
        team.document().replacen("clusterID: rome", "clusterID: rome\n    delivery: SealedSecret", 1);
    team.write("peering.yaml", document);
    for outcome in [team.person(&generate), team.own("net", PATH).run()] {
        outcome.fails(3, "certificate-missing").says("reseal peering.seed.age").says("--certificate rome=");
    }
    // so is another delivery in the terms
    let more = ["--delivery", "SealedSecret", "--delivery", "Secret"];
    team.confirming(&[&["reseal", "kubeconfig.age"], &to[..], &more].concat()).done();
    assert!(inspected(&team, "kubeconfig.age").contains("delivery: \"SealedSecret\" \"Secret\"\n"));
    for wrong in ["sealedsecret", "*", "", "Secret,External"] {
        assert_eq!(new(&team, &["--delivery", wrong]).code, Some(2), "{wrong}");
    }
}

/// The term is not a caller's business: it cannot be told from any other one.
#[test]
fn who_is_denied_does_not_learn_that_it_was_the_delivery() {
    let read = |uses: &[&str]| {
        let team = Team::new(Needs::Seed, &[&TERMS[..], uses].concat());
        team.own("net", PATH).run().fails(3, "denied").stderr.clone()
    };
    let delivery = read(&["--delivery", "External"]);
    assert_eq!(read(&["--delivery", "SealedSecret"]), delivery);
    assert_eq!(read(&["--revision", "another"]), delivery);
}

/// As kubeseal does. A file that lay about is not what the controller has now.
#[test]
fn a_certificate_out_of_its_time_is_refused() {
    let team = Team::new(Needs::Seed, &TERMS);
    for (name, why) in [("expired", "it expired on 2020-01-01"), ("future", "it is valid from 2100-01-01 on")]
    {
        new(&team, &words(&[flag("rome", name)])).fails(2, "flag").says(why).says("kubeseal --fetch-cert");
    }
}
