//! Documents that exist, and what fleet.yaml says of them.

use super::{FILE, MESH, check, cluster, describe, files, fleet, place, three, write};
use crate::command::init::Place;
use crate::harness::{RECIPIENT, Run, Text, put};
use std::fs;

const PAIR: &str = "    - { consumers: [c0], providers: [c1] }\n";

fn rewrite(place: &Place, folder: &str, edits: &[(&str, &str)]) {
    let path = place.path().join("peerings").join(folder).join("peering.yaml");
    let mut text = fs::read_to_string(&path).expect("the document");
    for (from, to) in edits {
        text.has(from);
        text = text.replace(from, to);
    }
    put(&path, text);
}

fn copy(place: &Place, from: &str, to: &str) {
    let folder = place.path().join("peerings").join(to);
    fs::create_dir_all(&folder).expect("a folder");
    let from = place.path().join("peerings").join(from).join("peering.yaml");
    fs::copy(from, folder.join("peering.yaml")).expect("a copy");
}

/// Anyone with push access can add a copy. It does not take the place of the document.
#[test]
fn two_documents_of_one_pair_are_refused() {
    let place = place(&fleet(&three(), MESH));
    write(&place).done();
    copy(&place, "c0/c1", "zz");
    rewrite(&place, "zz", &[("nodePort: 32750", "nodePort: 32000")]);
    let before = files(&place);
    for outcome in [check(&place), write(&place)] {
        outcome.fails(1, "duplicate-peering").says(&format!("--> {FILE}:"));
        outcome.says("peerings/c0/c1/peering.yaml and peerings/zz/peering.yaml are both of `c0` and `c1`");
    }
    assert_eq!(files(&place), before);
}

/// A field that a type of Service does not have is removed with the type.
#[test]
fn a_gateway_gets_another_type() {
    let place = place(&fleet(&three(), PAIR));
    write(&place).done();
    let node_port = fleet(&three(), PAIR);
    let balancer = node_port
        .replace("{ addresses: [172.20.0.2] }", "{ serviceType: LoadBalancer, addresses: [172.20.0.2] }");
    describe(&place, &balancer);
    write(&place).prints("endpoint.nodePort").done();
    let text = place.read("c0/c1/peering.yaml");
    text.has("serviceType: LoadBalancer\n").lacks("nodePort");
    rewrite(
        &place,
        "c0/c1",
        &[(
            "serviceType: LoadBalancer\n",
            "serviceType: LoadBalancer\n        loadBalancerIP: 172.20.0.2 # ours\n",
        )],
    );
    assert_eq!(check(&place).code, Some(0), "the address is the document's own");
    describe(&place, &node_port);
    write(&place).done();
    let text = place.read("c0/c1/peering.yaml");
    text.has("nodePort: 32750").lacks("loadBalancerIP");
    // in brackets
    let lines = "endpoint:\n        serviceType: NodePort\n        nodePort: 32750\n";
    let text = text.replace(
        "        nodePort: 32750\n        serviceType: NodePort\n",
        "        serviceType: NodePort\n        nodePort: 32750\n",
    );
    for (layout, left) in [
        (
            "endpoint: { serviceType: NodePort, nodePort: 32750 }\n",
            "endpoint: { serviceType: LoadBalancer }\n",
        ),
        (
            "endpoint: { nodePort: 32750, serviceType: NodePort }\n",
            "endpoint: { serviceType: LoadBalancer }\n",
        ),
        (
            "endpoint: {\n          serviceType: NodePort,\n          nodePort: 32750\n        }\n",
            "endpoint: {\n          serviceType: LoadBalancer\n        }\n",
        ),
        (
            "endpoint:\n        nodePort: 32750 # ours\n        # the type\n        serviceType: NodePort\n",
            "endpoint:\n        # the type\n        serviceType: LoadBalancer\n",
        ),
    ] {
        describe(&place, &balancer);
        let laid_out = text.replace(lines, layout);
        assert_ne!(laid_out, text, "{layout}: {text}");
        put(place.path().join("peerings/c0/c1/peering.yaml"), &laid_out);
        write(&place).done();
        assert_eq!(place.read("c0/c1/peering.yaml"), laid_out.replace(layout, left));
    }
}

/// The credential is to come, as in a new folder; what is there is the document's own.
#[test]
fn a_tunnel_gets_resources() {
    let place = place(&fleet(&three(), PAIR));
    write(&place).done();
    describe(&place, &fleet(&three(), &PAIR.replace("[c1]", "[c1], resources: { cpu: \"4\" }")));
    write(&place).prints("spec.authentication.credential").done();
    let text = place.read("c0/c1/peering.yaml");
    assert_eq!(
        text.matches(&format!("    keyRotated: \"{}\"", crate::harness::today())).count(),
        2,
        "{text}"
    );
    text.has("keysExchange: pending").has("cpu: \"4\"");
    assert_eq!(place.run(&["validate", "peerings"]).code, Some(0));
    let own = "{ subject: { kind: User, name: c0 }, credential: { existingSecret: {} } }";
    rewrite(&place, "c0/c1", &[("{ credential: { keysExchange: pending } }", own)]);
    assert_eq!(check(&place).code, Some(0));
}

/// A text that is on no disk has no lines to look at.
#[test]
fn what_would_be_wrong_is_said_at_the_entry() {
    let place = place(&fleet(&three(), PAIR));
    write(&place).done();
    describe(&place, &fleet(&three().replace("name: c1", "name: c1, delivery: External"), PAIR));
    let outcome = check(&place);
    outcome.fails(1, "secret-name").says(&format!("--> {FILE}:"));
    outcome
        .says("peerings/c0/c1/peering.yaml would be wrong at `spec.provider.clusterID`: the name of the provider's key Secret is not known")
        .says("`names.keySecret`");
    outcome.silent_on("--> peerings/c0/c1");
}

/// Two spellings of one value are no difference.
#[test]
fn the_same_in_another_spelling_is_the_same() {
    let spelled = |text: String| {
        text.replace("liqoVersion: \"1.2\"", "liqoVersion: \"1.2.1\"").replace("8Gi", "8192Mi")
    };
    let entry = "    - { consumers: [c0], providers: [c1], resources: { cpu: \"4\", memory: 8Gi } }\n";
    let place = place(&spelled(fleet(&three(), entry)));
    write(&place).done();
    for version in ["\"1.2.1\"", "\"1.3\""] {
        let current = place.read("c0/c1/peering.yaml");
        let path = place.path().join("peerings/c0/c1/peering.yaml");
        let line = current.lines().find(|line| line.contains("liqoVersion")).expect("a line");
        let other = current
            .replace(line, &format!("  liqoVersion: {version}"))
            .replace("memory: 8Gi", "memory: 8192Mi");
        put(&path, &other);
        assert_eq!(check(&place).done(), "1 document as fleet.yaml says\n");
        // also beside another change
        describe(&place, &spelled(fleet(&three(), &entry.replace("cpu: \"4\"", "cpu: \"5\""))));
        write(&place).done();
        assert_eq!(place.read("c0/c1/peering.yaml"), other.replace("cpu: \"4\"", "cpu: \"5\""));
        describe(&place, &spelled(fleet(&three(), entry)));
        write(&place).done();
    }
}

/// A port that exists stays, whoever else has it.
#[test]
fn a_port_that_exists_stays() {
    let place = place(&fleet(&three(), PAIR));
    write(&place).done();
    // a peering of c1 that the fleet does not have, at the same port
    copy(&place, "c0/c1", "aa");
    rewrite(&place, "aa", &[("clusterID: c0", "clusterID: c9"), ("name: c0-c1", "name: aa")]);
    let before = files(&place);
    for outcome in [check(&place), write(&place)] {
        outcome.fails(1, "port-taken").says(&format!("--> {FILE}:"));
        outcome.says(
            "the node port 32750 of `c1` has two gateways: peerings/aa/peering.yaml and peerings/c0/c1/peering.yaml",
        );
    }
    assert_eq!(files(&place), before);
    // two of the fleet
    let more = format!("{PAIR}    - {{ consumers: [c9], providers: [c1] }}\n");
    describe(&place, &fleet(&(three() + &cluster(9, false)), &more));
    check(&place).fails(1, "port-taken").says("peerings/c0/c1/peering.yaml and peerings/aa/peering.yaml");
    // the fleet sets another one
    describe(
        &place,
        &fleet(
            &(three() + &cluster(9, false)),
            &more.replace("[c9], providers: [c1]", "[c9], providers: [c1], nodePort: 30001"),
        ),
    );
    check(&place).prints("peerings/aa: ").prints("endpoint.nodePort, node port 30001\n");
}

#[test]
fn a_report_says_what_was_written() {
    let place = place(&fleet(&three(), PAIR));
    let outcome = write(&place);
    assert_eq!(outcome.done(), "peerings/c0/c1: new, node port 32750\n1 document written, 0 unchanged\n");
    describe(&place, &fleet(&three(), &PAIR.replace("[c1]", "[c1, c2], mtu: 1300")));
    let listed = check(&place);
    assert!(
        listed.stdout.starts_with("peerings/c0/c1: spec.networking.mtu\n"),
        "the port is not new: {listed}"
    );
    assert!(write(&place).done().ends_with("\n2 documents written, 0 unchanged\n"));
    assert_eq!(write(&place).done(), "0 documents written, 2 unchanged\n");
    place
        .run(&["fleet", "check", "peerings"])
        .fails(2, "flag")
        .says("peerings is a folder; name peerings/fleet.yaml");
    place.run(&["validate", FILE]).says("`argocd-peering fleet check`");
}

/// As on a disk that becomes full: what is too large for it is the last of three documents.
#[test]
fn a_document_that_cannot_be_written_leaves_none() {
    let networks: Vec<String> = (0..240).map(|number| format!("100.64.{number}.0/24")).collect();
    let large = cluster(2, true).replace("10.2.0.0/16", &networks.join(", "));
    let place = place(&fleet(&(cluster(0, true) + &cluster(1, true) + &large), MESH));
    let arguments = ["fleet", "write", FILE, "--recipient", RECIPIENT];
    let refusal = place.run(&arguments);
    let expect = ["--expect", refusal.expected().expect("a digest")];
    // in blocks of 512 bytes
    let script = "trap '' XFSZ; ulimit -f 6; exec \"$0\" \"$@\"";
    let run = Run::new([&arguments[..], &expect].concat()).within(place.path()).env("PATH", "/usr/bin:/bin");
    run.through(&["sh", "-c", script]).run().fails(3, "file").says("peerings/c0/c2");
    assert!(files(&place).is_empty(), "{:?}", files(&place).keys());
    place.run(&[&arguments[..], &expect].concat()).says("3 seeds").silent_on("stopped").done();
}

/// A run that is killed has no time to remove what has a temporary name.
#[test]
fn what_a_run_has_left_is_named_by_the_next_one() {
    let place = place(&fleet(&three(), MESH));
    let left = ["peerings/c0/.new-a1B2c3", "peerings/c0/c1/.new-a1B2c4"];
    fs::create_dir_all(place.path().join(left[0])).expect("a folder");
    let words = "a run that was stopped has left ";
    check(&place).says(words).says(left[0]).says("with `rm -r`");
    write(&place).says(words).says(left[0]).done();
    assert!(place.path().join(left[0]).exists(), "it may be another run's");
    put(place.path().join(left[1]), "part");
    check(&place).says(left[0]).says(left[1]).done();
    for left in left {
        let path = place.path().join(left);
        let _ = fs::remove_dir(&path).or_else(|_| fs::remove_file(&path));
    }
    check(&place).silent_on(words).done();
    for number in 0..9 {
        fs::create_dir(place.path().join(format!("peerings/c1/.new-{number}"))).expect("a folder");
    }
    check(&place).says("9 temporary names").says(".new-7 and others;").silent_on(".new-8").done();
}
