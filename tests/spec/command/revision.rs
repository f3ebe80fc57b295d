//! Git's paths are bytes, in the checkout and in its commits.

use crate::harness::{Repository, committed, put};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

const FOLDER: &str = "peerings/rome";

/// Git's paths are bytes: two of them that look the same as text are two files, and a folder of such a name is found as any other.
#[test]
fn names_that_are_no_text_are_judged_each() {
    for folder in [FOLDER.as_bytes(), b"peerings/q\xfe"] {
        let repository = Repository::new(FOLDER);
        let folder = repository.root().join(OsStr::from_bytes(folder));
        let good =
            committed("argocd-app/consumer.yaml").replace("peerings/consumer-provider", FOLDER);
        let write = |name: &[u8], text: &str| {
            put(folder.join(OsStr::from_bytes(name)), text);
        };
        fs::create_dir_all(&folder).expect("a folder");
        write(
            b"a\xfe.yaml",
            &good.replace("\n    name: consumer\n", "\n    name: nowhere\n"),
        );
        // it is in the place of the other one, if its name counts as text
        write(
            b"a\xff.yaml",
            &good.replace("name: consumer-provider-consumer\n", "name: another\n"),
        );
        let diff = repository.diff(&["."]).run();
        diff.prints("2 objects added");
        repository.commit();
        let diff = repository
            .diff(&[".", "--from", "HEAD~1", "--to", "HEAD"])
            .run();
        diff.prints("2 objects added");
        let now = repository.command(&["validate", "."]).run();
        now.fails(1, "application").says("destination is `nowhere`");
    }
}

/// The documents of such a folder have their sealed files, and what else is in it.
#[test]
fn a_folder_whose_name_is_no_text_is_a_folder() {
    let repository = Repository::new(FOLDER);
    let folder = repository.root().join(OsStr::from_bytes(b"peerings/q\xfe"));
    fs::rename(repository.root().join(FOLDER), &folder).expect("moved");
    put(
        folder.join("unused.age"),
        fs::read(folder.join("kubeconfig.age")).expect("read"),
    );
    repository.commit();
    let validate = |flags: &[&str]| {
        repository
            .command(&[&["validate", "."][..], flags].concat())
            .run()
    };
    let now = validate(&[]);
    now.says("unused.age");
}
