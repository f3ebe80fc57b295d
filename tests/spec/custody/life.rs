//! import, reseal, inspect.

use super::team::{Needs, PATH, TOKEN, Team};
use crate::harness::library::Seed;
use crate::harness::{KUBECONFIG, REPO, Text, put, seal};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

const TERMS: [&str; 6] = ["--project", "net", "--repo", REPO, "--path", PATH];

/// Bytes 0 to 31: the seed of the published vectors.
const VECTOR: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

#[test]
fn an_imported_seed_gives_the_published_keys() {
    let team = Team::new(Needs::Seed, &TERMS);
    put(team.path("raw"), format!("{VECTOR}\n"));
    let (raw, identity) = (team.path("raw").display().to_string(), team.identity());
    let seal = ["--clusters", "consumer,provider", "--recipient", &team.recipient];
    team.person(&[&["seed", "import", "--base64", &raw, "imported.age"], &seal[..]].concat()).done();
    let mode = fs::metadata(team.folder().join("imported.age")).expect("it").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let inspected = team.person(&["inspect", "imported.age", "--identity-file", &identity]);
    // facts of tests/vectors/derive-v1.json, ids 1 and 2
    assert_eq!(
        inspected.done(),
        "kind: seed\nrecipients: 1\nclusters: \"consumer\" (consumer) \"provider\" (provider)\nprojects: none\nrepos: none\npaths: none\nrevisions: any\ndelivery: any\nnamespaces: any\nmanagedBy: none\n\n\
         consumer/provider, key generation 1\n  consumer: wYMpOwLlOl2quO8GpJOVS8egIpIULWfFeappY3KKORQ=\n  \
         provider: nn4t1zIhSpCm8U57TQcs0Ew7MhWOj5nyhMk1i3cRzzQ=\n"
    );
    // nothing is overwritten
    let again = team.person(&[&["seed", "import", "--base64", &raw, "imported.age"], &seal[..]].concat());
    again.fails(3, "file").says("nothing is overwritten").says("choose another name");
    for (raw, words) in [
        ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "1 different byte values"),
        ("Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZSAhIQ==", "exactly 32 bytes, and these are 31"),
        ("YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXogfjY3ODk=", "printable text"),
        ("not base64", "not standard base64"),
    ] {
        put(team.path("raw"), raw);
        let path = team.path("raw").display().to_string();
        let outcome = team.person(&[&["seed", "import", "--base64", &path, "bad.age"], &seal[..]].concat());
        outcome.fails(3, "import").says(words).says("`argocd-peering seed new`").silent_on(raw);
        assert!(!team.folder().join("bad.age").exists());
    }
    let large = team.path("large").display().to_string();
    put(&large, format!("{VECTOR}{}", "\n".repeat(1025 - VECTOR.len())));
    let outcome = team.person(&[&["seed", "import", "--base64", &large, "bad.age"], &seal[..]].concat());
    outcome.fails(3, "file").says("larger than 1024 bytes");
}

#[test]
fn resealing_keeps_the_secret_and_changes_who_opens_it() {
    let team = Team::new(Needs::Both, &TERMS);
    let old = team.identity();
    let (identity, text) = seal::identity();
    let recipient = identity.to_public().to_string();
    put(team.path("new.txt"), text);
    let new = team.path("new.txt").display().to_string();
    let (old_identity, new_identity) = (["--identity-file", old.as_str()], ["--identity-file", new.as_str()]);
    let inspect = |file: &str, identity: &[&str]| team.person(&[&["inspect", file], identity].concat());
    let keys = |text: &str| text.split_once("\n\n").map(|(_, keys)| keys.to_owned());
    let stream = team.own("net", PATH).run().stream().to_owned();
    for file in ["peering.seed.age", "kubeconfig.age"] {
        let before = inspect(file, &old_identity).done().to_owned();
        // another place, both recipients; the other terms stay
        let both = ["--recipient", &team.recipient, "--recipient", &recipient, "--path", "moved"];
        team.confirming(&[&["reseal", file], &old_identity[..], &both].concat()).done();
        for identity in [old_identity, new_identity] {
            let inspected = inspect(file, &identity);
            let after = inspected.done();
            let expected = before.replace("recipients: 1", "recipients: 2");
            assert_eq!(after, expected.replace(PATH, "moved"));
            assert!(!after.contains("SEED-1") && !after.contains(TOKEN));
        }
        assert_eq!(keys(&before).is_some(), file == "peering.seed.age");
        let mode = fs::metadata(team.folder().join(file)).expect("it").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    // the terms count: the old place no longer opens, the new one gives the same stream
    team.own("net", PATH).run().fails(3, "denied");
    assert_eq!(team.own("net", "moved").run().stream(), stream);
    // the new identity alone
    let only = ["--recipient", recipient.as_str(), "-o", "only.age"];
    let reseal = [&["reseal", "peering.seed.age"], &new_identity[..], &only].concat();
    team.confirming(&reseal).done();
    inspect("only.age", &old_identity).fails(3, "sealed-payload").says("none of the identities");
    inspect("only.age", &new_identity).done();
    team.confirming(&reseal).fails(3, "file");
    // several identities in one file are all tried
    let both = [new, old].map(|file| fs::read_to_string(file).expect("read")).join("\n");
    put(team.path("both.txt"), both);
    let both = team.path("both.txt").display().to_string();
    inspect("only.age", &["--identity-file", &both]).done();
    inspect("peering.seed.age", &["--identity-file", &both]).done();
}

/// A file that somebody made with `age` alone gets its terms by resealing.
#[test]
fn a_bare_file_becomes_a_bound_one() {
    let team = Team::new(Needs::Seed, &TERMS);
    let recipient: age::x25519::Recipient = team.recipient.parse().expect("a recipient");
    let seed = Seed::new([7; 32]).expose_text();
    let bare = age::encrypt_and_armor(&recipient, seed.as_bytes()).expect("sealed");
    team.write("bare.age", bare);
    let identity = team.identity();
    let inspect = ["inspect", "bare.age", "--identity-file", &identity];
    let inspected = team.person(&inspect);
    inspected.done().has("kind: unknown\nrecipients: 1\nterms: none");
    let reseal = ["reseal", "bare.age", "--identity-file", &identity, "--recipient", &team.recipient];
    team.person(&reseal).fails(2, "flag").says("--clusters");
    team.confirming(&[&reseal[..], &["--clusters", "rome,milan"]].concat()).done();
    let inspected = team.person(&inspect);
    let text = inspected.done();
    assert!(text.starts_with("kind: seed\n") && text.contains("milan/rome, key generation 1"), "{text}");
    // what it is, its content says
    for (bare, kind) in [(KUBECONFIG, Some("kind: kubeconfig\n")), ("hello", None)] {
        team.write("bare.age", age::encrypt_and_armor(&recipient, bare.as_bytes()).expect("sealed"));
        let outcome = team.confirming(&[&reseal[..], &["--clusters", "rome,milan"]].concat());
        if let Some(kind) = kind {
            outcome.done();
            assert!(team.person(&inspect).done().starts_with(kind));
        } else {
            outcome.ends(3);
        }
    }
}

/// A crash between the two steps of a replacement leaves the old file; here a folder that takes no new file.
#[test]
fn what_cannot_be_written_leaves_what_was_there() {
    let team = Team::new(Needs::Seed, &TERMS);
    let before = fs::read(team.folder().join("peering.seed.age")).expect("read");
    let identity = team.identity();
    let output = team.confirming(&[
        "reseal",
        "peering.seed.age",
        "--identity-file",
        &identity,
        "--recipient",
        &team.recipient,
        "-o",
        "no/such/folder.age",
    ]);
    output.fails(3, "file").says("mkdir -p");
    assert_eq!(fs::read(team.folder().join("peering.seed.age")).expect("read"), before);
    assert_eq!(fs::read_dir(team.folder()).expect("the folder").count(), 2, "nothing is left behind");
}
