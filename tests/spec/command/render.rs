//! `render`: streams as files, for an Argo CD without the plugin; and what `validate` says of them.

use crate::harness::{
    Outcome, Peering, Run, copy_of, demo_identity, documents, put, read, replaced, root,
};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const FILES: [&str; 2] = [
    "rendered/sealed-secret/consumer/manifests.yaml",
    "rendered/sealed-secret/provider/manifests.yaml",
];

/// A checkout with a peering of which both sides can be rendered.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new(example: &str) -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir(place.path(".git")).expect("a folder");
        copy_of(
            &root().join("examples").join(example),
            place.path("peerings/it"),
        );
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        read(&self.path(name))
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        put(self.path(name), replaced(&self.read(name), from, to));
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        Run::new(arguments.iter().copied())
            .within(self.0.path())
            .run()
    }

    pub(crate) fn render(&self, more: &[&str]) -> Outcome {
        let identity = demo_identity("").display().to_string();
        let all = [
            "render",
            "peerings",
            "--into",
            "rendered",
            "--identity-file",
            &identity,
        ];
        self.run(&[&all[..], more].concat())
    }

    pub(crate) fn validate(&self) -> Outcome {
        self.run(&["validate", "."])
    }

    /// All files below `rendered`, and their contents.
    fn rendered(&self) -> BTreeMap<PathBuf, String> {
        fn add(folder: &Path, all: &mut BTreeMap<PathBuf, String>) {
            for path in crate::harness::entries(folder) {
                if path.is_dir() {
                    add(&path, all);
                } else {
                    drop(all.insert(path.clone(), read(&path)));
                }
            }
        }
        let mut all = BTreeMap::new();
        if self.path("rendered").is_dir() {
            add(&self.path("rendered"), &mut all);
        }
        all
    }
}

#[test]
fn each_side_has_a_folder_with_its_stream() {
    let place = Place::new("sealed-secret");
    place.render(&[]).done();
    assert_eq!(place.rendered().len(), 2);
    for (file, role) in FILES.into_iter().zip(["consumer", "provider"]) {
        let text = place.read(file);
        let stream = Peering::example("sealed-secret").stream(role);
        assert!(text.ends_with(&stream), "{role}");
        assert!(
            documents(&text)
                .iter()
                .all(|object| object["kind"] != "Secret"),
            "{role}"
        );
        let mode = fs::metadata(place.path(file))
            .expect(file)
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o644);
    }
    place.validate().done();
    place.validate().silent_on("not judged");
}

/// A rendered file whose first line was written for what is below it.
fn forge(place: &Place, file: &str, from: &str, to: &str) {
    place.edit(file, from, to);
    let text = place.read(file);
    let (first, below) = text.split_once('\n').expect("lines");
    let (head, _) = first.split_once(", text ").expect("a digest");
    put(
        place.path(file),
        format!("{head}, text sha256:{:x}\n{below}", Sha256::digest(below)),
    );
}

/// What no sealed file gives is compared without an identity, and all of it with one.
#[test]
fn an_edit_with_its_digest_is_found() {
    let place = Place::new("sealed-secret");
    let identity = demo_identity("").display().to_string();
    let opened = || place.run(&["validate", ".", "--identity-file", &identity]);
    place.render(&[]).done();
    place
        .validate()
        .says("what sealed files give of 2 rendered files: no identity is given that opens these");
    opened().silent_on("rendered");
    let encrypted = place
        .read(FILES[0])
        .lines()
        .find(|it| it.contains("\"privateKey\": \""))
        .map(str::to_owned);
    let encrypted = encrypted.expect("a value");
    for (from, to, is_public) in [
        ("\"cpu\": \"4\"", "\"cpu\": \"400\"", true),
        (
            "kind: \"Configuration\"\n",
            "kind: \"A\"\n---\nkind: \"Configuration\"\n",
            true,
        ),
        (
            "  clusterID: \"bergamo\"\n",
            "  clusterID: \"bergamo\"\n---\nkind: \"A\"\n",
            true,
        ),
        (
            "---\napiVersion: \"core.liqo.io/v1beta1\"\nkind: \"ForeignCluster\"",
            "---\n",
            true,
        ),
        (
            encrypted.as_str(),
            "    \"privateKey\": \"mine\", \"a\": \"b\"",
            true,
        ),
        (encrypted.as_str(), "    \"privateKey\": \"mine\"", false),
    ] {
        forge(&place, FILES[0], from, to);
        let words = "differs from what `sealed-secret` gives: the file was edited, and its digests were written anew";
        opened().fails(1, "rendered-file").says(words);
        if is_public {
            place.validate().fails(1, "rendered-file").says(words);
        } else {
            place
                .validate()
                .silent_on("rendered-file]")
                .says("2 rendered files: no identity is given that opens these");
        }
        place.render(&[]).done();
    }
    // one that is stale is compared when it is rendered again
    place.edit(
        "peerings/it/peering.yaml",
        "nodePort: 30743",
        "nodePort: 30744",
    );
    opened()
        .silent_on("edited since")
        .says("note[rendered-file]: this is not what");
}

/// The annotations of a stream are Argo CD's, and none of its objects is: thousands of rendered files are not read as Applications.
#[test]
fn rendered_files_are_no_files_of_argo_cds() {
    let place = Place::new("sealed-secret");
    place.render(&[]).done();
    let text = place.read(FILES[0]);
    // each is nearly as large as an Application's file may be in a fleet of some thousands
    for number in 0..200 {
        let folder = place.path(&format!("more/n{number}"));
        put(folder.join("manifests.yaml"), text.repeat(10));
    }
    place.validate().silent_on("more than 16 MiB");
}
