//! `validate`, `list`, `graph`, `ports` and `rights` of a folder as a commit has it.

use crate::harness::{Repository, committed, demo_identity, identity, put};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

const FOLDER: &str = "peerings/rome";

/// What each of them prints of the folder now, it prints of the commit after the folder is gone.
#[test]
fn a_commit_is_looked_at_as_the_files_are() {
    let repository = Repository::new(FOLDER);
    let identity = demo_identity("").display().to_string();
    let commands: [&[&str]; 6] = [
        &["list", FOLDER, "--format", "json"],
        &["list", FOLDER, "--identity-file", &identity],
        &["graph", FOLDER],
        &["ports", FOLDER],
        &["rights", FOLDER, "--cluster", "provider"],
        &["rights", FOLDER, "--repo", "https://git.example.org/net/peerings.git"],
    ];
    let now = |words: &[&str]| repository.command(words).run().done().to_owned();
    let before: Vec<String> = commands.iter().map(|words| now(words)).collect();
    fs::remove_dir_all(repository.root().join(FOLDER)).expect("removed");
    for (words, before) in commands.iter().zip(before) {
        repository.command(words).run().fails(1, "document-file");
        let after = now(&[words, &["--from", "HEAD"][..]].concat());
        assert_eq!(after.replace("HEAD:", ""), before, "{words:?}");
    }
}

/// Git prints the name of `^HEAD`, and it is not that of a commit.
#[test]
fn what_excludes_a_commit_is_no_revision() {
    let repository = Repository::new(FOLDER);
    repository
        .command(&["list", FOLDER, "--from", "^HEAD"])
        .run()
        .fails(2, "flag")
        .says("`^HEAD` is not a revision");
}

/// `validate` judges what the commit has: its documents, the Applications of its files, and secrets in clear; and nothing of the disk.
#[test]
fn a_commit_is_validated_as_the_files_are() {
    let repository = Repository::new(FOLDER);
    let validate = |flags: &[&str]| repository.command(&[&["validate"][..], flags].concat()).run();
    let role = |role: &str| {
        let text = committed(&format!("argocd-app/{role}.yaml"));
        text.replace("peerings/consumer-provider", FOLDER)
    };
    repository.write(
        "apps/consumer.yaml",
        role("consumer").replace("\n    name: consumer\n", "\n    name: nowhere\n"),
    );
    repository.write("apps/provider.yaml", role("provider"));
    repository.write("key.txt", identity().1);
    repository.commit();
    let before = validate(&["."]);
    before.fails(1, "application").says("destination is `nowhere`").says("[plaintext-secret]");
    // each is mended since
    repository.write("apps/consumer.yaml", role("consumer"));
    for file in ["key.txt", "peerings/rome/peering.seed.age"] {
        fs::remove_file(repository.root().join(file)).expect("removed");
    }
    validate(&["."]).fails(1, "sealed-file");
    let of_commit = validate(&[".", "--from", "HEAD"]);
    of_commit.fails(1, "application").says("destination is `nowhere`").says("[plaintext-secret]");
    assert_eq!(of_commit.stderr.replace("HEAD:", "./"), before.stderr);
    assert_eq!(validate(&[".", "--from", "HEAD", "--fix"]).code, Some(2));
    validate(&["-", "--from", "HEAD"]).fails(2, "flag").says("a revision has no standard input");
}

/// Git's paths are bytes: two of them that look the same as text are two files, and a folder of such a name is found as any other.
#[test]
fn names_that_are_no_text_are_judged_each() {
    for folder in [FOLDER.as_bytes(), b"peerings/q\xfe"] {
        let repository = Repository::new(FOLDER);
        let folder = repository.root().join(OsStr::from_bytes(folder));
        let good = committed("argocd-app/consumer.yaml").replace("peerings/consumer-provider", FOLDER);
        let write = |name: &[u8], text: &str| {
            put(folder.join(OsStr::from_bytes(name)), text);
        };
        fs::create_dir_all(&folder).expect("a folder");
        write(b"a\xfe.yaml", &good.replace("\n    name: consumer\n", "\n    name: nowhere\n"));
        // it is in the place of the other one, if its name counts as text
        write(b"a\xff.yaml", &good.replace("name: consumer-provider-consumer\n", "name: another\n"));
        let diff = repository.diff(&["."]).run();
        diff.prints("nowhere");
        repository.commit();
        let diff = repository.diff(&[".", "--from", "HEAD~1", "--to", "HEAD"]).run();
        diff.prints("nowhere");
        let validate = |flags: &[&str]| repository.command(&[&["validate"][..], flags].concat()).run();
        let now = validate(&["."]);
        now.fails(1, "application").says("destination is `nowhere`");
        let of_commit = validate(&[".", "--from", "HEAD"]);
        assert_eq!(of_commit.stderr.replace("HEAD:", "./"), now.stderr);
        // the same fault in one more file is new, whatever its name looks like
        write(b"a\xfd.yaml", &good.replace("\n    name: consumer\n", "\n    name: nowhere\n"));
        repository.diff(&["."]).run().prints("nowhere");
    }
}

/// The documents of such a folder have their sealed files, and what else is in it.
#[test]
fn a_folder_whose_name_is_no_text_is_a_folder() {
    let repository = Repository::new(FOLDER);
    let folder = repository.root().join(OsStr::from_bytes(b"peerings/q\xfe"));
    fs::rename(repository.root().join(FOLDER), &folder).expect("moved");
    put(folder.join("unused.age"), fs::read(folder.join("kubeconfig.age")).expect("read"));
    repository.commit();
    let validate = |flags: &[&str]| repository.command(&[&["validate", "."][..], flags].concat()).run();
    let now = validate(&[]);
    now.says("unused.age");
    assert_eq!(validate(&["--from", "HEAD"]).stderr.replace("HEAD:", "./"), now.stderr);
}

/// A document of the commit is named so, and one that is wrong since does not matter.
#[test]
fn a_document_of_a_commit_is_named_with_it() {
    let repository = Repository::new(FOLDER);
    repository.edit("peerings/rome/peering.yaml", "  liqoVersion:", "  liqoVersio:");
    repository.command(&["list", FOLDER]).run().fails(1, "unknown-field");
    repository.command(&["list", FOLDER, "--from", "HEAD"]).run().prints("consumer → provider").done();
    repository.commit();
    let outcome = repository.command(&["list", FOLDER, "--from", "HEAD"]).run();
    outcome.fails(1, "unknown-field").says("HEAD:peerings/rome/peering.yaml:");
}

#[test]
fn a_commit_without_peerings_is_no_empty_table() {
    let repository = Repository::new(FOLDER);
    repository.write("docs/page.md", "x");
    repository.commit();
    let ask = |words: &[&str]| repository.command(words).run();
    ask(&["list", "docs", "--from", "HEAD"]).fails(2, "flag").says("`HEAD` has no peering.yaml in docs");
    ask(&["graph", "--from", "nope"]).fails(2, "flag").says("--from: `nope` is not a revision");
    ask(&["rights", "--cluster", "x", "--from=--help"]).fails(2, "flag");
    ask(&["list", "--from", "HEAD", "/"]).fails(2, "flag").says("is not in a Git checkout");
}

/// The schema that a document names lies beside the folder: the commit says whether it is there, and not the disk.
#[test]
fn what_is_outside_of_the_folder_is_the_commits() {
    let repository = Repository::new(FOLDER);
    let validate = || repository.command(&["validate", FOLDER, "--from", "HEAD"]).run();
    repository.write("docs/peering.schema.json", "{}");
    validate().says("docs/peering.schema.json").done();
    repository.commit();
    fs::remove_file(repository.root().join("docs/peering.schema.json")).expect("removed");
    let outcome = validate();
    outcome.done();
    outcome.silent_on("peering.schema.json");
}
