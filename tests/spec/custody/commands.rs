//! `seed new` and `seal kubeconfig` make files that `generate` opens, and nothing else.

use crate::harness::seal::bound;
use crate::harness::{Checkout, KUBECONFIG, Outcome, PATH, Run, document, opened, put};
use age::x25519::Identity;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

/// The flags that allow both of the quickstart's Applications.
pub(super) const TERMS: [&str; 5] = [
    "--clusters=consumer,provider",
    "--project=peering-consumer",
    "--project=peering-provider",
    "--repo=https://git.example.org/net/peerings.git",
    "--path=./peerings/consumer-provider/",
];

/// The quickstart without sealed files, and with a new identity, whose recipient is the third.
pub(super) fn bare() -> (Checkout, Identity, String) {
    Checkout::bare(PATH, &document())
}

fn seed_new(checkout: &Checkout, recipient: &str) -> Run {
    checkout
        .program(["seed", "new"])
        .args(TERMS)
        .args(["--recipient", recipient])
}

/// Both sealed files, by both commands.
pub(super) fn seal_both(checkout: &Checkout, recipients: &[&str]) {
    put(checkout.temp().join("k.yaml"), KUBECONFIG);
    let seed = checkout.program(["seed", "new", "peering.seed.age"]);
    let kubeconfig = checkout.program([
        "seal",
        "kubeconfig",
        "../../../../k.yaml",
        "-o",
        "kubeconfig.age",
    ]);
    for run in [seed, kubeconfig] {
        let outcome = run.args(TERMS).args(recipients.iter().copied()).run();
        assert_eq!(outcome.done(), "", "{outcome}");
        outcome
            .says("sealed ")
            .says("\"consumer\" (consumer) \"provider\" (provider)")
            .silent_on("note:");
    }
}

#[test]
fn a_new_seed_is_an_armored_age_file_that_only_its_owner_reads() {
    let (checkout, identity, recipient) = bare();
    let outcome = seed_new(&checkout, &recipient).run();
    assert_eq!(outcome.done(), "");
    let file = checkout.folder().join("peering.seed.age"); // the default's name
    let mode = fs::metadata(&file).expect("the file").permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    let sealed = fs::read_to_string(&file).expect("armor is text");
    assert!(
        sealed.starts_with("-----BEGIN AGE ENCRYPTED FILE-----\n"),
        "{sealed}"
    );
    assert!(
        sealed.ends_with("-----END AGE ENCRYPTED FILE-----\n"),
        "{sealed}"
    );
    let payload: Value = serde_json::from_str(&opened(sealed.as_bytes(), &identity)).expect("JSON");
    let seed = payload
        .get("seed")
        .and_then(Value::as_str)
        .expect("a seed")
        .to_owned();
    assert!(
        seed.starts_with("ARGOCD-PEERING-SEED-1") && seed.len() == 79,
        "{}",
        seed.len()
    );
    let entry = json!({
        "peerings": [{ "consumer": "consumer", "provider": "provider" }],
        "projects": ["peering-consumer", "peering-provider"],
        "repos": ["https://git.example.org/net/peerings"],
        "paths": ["peerings/consumer-provider"],
    });
    assert_eq!(
        payload,
        json!({ "v": 1, "type": "seed", "seed": seed, "bind": bound(&entry) })
    );
}

#[test]
fn two_new_seeds_differ() {
    let seeds = [(); 2].map(|()| {
        let (checkout, _, recipient) = bare();
        seal_both(&checkout, &["--recipient", &recipient]);
        checkout.plugin("provider").run().stream().to_owned()
    });
    assert_ne!(seeds[0], seeds[1]);
}

#[test]
fn nothing_is_overwritten() {
    let (checkout, _, recipient) = bare();
    let target = checkout.folder().join("peering.seed.age");
    let elsewhere = checkout.temp().join("elsewhere");
    let refused = |what: &str, outcome: &Outcome| {
        outcome
            .fails(3, "file")
            .says("peering.seed.age")
            .says("nothing is overwritten");
        assert!(!elsewhere.exists(), "{what}: written through a link");
    };
    put(&target, "mine");
    refused("a file", &seed_new(&checkout, &recipient).run());
    assert_eq!(fs::read_to_string(&target).expect("the file"), "mine");
    fs::remove_file(&target).expect("the file");
    symlink(&elsewhere, &target).expect("a dangling link");
    refused("a dangling link", &seed_new(&checkout, &recipient).run());
    fs::remove_file(&target).expect("the link");
    fs::create_dir(&target).expect("a folder");
    refused("a folder", &seed_new(&checkout, &recipient).run());
}

#[test]
fn a_file_that_cannot_be_made_is_said_so() {
    let (checkout, _, recipient) = bare();
    let run = checkout
        .program(["seed", "new", "no/such/folder/seed.age"])
        .args(TERMS);
    run.args(["--recipient", &recipient])
        .run()
        .fails(3, "file")
        .says("no/such/folder/seed.age");
    // nothing is sealed on wrong terms
    for wrong in [
        "consumer",
        "consumer,consumer",
        "consumer,",
        ",",
        "consumer,Provider",
        "1,2",
        "a,b,c",
        "",
    ] {
        let run = checkout.program([
            "seed",
            "new",
            "x.age",
            "--recipient",
            &recipient,
            "--clusters",
            wrong,
        ]);
        run.run().fails(2, "flag").says("--clusters");
    }
    for (flag, wrong) in [
        ("--project", ""),
        ("--project", " "),
        ("--repo", ""),
        ("--path", ""),
        ("--path", "/a"),
    ] {
        seed_new(&checkout, &recipient)
            .args([flag, wrong])
            .run()
            .fails(2, "flag")
            .says(flag);
    }
    for wrong in ["..", "a/../b", "../a", "a//b"] {
        seed_new(&checkout, &recipient)
            .args(["--path", wrong])
            .run()
            .fails(2, "flag")
            .says("without `..`");
    }
    assert!(
        !checkout.folder().join("x.age").exists()
            && !checkout.folder().join("peering.seed.age").exists()
    );
}

#[test]
fn terms_that_argo_cd_will_deny_are_noticed_at_once() {
    let (checkout, _, recipient) = bare();
    let run = checkout.program([
        "seed",
        "new",
        "b.age",
        "--clusters",
        "rome,milan",
        "--recipient",
        &recipient,
    ]);
    run.args(["--repo", "https://host/a", "--path", "a"])
        .run()
        .says("note: Argo CD will not open it");
}

#[test]
fn stars_allow_any_and_several_pairs_are_taken() {
    let (checkout, _, recipient) = bare();
    let any = [
        "--project",
        "*",
        "--repo",
        "*",
        "--path",
        "*",
        "--recipient",
        &recipient,
    ];
    let pairs = [
        "--clusters",
        "rome,milan",
        "--clusters",
        "consumer, provider",
    ];
    checkout
        .program(["seed", "new"])
        .args(pairs)
        .args(any)
        .run()
        .done();
    let run = checkout
        .plugin("provider")
        .env("ARGOCD_APP_PROJECT_NAME", "anything");
    let run = run
        .env("ARGOCD_APP_SOURCE_REPO_URL", "ssh://elsewhere/a")
        .env("ARGOCD_APP_SOURCE_PATH", "b");
    run.run().stream();
}
