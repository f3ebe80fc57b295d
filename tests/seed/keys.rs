//! `keys` shows what the tunnel will use: a key that is written down is believed only where no seed can say more.

use super::team::{Needs, Team, done};
use std::fs;

const KEYS: [&str; 2] = ["keys", "."];
const OTHER: &str = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="; // RFC 7748, section 6.1: Alice's

/// The consumer's key, as `keys` prints it.
fn consumers(text: &str) -> String {
    let line = text.lines().nth(1).and_then(|line| line.strip_prefix("  public key: "));
    line.expect("the key's line").to_owned()
}

fn write_key(team: &Team, key: &str) {
    let path = team.folder().join("peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    let side = "    clusterID: rome # the capital\n";
    assert!(text.contains(side));
    fs::write(path, text.replace(side, &format!("{side}    publicKey: {key}\n"))).expect("the document");
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
    let path = team.folder().join("peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    let provider = "    clusterID: milan\n";
    let key = "3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08="; // Bob's
    fs::write(path, text.replace(provider, &format!("{provider}    publicKey: {key}\n")))
        .expect("the document");
    for identity in [&[][..], &["--identity-file", &strangers]] {
        let output = team.person(&[&KEYS[..], identity].concat());
        assert_eq!(consumers(&done(&output)), OTHER);
        for side in ["consumer", "provider"] {
            let note = format!("note: the {side}'s key is as peering.yaml says: its seed was not opened");
            assert!(stderr(&output).contains(&note), "{}", stderr(&output));
        }
    }
}
