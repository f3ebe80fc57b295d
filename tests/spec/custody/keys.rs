//! `keys` shows what the tunnel will use: a key that is written down is believed only where no seed can say more.

use super::team::{Needs, Team};
use crate::harness::{Outcome, Peering, ROLES, Run, Text, committed, identity, put, replaced};
use sha2::{Digest as _, Sha256};
use std::fs;

const KEYS: &str = "keys . --identity-file ID";
const OTHER: &str = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="; // RFC 7748, section 6.1: Alice's
const BOBS: &str = "3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08="; // and Bob's

/// The consumer's key, as `keys` prints it.
fn consumers(outcome: &Outcome) -> String {
    let line = outcome
        .done()
        .lines()
        .nth(1)
        .and_then(|line| line.strip_prefix("  public key: "));
    line.expect("the key's line").to_owned()
}

/// The sides, as their lines begin.
const CONSUMER: &str = "    clusterID: rome # the capital\n";
const PROVIDER: &str = "    clusterID: milan\n";

fn write_key_of(team: &Team, side: &str, key: &str) {
    let document = replaced(
        &team.document(),
        side,
        &format!("{side}    publicKey: {key}\n"),
    );
    team.write("peering.yaml", document);
}

fn write_key(team: &Team, key: &str) {
    write_key_of(team, CONSUMER, key);
}

#[test]
fn a_written_key_is_verified_where_its_seed_opens() {
    let team = Team::new(Needs::Seed, &[]);
    let derived = consumers(&team.types(KEYS));
    write_key(&team, &derived);
    let outcome = team.types(KEYS);
    assert_eq!(
        (consumers(&outcome), outcome.stderr.as_str()),
        (derived, "")
    );

    let wrong = Team::new(Needs::Seed, &[]);
    write_key(&wrong, OTHER);
    wrong
        .types(KEYS)
        .fails(1, "unexpected-key")
        .says("error[unexpected-key]: the consumer's key");
}

#[test]
fn a_written_key_whose_seed_stays_closed_is_said_to_be_unverified() {
    let team = Team::new(Needs::Seed, &[]);
    write_key(&team, OTHER);
    put(team.path("strangers"), identity().1);
    let lines = ["keys .", "keys . --identity-file ~/strangers"];
    // the provider's key is not written down, so something has to open the seed
    for line in lines {
        team.types(line).ends(3);
    }
    write_key_of(&team, PROVIDER, BOBS);
    for outcome in lines.map(|line| team.types(line)) {
        assert_eq!(consumers(&outcome), OTHER);
        for side in ["consumer", "provider"] {
            outcome.says(&format!(
                "note: the {side}'s key is taken from peering.yaml; its seed was not opened"
            ));
        }
    }
}

/// Somebody who can push could otherwise break the seed and have any key believed.
#[test]
fn a_seed_that_is_broken_is_no_reason_to_believe_a_written_key() {
    let team = Team::new(Needs::Seed, &[]);
    write_key(&team, OTHER);
    write_key_of(&team, PROVIDER, BOBS);
    for (broken, words) in [("", "it is empty"), ("no age file", "it is damaged")] {
        team.write("peering.seed.age", broken);
        team.types(KEYS).fails(3, "sealed-payload").says(words);
    }
}

/// The seed is open anyway: the other side's key is held against it as well as the own one.
#[test]
fn one_seed_verifies_both_keys_in_both_streams() {
    for (side, name) in [(CONSUMER, "consumer"), (PROVIDER, "provider")] {
        let team = Team::new(Needs::Seed, &[]);
        write_key_of(&team, side, OTHER);
        for role in ROLES {
            let outcome = team.types(&format!(
                "generate . --local --role {role} --identity-file ID"
            ));
            outcome
                .fails(1, "unexpected-key")
                .says(&format!("the {name}'s key"));
        }
    }
}

/// What a drained stream does not show is not opened for it.
#[test]
fn a_drained_stream_opens_no_kubeconfig() {
    let team = Team::new(Needs::Both, &[]);
    let generate = || team.types("generate . --local --role consumer --identity-file ID");
    generate().says("opened kubeconfig.age");
    team.write(
        "peering.yaml",
        format!("{}  state: Drained\n", team.document()),
    );
    generate()
        .says("opened peering.seed.age")
        .silent_on("kubeconfig.age")
        .done();
    fs::remove_file(team.folder().join("kubeconfig.age")).expect("the kubeconfig");
    generate().done();
}

/// The provider's `publicKey` is the consumer's: nothing that is made of it would work.
#[test]
fn the_own_key_is_not_the_other_sides() {
    let team = Team::new(Needs::Seed, &[]);
    let own = consumers(&team.types(KEYS));
    let (seed, shared) = (
        "seed: { file: peering.seed.age }",
        "  seed: { file: peering.seed.age } # sealed\n",
    );
    let text = replaced(&team.document(), shared, "");
    let text = replaced(&text, CONSUMER, &format!("{CONSUMER}    {seed}\n"));
    team.write(
        "peering.yaml",
        replaced(
            &text,
            PROVIDER,
            &format!("{PROVIDER}    publicKey: {own}\n"),
        ),
    );
    for command in [
        "keys .",
        "generate . --local --role consumer",
        "seed rotate . --role consumer",
    ] {
        let outcome = team.types(&format!("{command} --identity-file ID"));
        outcome
            .fails(1, "unexpected-key")
            .says("the provider's `publicKey` is the other cluster's own key");
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
    let keys = Peering::example("quickstart");
    let run = Run::new(["keys"])
        .arg(&keys.folder)
        .arg("--identity-file")
        .arg(&keys.identity);
    let outcome = run.run();
    assert!(
        outcome
            .done()
            .ends_with(&format!("\nagreement: sha256:{digest}\n")),
        "{outcome}"
    );
}
