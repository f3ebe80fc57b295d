//! Opening, against the community's test vectors, against damage, and against files made to cost time.

#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

mod damaged;

use super::{Attempts, Identities, Identity, recipients};
use crate::custody::confirm::sealed as seal;
use crate::custody::payload::{Payload, PayloadKind, PayloadProblem};
use crate::custody::terms::Terms;
use age::secrecy::ExposeSecret as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use std::io::Write as _;
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// A new identity, made by the age crate.
fn generated() -> Identity {
    parsed(
        age::x25519::Identity::generate()
            .to_string()
            .expose_secret(),
    )
}

fn parsed(text: &str) -> Identity {
    Identity::parse(text).expect("an identity")
}

fn of(usable: Vec<Identity>) -> Identities {
    Identities {
        usable,
        unusable: None,
        kept: None,
    }
}

fn problem_of(identities: &Identities, file: &[u8]) -> Option<PayloadProblem> {
    identities.open(file, &mut Attempts::default()).err()
}

/// A vector: what is expected, the identity if it has one, the hash of the plaintext, and the file.
fn vector(bytes: &[u8]) -> (String, Option<Identity>, String, Vec<u8>) {
    let end = bytes
        .windows(2)
        .position(|pair| pair == b"\n\n")
        .expect("an empty line");
    let head = std::str::from_utf8(&bytes[..end]).expect("text");
    let [expected, identity, payload, compressed] =
        ["expect:", "identity:", "payload:", "compressed:"].map(|name| {
            head.lines()
                .find_map(|line| line.strip_prefix(name))
                .map(str::trim)
        });
    let file = bytes[end + 2..].to_vec();
    let file = match compressed {
        Some("zlib") => miniz_oxide::inflate::decompress_to_vec_zlib(&file).expect("zlib"),
        Some(other) => panic!("{other}"),
        None => file,
    };
    let [expected, payload] = [expected, payload].map(|text| text.unwrap_or_default().to_owned());
    (expected, identity.and_then(Identity::parse), payload, file)
}

/// The vectors of the format's own community; tests/vectors/README.md names their source.
#[test]
fn every_vector_of_age() {
    let (mut opened, mut refused) = (0, 0);
    let vectors = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/age.json"
    ));
    let vectors: serde_json::Value = serde_json::from_str(vectors).expect("JSON");
    for (name, bytes) in vectors["files"].as_object().expect("files") {
        let bytes = STANDARD
            .decode(bytes.as_str().expect("base64"))
            .expect("base64");
        let (expected, identity, payload, file) = vector(&bytes);
        // a passphrase and a post-quantum identity are never tried, right or wrong
        let is_ours = identity.is_some();
        let outcome =
            of(vec![identity.unwrap_or_else(generated)]).open(&file, &mut Attempts::default());
        match (expected.as_str(), outcome) {
            ("success", Ok(plaintext)) if is_ours => {
                assert_eq!(
                    format!("{:x}", Sha256::digest(&*plaintext)),
                    payload,
                    "{name}"
                );
                opened += 1;
            }
            ("success" | "no match", Err(PayloadProblem::Passphrase)) if !is_ours => refused += 1,
            ("success" | "no match", Err(PayloadProblem::OtherRecipient)) if !is_ours => {
                refused += 1;
            }
            ("no match", Err(PayloadProblem::OtherRecipient)) => refused += 1,
            ("success" | "no match", Err(PayloadProblem::OtherKind(_))) => refused += 1,
            ("no match" | "success", outcome) => panic!("{name}: {:?}", outcome.err()),
            (_, Err(_)) => refused += 1,
            (_, Ok(_)) => panic!("{name} opens, and {expected} is expected"),
        }
    }
    assert_eq!((opened, refused), (19, 124), "all 143");
}

fn armored(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let format = age::armor::Format::AsciiArmor;
    let mut writer = age::armor::ArmoredWriter::wrap_output(&mut text, format).expect("memory");
    writer.write_all(bytes).expect("memory");
    writer.finish().expect("memory");
    text
}

const STANZA: &[u8] =
    b"-> X25519 TEiF0ypqr+bpvcqXNyCVJpL7OuwPdVwPL7KQEbFDOCc\nhjabGXwSLQ9c3S6Lw2i+S2Tu2fiwQHHslbBN6B41FLE\n";

/// A file with these stanzas that nobody can open.
fn header_of(stanza: &[u8], count: usize) -> Vec<u8> {
    let mac = b"--- WyJp9F/9FOZh7gJdheq2WIJcwHgYc8NIVh3ddwhrcNg\n";
    armored(
        &[
            b"age-encryption.org/v1\n",
            stanza.repeat(count).as_slice(),
            mac,
            &[0; 48],
        ]
        .concat(),
    )
}

#[test]
fn a_header_of_thousands_of_stanzas_ends_soon() {
    let identities = of((0..3).map(|_| generated()).collect());
    let begin = Instant::now();
    assert_eq!(
        problem_of(&identities, &header_of(STANZA, 5_000)),
        Some(PayloadProblem::Recipients)
    );
    assert_eq!(
        problem_of(&identities, &header_of(b"-> x\n\n", 20_000)),
        Some(PayloadProblem::Recipients)
    );
    // without the line that ends it
    let endless = [b"age-encryption.org/v1\n", STANZA.repeat(5_000).as_slice()].concat();
    assert_eq!(
        problem_of(&identities, &endless),
        Some(PayloadProblem::Recipients)
    );
    println!("refused by size: {:?}", begin.elapsed());
    // the largest that are tried
    let plugin = PayloadProblem::OtherKind("recipients of an age plugin");
    for (stanza, count, problem) in [
        (STANZA, 165, PayloadProblem::OtherRecipient),
        (b"-> x\n\n".as_slice(), 200, plugin),
    ] {
        let file = header_of(stanza, count);
        let begin = Instant::now();
        assert_eq!(problem_of(&identities, &file), Some(problem));
        println!("{count} stanzas: {:?}", begin.elapsed());
        assert!(begin.elapsed() < Duration::from_secs(20));
        assert_eq!(
            problem_of(&identities, &header_of(stanza, count + 5)),
            Some(PayloadProblem::Recipients)
        );
    }
    assert_eq!(recipients(&header_of(STANZA, 165)), Ok(165));
}

/// A recipient may begin at the bound and not behind it.
#[test]
fn the_end_of_a_header_is_exact() {
    let plugin = PayloadProblem::OtherKind("recipients of an age plugin");
    for (length, problem) in [
        (16 * 1024, plugin),
        (16 * 1024 + 1, PayloadProblem::Recipients),
    ] {
        let first = format!(
            "-> x {}\n\n",
            "y".repeat(length - "age-encryption.org/v1\n-> x \n\n".len())
        );
        let file = header_of(&[first.as_bytes(), b"-> x\n\n"].concat(), 1);
        assert_eq!(problem_of(&of(vec![generated()]), &file), Some(problem));
    }
}

/// Of our type, and not as any program writes it: the file was changed, and is not another's.
#[test]
fn a_recipient_with_other_words_is_damage() {
    for words in ["", " TEiF0ypqr+bpvcqXNyCVJpL7OuwPdVwPL7KQEbFDOCc x"] {
        let file = header_of(format!("-> X25519{words}\nAAAA\n").as_bytes(), 1);
        assert_eq!(
            problem_of(&of(vec![generated()]), &file),
            Some(PayloadProblem::Damaged),
            "{words}"
        );
    }
}

/// What is sealed can be opened, or it is not sealed.
#[test]
fn as_many_recipients_as_are_tried() {
    let text = age::x25519::Identity::generate().to_string();
    let identities = of(vec![parsed(text.expose_secret())]);
    let ours = identities.usable[0].1.clone();
    let [few, some, many] = [2, 150, 200].map(|count| {
        let recipients: Vec<_> = (1..count)
            .map(|_| generated().1.clone())
            .chain([ours.clone()])
            .collect();
        let secret = Zeroizing::new("x".to_owned());
        seal(
            PayloadKind::Kubeconfig,
            &secret,
            &Terms::default(),
            &recipients,
        )
        .expect("sealed")
    });
    assert_eq!(recipients(&some), Ok(150));
    assert!(identities.open(&some, &mut Attempts::default()).is_ok());
    assert_eq!(recipients(&many), Err(PayloadProblem::Recipients));
    assert_eq!(
        problem_of(&identities, &many),
        Some(PayloadProblem::Recipients)
    );
    // each identity is tried on each stanza, of those that can be theirs
    let [five, six, nine, crowd] = [5, 6, 9, 400].map(|count| {
        let others = (1..count).map(|_| generated());
        of(others.chain([parsed(text.expose_secret())]).collect())
    });
    assert_eq!(problem_of(&six, &some), Some(PayloadProblem::Recipients));
    let plugin = Some(PayloadProblem::OtherKind("recipients of an age plugin"));
    assert_eq!(problem_of(&five, &header_of(b"-> x\n\n", 200)), plugin);
    assert_eq!(
        [problem_of(&five, &some), problem_of(&crowd, &few)],
        [None, None]
    );
    // 800 in all, and 801
    assert_eq!(
        problem_of(&five, &header_of(STANZA, 160)),
        Some(PayloadProblem::OtherRecipient)
    );
    assert_eq!(
        problem_of(&nine, &header_of(STANZA, 89)),
        Some(PayloadProblem::Recipients)
    );
}

fn kind_of(plaintext: impl AsRef<[u8]>) -> Result<Option<PayloadKind>, PayloadProblem> {
    Payload::parse(plaintext.as_ref()).map(|payload| payload.kind)
}

#[test]
fn plaintexts_that_are_no_payload() {
    let bind = r#""bind":{"allow":[{"peerings":[{"consumer":"rome","provider":"milan"}]}]}"#;
    assert_eq!(
        kind_of(format!(r#"{{"v":1,"type":"seed","seed":"x",{bind}}}"#)),
        Ok(Some(PayloadKind::Seed))
    );
    for text in [
        format!(r#"{{"v":1,"type":"seed","kubeconfig":"x",{bind}}}"#),
        format!(r#"{{"v":1,"type":"seed","seed":"x","kubeconfig":"x",{bind}}}"#),
        format!(r#"{{"v":1,"type":"other","seed":"x",{bind}}}"#),
        format!(r#"{{"v":1,"type":"seed","seed":"x","extra":1,{bind}}}"#),
        format!(r#"{{"v":1,"type":"seed","seed":"x","seed":"y",{bind}}}"#),
        r#"{"v":1,"type":"seed","seed":"x"}"#.to_owned(),
    ] {
        assert_eq!(kind_of(&text), Err(PayloadProblem::Malformed), "{text}");
    }
    for bind in [
        r#"{"clusters":[["rome","milan"]]}"#,
        r#"{"allow":[{"peerings":[{"consumer":"rome","provider":"rome"}]}]}"#,
        r#"{"allow":[{"peerings":[{"consumer":"rome","provider":"milan"}],"paths":["../x"]}]}"#,
        "7",
    ] {
        let text = format!(r#"{{"v":1,"type":"seed","seed":"x","bind":{bind}}}"#);
        assert_eq!(kind_of(&text), Err(PayloadProblem::Terms), "{text}");
    }
    assert_eq!(
        kind_of(r#"{"v":2,"anything":1}"#),
        Err(PayloadProblem::Version(2))
    );
    // a bare secret is one for a person's own run
    assert_eq!(kind_of("ARGOCD-PEERING-SEED-1"), Ok(None));
    assert_eq!(kind_of([0xff]), Err(PayloadProblem::Malformed));
}
