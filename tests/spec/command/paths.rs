//! Messages name files as the person who typed them did, or relative to the folder.

use crate::harness::{Checkout, RECIPIENT, edited};

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
