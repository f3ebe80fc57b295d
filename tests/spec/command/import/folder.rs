//! The folder that `import` writes: what is in it, and that the next steps run as they are printed.

use super::written;
use crate::harness::{Outcome, Repository, entries, put};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

pub(crate) const FOLDER: &str = "peerings/rome-milan";

/// The guide's manifests, imported into a folder of a checkout with a remote.
pub(crate) fn adopted() -> (Repository, Outcome) {
    let place = Repository::with_remote();
    for (name, text) in ["consumer", "provider"].iter().zip(super::guides()) {
        // not the values of the examples
        let text = text
            .replace("172.16.183.16", "203.0.113.7")
            .replace("myuser", "net-consumer");
        put(place.root().join(format!("{name}.yaml")), text);
    }
    let from = [
        "import",
        "--consumer",
        "consumer.yaml",
        "--provider",
        "provider.yaml",
    ];
    let outcome = place
        .command(&[&from[..], &["--output", FOLDER]].concat())
        .run();
    assert_eq!(outcome.done(), "", "{outcome}");
    (place, outcome)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[test]
fn it_has_what_init_writes_with_the_usual_mode() {
    let (place, outcome) = adopted();
    let folder = place.root().join(FOLDER);
    let names = |folder: &Path| -> Vec<String> {
        let name = |path: &std::path::PathBuf| {
            path.file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        };
        entries(folder).iter().map(name).collect()
    };
    let files = [
        "application-consumer.yaml",
        "application-provider.yaml",
        "peering.yaml",
    ];
    assert_eq!(names(&folder), files);
    for name in [".gitignore", "peering.schema.json"] {
        assert!(
            place.root().join("peerings").join(name).is_file(),
            "{name}: {outcome}"
        );
    }
    // as this process makes them
    put(place.root().join("usual/file"), "");
    for name in files {
        outcome.says(&format!("wrote {FOLDER}/{name}"));
        assert_eq!(
            mode(&folder.join(name)),
            mode(&place.root().join("usual/file")),
            "{name}"
        );
    }
    assert_eq!(mode(&folder), mode(&place.root().join("usual")));
}

#[test]
fn its_next_steps_run_and_validate_has_nothing_to_mend() {
    let (place, outcome) = adopted();
    let (notes, next) = outcome.stderr.split_once("next:\n").expect("next steps");
    assert_eq!(
        next.contains("the owners in the notes"),
        notes.contains("To let go:"),
        "{outcome}"
    );
    let commands: Vec<Vec<&str>> = next
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("argocd-peering "))
        .map(|line| line.split(' ').collect())
        .collect();
    let [validate, diff] = commands.as_slice() else {
        panic!("{outcome}")
    };
    let valid = place.command(validate).run();
    valid.done();
    // that both are synced by hand is how the adoption begins
    let said: Vec<&str> = valid
        .stderr
        .lines()
        .filter(|it| it.contains('[') && it.contains("]: "))
        .collect();
    assert_eq!(
        said,
        ["note[application-setting]: it is synced by hand"],
        "{valid}"
    );
    valid.says("; the same at peerings/rome-milan/application-provider.yaml:");
    // it wants clusters, and here is none: the command line itself is right
    let none = place.command(diff).run();
    assert!(none.code.is_some_and(|code| code > 2), "{none}");
    none.says("CONTEXT");
}

#[test]
fn both_applications_are_valid_and_judged() {
    let (place, _) = adopted();
    for (role, other) in [("consumer", "provider"), ("provider", "consumer")] {
        let path = place
            .root()
            .join(FOLDER)
            .join(format!("application-{role}.yaml"));
        let text = fs::read_to_string(&path).expect("an Application");
        let application = &crate::harness::objects::documents(&text)[0];
        assert_eq!(application["kind"], "Application");
        assert_eq!(application["spec"]["source"]["path"], FOLDER);
        assert_eq!(
            application["spec"]["source"]["repoURL"],
            "https://git.example.org/net/peerings.git"
        );
        assert!(
            application["spec"]["syncPolicy"]["automated"].is_null(),
            "{text}"
        );
        place.command(&["validate", FOLDER]).run().done();
        // validate reads it: with the other's role both give one stream
        let swapped = text.replacen(
            &format!("string: \"{role}\""),
            &format!("string: \"{other}\""),
            1,
        );
        assert_ne!(swapped, text);
        put(&path, swapped);
        let broken = place.command(&["validate", FOLDER]).run();
        assert_ne!(broken.code, Some(0), "{text}\n{broken}");
        put(&path, &text);
    }
}

/// Nothing that is there is overwritten, whichever of the files it is.
#[test]
fn what_is_there_stays() {
    for name in "peering.yaml application-consumer.yaml application-provider.yaml".split(' ') {
        let place = Repository::with_remote();
        let temp = crate::harness::machine::folder();
        let [consumer, provider] = written(&temp, &super::guides());
        put(place.root().join(FOLDER).join(name), "mine");
        let [consumer, provider] = [&consumer, &provider].map(|it| it.to_str().expect("UTF-8"));
        let words = [
            "import",
            "--consumer",
            consumer,
            "--provider",
            provider,
            "--output",
            FOLDER,
        ];
        let outcome = place.command(&words).run();
        outcome.fails(3, "file").says(name);
        assert_eq!(entries(&place.root().join(FOLDER)).len(), 1, "{outcome}");
    }
}
