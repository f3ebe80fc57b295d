//! What an entry of fleet.yaml can say.

use super::{MESH, check, fleet, place, three, write};

/// The gateways of one cluster as others.
fn with_gateway(number: usize, gateway: &str) -> String {
    let from = format!("{{ addresses: [172.20.0.{}] }}", number + 1);
    assert!(three().contains(&from), "{from}");
    three().replace(&from, gateway)
}

/// A pair has one consumer: what an entry says of it is not turned around by a later one.
#[test]
fn a_later_entry_turns_no_pair_around() {
    let turned = "    - { consumers: [c2], providers: [c0], mtu: 1300 }\n";
    let place = place(&fleet(&three(), &format!("{MESH}{turned}")));
    write(&place).done();
    assert!(place.read("c2/c0/peering.yaml").contains("mtu: 1300"), "a mesh says nothing of its consumers");
    for fields in ["resources: { cpu: \"4\" }", "location: consumer", "nodePort: 30001"] {
        let entries = format!("    - {{ consumers: [c0], providers: [c2], {fields} }}\n{turned}");
        let outcome = check(&super::place(&fleet(&three(), &entries)));
        outcome.fails(1, "duplicate-peering").says("an earlier entry has `c0` as the consumer of `c2`");
    }
}

#[test]
fn the_side_without_a_gateway_is_named() {
    let clusters =
        with_gateway(0, "{ addresses: [172.20.0.1] }").replace(", gateway: { addresses: [172.20.0.1] }", "");
    let entry = "    - { consumers: [c0], providers: [c1], location: consumer }\n";
    check(&place(&fleet(&clusters, entry)))
        .fails(1, "missing-field")
        .says("`location: consumer` is the side of `c0`, which has no `gateway`")
        .silent_on("neither");
}
