//! Messages name files as the person who typed them did, or relative to the folder.

use crate::harness::{Checkout, RECIPIENT, edited, put};
use std::fs;

/// Every error that a run can end with: the checkout's path is another one each time, so it may be in none of them.
#[test]
fn no_message_has_the_path_of_the_checkout() {
    type Spoil = fn(&Checkout);
    let runs: Vec<(&str, Spoil)> = vec![
        ("cluster-id", |it| {
            it.write(
                "peering.yaml",
                edited("clusterID: consumer", "clusterID: A"),
            );
        }),
        ("syntax", |it| it.write("peering.yaml", "a: [")),
        ("document-file", |it| it.write("peering.yaml", [0xff])),
        ("document-file", |it| {
            fs::remove_file(it.folder().join("peering.yaml")).expect("the document");
        }),
        ("sealed-file", |it| {
            fs::remove_file(it.folder().join("peering.seed.age")).expect("the seed");
        }),
        ("sealed-file", |it| {
            it.write("peering.seed.age", vec![0; 20_000]);
        }),
        ("sealed-payload", |it| it.write("peering.seed.age", "x")),
        ("identity", |it| {
            fs::remove_file(it.identity()).expect("the identity");
        }),
        ("identity", |it| {
            fs::write(it.identity(), "x").expect("the identity");
        }),
        ("identity", |it| {
            fs::write(it.identity(), "").expect("the identity");
        }),
    ];
    for (error, damage) in runs {
        let checkout = Checkout::new();
        damage(&checkout);
        // `Run::run` looks for the path in stderr
        let plugin = checkout.plugin("provider").run();
        assert_ne!(plugin.code, Some(0), "{plugin}");
        plugin.says(&format!("error[{error}]"));
        let folder = checkout.program([
            "generate",
            "--local",
            "--role",
            "provider",
            "--identity-file",
        ]);
        folder
            .arg("../../../../identity/identity.txt")
            .run()
            .says(&format!("error[{error}]"));
    }
    let checkout = Checkout::new();
    checkout
        .plugin("provider")
        .env("ARGOCD_APP_PROJECT_NAME", "x")
        .run()
        .fails(3, "denied");
    checkout
        .plugin("provider")
        .env("KUBE_VERSION", "")
        .run()
        .fails(3, "hydration");
}

/// A folder given with its path: the messages are as if it were the working directory.
#[test]
fn a_folders_path_is_not_repeated() {
    let checkout = Checkout::of(edited("clusterID: consumer", "clusterID: A"));
    let within = checkout.local("provider").run();
    let folder = checkout.folder();
    let typed = checkout.local("provider").arg(&folder).within("/").run();
    within.fails(1, "cluster-id").says("peering.yaml:");
    assert_eq!(typed.stderr, within.stderr);
    let relative = checkout
        .local("provider")
        .arg("peerings/consumer-provider")
        .within(checkout.root())
        .run();
    assert_eq!(relative.stderr, within.stderr);
}

/// Of the identity's path, which plugin.yaml fixes, the last part is named.
#[test]
fn an_identitys_folder_is_not_repeated() {
    let checkout = Checkout::new();
    put(checkout.identity(), "x");
    let outcome = checkout.plugin("provider").run();
    outcome
        .fails(3, "identity")
        .says("`identity.txt`, line 1")
        .silent_on("identity/identity.txt");
}

/// What a person typed is repeated as they typed it.
#[test]
fn a_typed_path_is_repeated() {
    let checkout = Checkout::new();
    let run = checkout.program([
        "seal",
        "kubeconfig",
        "../missing.yaml",
        "--clusters",
        "a,b",
        "--recipient",
    ]);
    run.arg(RECIPIENT)
        .run()
        .fails(3, "file")
        .says("../missing.yaml: there is no such file");
}
