//! Rotation from end to end: keys, names of Secrets, both streams, and the document's text.

use super::team::{Application, Needs, PATH, REPO, Team, done, object, objects, refused};
use serde_json::Value;
use std::fs;
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
        let application = Application::new(&team.folder(), "net", REPO, PATH);
        let stream = done(&team.plugin(&application.with("ARGOCD_APP_PARAMETERS", &parameters), None));
        let objects = objects(&stream);
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let secret = object(&objects, "Secret");
        assert_eq!(secret["immutable"], true);
        let side = Side {
            secret: text(&secret["metadata"]["name"]),
            private: text(&secret["data"]["privateKey"]),
            public: text(&secret["data"]["publicKey"]),
            peer: text(&object(&objects, "PublicKey")["spec"]["publicKey"]),
            referred: text(&object(&objects, gateway)["spec"]["secretRef"]["name"]),
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

fn rotate(team: &Team, more: &[&str]) -> std::process::Output {
    let identity = team.identity().display().to_string();
    let arguments = ["seed", "rotate", ".", "--identity-file", &identity, "--side"];
    team.person(&[&arguments[..], more].concat())
}

fn document(team: &Team) -> String {
    fs::read_to_string(team.folder().join("peering.yaml")).expect("the document")
}

#[test]
fn a_generation_changes_one_side_and_nothing_else() {
    let team = repository();
    let (consumer, provider, rest) = streams(&team);
    let before = document(&team);

    let text = done(&rotate(&team, &["consumer"]));
    let insertion = "clusterID: rome # the capital\n    keyGeneration: 2\n";
    assert_eq!(document(&team), before.replace("clusterID: rome # the capital\n", insertion));
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
    assert!(refused(&rotate(&team, &["provider"]), 3, "rotation").contains("uncommitted changes"));
    commit(&team);
    done(&rotate(&team, &["provider"]));
    commit(&team);
    done(&rotate(&team, &["consumer"]));
    assert!(document(&team).contains("keyGeneration: 3"));
    let (consumer_3, provider_3, _) = streams(&team);
    let secrets =
        [&consumer, &consumer_2, &consumer_3, &provider, &provider_3].map(|side| side.secret.clone());
    let distinct: std::collections::BTreeSet<_> = secrets.iter().collect();
    assert_eq!(distinct.len(), secrets.len());

    // back to an earlier generation is back to its key, byte for byte
    fs::write(team.folder().join("peering.yaml"), before).expect("written");
    assert_eq!(streams(&team), (consumer, provider, rest));
}

#[test]
fn a_new_seed_changes_both_sides_on_the_same_terms() {
    let team = repository();
    let (consumer, provider, rest) = streams(&team);
    let identity = team.identity().display().to_string();
    let inspect =
        || done(&team.person(&["seed", "inspect", "peering.seed.age", "--identity-file", &identity]));
    let before = inspect();
    let document_before = document(&team);
    let missing = rotate(&team, &["provider", "--new-seed"]);
    refused(&missing, 2, "flag");
    let text = done(&rotate(&team, &["provider", "--new-seed", "--recipient", &team.recipient]));
    assert_eq!(document(&team), document_before);
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
    let text = expects(&expects(&document(&team), "rome", &consumer.public), "milan", &provider.public);
    fs::write(team.folder().join("peering.yaml"), &text).expect("written");
    commit(&team);
    done(&rotate(&team, &["consumer"]));
    let (consumer_2, _, _) = streams(&team);
    let expected = text
        .replace(&consumer.public, &format!("\"{}\"", consumer_2.public))
        .replace("# the capital\n", "# the capital\n    keyGeneration: 2\n");
    assert_eq!(document(&team), expected);
    // a document that expects another key than it has is not edited
    let wrong = document(&team).replace(&provider.public, &consumer.public);
    fs::write(team.folder().join("peering.yaml"), &wrong).expect("written");
    commit(&team);
    refused(&rotate(&team, &["consumer"]), 1, "unexpected-key");
    assert_eq!(document(&team), wrong);
}

#[test]
fn without_git_somebody_has_to_say_so() {
    let team = Team::new(Needs::Seed, &TERMS);
    let before = document(&team);
    assert!(refused(&rotate(&team, &["consumer"]), 3, "rotation").contains("not in a Git repository"));
    let identity = team.identity().display().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_argocd-peering"))
        .args(["seed", "rotate", "--side", "consumer", "--identity-file", &identity])
        .current_dir(team.folder())
        .env("PATH", "")
        .output()
        .expect("a run");
    assert!(refused(&output, 3, "rotation").contains("`git` was not found"));
    assert_eq!(document(&team), before);
    done(&rotate(&team, &["consumer", "--force"]));
    assert_ne!(document(&team), before);
    // any other change in the folder counts, also a file that Git does not know
    let team = repository();
    fs::write(team.folder().join("note"), "x").expect("written");
    refused(&rotate(&team, &["consumer"]), 3, "rotation");
    done(&rotate(&team, &["consumer", "--force"]));
}

#[test]
fn the_other_organisation_is_told() {
    let team = repository();
    let (_, provider, _) = streams(&team);
    let text = document(&team).replace("  seed: { file: peering.seed.age } # sealed\n", "");
    let text = text
        .replace(
            "# the capital\n",
            "# the capital\n    seed: { file: peering.seed.age }\n    names: { keySecret: gateway-keys }\n",
        )
        .replace("clusterID: milan\n", &format!("clusterID: milan\n    publicKey: {}\n", provider.public));
    fs::write(team.folder().join("peering.yaml"), text).expect("written");
    commit(&team);
    let text = done(&rotate(&team, &["consumer"]));
    assert!(text.contains("2. Send the new public key to the organisation of milan"), "{text}");
    assert!(
        text.contains("it is `consumer.publicKey`") && text.contains("4. On rome: restart the gateway"),
        "{text}"
    );
    commit(&team);
    refused(&rotate(&team, &["provider"]), 1, "seed-elsewhere");
}

/// Every example can be rotated, also the one that has every field.
#[test]
fn every_example_can_be_rotated() {
    let examples = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"));
    let identity = examples.join("quickstart/demo-identity.txt").display().to_string();
    for (example, side) in [
        ("quickstart", "consumer"),
        ("quickstart", "provider"),
        ("everything", "consumer"),
        ("everything", "provider"),
        ("bidirectional", "consumer"),
        ("adopt-the-guide", "provider"),
        ("service-account", "provider"),
    ] {
        let copy = tempfile::tempdir().expect("a folder");
        for entry in fs::read_dir(examples.join(example)).expect(example) {
            let entry = entry.expect(example);
            fs::copy(entry.path(), copy.path().join(entry.file_name())).expect(example);
        }
        let run = |arguments: &[&str]| {
            let output = Command::new(env!("CARGO_BIN_EXE_argocd-peering"))
                .args(arguments)
                .args(["--identity-file", &identity])
                .current_dir(copy.path())
                .output()
                .expect("a run");
            done(&output)
        };
        let before = run(&["keys", "."]);
        let steps = run(&["seed", "rotate", ".", "--side", side, "--force"]);
        let after = run(&["keys", "."]);
        assert_ne!(after, before, "{example}, {side}");
        let new = steps.lines().find_map(|line| line.strip_prefix("  new public key: ")).expect(&steps);
        assert!(after.contains(new), "{example}, {side}: {after}");
    }
}
