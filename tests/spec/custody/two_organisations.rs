//! Two organisations, each with its half of `examples/two-organisations` in a repository of its own, have together what
//! the whole document describes: the same streams, the same digest, and no way to each other's keys.

use crate::harness::{
    Outcome, Peering, ROLES, Run, Text, committed, documents, entries, name_of, peer, replaced,
    root,
};
use sha2::{Digest as _, Sha256};

/// Nobody has it in practice: it takes both organisations' identities.
fn whole() -> Peering {
    Peering::at(&root().join("tests/two-organisations"))
}

/// The half of one side, with the identity of that side only.
fn half(side: &str) -> Peering {
    let half = Peering::example(&format!("two-organisations/{side}"));
    let identity = crate::harness::checkout::demo_identity(&format!("{side}-"));
    half.opened_by(&identity)
}

/// The role's stream, which must be there.
#[track_caller]
fn stream(holder: &Peering, role: &str) -> String {
    let stream = holder.stream(role);
    assert!(
        documents(&stream).iter().any(|it| it["kind"] == "Secret"),
        "{}: no keys in it",
        holder.name
    );
    stream
}

fn keys(holder: &Peering) -> Run {
    Run::new(["keys"]).arg(&holder.folder)
}

/// The last line of `keys`.
#[track_caller]
fn digest(holder: &Peering) -> String {
    digest_of(
        &keys(holder)
            .arg("--identity-file")
            .arg(&holder.identity)
            .run(),
    )
}

#[track_caller]
fn digest_of(outcome: &Outcome) -> String {
    let line = outcome
        .done()
        .lines()
        .last()
        .expect("keys prints something");
    line.strip_prefix("agreement: sha256:")
        .expect("the last line is the digest")
        .to_owned()
}

/// Says which side differs, but not how: the streams hold private keys.
#[test]
fn each_half_gives_its_stream_of_the_whole() {
    for role in ROLES {
        let (of_whole, of_half) = (stream(&whole(), role), stream(&half(role), role));
        let line = of_whole
            .lines()
            .zip(of_half.lines())
            .take_while(|(one, other)| one == other)
            .count()
            + 1;
        assert!(
            of_whole == of_half,
            "the {role}'s streams differ, first in line {line}"
        );
    }
}

/// It needs no identity where both keys are written down.
#[test]
fn the_digest_is_the_same_from_all_three() {
    let agreed = digest(&whole());
    assert_eq!(agreed.len(), 64);
    for holder in [half("consumer"), half("provider"), whole()] {
        assert_eq!(digest(&holder), agreed, "{}", holder.name);
        assert_eq!(digest_of(&keys(&holder).run()), agreed, "{}", holder.name);
    }
}

/// Else the halves would prove nothing: each identity opens its own side's files and not the other's.
#[test]
fn the_identities_are_two() {
    for (side, other) in ROLES.map(|side| (side, peer(side))) {
        // the whole's seeds are those of the halves, so the same holds there
        for holder in [half(side), whole()] {
            holder
                .opened_by(&half(other).identity)
                .run(side)
                .run()
                .fails(3, "sealed-payload");
        }
    }
}

/// With the other side's key written down, its seed is not even tried.
#[test]
fn even_the_whole_gives_a_side_its_stream_with_its_own_identity() {
    for side in ROLES {
        let own = whole().opened_by(&half(side).identity);
        assert!(
            stream(&own, side) == stream(&whole(), side),
            "the {side}'s streams differ"
        );
    }
}

#[test]
fn a_half_refuses_the_other_sides_stream() {
    for (side, other) in ROLES.map(|side| (side, peer(side))) {
        // not even with both identities
        for identity in [half(side).identity, whole().identity] {
            half(side)
                .opened_by(&identity)
                .run(other)
                .run()
                .fails(1, "seed-elsewhere")
                .says(other);
        }
    }
}

#[test]
fn a_half_has_no_file_of_the_other_side() {
    for (side, other) in ROLES.map(|side| (side, peer(side))) {
        for file in entries(&half(side).folder) {
            assert!(
                !name_of(&file).contains(other),
                "{side}: {}",
                file.display()
            );
        }
    }
    assert!(
        !half("provider").folder.join("kubeconfig.age").exists(),
        "the credential is the consumer's"
    );
}

const REVERSE: &str = "  reverse: { authentication: { subject: { kind: User, name: a }, credential: pending } }\n  networking:\n";

/// What one side's objects say about the other; the one-sided change that would otherwise be found by a dead tunnel.
#[test]
fn a_change_in_one_half_changes_the_digest() {
    let agreed = digest(&whole());
    for (old, new) in [
        ("podCIDRs: [10.42.0.0/16]", "podCIDRs: [10.43.0.0/16]"),
        ("externalCIDR: 10.80.0.0/16", "externalCIDR: 10.90.0.0/16"),
        ("mtu: 1340", "mtu: 1300"),
        ("nodePort: 30742", "nodePort: 30743"),
        ("location: provider", "location: consumer"),
        (
            "clusterID: cagliari",
            "clusterID: cagliari\n    tenantNamespace: other",
        ),
        ("  networking:\n", REVERSE),
    ] {
        for side in ROLES {
            let changed = half(side).edited(|text| replaced(&text, old, new));
            assert_ne!(digest(&changed), agreed, "{side}: {new}");
        }
    }
}

#[test]
fn what_is_one_sides_own_business_is_not_in_the_digest() {
    let agreed = digest(&whole());
    for (old, new) in [
        ("cpu: \"10\"", "cpu: \"11\""),
        ("name: demo", "name: other"),
        (
            "addresses: [192.0.2.20]",
            "addresses: [gateway.sassari.example]",
        ),
        ("kubeconfig: { file: kubeconfig.age }", "existingSecret: {}"),
    ] {
        let changed = half("consumer").edited(|text| replaced(&text, old, new));
        assert_eq!(digest(&changed), agreed, "{new}");
    }
}

/// The key that the other organisation was told is the one that the tunnel has, or there is no stream.
#[test]
fn another_key_than_the_one_that_was_told_gives_nothing() {
    for side in ROLES {
        let seed = format!("seed: {{ file: {side}.seed.age }}");
        let changed = half(side)
            .edited(|text| replaced(&text, &seed, &format!("{seed}\n    keyGeneration: 2")));
        changed.run(side).run().fails(1, "unexpected-key");
    }
}

/// What `docs/project/derivation.md` says is hashed, written there by hand.
#[test]
fn the_digest_is_what_its_specification_says() {
    let text = committed("docs/project/derivation.md");
    let (_, json) = text.split_once("```json\n").expect("the JSON");
    let json = json.split('\n').next().expect("one line");
    let digest = format!("{:x}", Sha256::digest(json));
    text.has(&format!("`{digest}`"));
    assert_eq!(self::digest(&Peering::example("quickstart")), digest);
}
