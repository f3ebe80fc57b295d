//! Rotation from end to end: keys, names of Secrets, both streams, and the document's text.

use super::team::{Needs, PATH, Team};
use crate::harness::checkout::REPO;
use crate::harness::objects::{documents, only};
use crate::harness::peering::Peering;
use crate::harness::run::{Outcome, Run};
use serde_json::Value;
use std::process::Command;

const TERMS: [&str; 6] = ["--project", "net", "--repo", REPO, "--path", PATH];

/// What of a side's stream depends on the keys.
#[derive(Debug, PartialEq, Eq, Clone)]
struct Side {
    secret: String,
    private: String,
    public: String,
    peer: String,
    referred: String,
}

/// Both sides' streams, and everything in them that does not depend on keys.
fn streams(team: &Team) -> (Side, Side, Vec<Value>) {
    let mut rest = Vec::new();
    let mut side = |role: &str, gateway: &str| {
        let parameters = format!(r#"[{{"name":"role","string":"{role}"}}]"#);
        let objects =
            documents(team.own("net", PATH).env("ARGOCD_APP_PARAMETERS", parameters).run().stream());
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let secret = only(&objects, "Secret");
        assert_eq!(secret["immutable"], true);
        let side = Side {
            secret: text(&secret["metadata"]["name"]),
            private: text(&secret["data"]["privateKey"]),
            public: text(&secret["data"]["publicKey"]),
            peer: text(&only(&objects, "PublicKey")["spec"]["publicKey"]),
            referred: text(&only(&objects, gateway)["spec"]["secretRef"]["name"]),
        };
        let keyed = ["Secret", "PublicKey", gateway];
        rest.extend(
            objects.into_iter().filter(|it| !keyed.contains(&it["kind"].as_str().unwrap_or_default())),
        );
        side
    };
    let (consumer, provider) = (side("consumer", "GatewayClient"), side("provider", "GatewayServer"));
    for (own, peer) in [(&consumer, &provider), (&provider, &consumer)] {
        assert_eq!(own.peer, peer.public, "each side has the other's key");
        assert_eq!(own.referred, own.secret, "the gateway names the Secret");
    }
    (consumer, provider, rest)
}

fn git(team: &Team, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(team.folder())
        .output()
        .expect("git");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn commit(team: &Team) {
    git(team, &["add", "."]);
    git(team, &["commit", "--quiet", "--message", "x"]);
}

fn repository() -> Team {
    let team = Team::new(Needs::Seed, &TERMS);
    git(&team, &["init", "--quiet"]);
    commit(&team);
    team
}

fn rotate(team: &Team, more: &[&str]) -> Outcome {
    let identity = team.identity();
    let arguments = ["seed", "rotate", ".", "--identity-file", &identity, "--side"];
    team.person(&[&arguments[..], more].concat())
}

#[test]
fn a_generation_changes_one_side_and_nothing_else() {
    let team = repository();
    let (consumer, provider, rest) = streams(&team);
    let before = team.document();

    let outcome = rotate(&team, &["consumer"]);
    let text = outcome.done();
    let insertion = "clusterID: rome # the capital\n    keyGeneration: 2\n";
    assert_eq!(team.document(), before.replace("clusterID: rome # the capital\n", insertion));
    let (consumer_2, provider_2, rest_2) = streams(&team);
    assert_ne!(consumer_2.private, consumer.private);
    assert_ne!(consumer_2.secret, consumer.secret, "another name, so Liqo restarts the gateway by itself");
    assert_eq!((&provider_2.secret, &provider_2.private), (&provider.secret, &provider.private));
    assert_eq!(rest_2, rest, "nothing else changes");
    for line in [
        format!("  old public key: {}", consumer.public),
        format!("  new public key: {}", consumer_2.public),
        format!("  public key: {} (stays)", provider.public),
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert!(
        text.contains("1. Commit peering.yaml, and nothing else") && text.contains("The tunnel is down from")
    );

    // one rotation a commit
    rotate(&team, &["provider"]).fails(3, "rotation").says("uncommitted changes");
    commit(&team);
    rotate(&team, &["provider"]).done();
    commit(&team);
    rotate(&team, &["consumer"]).done();
    assert!(team.document().contains("keyGeneration: 3"));
    let (consumer_3, provider_3, _) = streams(&team);
    let secrets =
        [&consumer, &consumer_2, &consumer_3, &provider, &provider_3].map(|side| side.secret.clone());
    let distinct: std::collections::BTreeSet<_> = secrets.iter().collect();
    assert_eq!(distinct.len(), secrets.len());

    // back to an earlier generation is back to its key, byte for byte
    team.write("peering.yaml", before);
    assert_eq!(streams(&team), (consumer, provider, rest));
}

#[test]
fn a_new_seed_changes_both_sides_on_the_same_terms() {
    let team = repository();
    let (consumer, provider, rest) = streams(&team);
    let identity = team.identity();
    let inspect = || {
        let inspect = ["seed", "inspect", "peering.seed.age", "--identity-file", &identity];
        team.person(&inspect).done().to_owned()
    };
    let before = inspect();
    let document_before = team.document();
    let missing = rotate(&team, &["provider", "--new-seed"]);
    missing.fails(2, "flag");
    let outcome = rotate(&team, &["provider", "--new-seed", "--recipient", &team.recipient]);
    let text = outcome.done();
    assert_eq!(team.document(), document_before);
    let (consumer_2, provider_2, rest_2) = streams(&team);
    assert!(consumer_2.private != consumer.private && provider_2.private != provider.private);
    assert_eq!(rest_2, rest);
    let terms = |text: &str| text.split("\n\n").next().map(ToOwned::to_owned);
    assert_eq!(terms(&inspect()), terms(&before));
    for side in [&consumer.public, &consumer_2.public, &provider.public, &provider_2.public] {
        assert!(text.contains(side.as_str()), "{text}");
    }
    assert!(text.contains("1. Commit peering.seed.age") && !text.contains("SEED-1"), "{text}");
}

/// The `publicKey` that the document expects changes with the key.
#[test]
fn what_is_expected_changes_too() {
    let team = repository();
    let (consumer, provider, _) = streams(&team);
    let expects = |text: &str, id: &str, key: &str| {
        let line = format!("clusterID: {id}");
        text.replace(&line, &format!("publicKey: {key} # expected\n    {line}"))
    };
    let text = expects(&expects(&team.document(), "rome", &consumer.public), "milan", &provider.public);
    team.write("peering.yaml", &text);
    commit(&team);
    rotate(&team, &["consumer"]).done();
    let (consumer_2, _, _) = streams(&team);
    let expected = text
        .replace(&consumer.public, &format!("\"{}\"", consumer_2.public))
        .replace("# the capital\n", "# the capital\n    keyGeneration: 2\n");
    assert_eq!(team.document(), expected);
    // a document that expects another key than it has is not edited
    let wrong = team.document().replace(&provider.public, &consumer.public);
    team.write("peering.yaml", &wrong);
    commit(&team);
    rotate(&team, &["consumer"]).fails(1, "unexpected-key");
    assert_eq!(team.document(), wrong);
}

#[test]
fn without_git_somebody_has_to_say_so() {
    let team = Team::new(Needs::Seed, &TERMS);
    let before = team.document();
    rotate(&team, &["consumer"]).fails(3, "rotation").says("no Git repository");
    let run = team.as_person(&["seed", "rotate", "--side", "consumer", "--identity-file", &team.identity()]);
    run.env("PATH", "").run().fails(3, "rotation").says("there is no `git`");
    assert_eq!(team.document(), before);
    rotate(&team, &["consumer", "--force"]).done();
    assert_ne!(team.document(), before);
    // any other change in the folder counts, also a file that Git does not know
    let team = repository();
    team.write("note", "x");
    rotate(&team, &["consumer"]).fails(3, "rotation");
    rotate(&team, &["consumer", "--force"]).done();
}

#[test]
fn the_other_organisation_is_told() {
    let team = repository();
    let (_, provider, _) = streams(&team);
    let text = team.document().replace("  seed: { file: peering.seed.age } # sealed\n", "");
    let text = text
        .replace(
            "# the capital\n",
            "# the capital\n    seed: { file: peering.seed.age }\n    names: { keySecret: gateway-keys }\n",
        )
        .replace("clusterID: milan\n", &format!("clusterID: milan\n    publicKey: {}\n", provider.public));
    team.write("peering.yaml", text);
    commit(&team);
    let outcome = rotate(&team, &["consumer"]);
    let text = outcome.done();
    assert!(text.contains("2. Send the new public key to the organisation of milan"), "{text}");
    assert!(
        text.contains("it is `consumer.publicKey`") && text.contains("4. On rome: restart the gateway"),
        "{text}"
    );
    commit(&team);
    rotate(&team, &["provider"]).fails(1, "seed-elsewhere");
}

/// Every example can be rotated, also the one that has every field.
#[test]
fn every_example_can_be_rotated() {
    for (example, side) in [
        ("quickstart", "consumer"),
        ("quickstart", "provider"),
        ("everything", "consumer"),
        ("everything", "provider"),
        ("bidirectional", "consumer"),
        ("adopt-the-guide", "provider"),
        ("service-account", "provider"),
    ] {
        let copy = Peering::example(example).edited(|text| text);
        let run = |arguments: &[&str]| {
            let run = Run::new(arguments.iter().copied()).within(&copy.folder);
            run.arg("--identity-file").arg(&copy.identity).run().done().to_owned()
        };
        let before = run(&["keys", "."]);
        let steps = run(&["seed", "rotate", ".", "--side", side, "--force"]);
        let after = run(&["keys", "."]);
        assert_ne!(after, before, "{example}, {side}");
        let new = steps.lines().find_map(|line| line.strip_prefix("  new public key: ")).expect(&steps);
        assert!(after.contains(new), "{example}, {side}: {after}");
    }
}
