//! What `validate` sees in the files below a path: secrets in clear, wherever and however they are written.

use super::validate::{repository, validate};
use crate::harness::{Run, age_file, committed, copy_of, demo, demo_identity, put, replaced};
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
fn an_identity_is_found_wherever_it_is() {
    for name in [
        "identity.txt",
        "keys/age/identity",
        ".secrets/identity.txt",
        ".github/workflows/.keys",
        "peerings/identity.txt",
        "peerings/rome-milan/.hidden/deep/er/README.md",
        "peerings/rome-milan/kubeconfig-old.age",
        "a.zip",
    ] {
        let root = repository();
        let text = identity();
        write(&root, name, &text);
        let outcome = validate(&root, ".");
        outcome.fails(1, "plaintext-secret").says(&format!("--> ./{name}:3:1")).says("an age identity");
        outcome.silent_on(text.lines().nth(2).expect("a line"));
        // it is a fault of the peering in whose folder it is, and of no other
        write(&root, "other/peering.yaml", committed("examples/network-only/peering.yaml"));
        write(&root, "other/peering.seed.age", committed("examples/network-only/peering.seed.age"));
        let is_of_peering = name.starts_with("peerings/rome-milan");
        let outcome = validate(&root, ".");
        assert_eq!(outcome.stderr.contains(" in 1 of 2 peerings"), is_of_peering, "{outcome}");
    }
    // what Git keeps itself is in no commit, and what is not below the path was not asked for
    let root = repository();
    write(&root, ".git/identity.txt", identity());
    validate(&root, ".").done();
    write(&root, "identity.txt", identity());
    validate(&root, "peerings").done();
}

/// A file that two paths lead to is one.
#[test]
fn a_secret_is_found_once() {
    let root = repository();
    write(&root, "peerings/rome-milan/identity.txt", identity());
    for paths in
        [[".", "peerings"], ["peerings/rome-milan", "peerings"], ["peerings/rome-milan/peering.yaml", "."]]
    {
        let outcome = Run::new(["validate"]).args(paths).within(root.path()).run();
        outcome.fails(1, "plaintext-secret").says("1 problem");
        assert_eq!(outcome.stderr.matches("error[").count(), 1, "{outcome}");
    }
}

/// Also where there is no peering.
#[test]
fn a_secret_is_found_beside_no_document() {
    let root = tempfile::tempdir().expect("a folder");
    write(&root, "x/identity.txt", identity());
    validate(&root, ".").fails(1, "plaintext-secret").says("no peering below .").says("1 problem\n");
}

#[test]
fn what_a_secret_holds_is_decoded() {
    let pem =
        format!("-----BEGIN EC PRIVATE KEY-----\n{}\n-----END EC PRIVATE KEY-----\n", "aB3d".repeat(16));
    let cluster = "metadata: {name: milan, labels: {argocd.argoproj.io/secret-type: cluster}}\n";
    let config = "{\"bearerToken\": \"not-a-real-token\", \"tlsClientConfig\": {\"insecure\": false}}";
    let kubeconfig =
        "apiVersion: v1\nkind: Config\nusers:\n- name: u\n  user:\n    token: not-a-real-token\n";
    let plugin = "apiVersion: v1\nkind: Config\nusers:\n- name: u\n  user:\n    exec:\n      env:\n      - name: AWS_SECRET_ACCESS_KEY\n        value: not-a-real-key\n";
    for (text, words) in [
        (format!("data:\n  identity.txt: {}\n", encoded(&identity())), "has an age identity in base64"),
        (format!("data:\n  value: {}\n", encoded(kubeconfig)), "has a credential of a kubeconfig in base64"),
        (format!("data:\n  tls.key: {}\n", encoded(&pem)), "has a private key in base64"),
        (
            format!("{cluster}data:\n  config: {}\n", encoded(config)),
            "has a credential of an Argo CD Secret in base64",
        ),
        (
            format!("{cluster}stringData:\n  config: '{config}'\n"),
            "is a credential of an Argo CD Secret in clear",
        ),
        (plugin.to_owned(), "is a key of a cloud account in clear"),
    ] {
        let root = repository();
        write(&root, "peerings/rome-milan/secret.yaml", format!("apiVersion: v1\nkind: Secret\n{text}"));
        validate(&root, ".").fails(1, "plaintext-secret").says(words).silent_on("not-a-real");
    }
}

#[test]
fn a_file_in_utf_16_is_read() {
    let root = repository();
    let units: Vec<u16> = "\u{feff}".encode_utf16().chain(identity().encode_utf16()).collect();
    for bytes in [
        units.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<u8>>(),
        units.iter().flat_map(|it| it.to_be_bytes()).collect(),
    ] {
        write(&root, "notes.txt", bytes);
        validate(&root, ".").fails(1, "plaintext-secret").says("--> ./notes.txt:3:1");
    }
}

/// Every tool's tests have keys, and the identities of the examples are public.
#[test]
fn what_anyone_may_have_is_a_note_outside_of_the_folders() {
    let root = repository();
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", "aB3d".repeat(16));
    write(&root, "app/testdata/server.key", &pem);
    fs::copy(demo_identity(""), root.path().join("demo.txt")).expect("copied");
    let outcome = validate(&root, ".");
    outcome.says("note[plaintext-secret]: this line is a private key in clear").says("1 note");
    outcome.silent_on("demo").done();
    Run::new(["validate", "--strict", "."]).within(root.path()).run().fails(1, "plaintext-secret");
    write(&root, "peerings/rome-milan/server.key", &pem);
    validate(&root, ".")
        .fails(1, "plaintext-secret")
        .says("error[plaintext-secret]: this line is a private key");
}

/// What is sealed, public, or another tool's.
#[test]
fn what_is_no_secret_is_no_alarm() {
    let root = repository();
    let ciphertext = STANDARD
        .encode((0..600u32).map(|at| (at * at / 7 + at * 31).to_le_bytes()[0] ^ 0xa5).collect::<Vec<u8>>());
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
    validate(&root, ".").says("1 peering: nothing is wrong\n").silent_on("note").done();
}

/// What was not searched is named, and never in a result of nothing wrong alone.
#[test]
fn what_was_not_searched_is_reported() {
    let root = repository();
    let strict = || Run::new(["validate", "--strict", "."]).within(root.path()).run();
    let large = root.path().join("dump.sql");
    let file = fs::File::create(&large).expect("a file");
    file.set_len((4 << 20) + 1).expect("a length");
    validate(&root, ".").says("not ./dump.sql: it has more than 4 MiB").done();
    strict().fails(1, "not-judged").says("./dump.sql was not judged");
    let report = Run::new(["validate", "--format", "json", "."]).within(root.path()).run();
    report.prints("\"what\": \"./dump.sql\"").done();
    // its beginning is searched
    write(&root, "dump.sql", format!("{}{}", identity(), " ".repeat(4 << 20)));
    validate(&root, ".").fails(1, "plaintext-secret").says("not ./dump.sql: it has more than 4 MiB");
    fs::remove_file(&large).expect("removed");
    write(&root, &format!("{}identity.txt", "d/".repeat(70)), identity());
    validate(&root, ".").says("it is more than 64 folders deep").done();
    strict().fails(1, "not-judged");
}

/// One budget, of all paths together.
#[test]
fn the_bytes_that_are_searched_are_bounded() {
    let root = repository();
    for number in 0..65 {
        let file = fs::File::create(root.path().join(format!("{number:02}.bin"))).expect("a file");
        file.set_len(4 << 20).expect("a length");
    }
    write(&root, "~", identity());
    let outcome = Run::new(["validate", "peerings", "."]).within(root.path()).run();
    outcome.says("only the first 100000 files and 256 MiB were read").done();
}

/// A folder that was copied, with another document in it: no identity is needed to see that its sealed files are another peering's.
#[test]
fn a_copied_sealed_file_is_found() {
    let root = repository();
    let (from, to) = (root.path().join("peerings/rome-milan"), root.path().join("peerings/rome-turin"));
    copy_of(&from, &to);
    let text = fs::read_to_string(to.join("peering.yaml")).expect("a document");
    let other = replaced(&text, "clusterID: provider", "clusterID: turin");
    put(to.join("peering.yaml"), &other);
    let outcome = validate(&root, ".");
    outcome.fails(1, "sealed-file-reused");
    outcome.says("`kubeconfig.age` is byte for byte the credential of another peering");
    outcome.says("--> ./peerings/rome-turin/peering.yaml").says("::: ./peerings/rome-milan/peering.yaml");
    outcome.says("note[sealed-file-reused]: `peering.seed.age` is byte for byte the seed of another peering");
    // under another name it is the same file
    fs::rename(to.join("kubeconfig.age"), to.join("turin.age")).expect("renamed");
    put(to.join("peering.yaml"), replaced(&other, "file: kubeconfig.age", "file: turin.age"));
    validate(&root, ".").fails(1, "sealed-file-reused").says("`turin.age` is byte for byte");
    // and so it is with other ends of lines
    let armor = fs::read_to_string(to.join("turin.age")).expect("armor");
    put(to.join("turin.age"), armor.replace('\n', "\r\n"));
    validate(&root, ".").fails(1, "sealed-file-reused").says("`turin.age` is byte for byte");
    // one seed for both can be meant
    let sealed = age_file(&[&demo()], b"{}", age::armor::Format::AsciiArmor);
    put(to.join("turin.age"), sealed);
    validate(&root, ".").says("1 note").silent_on("error[sealed-file-reused]");
    // the same peering for a second Argo CD is no copy
    put(to.join("peering.yaml"), text);
    validate(&root, ".").silent_on("sealed-file-reused");
}

/// The first commit of a teardown keeps the credential's file: taking it back needs it.
#[test]
fn a_drained_peering_keeps_its_files() {
    let root = repository();
    let path = root.path().join("peerings/rome-milan/peering.yaml");
    let text = fs::read_to_string(&path).expect("a document");
    put(&path, format!("{text}  state: Drained\n"));
    Run::new(["validate", "--strict", "peerings"]).within(root.path()).run().silent_on("unused-file").done();
    fs::copy(
        root.path().join("peerings/rome-milan/kubeconfig.age"),
        root.path().join("peerings/rome-milan/old.age"),
    )
    .expect("copied");
    validate(&root, ".").says("note[unused-file]: no field names the sealed file `old.age`").done();
    // a document can name no such file
    let folder = root.path().join("peerings/rome-milan");
    fs::rename(folder.join("old.age"), folder.join(OsStr::from_bytes(b"old\xfe.age"))).expect("renamed");
    validate(&root, ".").says("note[unused-file]: no field names the sealed file").done();
}

/// Anything that makes a new key comes after the way back to the old one.
#[test]
fn a_deleted_sealed_file_is_restored_first() {
    let root = repository();
    fs::remove_file(root.path().join("peerings/rome-milan/peering.seed.age")).expect("removed");
    let outcome = validate(&root, ".");
    outcome.fails(1, "sealed-file");
    let place = |words: &str| outcome.stderr.find(words).unwrap_or_else(|| panic!("{words}: {outcome}"));
    assert!(place("restore it from Git's history") < place("argocd-peering seed new"), "{outcome}");
}

/// What is not committed is not in Argo CD's checkout, and the folder looks right here.
#[test]
fn a_sealed_file_that_git_passes_over_is_an_error() {
    let root = repository();
    for (file, text, line) in [
        (".gitignore", "# keys\n*.age\n", 2),
        ("peerings/.gitignore", "rome-milan/kubeconfig.*\n", 1),
        ("peerings/rome-milan/.gitignore", "*\n!*.yaml\n!peering.seed.age\n", 1),
    ] {
        write(&root, file, text);
        let outcome = validate(&root, ".");
        outcome.fails(1, "ignored-file").says("`kubeconfig.age` is not committed");
        outcome.says(&format!("line {line} of {file} has Git pass over it")).says("git add -f");
        validate(&root, "peerings/rome-milan").fails(1, "ignored-file");
        fs::remove_file(root.path().join(file)).expect("removed");
    }
    write(&root, ".gitignore", "*.age\n!peerings/**/*.age\nidentity.txt\n");
    validate(&root, ".").done();
    // one that may have been added all the same: another version of the index, and one that is split
    write(&root, ".gitignore", "*.age\n");
    let split =
        ["DIRC\0\0\0\u{2}\0\0\0\u{1}", &"\0".repeat(61), "\u{1}x\0link\0\0\0\0", &"\u{11}".repeat(20)]
            .concat();
    for index in ["DIRC\0\0\0\u{5}\0\0\0\0", &split] {
        write(&root, ".git/index", index);
        let outcome = validate(&root, ".");
        outcome.says("not whether Git passes over sealed files: a file is ignored, and Git's index").done();
    }
}

/// A document under another name is not the peering.yaml beside it.
#[test]
fn a_document_of_another_name_is_not_the_one_that_git_passes_over() {
    let root = repository();
    write(&root, ".gitignore", "peering.yaml\n");
    let folder = root.path().join("peerings/rome-milan");
    validate(&root, ".").fails(1, "ignored-file");
    fs::copy(folder.join("peering.yaml"), folder.join("draft.yaml")).expect("copied");
    validate(&root, "peerings/rome-milan/draft.yaml").silent_on("ignored-file").done();
}

/// Argo CD applies what the plugin prints, and nothing else of the folder.
#[test]
fn a_manifest_that_no_one_applies_is_a_note() {
    let root = repository();
    for (name, text, is_noted) in [
        ("map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n", true),
        ("sealed.yml", "# ours\n---\nkind: SealedSecret\napiVersion: \"bitnami.com/v1alpha1\"\n", true),
        ("set.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nspec: {}\n", false),
        ("values.yaml", "image:\n  apiVersion: v1\n  kind: x\n", false),
        ("schema.json", "{\"apiVersion\": 1,\n\"kind\": 2}", false),
        ("deeper/map.yaml", "apiVersion: v1\nkind: ConfigMap\n", false),
        ("../map.yaml", "apiVersion: v1\nkind: ConfigMap\n", false),
    ] {
        let path = format!("peerings/rome-milan/{name}");
        write(&root, &path, text);
        let outcome = validate(&root, ".");
        outcome.done();
        assert_eq!(
            outcome.stderr.contains("note[unused-file]: the Applications of this folder do not"),
            is_noted,
            "{outcome}"
        );
        if is_noted {
            write(&root, "peerings/rome-milan/kustomization.yaml", format!("resources: [{name}]\n"));
            validate(&root, ".").silent_on("unused-file");
            fs::remove_file(root.path().join("peerings/rome-milan/kustomization.yaml")).expect("removed");
        }
        fs::remove_file(root.path().join(path)).expect("removed");
    }
}

/// A file of a tree is named with its folder.
#[test]
fn a_sealed_file_that_is_not_opened_is_named_by_its_path() {
    let (root, other) = (repository(), tempfile::tempdir().expect("a folder"));
    write(&other, "identity.txt", identity());
    let run = Run::new(["validate", ".", "--identity-file"]).arg(other.path().join("identity.txt"));
    let outcome = run.within(root.path()).run();
    outcome.says("]: ./peerings/rome-milan/peering.seed.age: none of the identities opens it");
}
