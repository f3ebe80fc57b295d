//! Files of the folder, which are in the hands of whoever may push: nothing may hang, and no link is followed.

use crate::harness::machine::{fifo, socket};
use crate::harness::{Checkout, Outcome, ROLES, document, edited, put};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

/// A run after something was put in a file's place.
fn instead(name: &str, role: &str, put: impl FnOnce(&Path, &Checkout)) -> Outcome {
    let checkout = Checkout::new();
    let path = checkout.folder().join(name);
    fs::remove_file(&path).expect(name);
    put(&path, &checkout);
    checkout.plugin(role).run()
}

const SEALED: [(&str, &str); 3] = [
    ("peering.seed.age", "provider"),
    ("peering.seed.age", "consumer"),
    ("kubeconfig.age", "consumer"),
];

#[test]
fn a_sealed_file_is_a_regular_file_of_the_folder() {
    for (name, role) in SEALED {
        let refused = |words: &str, put: fn(&Path, &Checkout)| {
            instead(name, role, put)
                .fails(3, "sealed-file")
                .says(name)
                .says(words);
        };
        refused("no such file", |_, _| {});
        refused("not a regular file", |path, _| {
            fs::create_dir(path).expect("a folder");
        });
        refused("not a regular file", |path, _| fifo(path));
        refused("symbolic link", |path, _| {
            symlink("../elsewhere.age", path).expect("a link");
        });
        refused("symbolic link", |path, _| {
            symlink("peering.yaml", path).expect("a link");
        });
        refused("symbolic link", |path, _| {
            symlink("/dev/zero", path).expect("a link");
        });
        refused("symbolic link", |path, _| {
            symlink(path, path).expect("a link");
        });
        refused("symbolic link", |path, checkout| {
            symlink(checkout.identity(), path).expect("a link");
        });
        refused("larger than", |path, _| {
            fs::write(path, vec![b'a'; 1 << 20]).expect("a file");
        });
        refused("cannot be read", |path, checkout| {
            socket(path, checkout.temp());
        });
    }
    // even a link to the very file
    let outcome = instead("peering.seed.age", "provider", |path, checkout| {
        put(checkout.folder().join("real.age"), b"x");
        symlink("real.age", path).expect("a link");
    });
    outcome.fails(3, "sealed-file").says("symbolic link");
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
fn the_document_is_a_regular_file() {
    let refused = |words: &str, put: fn(&Path, &Checkout)| {
        for role in ROLES {
            instead("peering.yaml", role, put)
                .fails(3, "document-file")
                .says("peering.yaml")
                .says(words);
        }
    };
    refused("no such file", |_, _| {});
    refused("the folder that holds peering.yaml", |_, _| {});
    refused("not a regular file", |path, _| {
        fs::create_dir(path).expect("a folder");
    });
    refused("not a regular file", |path, _| fifo(path));
    refused("Peering.yaml is there: rename it", |path, _| {
        put(path.with_file_name("Peering.yaml"), document());
    });
    refused("symbolic link", |path, _| {
        symlink("/etc/passwd", path).expect("a link");
    });
    refused("symbolic link", |path, checkout| {
        put(checkout.root().join("shared.yaml"), document());
        symlink("../../shared.yaml", path).expect("a link");
    });
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

/// A byte order mark, as Windows' Notepad writes it, and its line ends.
#[test]
fn a_document_from_windows_gives_the_same_stream() {
    let wanted = Checkout::new().plugin("provider").run();
    let windows = document().replace('\n', "\r\n");
    assert_eq!(
        Checkout::of(&windows).plugin("provider").run().stream(),
        wanted.stream()
    );
    let marked = Checkout::of(format!("\u{feff}{windows}"))
        .plugin("provider")
        .run();
    assert_eq!(marked.stream(), wanted.stream());
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

#[test]
fn a_folder_that_is_none() {
    let checkout = Checkout::new();
    let run = |folder: &str| {
        checkout
            .program(["generate", folder, "--local", "--role", "consumer"])
            .run()
    };
    run("nowhere")
        .fails(3, "document-file")
        .says("no such file");
    run("peering.yaml")
        .fails(3, "document-file")
        .says("cannot be read");
    run("/dev/null").fails(3, "document-file");
}

/// A name in the document never leads out of the folder.
#[test]
fn a_sealed_file_is_named_without_a_path() {
    for name in [
        "../peering.seed.age",
        "/etc/passwd",
        "..",
        "a/b",
        ".hidden",
        "-x",
        "\"a\\0b\"",
        "''",
    ] {
        let document = edited("peering.seed.age }", &format!("{name} }}"));
        Checkout::of(document)
            .plugin("provider")
            .run()
            .fails(1, "invalid-name")
            .says("peering.yaml");
    }
}
