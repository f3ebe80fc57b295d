//! What an entry of fleet.yaml can say.

use super::{MESH, check, fleet, place, three, write};
use crate::harness::{Text, put};

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

/// What is there for direct connections was written by no one: an entry of the pair says all of it, before or after.
#[test]
fn an_entry_takes_the_place_of_a_direct_pair() {
    let hub = "    - { consumers: [c0], providers: [c1, c2], directConnections: true, location: consumer }\n";
    let own = "    - { consumers: [c2], providers: [c1], resources: { cpu: \"1\" } }\n";
    let made = [[hub, own], [own, hub]].map(|entries| {
        let place = place(&fleet(&three(), &entries.concat()));
        write(&place).done();
        place.read("c2/c1/peering.yaml")
    });
    assert!(made[0].contains("offloading") && made[0].contains("location: provider"), "{}", made[0]);
    let lines = |text: &str| text.lines().filter(|line| !line.contains("nodePort")).count();
    assert_eq!(lines(&made[0]), lines(&made[1]));
}

#[test]
fn a_node_port_is_for_one_gateway_that_has_one() {
    let direct = "    - { consumers: [c0], providers: [c1], directConnections: true, nodePort: 30001 }\n";
    let place_of_one = place(&fleet(&three(), direct));
    write(&place_of_one).done();
    assert!(place_of_one.read("c0/c1/peering.yaml").contains("nodePort: 30001"));
    let two = direct.replace("[c1]", "[c1, c2]");
    check(&place(&fleet(&three(), &two))).fails(1, "port-taken").says("and here are several");
    for service_type in ["LoadBalancer", "ClusterIP"] {
        let clusters =
            with_gateway(2, &format!("{{ serviceType: {service_type}, addresses: [172.20.0.3] }}"));
        let entries = "    - { consumers: [c0], providers: [c2], nodePort: 30001 }\n    - { consumers: [c1], providers: [c2], nodePort: 30001 }\n";
        let outcome = check(&place(&fleet(&clusters, entries)));
        outcome.fails(1, "service-type").silent_on("port-taken");
        let words = format!("the gateways of `c2` are of the type `{service_type}`, which has no `nodePort`");
        outcome.says(&words);
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

/// A Secret's name follows from the key, which the program does not open here; a document can name it.
#[test]
fn a_new_folder_is_not_made_for_external_secrets() {
    let clusters = three().replace("name: c1", "name: c1, delivery: External");
    let outcome = check(&place(&fleet(&clusters, "    - { consumers: [c0], providers: [c1] }\n")));
    outcome.fails(1, "secret-name").says("--> peerings/fleet.yaml:");
    outcome.says("no new folder is made for `c1`, which has `delivery: External`").says("`names.keySecret`");
}

/// A load balancer forwards one port of an address to one Service (Kubernetes), and each gateway has a Service of its own.
#[test]
fn load_balancers_of_a_cluster_do_not_share_an_address_and_a_port() {
    let balancer = "{ serviceType: LoadBalancer, addresses: [172.20.0.3] }";
    let entries = "    - { consumers: [c0, c1], providers: [c2] }\n";
    let shared = place(&fleet(&with_gateway(2, balancer), entries));
    let outcome = check(&shared);
    outcome.fails(1, "port-taken").says("peerings/c0/c2/peering.yaml");
    outcome.says("peerings/c1/c2/peering.yaml").says("`172.20.0.3:51840`").says("leave out `addresses`");
    let one = place(&fleet(&with_gateway(2, balancer), "    - { consumers: [c0], providers: [c2] }\n"));
    write(&one).done();
    // where a document has a port of its own, its gateway answers
    let path = one.path().join("peerings/c0/c2/peering.yaml");
    let text = std::fs::read_to_string(&path).expect("the document");
    let own = text.replace("serviceType: LoadBalancer\n", "serviceType: LoadBalancer\n        port: 51841\n");
    put(&path, own);
    super::describe(&one, &fleet(&with_gateway(2, balancer), entries));
    write(&one).done();
    // and each document can have an address of its own
    let open = place(&fleet(&with_gateway(2, "{ serviceType: LoadBalancer }"), entries));
    write(&open).done();
    let path = open.path().join("peerings/c0/c2/peering.yaml");
    let text = std::fs::read_to_string(&path).expect("the document");
    text.has("gatewayClient: pending\n");
    let known =
        text.replace("gatewayClient: pending", "gatewayClient: { endpoint: { addresses: [172.20.9.1] } }");
    put(&path, known);
    assert_eq!(check(&open).done(), "2 documents as fleet.yaml says\n");
    // what is behind another type is not this program's to know
    let other =
        place(&fleet(&with_gateway(2, "{ serviceType: ClusterIP, addresses: [172.20.0.3] }"), entries));
    write(&other).done();
    check(&place(&fleet(&with_gateway(2, "{ port: 51841 }"), entries)))
        .fails(1, "missing-field")
        .says("the field `addresses` is missing");
}
