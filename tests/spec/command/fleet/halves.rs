//! Recipients of clusters: each side of a new folder has a seed of its own, as with `init`.

use super::{FILE, check, describe, files, fleet, place, three};
use crate::harness::{RECIPIENT, demo_identity};
use std::fs;

const PAIR: &str = "    - { consumers: [c0], providers: [c1] }\n";

/// What age-keygen has written as a comment.
fn recipient(role: &str) -> String {
    let text = fs::read_to_string(demo_identity(&format!("{role}-"))).expect("an identity");
    text.lines().find_map(|line| line.strip_prefix("# public key: ")).expect("a recipient").to_owned()
}

/// Three clusters, of which these have recipients.
fn with(of: &[(&str, &str)]) -> String {
    of.iter().fold(three(), |text, (name, recipient)| {
        text.replace(&format!("name: {name},"), &format!("name: {name}, recipients: [{recipient}],"))
    })
}

#[test]
fn each_side_has_its_half() {
    let (of_consumer, of_provider) = (recipient("consumer"), recipient("provider"));
    let clusters = with(&[("c0", &of_consumer), ("c1", &of_provider)]);
    let place = place(&fleet(&clusters, PAIR));
    let arguments = ["fleet", "write", FILE];
    let asked = place.run(&arguments);
    asked.fails(2, "flag").says("recipients of peerings/c0/c1/c0.seed.age:");
    asked.says(&format!("{of_consumer} (peerings/fleet.yaml, c0)"));
    asked.says("note: peerings/fleet.yaml is in a Git checkout: anyone with push access can change it");
    assert!(files(&place).is_empty());
    place.confirming(&arguments).says("sealed 2 seeds, as confirmed").done();
    let names: Vec<String> = files(&place).into_keys().collect();
    assert_eq!(
        names,
        ["c0.seed.age", "c1.seed.age", "peering.yaml"].map(|it| format!("peerings/c0/c1/{it}"))
    );
    assert_eq!(place.read("c0/c1/peering.yaml").matches("    publicKey: ").count(), 2);
    for (role, other) in [("consumer", "provider"), ("provider", "consumer")] {
        let identity = demo_identity(&format!("{role}-")).display().to_string();
        let generate = |side: &str| {
            let words =
                ["generate", "peerings/c0/c1", "--local", "--role", side, "--identity-file", &identity];
            place.run(&words)
        };
        generate(role).stream();
        generate(other).fails(3, "sealed-payload");
    }
    place.run(&["validate", "peerings"]).done();
    assert_eq!(check(&place).done(), "1 document as fleet.yaml says\n");
}

/// One for all, as a recovery identity is, is beside the cluster's own.
#[test]
fn a_recipient_of_a_flag_opens_both() {
    let of_consumer = recipient("consumer");
    let place = place(&fleet(&with(&[("c0", &of_consumer)]), PAIR));
    place
        .confirming(&["fleet", "write", FILE])
        .fails(2, "flag")
        .says("the seeds of c1 have none: write its `recipients` into fleet.yaml");
    assert!(files(&place).is_empty());
    place.confirming(&["fleet", "write", FILE, "--recipient", RECIPIENT]).done();
    let recovery = demo_identity("").display().to_string();
    for name in ["c0", "c1"] {
        let seed = format!("peerings/c0/c1/{name}.seed.age");
        place.run(&["inspect", &seed, "--identity-file", &recovery]).done();
    }
    // a folder without such a cluster has one seed, and what is there stays
    describe(&place, &fleet(&with(&[("c0", &of_consumer)]), &format!("{PAIR}    - mesh: [c1, c2]\n")));
    let before = files(&place);
    place.confirming(&["fleet", "write", FILE, "--recipient", RECIPIENT]).says("sealed 1 seed").done();
    let after = files(&place);
    assert!(after.contains_key("peerings/c1/c2/peering.seed.age"), "{:?}", after.keys());
    assert!(before.iter().all(|(name, bytes)| after.get(name) == Some(bytes)));
}

#[test]
fn what_is_no_recipient_is_refused_at_its_place() {
    let place = place(&fleet(&with(&[("c0", "age1wrong")]), PAIR));
    for command in ["check", "write"] {
        let outcome = place.run(&["fleet", command, FILE]);
        outcome.fails(1, "unknown-value").says("this is not an age X25519 recipient");
        outcome.says(&format!("--> {FILE}:6:"));
    }
}
