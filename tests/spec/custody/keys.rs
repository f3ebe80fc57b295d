//! `keys` shows what the tunnel will use: a key that is written down is believed only where no seed can say more.

use super::team::{Needs, Team, done, refused};
use std::fs;

const KEYS: [&str; 2] = ["keys", "."];
const OTHER: &str = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="; // RFC 7748, section 6.1: Alice's

/// The consumer's key, as `keys` prints it.
fn consumers(text: &str) -> String {
    let line = text.lines().nth(1).and_then(|line| line.strip_prefix("  public key: "));
    line.expect("the key's line").to_owned()
}

/// The sides, as their lines begin.
const CONSUMER: &str = "    clusterID: rome # the capital\n";
const PROVIDER: &str = "    clusterID: milan\n";

fn write_key_of(team: &Team, side: &str, key: &str) {
    let path = team.folder().join("peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    assert!(text.contains(side));
    fs::write(path, text.replace(side, &format!("{side}    publicKey: {key}\n"))).expect("the document");
}

fn write_key(team: &Team, key: &str) {
    write_key_of(team, CONSUMER, key);
}

fn stderr(output: &std::process::Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[test]
fn a_written_key_is_verified_where_its_seed_opens() {
    let team = Team::new(Needs::Seed, &[]);
    let identity = team.identity().display().to_string();
    let with = [&KEYS[..], &["--identity-file", &identity]].concat();
    let derived = consumers(&done(&team.person(&with)));
    write_key(&team, &derived);
    let output = team.person(&with);
    assert_eq!((consumers(&done(&output)), stderr(&output)), (derived, String::new()));

    let wrong = Team::new(Needs::Seed, &[]);
    write_key(&wrong, OTHER);
    let identity = wrong.identity().display().to_string();
    let output = wrong.person(&[&KEYS[..], &["--identity-file", &identity]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).starts_with("error[unexpected-key]: the consumer's key"), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
}

#[test]
fn a_written_key_whose_seed_stays_closed_is_said_to_be_unverified() {
    let team = Team::new(Needs::Seed, &[]);
    write_key(&team, OTHER);
    let theirs = Team::new(Needs::Seed, &[]);
    let strangers = theirs.identity().display().to_string();
    for identity in [&[][..], &["--identity-file", &strangers]] {
        let output = team.person(&[&KEYS[..], identity].concat());
        // the provider's key is not written down, so something has to open the seed
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    }
    write_key_of(&team, PROVIDER, "3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08="); // Bob's
    for identity in [&[][..], &["--identity-file", &strangers]] {
        let output = team.person(&[&KEYS[..], identity].concat());
        assert_eq!(consumers(&done(&output)), OTHER);
        for side in ["consumer", "provider"] {
            let note = format!("note: the {side}'s key is taken from peering.yaml; its seed was not opened");
            assert!(stderr(&output).contains(&note), "{}", stderr(&output));
        }
    }
}

/// Somebody who can push could otherwise break the seed and have any key believed.
#[test]
fn a_seed_that_is_broken_is_no_reason_to_believe_a_written_key() {
    let team = Team::new(Needs::Seed, &[]);
    write_key(&team, OTHER);
    let identity = team.identity().display().to_string();
    for broken in ["", "no age file"] {
        fs::write(team.folder().join("peering.seed.age"), broken).expect("the seed");
        let output = team.person(&[&KEYS[..], &["--identity-file", &identity]].concat());
        let error = refused(&output, 3, "sealed-payload");
        assert!(error.contains("it is damaged"), "{error}");
    }
}

/// The seed is open anyway: the other side's key is held against it as well as the own one.
#[test]
fn one_seed_verifies_both_keys_in_both_streams() {
    for (side, name) in [(CONSUMER, "consumer"), (PROVIDER, "provider")] {
        let team = Team::new(Needs::Seed, &[]);
        write_key_of(&team, side, OTHER);
        let identity = team.identity().display().to_string();
        for role in ["consumer", "provider"] {
            let generate = ["generate", ".", "--local", "--role", role, "--identity-file", &identity];
            let error = refused(&team.person(&generate), 1, "unexpected-key");
            assert!(error.contains(&format!("the {name}'s key")), "{error}");
        }
    }
}

/// What a drained stream does not show is not opened for it.
#[test]
fn a_drained_stream_opens_no_kubeconfig() {
    let team = Team::new(Needs::Both, &[]);
    let identity = team.identity().display().to_string();
    let generate = ["generate", ".", "--local", "--role", "consumer", "--identity-file", &identity];
    let path = team.folder().join("peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    assert!(stderr(&team.person(&generate)).contains("opened kubeconfig.age"));
    fs::write(&path, format!("{text}  state: Drained\n")).expect("the document");
    let output = team.person(&generate);
    done(&output);
    assert!(stderr(&output).contains("opened peering.seed.age"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("kubeconfig.age"), "{}", stderr(&output));
    fs::remove_file(team.folder().join("kubeconfig.age")).expect("the kubeconfig");
    done(&team.person(&generate));
}

/// The provider's `publicKey` is the consumer's: nothing that is made of it would work.
#[test]
fn the_own_key_is_not_the_other_sides() {
    let team = Team::new(Needs::Seed, &[]);
    let identity = team.identity().display().to_string();
    let with = ["--identity-file", identity.as_str()];
    let own = consumers(&done(&team.person(&[&KEYS[..], &with].concat())));
    let path = team.folder().join("peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    let (seed, shared) =
        ("seed: { file: peering.seed.age }", "  seed: { file: peering.seed.age } # sealed\n");
    assert!(text.contains(shared));
    let text = text.replace(shared, "").replace(CONSUMER, &format!("{CONSUMER}    {seed}\n"));
    fs::write(&path, text.replace(PROVIDER, &format!("{PROVIDER}    publicKey: {own}\n")))
        .expect("the document");
    for command in [
        &KEYS[..],
        &["generate", ".", "--local", "--role", "consumer"],
        &["seed", "rotate", ".", "--side", "consumer"],
    ] {
        let error = refused(&team.person(&[command, &with].concat()), 1, "own-key");
        assert!(error.contains("the provider's `publicKey` is the other cluster's own key"), "{error}");
    }
}
