//! Rotation from end to end: keys, names of Secrets, and both streams; what is printed is in `rotation.cases`.

use crate::harness::machine::command;
use crate::harness::team::{Needs, PATH, TERMS, Team};
use crate::harness::{Outcome, Text, documents, only, today};
use serde_json::Value;
use std::fs;

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
        let objects = documents(
            team.own("net", PATH)
                .env("ARGOCD_APP_PARAMETERS", parameters)
                .run()
                .stream(),
        );
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
            objects
                .into_iter()
                .filter(|it| !keyed.contains(&it["kind"].as_str().unwrap_or_default())),
        );
        side
    };
    let (consumer, provider) = (
        side("consumer", "GatewayClient"),
        side("provider", "GatewayServer"),
    );
    for (own, peer) in [(&consumer, &provider), (&provider, &consumer)] {
        assert_eq!(own.peer, peer.public, "each side has the other's key");
        assert_eq!(own.referred, own.secret, "the gateway names the Secret");
    }
    (consumer, provider, rest)
}

fn rotate(team: &Team, role: &str) -> Outcome {
    team.types(&format!("seed rotate . --identity-file ID --role {role}"))
}

#[test]
fn a_generation_changes_one_side_and_nothing_else() {
    let team = Team::new(Needs::Seed, &TERMS);
    let (consumer, provider, rest) = streams(&team);
    let before = team.document();

    let outcome = rotate(&team, "consumer");
    let text = outcome.done();
    let day = today();
    let insertion =
        format!("clusterID: rome # the capital\n    keyGeneration: 2\n    keyRotated: \"{day}\"\n");
    assert_eq!(
        team.document(),
        before.replace("clusterID: rome # the capital\n", &insertion)
    );
    let (consumer_2, provider_2, rest_2) = streams(&team);
    assert_ne!(consumer_2.private, consumer.private);
    assert_ne!(
        consumer_2.secret, consumer.secret,
        "another name, so Liqo restarts the gateway by itself"
    );
    assert_eq!(
        (&provider_2.secret, &provider_2.private),
        (&provider.secret, &provider.private)
    );
    assert_eq!(rest_2, rest, "nothing else changes");
    for line in [
        format!("  old public key: {}", consumer.public),
        format!("  new public key: {}", consumer_2.public),
        format!("  public key: {} (stays)", provider.public),
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert!(
        text.contains("\n1. Commit peering.yaml, and nothing else")
            && text.contains("\n2. In a maintenance window")
            && text.contains(". On both clusters: `kubectl get connections.networking.liqo.io --all-namespaces` shows Connected.\n")
            && text.contains("The tunnel is down until")
    );

    rotate(&team, "provider").done();
    rotate(&team, "consumer").done();
    team.document().has("keyGeneration: 3");
    let (consumer_3, provider_3, _) = streams(&team);
    let secrets = [&consumer, &consumer_2, &consumer_3, &provider, &provider_3]
        .map(|side| side.secret.clone());
    let distinct: std::collections::BTreeSet<_> = secrets.iter().collect();
    assert_eq!(distinct.len(), secrets.len());

    // back to an earlier generation is back to its key, byte for byte
    team.write("peering.yaml", before);
    assert_eq!(streams(&team), (consumer, provider, rest));
}

#[test]
fn a_new_seed_changes_both_sides_on_the_same_terms() {
    let team = Team::new(Needs::Seed, &TERMS);
    let (consumer, provider, rest) = streams(&team);
    let before = team.inspected("peering.seed.age");
    let document_before = team.document();
    rotate(&team, "provider --new-seed").fails(2, "flag");
    let rotate = "seed rotate --identity-file ID --role provider --new-seed --recipient TO";
    let outcome = team.confirms(rotate);
    let text = outcome.done();
    let day = today();
    let dated = document_before
        .replace(
            "clusterID: rome # the capital\n",
            &format!("clusterID: rome # the capital\n    keyRotated: \"{day}\"\n"),
        )
        .replace(
            "clusterID: milan\n",
            &format!("clusterID: milan\n    keyRotated: \"{day}\"\n"),
        );
    assert_eq!(team.document(), dated);
    let (consumer_2, provider_2, rest_2) = streams(&team);
    assert!(consumer_2.private != consumer.private && provider_2.private != provider.private);
    assert_eq!(rest_2, rest);
    let terms = |text: &str| text.split("\n\n").next().map(ToOwned::to_owned);
    assert_eq!(terms(&team.inspected("peering.seed.age")), terms(&before));
    for side in [
        &consumer.public,
        &consumer_2.public,
        &provider.public,
        &provider_2.public,
    ] {
        text.has(side.as_str());
    }
    text.has("1. Commit peering.seed.age and peering.yaml, and nothing else")
        .lacks("SEED-1");
    text.lacks("The old seed serves");
    let outcome = team.confirms(&format!(
        "{rotate} --clusters rome,milan --clusters rome,turin"
    ));
    outcome
        .done()
        .has("2. The old seed serves rome/turin too: replace it there");
}

/// A folder can be a Git repository itself: `HEAD`, `config`, `objects` and `refs` in it are enough, and its `config` names
/// programs. Git would run them for anyone who asks it about the folder.
#[test]
fn nothing_that_a_folder_says_is_run() {
    let team = Team::new(Needs::Seed, &TERMS);
    let git = |arguments: &[&str]| {
        let status = command("git")
            .args(arguments)
            .current_dir(team.folder())
            .status();
        assert!(status.expect("git").success(), "{arguments:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    let git_folder = team.folder().join(".git");
    fs::remove_file(git_folder.join("config")).expect("removed");
    for name in ["HEAD", "index", "objects", "refs"] {
        fs::rename(git_folder.join(name), team.folder().join(name)).expect(name);
    }
    fs::remove_dir_all(&git_folder).expect("removed");
    let marker = team.path("marker");
    let filter = format!("touch {}; cat", marker.display());
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"{filter}\"\n[filter \"x\"]\n\tclean = \"{filter}\"\n"
    );
    team.write("config", config);
    team.write(".gitattributes", "* filter=x\n");
    // the same text at another time: whoever compares it has to filter it
    team.write("peering.yaml", team.document());
    // with the way to `git`
    let run = team.typing("seed rotate . --identity-file ID --role consumer");
    let outcome = run
        .env("PATH", std::env::var_os("PATH").expect("PATH"))
        .run();
    assert!(!marker.exists(), "a program of the folder was run");
    outcome.done();
}
