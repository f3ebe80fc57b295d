//! Edits keep everything else, in every layout that a peering may have.

use super::edit_document;
use crate::custody::rotation::{KeyChange, Rotation};
use crate::custody::{Error, RotationProblem};
use crate::diagnostic::Source;
use crate::peering::Peering;
use crate::peering::values::{Generation, Role, Sides};
use crate::rules::parse;

const OLD: &str = "wYMpOwLlOl2quO8GpJOVS8egIpIULWfFeappY3KKORQ=";
const NEW: &str = "Ag1HV52iwQFtWCzoAuEZDTBjAmNFGe3NBEBfYVGEkUY=";
const PEER: &str = "nn4t1zIhSpCm8U57TQcs0Ew7MhWOj5nyhMk1i3cRzzQ=";

/// A peering whose consumer is written as given.
fn document(consumer: &str) -> String {
    format!(
        "# a peering\napiVersion: argocd-peering/v1alpha1\nkind: Peering\nmetadata:\n  name: rome-milan\nspec:\n  seed: {{ file: peering.seed.age }} # sealed\n{consumer}\n  provider:\n    clusterID: milan\n    podCIDRs: [10.43.0.0/16]\n    externalCIDR: 10.71.0.0/16\n  networking:\n    mtu: 1340\n    gatewayServer:\n      location: provider\n      endpoint: {{ serviceType: NodePort, port: 51840, nodePort: 32750 }}\n    gatewayClient:\n      endpoint: {{ addresses: [172.16.183.16] }}\n"
    )
}

fn rotate(text: &str, generation: i64) -> Result<String, Error> {
    rotate_of(
        &parse(&Source::new("peering.yaml", text)).expect("a peering"),
        text,
        generation,
    )
}

fn rotate_of(before: &Peering, text: &str, generation: i64) -> Result<String, Error> {
    let source = Source::new("peering.yaml", text);
    let [old, new, peer] = [OLD, NEW, PEER].map(|text| text.parse().expect("a key"));
    let rotation = Rotation {
        side: Role::Consumer,
        generation: Generation::try_from(generation).expect("a generation"),
        keys: Sides {
            consumer: KeyChange { old, new },
            provider: KeyChange::unchanged(peer),
        },
        new_seed: None,
    };
    let day = Some("2026-11-25".parse().expect("a day"));
    edit_document(&source, before, &rotation, day).map(|(source, _)| source.text().to_owned())
}

#[test]
fn layouts() {
    let networks = "podCIDRs: [10.42.0.0/16]\n    externalCIDR: 10.70.0.0/16";
    let flow = "podCIDRs: [10.42.0.0/16], externalCIDR: 10.70.0.0/16";
    for (before, after) in [
        // raised where it stands
        (
            format!("  consumer:\n    clusterID: rome\n    keyGeneration: 1 # first\n    {networks}"),
            format!("  consumer:\n    clusterID: rome\n    keyGeneration: 2 # first\n    keyRotated: \"2026-11-25\"\n    {networks}"),
        ),
        // inserted behind the ID, behind its comment
        (
            format!("  consumer: # Rome\n    clusterID: rome # the capital\n\n    {networks}"),
            format!("  consumer: # Rome\n    clusterID: rome # the capital\n    keyGeneration: 2\n    keyRotated: \"2026-11-25\"\n\n    {networks}"),
        ),
        (
            format!("  consumer:\n    {networks}\n    \"clusterID\": \"rome\""),
            format!("  consumer:\n    {networks}\n    \"clusterID\": \"rome\"\n    keyGeneration: 2\n    keyRotated: \"2026-11-25\""),
        ),
        // a deeper block
        (
            "  consumer:\n        clusterID: rome\n        podCIDRs: [10.42.0.0/16]\n        externalCIDR: 10.70.0.0/16".into(),
            "  consumer:\n        clusterID: rome\n        keyGeneration: 2\n        keyRotated: \"2026-11-25\"\n        podCIDRs: [10.42.0.0/16]\n        externalCIDR: 10.70.0.0/16".into(),
        ),
        // a block scalar
        (
            format!("  consumer:\n    clusterID: |-\n      rome\n    {networks}"),
            format!("  consumer:\n    clusterID: |-\n      rome\n    keyGeneration: 2\n    keyRotated: \"2026-11-25\"\n    {networks}"),
        ),
        // flow style
        (
            format!("  consumer: {{ clusterID: rome, {flow} }}"),
            format!("  consumer: {{ clusterID: rome, keyGeneration: 2, keyRotated: \"2026-11-25\", {flow} }}"),
        ),
        (
            format!("  consumer: {{ {flow}, clusterID: 'rome' }}"),
            format!("  consumer: {{ {flow}, clusterID: 'rome', keyGeneration: 2, keyRotated: \"2026-11-25\" }}"),
        ),
        (
            format!("  consumer:\n    {{ clusterID: rome, # the capital\n      {flow} }}"),
            format!("  consumer:\n    {{ clusterID: rome, keyGeneration: 2, keyRotated: \"2026-11-25\", # the capital\n      {flow} }}"),
        ),
        // the key that is expected changes with it, and only there
        (
            format!("  consumer:\n    clusterID: rome\n    publicKey: {OLD} # expected\n    {networks}"),
            format!("  consumer:\n    clusterID: rome\n    keyGeneration: 2\n    keyRotated: \"2026-11-25\"\n    publicKey: \"{NEW}\" # expected\n    {networks}"),
        ),
        (
            format!("  consumer: {{ publicKey: \"{OLD}\", keyGeneration: 1, clusterID: rome, {flow} }}"),
            format!("  consumer: {{ publicKey: \"{NEW}\", keyGeneration: 2, keyRotated: \"2026-11-25\", clusterID: rome, {flow} }}"),
        ),
    ] {
        // Windows' line ends stay as well
        for end in ["\n", "\r\n"] {
            let [before, after] = [&before, &after].map(|consumer| document(consumer).replace('\n', end));
            assert_eq!(rotate(&before, 2).expect(&before), after);
        }
    }
}

#[test]
fn the_last_line_may_have_no_end() {
    let text = document("");
    let provider = "  consumer:\n    podCIDRs: [10.42.0.0/16]\n    externalCIDR: 10.70.0.0/16\n    clusterID: rome";
    let text = format!("{text}{provider}");
    assert_eq!(
        rotate(&text, 2).expect("edited"),
        format!("{text}\n    keyGeneration: 2\n    keyRotated: \"2026-11-25\"\n")
    );
}

/// Values that keep their place are equal by value: an edit before them moves them.
#[test]
fn what_stands_after_the_edit_may_move() {
    let networks = "podCIDRs: [10.42.0.0/16]\n    externalCIDR: 10.70.0.0/16";
    let metadata = "metadata:\n      gateway: { labels: { example.org/owner: net } }";
    let before = document(&format!(
        "  consumer:\n    clusterID: rome\n    {networks}\n    {metadata}"
    ));
    let node = "  authentication:\n    subject: { kind: User, name: rome }\n    credential: { existingSecret: {} }\n  offloading:\n    resourceSlices:\n      - { name: slice, createVirtualNode: false, resources: { cpu: \"1\", memory: 1Gi, pods: \"9\" } }\n    virtualNodes:\n      - { name: node, resourceSlice: slice, labels: { example.org/gpu: a100 } }\n  commonMetadata: { labels: { example.org/team: net } }\n";
    for before in [before.clone(), format!("{before}{node}")] {
        let after = before.replacen(
            "clusterID: rome\n",
            "clusterID: rome\n    keyGeneration: 2\n    keyRotated: \"2026-11-25\"\n",
            1,
        );
        assert_eq!(rotate(&before, 2).expect(&before), after);
    }
}

#[test]
fn what_cannot_be_edited_is_refused() {
    // after a `?` a new line would not be a field of the same map
    let consumer = "  consumer:\n    ? clusterID\n    : rome\n    podCIDRs: [10.42.0.0/16]\n    externalCIDR: 10.70.0.0/16";
    assert_eq!(
        rotate(&document(consumer), 2),
        Err(RotationProblem::Layout.into())
    );
    // what comes out is another peering than the rotation's
    let consumer = "  consumer:\n    clusterID: rome\n    podCIDRs: [10.42.0.0/16]\n    externalCIDR: 10.70.0.0/16";
    let text = document(consumer);
    let before = parse(&Source::new(
        "peering.yaml",
        text.replace("mtu: 1340", "mtu: 1341"),
    ))
    .expect("a peering");
    assert_eq!(
        rotate_of(&before, &text, 2),
        Err(RotationProblem::Layout.into())
    );
}
