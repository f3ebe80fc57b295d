//! Which documents `validate` takes for a fleet.

use super::document::{peering, put_peering};
use crate::harness::{Outcome, Run, replaced, root};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use tempfile::TempDir;

fn fleet(peerings: &[(&str, String)]) -> TempDir {
    let root = crate::harness::machine::folder();
    for (number, (folder, document)) in peerings.iter().enumerate() {
        put_peering(&root.path().join(folder), document, number);
    }
    root
}

/// An edit: two peerings of a cluster that have it take one port.
const PORT: (&str, &str) = (
    "{ serviceType: LoadBalancer }",
    "{ serviceType: NodePort, nodePort: 30742 }",
);

fn validate(root: &TempDir, paths: &[&str]) -> Outcome {
    Run::new(["validate"])
        .args(paths.iter().copied())
        .within(root.path())
        .run()
}

/// What is found in these, all of them.
fn checked(peerings: &[(&str, String)]) -> Outcome {
    validate(&fleet(peerings), &["."])
}

/// The first folder that a new user checks: nothing contradicts, and no note is repeated.
#[test]
fn the_examples_are_valid_as_one_tree() {
    let outcome = Run::new(["validate", "examples"]).within(root()).run();
    outcome.says("20 peerings: nothing is wrong").done();
    assert!(outcome.stderr.lines().count() < 50, "{outcome}");
    let three = Run::new(["validate", "examples/hub-and-spoke"])
        .within(root())
        .run();
    three.says("3 peerings: nothing is wrong").done();
}

/// Equal notes are one on a screen; a report has each. Two of one code can be about different things: each is shown.
#[test]
fn equal_notes_are_shown_once_and_different_ones_each() {
    let named = |cluster: &str| {
        peering(cluster, "hub", &[]).replace("addresses: [", "port: 1, addresses: [")
    };
    let count = |outcome: &Outcome| outcome.stderr.matches("the client dials port").count();
    let folders = ["a", "b", "c", "d"];
    let tree = fleet(&folders.map(|name| (name, named(&format!("{name}-one")))));
    let many = validate(&tree, &["."]);
    many.says("4 peerings: nothing is wrong; 4 notes").done();
    assert_eq!(count(&many), 1, "{many}");
    many.says("; the same at ./b/peering.yaml:");
    let other = named("d-one").replace("port: 1,", "port: 2,");
    let tree = fleet(&[("a", named("a-one")), ("d", other)]);
    assert_eq!(count(&validate(&tree, &["."])), 2);
    let tree = fleet(&folders.map(|name| (name, named(&format!("{name}-one")))));
    let json = validate(&tree, &[".", "--format", "json"]);
    assert_eq!(json.done().matches("the client dials port").count(), 4);
}

/// Two organisations with a seed each: one document gives the consumer's stream, the other one the provider's. As soon as one of
/// them gives both, there are two peerings.
#[test]
fn halves_of_a_peering_are_no_contradiction() {
    let key = "    publicKey: hYbvNdUfs1+HRdiWKjT3VXW9MW9ODH/sQRWlA+dN/x4=\n";
    let whole = peering("rome", "milan", &[]);
    let seed = "  seed: { file: peering.seed.age }\n";
    let half = |own: &str, other: &str| {
        let text = replaced(&whole, seed, "");
        let own = format!("    clusterID: {own}\n");
        let text = replaced(
            &text,
            &own,
            &format!("{own}    seed: {{ file: peering.seed.age }}\n"),
        );
        let other = format!("    clusterID: {other}\n");
        replaced(&text, &other, &format!("{other}{key}"))
    };
    let [rome, milan] = [half("rome", "milan"), half("milan", "rome")];
    checked(&[("rome", rome.clone()), ("milan", milan.clone())]).done();
    for other in [whole, rome.clone()] {
        let outcome = checked(&[("a", rome.clone()), ("b", other)]);
        outcome
            .fails(1, "duplicate-peering")
            .says("there is another peering of `milan` and `rome`");
        assert_eq!(
            outcome
                .stderr
                .matches("there is another peering of")
                .count(),
            1,
            "{outcome}"
        );
    }
    // the other direction, and the stream of a cluster that has one already; and halves of which neither has one twice
    let turn = |half: &str| {
        let text = replaced(half, "clusterID: rome", "clusterID: other");
        let text = replaced(&text, "clusterID: milan", "clusterID: rome");
        replaced(&text, "clusterID: other", "clusterID: milan")
    };
    for turned in [turn(&rome), turn(&milan)] {
        let turned = replaced(&turned, "name: rome-milan", "name: milan-rome");
        let outcome = checked(&[("a", rome.clone()), ("b", turned)]);
        outcome
            .fails(1, "duplicate-peering")
            .says("there is another peering of `milan` and `rome`");
    }
    // a name is shared by halves of one peering only
    let stranger = replaced(&milan, "clusterID: rome", "clusterID: turin");
    let outcome = checked(&[("a", rome.clone()), ("b", stranger)]);
    outcome
        .fails(1, "duplicate-peering")
        .says("there is another peering `rome-milan`");
    let other = milan.replace("10.70.0.0/16", "10.99.0.0/16");
    assert_ne!(other, milan);
    checked(&[("rome", rome), ("milan", other)]).fails(1, "disagreement");
}

/// However deep they are: what was not looked into must not count as right.
#[test]
fn no_folder_is_too_deep() {
    let deep = ["d"; 40].join("/");
    checked(&[(&deep, "kind: Peering\n".to_owned())])
        .fails(1, "missing-field")
        .says("d/peering.yaml");
}

/// The same file by several paths does not contradict itself.
#[test]
fn a_document_is_checked_once() {
    let root = fleet(&[("a", peering("rome", "milan", &[]))]);
    symlink("a", root.path().join("link")).expect("a link");
    let absolute = root.path().join("a").display().to_string();
    for paths in [
        &["a", "a"][..],
        &[".", "a"],
        &["a", "./a/peering.yaml"],
        &["a", "link"],
        &["a", &absolute],
    ] {
        validate(&root, paths)
            .says("1 peering: nothing is wrong")
            .done();
    }
}

/// A folder that cannot be looked into could hold anything.
#[test]
fn what_cannot_be_read_is_not_right() {
    let root = fleet(&[
        ("a", peering("rome", "milan", &[])),
        ("closed/b", peering("rome", "turin", &[])),
    ]);
    let run = Run::new(["validate", "."])
        .within(root.path())
        .unprivileged(root.path());
    run.run().done();
    let closed = root.path().join("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("closed");
    let outcome = run.run();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).expect("open again");
    outcome
        .fails(3, "file")
        .says("closed")
        .says("name only the folders of peerings");
}

/// A document with problems of its own is told, and is not compared; the others are.
#[test]
fn a_wrong_document_does_not_hide_the_others() {
    checked(&[
        ("a", peering("rome", "hub", &[PORT])),
        ("b", peering("milan", "hub", &[PORT])),
        (
            "c",
            peering("turin", "hub", &[("clusterID: turin", "clusterID: Turin")]),
        ),
    ])
    .fails(1, "port-taken")
    .says("error[cluster-id]");
}

/// The odd one out is named, whichever comes first, and the others are a line.
#[test]
fn one_wrong_network_among_thirty_is_one_finding() {
    for odd in [0, 17] {
        let wrong = [(
            "externalCIDR: 10.70.0.0/16\n  networking",
            "externalCIDR: 10.80.0.0/16\n  networking",
        )];
        let spoke = |at: usize| {
            let name = format!("s{at:02}");
            let text = peering(&name, "hub", &wrong[usize::from(at == odd)..]);
            (name, text)
        };
        let spokes: Vec<_> = (0..30).map(spoke).collect();
        let spokes: Vec<_> = spokes
            .iter()
            .map(|(name, text)| (name.as_str(), text.clone()))
            .collect();
        let outcome = checked(&spokes);
        let message =
            "cluster `hub` has externalCIDR `10.70.0.0/16` here, and `10.80.0.0/16` in 29 others";
        outcome
            .fails(1, "disagreement")
            .says(message)
            .says(&format!("--> ./s{odd:02}/peering.yaml:15:19"));
        outcome
            .says(" and 23 more\n")
            .says("\n1 problem in 1 of 30 peerings\n");
        assert_eq!(outcome.stderr.matches("error[").count(), 1, "{outcome}");
    }
}

/// A blank line is between two findings, of one document and of two.
#[test]
fn findings_are_apart() {
    let two = [
        ("  networking:\n", "  networking:\n    mtu: 1\n"),
        ("[172.20.0.16]", "[127.0.0.1]"),
    ];
    let outcome = checked(&[
        ("a", peering("rome", "milan", &two)),
        ("b", peering("paris", "lyon", &two)),
        ("c", peering("oslo", "bonn", &[])),
    ]);
    outcome
        .fails(1, "mtu")
        .says("\n4 problems in 2 of 3 peerings\n");
    assert_eq!(outcome.stderr.matches("\n\nerror[").count(), 3, "{outcome}");
}

/// What was not committed is found before Argo CD finds it, and hides nothing else. Long names in mixed case with digits look like keys,
/// but where a path is expected they are one.
#[test]
fn it_is_said_which_file_is_wrong() {
    for folder in "customer-42/peerings/Rome-Milan-prod team/Infra2/liqo/rome-milan/prod".split(' ')
    {
        let root = fleet(&[(folder, peering("Rome", "hub", &[]))]);
        validate(&root, &[folder])
            .fails(1, "cluster-id")
            .says(&format!("--> {folder}/peering.yaml:"));
        let root = fleet(&[
            (folder, peering("rome", "hub", &[PORT])),
            ("b", peering("milan", "hub", &[PORT])),
        ]);
        fs::remove_file(root.path().join(folder).join("peering.seed.age")).expect("the seed");
        validate(&root, &[folder, "b"])
            .fails(1, "sealed-file")
            .says(&format!("{folder}/peering.seed.age: there is no such file"))
            .says(&format!("`git log -- {folder}/peering.seed.age`"))
            .says("error[port-taken]");
    }
}
