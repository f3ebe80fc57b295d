//! Files of the folder whose bytes or rights are wrong; what else can be in their place is in `files.cases`.

use crate::harness::machine::socket;
use crate::harness::{Checkout, Outcome, document};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// A run after something was put in a file's place.
fn instead(name: &str, role: &str, put: impl FnOnce(&Path, &Checkout)) -> Outcome {
    let checkout = Checkout::new();
    let path = checkout.folder().join(name);
    fs::remove_file(&path).expect(name);
    put(&path, &checkout);
    checkout.plugin(role).run()
}

#[test]
fn a_socket_cannot_be_read() {
    for (name, role) in [
        ("peering.seed.age", "provider"),
        ("peering.seed.age", "consumer"),
        ("kubeconfig.age", "consumer"),
    ] {
        instead(name, role, |path, checkout| socket(path, checkout.temp()))
            .fails(3, "sealed-file")
            .says(name)
            .says("cannot be read");
    }
}

/// A sparse file of a terabyte costs nothing to make.
#[test]
fn a_huge_file_is_refused_without_reading_it() {
    for (name, role, code, error) in [
        ("peering.seed.age", "provider", 3, "sealed-file"),
        ("kubeconfig.age", "consumer", 3, "sealed-file"),
        ("peering.yaml", "provider", 1, "document-file"),
    ] {
        let outcome = instead(name, role, |path, _| {
            fs::File::create(path)
                .and_then(|file| file.set_len(1 << 40))
                .expect("a sparse file");
        });
        outcome.fails(code, error).says(name).says("larger than");
        assert!(outcome.took.as_secs() < 5, "{:?}", outcome.took);
    }
}

#[test]
fn the_document_is_utf_8_of_at_most_64_kibibytes() {
    let with = |content: &[u8]| Checkout::of(content).plugin("provider").run();
    let padded = |length: usize| {
        let mut text = document().into_bytes();
        text.resize(length - 1, b'#');
        text.push(b'\n');
        text
    };
    with(&padded(64 * 1024)).stream();
    with(&padded(64 * 1024 + 1))
        .fails(1, "document-file")
        .says("larger than 65536 bytes");
    with(&padded(65 * 1024))
        .fails(1, "document-file")
        .says("larger than 65536 bytes");
    let latin = document()
        .replace("One unidirectional", "\u{0}ne unidirectional")
        .into_bytes();
    let latin: Vec<u8> = latin
        .into_iter()
        .map(|byte| if byte == 0 { 0xd6 } else { byte })
        .collect();
    with(&latin)
        .fails(1, "document-file")
        .says("not UTF-8")
        .says("line 2 has the byte D6")
        .says("save the file as UTF-8");
    let utf_16 = format!("\u{feff}{}", document())
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect::<Vec<u8>>();
    with(&utf_16)
        .fails(1, "document-file")
        .says("line 1 has the byte FF");
    with(b"\x7fELF\x02\x01\x01\0\xff")
        .fails(1, "document-file")
        .says("not UTF-8");
    with(&[0; 100]).fails(1, "syntax");
    with(b"").fails(1, "syntax");
}

#[test]
fn a_file_that_cannot_be_read_is_said_so() {
    for (name, code, error) in [
        ("peering.yaml", 3, "document-file"),
        ("peering.seed.age", 3, "sealed-file"),
    ] {
        let checkout = Checkout::new();
        let open = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
        };
        for path in [checkout.folder(), checkout.identity()] {
            open(&path, 0o755);
        }
        let run = checkout.plugin("provider").unprivileged(checkout.temp());
        run.run().stream();
        open(&checkout.folder().join(name), 0o000);
        run.run()
            .fails(code, error)
            .says(name)
            .says("cannot be read")
            .says("permission denied");
    }
}
