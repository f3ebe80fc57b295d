//! import, reseal, inspect.

use super::team::{Needs, PATH, TERMS, TOKEN, Team};
use crate::harness::library::Seed;
use crate::harness::{KUBECONFIG, Text, put, seal};
use age::x25519::Recipient;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

/// Bytes 0 to 31: the seed of the published vectors.
const VECTOR: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// Only its owner reads it.
#[track_caller]
fn is_private(team: &Team, file: &str) {
    let mode = fs::metadata(team.folder().join(file))
        .expect(file)
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn an_imported_seed_gives_the_published_keys() {
    let team = Team::new(Needs::Seed, &TERMS);
    let import = |raw: &str, file: &str| {
        put(team.path("raw"), raw);
        let to = "--clusters consumer,provider --recipient TO";
        team.types(&format!("seed import --base64 ~/raw {file} {to}"))
    };
    import(&format!("{VECTOR}\n"), "imported.age").done();
    is_private(&team, "imported.age");
    // facts of tests/vectors/derive-v1.json, ids 1 and 2
    assert_eq!(
        team.inspected("imported.age"),
        "kind: seed\nrecipients: 1\nclusters: \"consumer\" (consumer) \"provider\" (provider)\nprojects: none\nrepos: none\npaths: none\nrevisions: any\ndelivery: any\nnamespaces: any\n\n\
         consumer/provider, key generation 1\n  consumer: wYMpOwLlOl2quO8GpJOVS8egIpIULWfFeappY3KKORQ=\n  \
         provider: nn4t1zIhSpCm8U57TQcs0Ew7MhWOj5nyhMk1i3cRzzQ=\n"
    );
    // nothing is overwritten
    let again = import(VECTOR, "imported.age");
    again
        .fails(3, "file")
        .says("nothing is overwritten")
        .says("choose another name");
    for (raw, words) in [
        (
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "1 different byte values",
        ),
        (
            "Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZSAhIQ==",
            "exactly 32 bytes, and these are 31",
        ),
        (
            "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXogfjY3ODk=",
            "printable text",
        ),
        ("not base64", "not standard base64"),
    ] {
        let outcome = import(raw, "bad.age");
        outcome
            .fails(3, "import")
            .says(words)
            .says("`argocd-peering seed new`")
            .silent_on(raw);
        assert!(!team.folder().join("bad.age").exists());
    }
    let large = format!("{VECTOR}{}", "\n".repeat(1025 - VECTOR.len()));
    import(&large, "bad.age")
        .fails(3, "file")
        .says("larger than 1024 bytes");
}

#[test]
fn resealing_keeps_the_secret_and_changes_who_opens_it() {
    let team = Team::new(Needs::Both, &TERMS);
    let (identity, text) = seal::identity();
    let recipient = identity.to_public().to_string();
    put(team.path("new.txt"), &text);
    let inspect = |file: &str, identity: &str| {
        team.types(&format!("inspect {file} --identity-file {identity}"))
    };
    let stream = team.own("net", PATH).run().stream().to_owned();
    for file in ["peering.seed.age", "kubeconfig.age"] {
        let before = team.inspected(file);
        // another place, both recipients; the other terms stay
        let both = format!("--recipient TO --recipient {recipient} --path moved");
        team.confirms(&format!("reseal {file} --identity-file ID {both}"))
            .done();
        for identity in ["ID", "~/new.txt"] {
            let inspected = inspect(file, identity);
            let after = inspected.done();
            let expected = before.replace("recipients: 1", "recipients: 2");
            assert_eq!(after, expected.replace(PATH, "moved"));
            assert!(!after.contains("SEED-1") && !after.contains(TOKEN));
        }
        assert_eq!(
            before.contains("\n\n"),
            file == "peering.seed.age",
            "it has keys"
        );
        is_private(&team, file);
    }
    // the terms count: the old place no longer opens, the new one gives the same stream
    team.own("net", PATH).run().fails(3, "denied");
    assert_eq!(team.own("net", "moved").run().stream(), stream);
    // the new identity alone
    let reseal = format!(
        "reseal peering.seed.age --identity-file ~/new.txt --recipient {recipient} -o only.age"
    );
    team.confirms(&reseal).done();
    inspect("only.age", "ID")
        .fails(3, "sealed-payload")
        .says("none of the identities");
    inspect("only.age", "~/new.txt").done();
    team.confirms(&reseal).fails(3, "file");
    // several identities in one file are all tried
    put(
        team.path("both.txt"),
        format!(
            "{text}\n{}",
            fs::read_to_string(team.identity()).expect("read")
        ),
    );
    for file in ["only.age", "peering.seed.age"] {
        inspect(file, "~/both.txt").done();
    }
}

/// A file that somebody made with `age` alone gets its terms by resealing.
#[test]
fn a_bare_file_becomes_a_bound_one() {
    let team = Team::new(Needs::Seed, &TERMS);
    let recipient: Recipient = team.recipient.parse().expect("a recipient");
    let write = |text: &str| {
        team.write(
            "bare.age",
            age::encrypt_and_armor(&recipient, text.as_bytes()).expect("sealed"),
        );
    };
    let reseal = "reseal bare.age --identity-file ID --recipient TO";
    let seed = Seed::new([7; 32]).expose_text();
    write(&seed);
    team.inspected("bare.age")
        .has("kind: unknown\nrecipients: 1\nterms: none");
    team.types(reseal).fails(2, "flag").says("--clusters");
    // what it is, its content says
    for (bare, code, words) in [
        (seed.as_str(), 0, "milan/rome, key generation 1"),
        (KUBECONFIG, 0, "kind: kubeconfig\n"),
        ("hello", 3, ""),
    ] {
        write(bare);
        team.confirms(&format!("{reseal} --clusters rome,milan"))
            .ends(code);
        team.inspected("bare.age").has(words);
    }
}
