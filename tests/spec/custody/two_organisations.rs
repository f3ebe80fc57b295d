//! Two organisations, each with its half of `examples/two-organisations` in a repository of its own, have together what
//! the whole document describes: the same streams, the same digest, and no way to each other's keys.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder and the identity that its owner has.
struct Holder {
    folder: PathBuf,
    identity: PathBuf,
}

/// Nobody has it in practice: it takes both organisations' identities.
fn whole() -> Holder {
    Holder { folder: example(), identity: example().join("demo-identity.txt") }
}

/// The half of one side, with the identity of that side only.
fn half(side: &str) -> Holder {
    let folder = example().join(side);
    Holder { identity: folder.join(format!("{side}-demo-identity.txt")), folder }
}

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/two-organisations")
}

fn run(arguments: &[&str], folder: &Path, identity: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_argocd-peering"));
    command.env_clear().args(arguments).arg(folder);
    if let Some(identity) = identity {
        command.arg("--identity-file").arg(identity);
    }
    command.output().expect("the program starts")
}

impl Holder {
    fn generate(&self, role: &str) -> Output {
        run(&["generate", "--local", "--role", role], &self.folder, Some(&self.identity))
    }

    /// The role's stream, which must be there.
    #[track_caller]
    fn stream(&self, role: &str) -> String {
        let output = self.generate(role);
        assert!(output.status.success(), "{}: {}", self.folder.display(), stderr(&output));
        let stream = String::from_utf8(output.stdout).expect("a stream is UTF-8");
        assert!(stream.contains("kind: \"Secret\""), "{}: no keys in it", self.folder.display());
        stream
    }

    /// The last line of `keys`.
    #[track_caller]
    fn digest(&self) -> String {
        digest(&run(&["keys"], &self.folder, Some(&self.identity)))
    }

    /// The half with one text replaced, which must be there once.
    #[track_caller]
    fn changed(&self, old: &str, new: &str) -> (tempfile::TempDir, Self) {
        let copy = tempfile::tempdir().expect("a temporary folder");
        for entry in fs::read_dir(&self.folder).expect("the half is a folder") {
            let file = entry.expect("its entry can be read").path();
            fs::copy(&file, copy.path().join(file.file_name().expect("a name"))).expect("it can be copied");
        }
        let document = copy.path().join("peering.yaml");
        let text = fs::read_to_string(&document).expect("the half has a document");
        assert_eq!(text.matches(old).count(), 1, "{old:?} must be there once");
        fs::write(&document, text.replace(old, new)).expect("it can be written");
        let changed = Self { folder: copy.path().to_owned(), identity: self.identity.clone() };
        (copy, changed)
    }
}

#[track_caller]
fn digest(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().last().expect("keys prints something");
    line.strip_prefix("terms: sha256:").expect("the last line is the digest").to_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Says which side differs, but not how: the streams hold private keys.
#[track_caller]
fn assert_same_stream(role: &str) {
    let (of_whole, of_half) = (whole().stream(role), half(role).stream(role));
    let line = of_whole.lines().zip(of_half.lines()).take_while(|(one, other)| one == other).count() + 1;
    assert!(of_whole == of_half, "the {role}'s streams differ, first in line {line}");
}

#[test]
fn the_consumers_half_gives_its_stream_of_the_whole() {
    assert_same_stream("consumer");
}

#[test]
fn the_providers_half_gives_its_stream_of_the_whole() {
    assert_same_stream("provider");
}

#[test]
fn the_digest_is_the_same_from_all_three() {
    let whole = whole().digest();
    assert_eq!(whole.len(), 64);
    assert_eq!(half("consumer").digest(), whole);
    assert_eq!(half("provider").digest(), whole);
}

#[test]
fn the_digest_needs_no_identity_where_both_keys_are_written_down() {
    let without = |holder: &Holder| digest(&run(&["keys"], &holder.folder, None));
    assert_eq!(without(&half("consumer")), whole().digest());
    assert_eq!(without(&half("provider")), whole().digest());
    assert_eq!(without(&whole()), whole().digest());
}

/// Else the halves would prove nothing: each identity opens its own side's files and not the other's.
#[test]
fn the_identities_are_two() {
    for (side, other) in [("consumer", "provider"), ("provider", "consumer")] {
        let with_the_others = Holder { folder: half(side).folder, identity: half(other).identity };
        let output = with_the_others.generate(side);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
        // the whole's seeds are those of the halves, so the same holds there
        let in_the_whole = Holder { folder: whole().folder, identity: half(other).identity };
        let output = in_the_whole.generate(side);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

/// With the other side's key written down, its seed is not even tried.
#[test]
fn even_the_whole_gives_a_side_its_stream_with_its_own_identity() {
    for side in ["consumer", "provider"] {
        let own = Holder { folder: whole().folder, identity: half(side).identity };
        assert!(own.stream(side) == whole().stream(side), "the {side}'s streams differ");
    }
}

#[test]
fn a_half_refuses_the_other_sides_stream() {
    for (side, other) in [("consumer", "provider"), ("provider", "consumer")] {
        // not even with both identities
        for identity in [half(side).identity, whole().identity] {
            let output = Holder { folder: half(side).folder, identity }.generate(other);
            assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
            assert!(output.stdout.is_empty());
            let stderr = stderr(&output);
            assert!(stderr.contains("error[seed-elsewhere]") && stderr.contains(other), "{stderr}");
        }
    }
}

#[test]
fn a_half_has_no_file_of_the_other_side() {
    for (side, other) in [("consumer", "provider"), ("provider", "consumer")] {
        for entry in fs::read_dir(half(side).folder).expect("the half is a folder") {
            let name = entry.expect("its entry can be read").file_name();
            assert!(!name.to_string_lossy().contains(other), "{side}: {}", name.display());
        }
    }
    assert!(!half("provider").folder.join("kubeconfig.age").exists(), "the credential is the consumer's");
}

/// What one side's objects say about the other; the one-sided change that would otherwise be found by a dead tunnel.
#[test]
fn a_change_in_one_half_changes_the_digest() {
    let agreed = whole().digest();
    for (old, new) in [
        ("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.43.0.0/16]"),
        ("externalCIDR: 10.80.0.0/16", "externalCIDR: 10.90.0.0/16"),
        ("mtu: 1340", "mtu: 1300"),
        ("nodePort: 30742", "nodePort: 30743"),
        ("location: provider", "location: consumer"),
        ("clusterID: rome", "clusterID: rome\n    tenantNamespace: other"),
    ] {
        for side in ["consumer", "provider"] {
            let (_folder, changed) = half(side).changed(old, new);
            assert_ne!(changed.digest(), agreed, "{side}: {new}");
        }
    }
}

#[test]
fn what_is_one_sides_own_business_is_not_in_the_digest() {
    let agreed = whole().digest();
    for (old, new) in [
        ("cpu: \"10\"", "cpu: \"11\""),
        ("name: demo", "name: other"),
        ("addresses: [192.0.2.20]", "addresses: [gateway.milan.example]"),
        ("kubeconfig: { file: kubeconfig.age }", "existingSecret: {}"),
    ] {
        let (_folder, changed) = half("consumer").changed(old, new);
        assert_eq!(changed.digest(), agreed, "{new}");
    }
}

/// The key that the other organisation was told is the one that the tunnel has, or there is no stream.
#[test]
fn another_key_than_the_one_that_was_told_gives_nothing() {
    for side in ["consumer", "provider"] {
        let seed = format!("seed: {{ file: {side}.seed.age }}");
        let (_folder, changed) = half(side).changed(&seed, &format!("{seed}\n    keyGeneration: 2"));
        let output = changed.generate(side);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
        assert!(stderr(&output).contains("error[unexpected-key]"), "{}", stderr(&output));
    }
}
