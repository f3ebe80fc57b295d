//! What `validate` sees in the files below a path: secrets in clear, however they are written; the rest is in `beside.cases`.

use super::validate::{repository, validate};
use crate::harness::{Run, put};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use tempfile::TempDir;

/// An identity that is no one's, as `age-keygen` writes it: the secret is in the third line.
fn identity() -> String {
    let (_, text) = crate::harness::seal::identity();
    format!("# created: 2026-11-25T09:00:00Z\n# public key: age1…\n{text}\n")
}

fn write(root: &TempDir, name: &str, bytes: impl AsRef<[u8]>) {
    let path = root.path().join(name);
    put(path, bytes);
}

fn encoded(text: &str) -> String {
    STANDARD.encode(text)
}

#[test]
fn what_a_secret_holds_is_decoded() {
    let kubeconfig =
        "apiVersion: v1\nkind: Config\nusers:\n- name: u\n  user:\n    token: not-a-real-token\n";
    for (text, words) in [
        (
            format!("data:\n  identity.txt: {}\n", encoded(&identity())),
            "has an age identity in base64",
        ),
        (
            format!("data:\n  value: {}\n", encoded(kubeconfig)),
            "has a credential of a kubeconfig in base64",
        ),
    ] {
        let root = repository();
        write(
            &root,
            "peerings/rome-milan/secret.yaml",
            format!("apiVersion: v1\nkind: Secret\n{text}"),
        );
        validate(&root, ".")
            .fails(1, "plaintext-secret")
            .says(words)
            .silent_on("not-a-real");
    }
}

#[test]
fn a_file_in_utf_16_is_read() {
    let root = repository();
    let units: Vec<u16> = "\u{feff}"
        .encode_utf16()
        .chain(identity().encode_utf16())
        .collect();
    for bytes in [
        units
            .iter()
            .flat_map(|it| it.to_le_bytes())
            .collect::<Vec<u8>>(),
        units.iter().flat_map(|it| it.to_be_bytes()).collect(),
    ] {
        write(&root, "notes.txt", bytes);
        validate(&root, ".")
            .fails(1, "plaintext-secret")
            .says("--> ./notes.txt:3:1");
    }
}

/// What is sealed, public, or another tool's.
#[test]
fn what_is_no_secret_is_no_alarm() {
    let root = repository();
    let ciphertext = STANDARD.encode(
        (0..600u32)
            .map(|at| (at * at / 7 + at * 31).to_le_bytes()[0] ^ 0xa5)
            .collect::<Vec<u8>>(),
    );
    let certificate =
        encoded("-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ\n-----END CERTIFICATE-----\n");
    for (name, text) in [
        ("sealed.yaml", format!("kind: SealedSecret\nspec: {{template: {{metadata: {{labels: {{argocd.argoproj.io/secret-type: cluster}}}}}}, encryptedData: {{config: {ciphertext}, password: {ciphertext}}}}}\n")),
        ("sops.yaml", "kind: Secret\nstringData:\n  password: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\nsops: {age: [{recipient: age1x}]}\n".to_owned()),
        ("ca.yaml", format!("kind: Secret\ndata: {{ca.crt: {certificate}}}\n")),
        ("nonce.yaml", format!("kind: Secret\nmetadata: {{labels: {{liqo.io/nonce: \"true\"}}}}\ndata: {{nonce: {}}}\n", encoded(&"aB3d".repeat(16)))),
        ("external.yaml", "kind: ExternalSecret\nspec: {target: {template: {metadata: {labels: {argocd.argoproj.io/secret-type: cluster}}, data: {config: '{\"bearerToken\": \"{{ .token }}\"}', password: '{{ .password }}'}}}}\n".to_owned()),
        ("picture.png", "\u{0}\u{1}PNG".repeat(1000)),
    ] {
        write(&root, name, &text);
        write(&root, &format!("peerings/rome-milan/{name}"), &text);
    }
    validate(&root, ".")
        .says("1 peering: nothing is wrong\n")
        .silent_on("note")
        .done();
}

/// One budget, of all paths together.
#[test]
fn the_bytes_that_are_searched_are_bounded() {
    let root = repository();
    for number in 0..65 {
        let file = fs::File::create(root.path().join(format!("{number:02}.yaml"))).expect("a file");
        file.set_len(4 << 20).expect("a length");
    }
    write(&root, "~", identity());
    // one line of words costs no more than many
    write(&root, "00.yaml", "a ".repeat(2 << 20));
    let outcome = Run::new(["validate", "peerings", "."])
        .within(root.path())
        .run();
    outcome
        .says("only the first 100000 files and 256 MiB were read")
        .done();
}

#[test]
fn a_sealed_file_that_no_document_can_name_is_unused() {
    let root = repository();
    let folder = root.path().join("peerings/rome-milan");
    let name = OsStr::from_bytes(b"old\xfe.age");
    fs::copy(folder.join("kubeconfig.age"), folder.join(name)).expect("copied");
    validate(&root, ".")
        .says("note[unused-file]: no field names the sealed file")
        .done();
}
