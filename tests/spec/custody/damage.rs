//! Sealed files that were changed, cut, or are for others; what is no sealed file is in `damage.cases`.

use crate::harness::{
    Checkout, age_file, demo, identity, passphrase_file, put, seed_payload, terms,
};
use age::armor::Format;

/// A provider's run with this in the place of the sealed seed.
fn with(checkout: &Checkout, sealed: &[u8]) -> crate::harness::run::Outcome {
    checkout.write("peering.seed.age", sealed);
    checkout.plugin("provider").run()
}

fn plaintext() -> Vec<u8> {
    seed_payload(&terms()).to_string().into_bytes()
}

/// Every byte of header and payload is authenticated. `age` may still open a file with a changed bit where the format
/// has none that count, so an opened file must at least be the same.
#[test]
fn what_was_changed_cut_or_lengthened_is_noticed() {
    let checkout = Checkout::new();
    let streams = [Format::Binary, Format::AsciiArmor].map(|format| {
        let good = age_file(&[&demo()], &plaintext(), format);
        let stream = with(&checkout, &good).stream().to_owned();
        for at in (0..good.len()).step_by(16).chain([good.len() - 2]) {
            for bit in [0x01, 0x20] {
                let mut changed = good.clone();
                *changed.get_mut(at).expect("a byte") ^= bit;
                with(&checkout, &changed)
                    .fails(3, "sealed-payload")
                    .says("peering.seed.age");
            }
        }
        for length in (0..good.len() - 1).step_by(23).chain([1, good.len() - 2]) {
            let outcome = with(&checkout, good.get(..length).expect("a part"));
            outcome
                .fails(3, "sealed-payload")
                .says("peering.seed.age")
                .says("Git");
        }
        let garbage = [
            "x",
            "\nx\n",
            "AAAA",
            "-----BEGIN AGE ENCRYPTED FILE-----\n",
            "\0",
        ]
        .map(str::as_bytes);
        for behind in garbage.into_iter().chain([good.as_slice()]) {
            with(&checkout, &[&good, behind].concat())
                .fails(3, "sealed-payload")
                .says("damaged");
        }
        stream
    });
    assert_eq!(streams[0], streams[1], "a file without armor opens as well");
}

/// The file is the demo identity's, with a large plaintext after which the limit cuts: that must not be taken for whole.
#[test]
fn a_file_over_the_limit_is_refused() {
    let checkout = Checkout::new();
    let mut large = plaintext();
    large.resize(20 * 1024, b' ');
    let outcome = with(&checkout, &age_file(&[&demo()], &large, Format::Binary));
    outcome
        .fails(3, "sealed-file")
        .says("peering.seed.age")
        .says("larger than 16384 bytes");
    large.truncate(15 * 1024);
    with(&checkout, &age_file(&[&demo()], &large, Format::Binary)).stream();
}

#[test]
fn what_is_no_text_is_no_age_file() {
    let checkout = Checkout::new();
    let outcome = with(&checkout, b"\xff\xfe\0\0");
    outcome
        .fails(3, "sealed-payload")
        .says("peering.seed.age")
        .says("age file");
    unusable(&checkout, "age file");
}

/// What `validate` says of the file, without an identity.
fn unusable(checkout: &Checkout, words: &str) {
    let validate = checkout.program(["validate".as_ref(), checkout.folder().as_os_str()]);
    validate
        .typed(checkout.temp())
        .run()
        .fails(1, "sealed-payload")
        .says("peering.seed.age")
        .says(words);
}

/// Both files, in one run.
#[test]
fn validate_looks_at_every_sealed_file() {
    let checkout = Checkout::new();
    checkout.write("peering.seed.age", passphrase_file(&plaintext(), 2));
    checkout.write("kubeconfig.age", "current-context: a\n");
    unusable(&checkout, "passphrase");
    unusable(
        &checkout,
        "kubeconfig.age: it is not sealed: it is a plaintext kubeconfig",
    );
    let ssh = "age-encryption.org/v1\n-> ssh-ed25519 a b\nAAAA\n--- AAAA\n";
    checkout.write("peering.seed.age", ssh);
    unusable(&checkout, "SSH keys");
}

/// Before any work is done: how much it is was chosen by whoever made the file.
#[test]
fn a_passphrase_is_refused_fast() {
    let checkout = Checkout::new();
    let armored = passphrase_file(&plaintext(), 2);
    with(&checkout, &armored)
        .fails(3, "sealed-payload")
        .says("passphrase")
        .says("X25519");
    let mut binary = Vec::new();
    let mut reader = age::armor::ArmoredReader::new(armored.as_slice());
    std::io::Read::read_to_end(&mut reader, &mut binary).expect("armor");
    let stanza = binary
        .windows(11)
        .position(|part| part == b"\n-> scrypt ")
        .expect("its stanza")
        + 1;
    let length = binary
        .iter()
        .skip(stanza)
        .position(|byte| *byte == b'\n')
        .expect("a line");
    let digit = stanza + length - 1;
    assert_eq!(
        binary.get(digit),
        Some(&b'2'),
        "the work factor ends the stanza's first line"
    );
    for work in ["18", "22", "63"] {
        let mut heavy = binary.clone();
        heavy.splice(digit..=digit, work.bytes());
        let outcome = with(&checkout, &heavy);
        outcome.fails(3, "sealed-payload").says("passphrase");
        assert!(outcome.took.as_secs() < 5, "{work}: {:?}", outcome.took);
    }
}

/// Each recipient is a Diffie-Hellman for each identity, so a header full of them is work.
#[test]
fn a_header_full_of_recipients_is_bounded() {
    let checkout = Checkout::new();
    let others: Vec<_> = (0..40).map(|_| identity().0).collect();
    let others: Vec<_> = others.iter().collect();
    let outcome = with(&checkout, &age_file(&others, &plaintext(), Format::Binary));
    outcome
        .fails(3, "sealed-payload")
        .says("none of the identities");
    assert!(outcome.took.as_secs() < 20, "{:?}", outcome.took);
}

/// Stanzas as those tools write them; nothing but their first word is looked at.
#[test]
fn recipients_of_other_kinds_are_named() {
    let checkout = Checkout::new();
    let (other, _) = identity();
    let binary = age_file(&[&other], &plaintext(), Format::Binary);
    let begin = binary
        .windows(11)
        .position(|part| part == b"\n-> X25519 ")
        .expect("its stanza")
        + 1;
    let header_end = binary
        .windows(5)
        .position(|part| part == b"\n--- ")
        .expect("its end")
        + 1;
    for (stanza, words) in [
        (
            "-> ssh-ed25519 SVrzdQ qbBoOI\n\n",
            "sealed to SSH keys only",
        ),
        ("-> ssh-rsa mhir0Q\n\n", "sealed to SSH keys only"),
        (
            "-> mlkem768x25519 AAAA\n\n",
            "sealed to post-quantum recipients only",
        ),
        (
            "-> piv-p256 AAAA BBBB\n\n",
            "sealed to recipients of an age plugin only",
        ),
        (
            "-> abc-grease x\n\n-> ssh-ed25519 SVrzdQ qbBoOI\n\n",
            "sealed to SSH keys only",
        ),
        ("-> abc-grease x\n\n", "none of the identities"),
    ] {
        let mut file = binary.clone();
        file.splice(begin..header_end, stanza.bytes());
        with(&checkout, &file)
            .fails(3, "sealed-payload")
            .says(words)
            .says("`age-keygen");
    }
}

#[test]
fn another_recipients_file_names_what_to_do() {
    let (other, text) = identity();
    let checkout = Checkout::new();
    let outcome = with(
        &checkout,
        &age_file(&[&other], &plaintext(), Format::AsciiArmor),
    );
    outcome
        .fails(3, "sealed-payload")
        .says("none of the identities opens it")
        .says("age-keygen -y");
    put(checkout.identity(), text);
    checkout.plugin("provider").run().stream();
}
