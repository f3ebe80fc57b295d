//! What few lines of fleet.yaml would make.

use super::{FILE, MESH, check, cluster, files, fleet, place, three, write};
use crate::harness::RECIPIENT;
use std::time::{Duration, Instant};

/// A cluster with so many networks.
fn with_networks(count: usize) -> String {
    let networks: Vec<String> = (0..count)
        .map(|at| format!("10.{}.{}.0/24", 128 + at / 256, at % 256))
        .collect();
    cluster(0, true).replace("10.0.0.0/16", &networks.join(", "))
}

/// Every command refuses a document of more than 64 KiB, so none is written, and none is kept: one cluster with many networks is in
/// the documents of all its peers.
#[test]
fn a_document_is_not_larger_than_what_is_read() {
    let peers: Vec<String> = (1..200).map(|number| format!("c{number}")).collect();
    let clusters: String = (1..200).map(|number| cluster(number, false)).collect();
    let peerings = format!(
        "    - {{ consumers: [{}], providers: [c0] }}\n",
        peers.join(", ")
    );
    let place = place(&fleet(&(with_networks(6000) + &clusters), &peerings));
    let start = Instant::now();
    for outcome in [check(&place), write(&place)] {
        outcome
            .fails(1, "syntax")
            .says("peerings/c1/c0/peering.yaml would be a document of ")
            .says(FILE);
        outcome.says("and 65536 are read");
    }
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "one document is made, and not all"
    );
    assert!(files(&place).is_empty());
}

/// The same, where the folder is there.
#[test]
fn a_document_does_not_become_larger_than_what_is_read() {
    let pair = "    - { consumers: [c1], providers: [c0] }\n";
    let place = place(&fleet(&three(), pair));
    write(&place).done();
    let before = files(&place);
    super::describe(
        &place,
        &fleet(&(with_networks(6000) + &cluster(1, false)), pair),
    );
    write(&place)
        .fails(1, "syntax")
        .says("peerings/c1/c0/peering.yaml would be a document of ");
    assert_eq!(files(&place), before);
}

/// 2,000 clusters and as many entries are more nodes of YAML than a peering can have.
#[test]
fn a_large_fleet_is_read() {
    let clusters: String = (0..2000).map(|number| format!("    - {{ name: c{number}, podCIDRs: [10.{}.{}.0/24], externalCIDR: 192.168.0.0/16, gateway: {{ addresses: [172.20.0.1] }} }}\n", number / 256, number % 256)).collect();
    let peerings: String = (1..2000)
        .map(|number| {
            format!("    - {{ consumers: [c{number}], providers: [c0], location: nowhere }}\n")
        })
        .collect();
    check(&place(&fleet(&clusters, &peerings)))
        .fails(1, "unknown-value")
        .says("1949 more problems in");
    let bomb = fleet("", &format!("    - mesh: [{}]\n", "1,".repeat(300_000)));
    check(&place(&bomb))
        .fails(1, "syntax")
        .says("the document is larger than a fleet can be");
    check(&place(""))
        .fails(1, "document-count")
        .says("begin with `apiVersion: argocd-peering/v1alpha1` and `kind: Fleet`");
}

/// As on a disk that becomes full: what is too large for it is the last of three documents.
#[test]
fn a_document_that_cannot_be_written_leaves_none() {
    let networks: Vec<String> = (0..240)
        .map(|number| format!("100.64.{number}.0/24"))
        .collect();
    let large = cluster(2, true).replace("10.2.0.0/16", &networks.join(", "));
    let place = place(&fleet(
        &(cluster(0, true) + &cluster(1, true) + &large),
        MESH,
    ));
    let arguments = ["fleet", "write", FILE, "--recipient", RECIPIENT];
    let refusal = place.command(&arguments).run();
    let expect = ["--expect", refusal.expected().expect("a digest")];
    // in blocks of 512 bytes
    let script = "trap '' XFSZ; ulimit -f 6; exec \"$0\" \"$@\"";
    let run = place.command(&[&arguments[..], &expect].concat());
    run.through(&["sh", "-c", script])
        .run()
        .fails(3, "file")
        .says("peerings/c0/c2");
    assert!(files(&place).is_empty(), "{:?}", files(&place).keys());
    place
        .command(&[&arguments[..], &expect].concat())
        .run()
        .says("3 seeds")
        .silent_on("stopped")
        .done();
}
