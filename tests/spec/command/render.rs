//! `render`: streams as files, for an Argo CD without the plugin; and what `validate` says of them.

use crate::harness::{
    Outcome, Peering, Run, copy_of, demo_identity, documents, put, quickstart, read, replaced, root,
};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const FILES: [&str; 2] =
    ["rendered/sealed-secret/consumer/manifests.yaml", "rendered/sealed-secret/provider/manifests.yaml"];

/// A checkout with a peering of which both sides can be rendered.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new(example: &str) -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir(place.path(".git")).expect("a folder");
        copy_of(&root().join("examples").join(example), place.path("peerings/it"));
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
        Run::new(arguments.iter().copied()).within(self.0.path()).run()
    }

    pub(crate) fn render(&self, more: &[&str]) -> Outcome {
        let identity = demo_identity("").display().to_string();
        let all = ["render", "peerings", "--into", "rendered", "--identity-file", &identity];
        self.run(&[&all[..], more].concat())
    }

    pub(crate) fn validate(&self) -> Outcome {
        self.run(&["validate", "."])
    }

    /// All files below `rendered`, and their contents.
    fn rendered(&self) -> BTreeMap<PathBuf, String> {
        fn add(folder: &Path, all: &mut BTreeMap<PathBuf, String>) {
            for path in crate::harness::entries(folder) {
                if path.is_dir() { add(&path, all) } else { drop(all.insert(path.clone(), read(&path))) }
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
        assert!(documents(&text).iter().all(|object| object["kind"] != "Secret"), "{role}");
        let mode = fs::metadata(place.path(file)).expect(file).permissions().mode();
        assert_eq!(mode & 0o777, 0o644);
    }
    place.validate().done();
    place.validate().silent_on("not judged");
}

/// Of a stream that no file is opened for, none is needed.
#[test]
fn an_external_delivery_needs_no_identity() {
    let place = Place::new("external");
    let all = ["render", "peerings/it", "--into", "rendered"];
    let wants = place.run(&all);
    if wants.code != Some(0) {
        wants.fails(3, "identity");
        place.render(&[]).done();
    }
    assert_eq!(place.rendered().len(), 2);
    place.validate().done();
}

/// The second run changes nothing, and one file of another content is written alone.
#[test]
fn it_is_the_same_each_time() {
    let place = Place::new("sealed-secret");
    place.render(&[]).done();
    let before = place.rendered();
    place.render(&[]).says("2 streams rendered, 0 changed");
    assert_eq!(place.rendered(), before);
    fs::remove_file(place.path(FILES[1])).expect("removed");
    place.render(&[]).says(&format!("wrote {}\n2 streams rendered, 1 changed", FILES[1]));
    assert_eq!(place.rendered(), before);
}

#[test]
fn a_file_that_is_stale_edited_or_missing_is_reported_without_an_identity() {
    let place = Place::new("sealed-secret");
    place.render(&[]).done();
    // a comment changes no stream
    place.edit("peerings/it/peering.yaml", "metadata:\n", "# a word\nmetadata:\n");
    place.validate().silent_on("rendered-file");

    place.edit("peerings/it/peering.yaml", "nodePort: 30743", "nodePort: 30744");
    let stale = place.validate();
    stale.says("note[rendered-file]: this is not what `sealed-secret` gives now");
    assert_eq!((stale.code, stale.stderr.matches("rendered-file").count()), (Some(0), 2), "{stale}");
    place.run(&["validate", ".", "--strict"]).fails(1, "rendered-file");
    place.render(&[]).done();
    place.validate().silent_on("rendered-file");

    let edited = place.read(FILES[0]).replace("30744", "30745");
    put(place.path(FILES[0]), edited);
    place.validate().fails(1, "rendered-file").says("this file was written by").says(FILES[0]);
    place.render(&[]).done();
    for (from, to) in [(" consumer, from", " consumers, from"), (", text sha256:", ", text sha256:0")] {
        place.edit(FILES[0], from, to);
        place.validate().fails(1, "rendered-file").says("edited since");
        place.render(&[]).done();
    }
    // as Git checks it out on Windows
    put(place.path(FILES[0]), place.read(FILES[0]).replace('\n', "\r\n"));
    place.validate().silent_on("rendered-file");

    fs::remove_file(place.path(FILES[1])).expect("removed");
    place
        .validate()
        .says(&format!("note[rendered-file]: the consumer is rendered here, and ./{} is missing", FILES[1]));
}

/// A rendered file whose first line was written for what is below it.
fn forge(place: &Place, file: &str, from: &str, to: &str) {
    place.edit(file, from, to);
    let text = place.read(file);
    let (first, below) = text.split_once('\n').expect("lines");
    let (head, _) = first.split_once(", text ").expect("a digest");
    put(place.path(file), format!("{head}, text sha256:{:x}\n{below}", Sha256::digest(below)));
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
    let encrypted =
        place.read(FILES[0]).lines().find(|it| it.contains("\"privateKey\": \"")).map(str::to_owned);
    let encrypted = encrypted.expect("a value");
    for (from, to, is_public) in [
        ("\"cpu\": \"4\"", "\"cpu\": \"400\"", true),
        ("kind: \"Configuration\"\n", "kind: \"A\"\n---\nkind: \"Configuration\"\n", true),
        ("  clusterID: \"bergamo\"\n", "  clusterID: \"bergamo\"\n---\nkind: \"A\"\n", true),
        ("---\napiVersion: \"core.liqo.io/v1beta1\"\nkind: \"ForeignCluster\"", "---\n", true),
        (encrypted.as_str(), "    \"privateKey\": \"mine\", \"a\": \"b\"", true),
        (encrypted.as_str(), "    \"privateKey\": \"mine\"", false),
    ] {
        forge(&place, FILES[0], from, to);
        let words =
            "differs from what `sealed-secret` gives: the file was edited, and its digests were written anew";
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
    place.edit("peerings/it/peering.yaml", "nodePort: 30743", "nodePort: 30744");
    opened().silent_on("edited since").says("note[rendered-file]: this is not what");
}

/// What applies a folder applies each file in it: the other side's stream, a second copy, and what `render` has not written.
#[test]
fn a_folder_has_the_file_of_its_side_alone() {
    let place = Place::new("sealed-secret");
    place.render(&[]).done();
    let [consumer, provider] = FILES.map(|file| place.read(file));
    let write = |name: &str, text: &str| fs::write(place.path(name), text).expect(name);
    let folder = "rendered/sealed-secret";
    for (at, text, right) in [
        (FILES[0], &provider, "provider"),
        ("rendered/sealed-secret/consumer/m.yml", &consumer, "consumer"),
        ("rendered/Sealed-Secret/provider/manifests.yaml", &provider, "provider"),
        ("rendered/sealed-secret/manifests.yaml", &provider, "provider"),
    ] {
        fs::create_dir_all(place.path(at).parent().expect("a folder")).expect("a folder");
        write(at, text);
        let wrong = place.validate();
        wrong.fails(1, "rendered-file").says(at);
        wrong.says(&format!(
            "this is the stream of sealed-secret/{right}/manifests.yaml, and in another place"
        ));
        wrong.silent_on("is missing");
        // a run that has this folder alone knows where it is
        let parent = Path::new(at).parent().and_then(Path::to_str).expect("a folder");
        place.run(&["validate", "peerings", parent]).fails(1, "rendered-file");
        fs::remove_file(place.path(at)).expect("removed");
        write(FILES[0], &consumer);
    }
    write(&format!("{folder}/consumer/README.md"), "# Ours\n");
    write(&format!("{folder}/consumer/role.yaml"), "kind: ConfigMap\n");
    write(&format!("{folder}/consumer/kustomization.yaml"), "resources: [manifests.yaml]\n");
    let also = place.validate();
    also.says(&format!(
        "note[rendered-file]: what applies this folder also applies ./{folder}/consumer/role.yaml"
    ));
    assert_eq!((also.code, also.stderr.matches("rendered-file").count()), (Some(0), 1), "{also}");
    fs::remove_file(place.path(&format!("{folder}/consumer/role.yaml"))).expect("removed");
    place.validate().silent_on("rendered-file");
    // `render` does not replace it
    write(FILES[1], &format!("\u{feff}{provider}"));
    place.validate().says(&format!("{} has no first line of `render`", FILES[1])).silent_on("is missing");
    place.render(&[]).fails(2, "flag").says("was not written by `render`");
    // it is there, though it is not looked at
    place.run(&["validate", "peerings", &format!("{folder}/consumer")]).silent_on("rendered-file");
}

/// Who follows the steps of a rotation and applies rendered files has the new key applied.
#[test]
fn what_changes_a_folder_says_how_it_is_rendered_again() {
    let place = Place::new("external");
    let identity = demo_identity("").display().to_string();
    let rotate = [
        "seed",
        "rotate",
        "peerings/it",
        "--role",
        "provider",
        "--identity-file",
        &identity,
        "--allow-dirty",
    ];
    place.run(&rotate).prints("Commit that, and nothing else").omits("Rendered files");
    place.render(&[]).done();
    let again = "`argocd-peering render peerings/it --into rendered`";
    place
        .run(&rotate)
        .prints(&format!("2. Run {again}:\n   Argo CD applies the rendered files. Commit these and"));
    let sealed = Place::new("sealed-secret");
    sealed.render(&[]).done();
    let due = ["seed", "rotate-due", "peerings", "--older-than", "1d", "--allow-dirty"];
    sealed.run(&due).says("`argocd-peering render peerings/it --into rendered --identity-file FILE`");
}

/// Each command writes what is there, and nothing else.
#[test]
fn all_folders_of_rendered_files_are_named_with_their_sides() {
    let place = Place::new("sealed-secret");
    copy_of(&place.path("peerings/it"), place.path("peerings/other"));
    place.edit("peerings/other/peering.yaml", "  name: sealed-secret", "  name: other");
    place.render(&[]).done();
    let identity = demo_identity("").display().to_string();
    let alone =
        ["render", "peerings/it", "--into", "aaa", "--role", "consumer", "--identity-file", &identity];
    place.run(&alone).done();
    let due = ["seed", "rotate-due", "peerings", "--older-than", "1d", "--allow-dirty", "--at-most", "9"];
    let again = "`argocd-peering render peerings/it --into aaa --role consumer --identity-file FILE`";
    let outcome = place.run(&due);
    outcome.says(again).says("render peerings/it peerings/other --into rendered --identity-file FILE`");
    assert_eq!(outcome.stderr.matches("argocd-peering render").count(), 2, "{outcome}");
}

/// A sealed file that has changed gives another stream.
#[test]
fn another_sealed_file_makes_it_stale() {
    let place = Place::new("sealed-secret");
    place.render(&[]).done();
    let seed = root().join("examples/quickstart/peering.seed.age");
    fs::copy(seed, place.path("peerings/it/peering.seed.age")).expect("copied");
    place.validate().says("note[rendered-file]: this is not what");
}

#[test]
fn a_file_without_its_document_is_not_judged() {
    let place = Place::new("sealed-secret");
    place.render(&[]).done();
    place.edit("peerings/it/peering.yaml", "  name: sealed-secret", "  name: another");
    place.validate().says("its peering.yaml is not below the paths");
    place.run(&["validate", ".", "--strict"]).fails(1, "not-judged");
}

#[test]
fn a_private_key_in_clear_is_refused_and_nothing_is_written() {
    let place = Place::new("sealed-secret");
    copy_of(&quickstart(), place.path("peerings/another"));
    let refused = place.render(&[]);
    refused.fails(2, "flag").says("set `delivery: SealedSecret` or `External` in `spec.consumer`");
    refused.silent_on("the other side");
    assert!(place.rendered().is_empty() && !place.path("rendered").exists());
    // one side of it can be rendered alone
    let text = place.read("peerings/it/peering.yaml");
    let provider = text.split_once("  provider:").expect("a provider").1;
    let plain = text
        .replace(provider, &provider.replacen("    delivery: SealedSecret # the gateway's keys\n", "", 1));
    put(place.path("peerings/it/peering.yaml"), plain);
    fs::remove_dir_all(place.path("peerings/another")).expect("removed");
    place.render(&[]).fails(2, "flag").says("or render the other side with --role consumer");
    place.render(&["--role", "consumer"]).done();
    assert_eq!(place.rendered().len(), 1);
    place.validate().silent_on("is missing");
}

#[test]
fn what_it_did_not_write_stays() {
    let place = Place::new("sealed-secret");
    fs::create_dir_all(place.path("rendered/sealed-secret/provider")).expect("a folder");
    put(place.path(FILES[1]), "kind: ConfigMap\n");
    put(place.path("rendered/note.md"), "mine\n");
    place.render(&[]).fails(2, "flag").says("was not written by `render`");
    assert_eq!(place.rendered().len(), 2, "nothing was added");
    fs::remove_file(place.path(FILES[1])).expect("removed");
    place.render(&[]).done();
    assert_eq!(place.read("rendered/note.md"), "mine\n");
}

/// Anyone with push access decides where a link leads.
#[test]
fn no_link_is_followed() {
    for at in ["rendered", "rendered/sealed-secret", "rendered/sealed-secret/provider", FILES[1]] {
        let place = Place::new("sealed-secret");
        let elsewhere = tempfile::tempdir().expect("a folder");
        let target = if at == FILES[1] { elsewhere.path().join("file") } else { elsewhere.path().to_owned() };
        fs::create_dir_all(place.path(at).parent().expect("a folder")).expect("a folder");
        symlink(target, place.path(at)).expect("a link");
        place.render(&[]).fails(3, "file").says("symbolic link");
        assert_eq!(fs::read_dir(elsewhere.path()).expect("a folder").count(), 0, "{at}");
        let consumer = place.path(FILES[0]);
        assert!(!consumer.exists(), "{at}");
    }
}

#[test]
fn two_peerings_of_one_name_are_refused() {
    let place = Place::new("sealed-secret");
    copy_of(&place.path("peerings/it"), place.path("peerings/copy"));
    place.render(&[]).fails(2, "flag").says("two peerings are called `sealed-secret`");
    assert!(place.rendered().is_empty());
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
