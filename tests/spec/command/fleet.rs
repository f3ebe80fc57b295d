//! `fleet`: folders follow one description of their clusters, and nothing else of them changes.

mod bounds;
mod entries;
mod folders;
mod halves;
mod import;

use super::init::Place;
use crate::generated::{self, Made};
use crate::harness::{Outcome, RECIPIENT, Run, Schema, Text, committed, put, root, table};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

const FILE: &str = "peerings/fleet.yaml";

const SCHEMA: &str = "docs/fleet.schema.json";

fn place(fleet: &str) -> Place {
    let place = Place::new();
    fs::create_dir_all(place.path().join("peerings")).expect("a folder");
    describe(&place, fleet);
    place
}

fn describe(place: &Place, fleet: &str) {
    put(place.path().join(FILE), fleet);
}

fn write(place: &Place) -> Outcome {
    place.confirming(&["fleet", "write", FILE, "--recipient", RECIPIENT])
}

/// With sealed kubeconfigs in place of exchanged keys.
fn write_kubeconfigs(place: &Place) -> Outcome {
    place.confirming(&["fleet", "write", FILE, "--recipient", RECIPIENT, "--kubeconfigs"])
}

fn check(place: &Place) -> Outcome {
    place.run(&["fleet", "check", FILE])
}

/// All files below the folder, by their paths.
fn files(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![place.path().join("peerings")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("fleet.yaml") {
                let name = path.strip_prefix(place.path()).expect("below").display().to_string();
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

/// A cluster with a gateway, on a line.
fn cluster(number: usize, gateway: bool) -> String {
    let gateway = if gateway {
        format!(", gateway: {{ addresses: [172.20.0.{}] }}", number + 1)
    } else {
        String::new()
    };
    format!(
        "    - {{ name: c{number}, podCIDRs: [10.{number}.0.0/16], externalCIDR: 192.168.0.0/16{gateway} }}\n"
    )
}

fn fleet(clusters: &str, peerings: &str) -> String {
    format!(
        "apiVersion: argocd-peering/v1alpha1\nkind: Fleet\nspec:\n  liqoVersion: \"1.2\"\n  clusters:\n{clusters}  peerings:\n{peerings}"
    )
}

const MESH: &str = "    - mesh: [c0, c1, c2]\n";

fn three() -> String {
    (0..3).map(|number| cluster(number, true)).collect()
}

#[test]
fn folders_are_written_once_and_then_agree() {
    let place = place(&fleet(&three(), MESH));
    assert_eq!(check(&place).code, Some(1));
    assert!(files(&place).is_empty(), "a check writes nothing");
    let outcome = write(&place);
    assert_eq!(outcome.done().lines().count(), 4, "{outcome}");
    outcome.prints("peerings/c0/c1: new, node port 32750\n").says("next:\n");
    outcome.says("argocd-peering rights peerings --repo https://git.example.org/net/peerings.git\n");
    let written = files(&place);
    assert_eq!(written.len(), 6, "{:?}", written.keys());
    assert_eq!(check(&place).done(), "3 documents as fleet.yaml says\n");
    assert_eq!(place.run(&["validate", "peerings"]).code, Some(0));
    // nothing is sealed, so nothing is asked
    assert_eq!(place.run(&["fleet", "write", FILE]).done(), "0 documents written, 3 unchanged\n");
    assert_eq!(files(&place), written);
}

#[test]
fn nothing_is_written_before_all_seeds_are_confirmed() {
    let place = place(&fleet(&three(), MESH));
    let refusal = place.run(&["fleet", "write", FILE, "--recipient", RECIPIENT]);
    refusal.fails(2, "flag").says("clusters \"c1\" (consumer) \"c2\" (provider)").says("not confirmed");
    assert!(files(&place).is_empty());
    let other = format!("sha256:{}", "0".repeat(64));
    place.run(&["fleet", "write", FILE, "--recipient", RECIPIENT, "--expect", &other]).fails(2, "flag");
    assert!(files(&place).is_empty());
}

/// A fact that changes in the fleet changes in each document, in the style of the document; what a person wrote stays.
#[test]
fn a_persons_work_stays_and_a_fact_is_changed_everywhere() {
    let place = place(&fleet(
        &three(),
        "    - { consumers: [c0], providers: [c1, c2], resources: { cpu: \"4\", memory: 8Gi } }\n",
    ));
    write_kubeconfigs(&place).done();
    let path = place.path().join("peerings/c0/c1/peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    let text = text.replace("  consumer:\n", "  # ours\n  protection: none # for now\n  consumer:\n");
    let text = text
        .replace("    podCIDRs: [10.1.0.0/16]\n", "    podCIDRs:\n      - 10.1.0.0/16 # of the provider\n");
    let text = text
        .replace("    credential: pending\n", "    credential: { kubeconfig: { file: kubeconfig.age } }\n");
    put(&path, &text);
    let before = files(&place);
    assert_eq!(check(&place).code, Some(0));
    let changed = fleet(
        &three(),
        "    - { consumers: [c0], providers: [c1, c2], mtu: 1400, resources: { cpu: \"6\", memory: 8Gi } }\n",
    );
    describe(&place, &changed.replace("10.1.0.0", "10.101.0.0").replace("172.20.0.2", "172.20.0.9"));
    let listed = check(&place);
    listed.ends(1);
    let fields = "spec.provider.podCIDRs, spec.networking.mtu, spec.networking.gatewayClient.endpoint.addresses, spec.offloading.resourceSlices[0].resources.cpu";
    listed.prints(&format!("peerings/c0/c1: {fields}\n"));
    for line in ["  - cpu: \"4\"\n", "  + cpu: \"6\"\n", "  + mtu: 1400\n"] {
        listed.prints(line);
    }
    assert_eq!(files(&place), before);
    write(&place).done();
    let after = fs::read_to_string(&path).expect("the document");
    let expected = text
        .replace("      - 10.1.0.0/16 # of the provider\n", "      - 10.101.0.0/16 # of the provider\n")
        .replace("        addresses: [\"172.20.0.2\"]", "        addresses: [172.20.0.9]")
        .replace("          cpu: \"4\"\n", "          cpu: \"6\"\n");
    // a new field is a line of its own
    assert_eq!(after.replace("    mtu: 1400\n", ""), expected, "{after}");
    assert_eq!(check(&place).code, Some(0));
}

/// A tunnel that gets resources needs a credential, as a new folder does.
#[test]
fn what_begins_to_offload_has_next_steps() {
    for (flags, command) in [
        (&[][..], "next:\n  argocd-peering authenticate consumer peerings/c0/c1 --from-context c0\n"),
        (
            &["--kubeconfigs"],
            "next:\n  argocd-peering seal kubeconfig --from-context c1 -o peerings/c0/c1/kubeconfig.age",
        ),
    ] {
        let place = place(&fleet(&three(), "    - { consumers: [c0], providers: [c1] }\n"));
        write(&place).done();
        let offloads = "    - { consumers: [c0], providers: [c1], resources: { cpu: \"4\" } }\n";
        describe(&place, &fleet(&three(), offloads));
        let outcome = place.run(&[&["fleet", "write", FILE, "--recipient", RECIPIENT], flags].concat());
        outcome.done();
        outcome.says(command).says("  commit the folders\n");
        let outcome = place.run(&["fleet", "write", FILE]);
        outcome.done();
        outcome.silent_on("next:");
    }
}

/// Adding and removing clusters moves nobody's port and writes nobody's document.
#[test]
fn random_fleets_keep_what_they_have() {
    let mut random = Random(7);
    for round in 0..12 {
        let count = 3 + random.below(5);
        let clusters: String =
            (0..count).map(|number| cluster(number, number == 0 || random.below(3) > 0)).collect();
        let peerings = random.peerings(count, &clusters);
        let place = place(&fleet(&clusters, &peerings));
        write(&place).done();
        let first = files(&place);
        assert_eq!(check(&place).code, Some(0), "round {round}: {peerings}");
        assert_unique(&first);
        assert_eq!(place.run(&["validate", "peerings"]).code, Some(0), "round {round}");
        // one more cluster, in front of the others
        let more = format!("{}{clusters}", cluster(200, true));
        let more_peerings = format!("    - {{ consumers: [c200], providers: [c0] }}\n{peerings}");
        describe(&place, &fleet(&more, &more_peerings));
        write(&place).done();
        let second = files(&place);
        assert!(first.iter().all(|(name, bytes)| second.get(name) == Some(bytes)), "round {round}");
        assert_unique(&second);
        // and without it again
        describe(&place, &fleet(&clusters, &peerings));
        check(&place).prints("not in fleet.yaml: peerings/c200/c0/peering.yaml");
        write(&place).done();
        assert_eq!(files(&place), second, "round {round}");
    }
}

/// No two gateways of a cluster have a port, and no two peerings a name.
fn assert_unique(files: &BTreeMap<String, Vec<u8>>) {
    let (mut ports, mut names) = (BTreeSet::new(), BTreeSet::new());
    for (file, bytes) in files.iter().filter(|(file, _)| file.ends_with("peering.yaml")) {
        let text = String::from_utf8_lossy(bytes);
        let value =
            |key: &str| text.lines().find_map(|line| line.trim().strip_prefix(key).map(str::to_owned));
        let mut folders = file.split('/').skip(1);
        let (consumer, provider) = (folders.next(), folders.next());
        let server = if value("location: ").as_deref() == Some("consumer") { consumer } else { provider };
        assert!(ports.insert((server.map(str::to_owned), value("nodePort: "))), "{file}: {ports:?}");
        assert!(names.insert(value("name: ")), "{file}");
    }
}

/// A linear congruential generator: the same fleets on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    /// Pairs with the first cluster, which has a gateway, and a mesh of those that have one.
    fn peerings(&mut self, count: usize, clusters: &str) -> String {
        let mut text = String::new();
        for other in 1..count {
            match self.below(3) {
                0 => writeln!(text, "    - {{ consumers: [c{other}], providers: [c0] }}").expect("a text"),
                1 => writeln!(text, "    - {{ consumers: [c0], providers: [c{other}], resources: {{ cpu: \"2\", memory: 1Gi }} }}").expect("a text"),
                _ => {}
            }
        }
        let with_gateway =
            (0..count).filter(|number| clusters.contains(&format!("[172.20.0.{}]", number + 1)));
        let names: Vec<String> = with_gateway.map(|number| format!("c{number}")).collect();
        let mut sorted = names.clone();
        sorted.reverse();
        if names.len() > 1 && text.is_empty() {
            writeln!(text, "    - mesh: [{}]", sorted.join(", ")).expect("a text");
        }
        if text.is_empty() {
            text.push_str("    - { consumers: [c1], providers: [c0] }\n");
        }
        text
    }
}

#[test]
fn leaves_get_tunnels_for_direct_connections() {
    let hub = "    - { consumers: [c0], providers: [c1, c2], directConnections: true, resources: { cpu: \"4\", memory: 8Gi } }\n";
    let place = place(&fleet(&three(), hub));
    write(&place).prints("peerings/c1/c2: new, node port 32751").done();
    place.read("c1/c2/peering.yaml").lacks("offloading").lacks("authentication");
    assert!(place.read("c0/c1/peering.yaml").contains("offloading"));
}

/// The consumer remaps one of two networks that overlap, and then a provider does not find the other one's pods.
#[test]
fn direct_connections_need_networks_that_do_not_overlap() {
    let hub = "    - { consumers: [c0], providers: [c1, c2], directConnections: true }\n";
    for (from, to, words) in [
        ("[10.2.0.0/16]", "[10.1.128.0/17]", "`10.1.0.0/16` of `c1` overlaps `10.1.128.0/17` of `c2`"),
        (
            "[10.2.0.0/16]",
            "[10.3.0.0/16, 10.0.0.0/15]",
            "`10.0.0.0/16` of `c0` overlaps `10.0.0.0/15` of `c2`",
        ),
        (
            "[10.1.0.0/16]",
            "[10.9.0.0/16, 10.0.7.0/24]",
            "`10.0.0.0/16` of `c0` overlaps `10.0.7.0/24` of `c1`",
        ),
    ] {
        let clusters = three().replace(from, to);
        check(&place(&fleet(&clusters, hub)))
            .fails(1, "cidr-overlap")
            .says(words)
            .says("leave out `directConnections`");
        let without = hub.replace(", directConnections: true", "");
        write(&place(&fleet(&clusters, &without))).done();
    }
}

#[test]
fn a_later_entry_says_what_differs() {
    let place = place(&fleet(
        &three(),
        &format!(
            "{MESH}    - {{ consumers: [c0], providers: [c1, c2], location: consumer, mtu: 1400, resources: {{ cpu: \"4\" }} }}\n    - {{ consumers: [c0], providers: [c2], mtu: 1200, nodePort: 30123 }}\n"
        ),
    ));
    write(&place).done();
    let documents = ["c0/c1", "c0/c2", "c1/c2"].map(|folder| place.read(&format!("{folder}/peering.yaml")));
    let has = |words: &str| documents.each_ref().map(|text| text.contains(words));
    assert_eq!(has("mtu: 1200"), [false, true, false]);
    assert_eq!(has("mtu: 1400"), [true, false, false]);
    assert_eq!(has("cpu: \"4\""), [true, true, false]);
    assert_eq!(has("location: consumer"), [true, true, false]);
    assert!(documents[1].contains("nodePort: 30123"), "{}", documents[1]);
}

/// From Liqo 1.2 on keys are exchanged, as `init` has it: the steps are printed, and are commands that exist.
#[test]
fn clusters_exchange_keys_where_liqo_renews_them() {
    let both =
        "    - { consumers: [c0], providers: [c1], resources: { cpu: \"4\" }, reverse: { cpu: \"2\" } }\n";
    let newer = place(&fleet(&three(), both));
    let outcome = write(&newer);
    outcome.silent_on("seal kubeconfig").done();
    let now = [
        "authenticate consumer peerings/c0/c1 --from-context c0\n",
        "authenticate consumer peerings/c0/c1 --from-context c1 --reverse\n",
    ];
    let signed = [
        "authenticate provider peerings/c0/c1 --from-context c1\n",
        "authenticate provider peerings/c0/c1 --from-context c0 --reverse\n",
    ];
    let (before, after) =
        outcome.stderr.split_once("when the Applications are synced:\n").expect("two commits");
    for (words, shown) in now.iter().map(|it| (it, before)).chain(signed.iter().map(|it| (it, after))) {
        shown.has(words);
    }
    assert!(after.ends_with("\n  commit again\n"), "{outcome}");
    let text = newer.read("c0/c1/peering.yaml");
    assert!(text.matches("keysExchange: pending").count() == 2 && !text.contains("subject"), "{text}");
    text.has("# Liqo makes and renews it");
    newer.run(&["validate", "peerings"]).done();
    // nothing of it is the fleet's own
    assert_eq!(check(&newer).done(), "1 document as fleet.yaml says\n");
    for older in ["  liqoVersion: \"1.1\"\n", ""] {
        let older = place(&fleet(&three(), both).replace("  liqoVersion: \"1.2\"\n", older));
        write(&older).says("seal kubeconfig").silent_on("authenticate ").done();
        assert!(older.read("c0/c1/peering.yaml").contains("    credential: pending\n"));
    }
}

fn lay_handshake(place: &Place) {
    for name in ["peering.yaml", "peering.seed.age"] {
        let bytes = fs::read(root().join("examples/keys-exchange").join(name)).expect(name);
        put(place.folder("keys-exchange").join(name), bytes);
    }
}

/// Of a peering that is there, only the side that begins to offload needs anything: what the other one has signed stays.
#[test]
fn the_other_direction_of_a_peering_signs_alone() {
    let place = Place::new();
    lay_handshake(&place);
    let fleet = place.run(&["fleet", "import", "peerings"]).done().to_owned();
    let to = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
    let fleet = fleet.replace("- name: lodi\n", &format!("- name: lodi\n      recipients: [{to}]\n"));
    describe(&place, &(fleet + "      reverse: { cpu: \"1\" }\n"));
    let write = |more: &[&str]| place.run(&[&["fleet", "write", FILE], more].concat());
    let signed = write(&[]);
    signed.says("authenticate consumer peerings/keys-exchange --from-context lodi --reverse");
    signed.silent_on("--from-context pavia\n").silent_on("seal kubeconfig").done();
    lay_handshake(&place);
    write(&["--kubeconfigs"])
        .says(&format!("kubeconfig-reverse.age --project peering-provider=provider --recipient {to} --user lodi; then name"))
        .done();
}

/// In a mesh with `reverse` each cluster offloads to each, and the folders say so when they are read back.
#[test]
fn a_mesh_offloads_both_ways() {
    let mesh = |reverse: &str| {
        fleet(&three(), &format!("    - {{ mesh: [c0, c1, c2], resources: {{ cpu: \"4\" }}{reverse} }}\n"))
    };
    let one_way = place(&mesh(""));
    write(&one_way).done();
    assert!(!one_way.read("c0/c1/peering.yaml").contains("reverse"));
    let both = place(&mesh(", reverse: { cpu: \"2\", memory: 8Gi }"));
    write_kubeconfigs(&both)
        .says("--from-context c1 -o peerings/c0/c1/kubeconfig.age --project peering-consumer=consumer")
        .says(
            "--from-context c0 -o peerings/c0/c1/kubeconfig-reverse.age --project peering-provider=provider",
        )
        .says(" --user c1; then name the file in peerings/c0/c1/peering.yaml\n");
    let text = both.read("c0/c1/peering.yaml");
    let reverse = text.split("\n  reverse:\n").nth(1).expect("the other direction");
    for words in ["name: c1\n", "credential: pending\n", "cpu: \"2\"\n", "memory: 8Gi\n"] {
        assert!(reverse.contains(words), "{words}: {text}");
    }
    assert_eq!(check(&both).done(), "3 documents as fleet.yaml says\n");
    assert_eq!(both.run(&["validate", "peerings"]).code, Some(0));
    let imported = both.run(&["fleet", "import", "peerings"]);
    describe(&both, imported.done());
    assert_eq!(check(&both).done(), "3 documents as fleet.yaml says\n", "{imported}");
    // a folder that offloads one way gets the other one
    describe(&one_way, &mesh(", reverse: { cpu: \"2\", memory: 8Gi }"));
    write(&one_way).done();
    assert_eq!(one_way.run(&["validate", "peerings"]).code, Some(0));
    assert!(one_way.read("c0/c1/peering.yaml").contains("memory: 8Gi"));
}

#[test]
fn names_that_would_be_one_are_two() {
    let clusters = three()
        .replace("name: c0", "name: a")
        .replace("name: c1", "name: a-b")
        .replace("name: c2", "name: b-c");
    let clusters = clusters + &cluster(3, true).replace("name: c3", "name: c");
    let place = place(&fleet(
        &clusters,
        "    - { consumers: [a], providers: [b-c] }\n    - { consumers: [a-b], providers: [c] }\n",
    ));
    write(&place).done();
    assert!(place.read("a/b-c/peering.yaml").contains("name: a-b-c\n"));
    assert!(place.read("a-b/c/peering.yaml").contains("name: a-b-c-2\n"));
}

#[test]
fn mistakes_are_shown_at_their_places() {
    for row in include_str!("fleet/mistakes.txt").lines().filter(|it| it.starts_with('"')) {
        let (change, words) = row.split_once(" => ").expect(row);
        let (code, words) = words.split_once(": ").expect(row);
        let [from, to] = &table::words(change)[..] else { panic!("{row}") };
        let text = fleet(&three(), MESH);
        text.has(from);
        let outcome = check(&place(&text.replacen(from, to, 1)));
        assert_eq!(outcome.code, Some(1), "{to}: {outcome}");
        assert!(
            outcome.stderr.contains(&format!("error[{code}]")) && outcome.stderr.contains(words),
            "{to}: {outcome}"
        );
        assert!(outcome.stderr.contains(&format!("--> {FILE}:")), "{to}: {outcome}");
    }
    let lonely: String = (0..3).map(|number| cluster(number, false)).collect();
    check(&place(&fleet(&lonely, MESH))).says("neither `c0` nor `c1` has a gateway that can listen");
    let twice = "    - { consumers: [c0], providers: [c2], nodePort: 30001 }\n    - { consumers: [c1], providers: [c2], nodePort: 30001 }\n";
    check(&place(&fleet(&three(), twice)))
        .says("the node port 30001 of `c2` has two gateways: peerings/c0/c2/");
}

#[test]
fn what_cannot_be_edited_is_named_and_nothing_is_written() {
    let place = place(&fleet(&three(), MESH));
    write(&place).done();
    let path = place.path().join("peerings/c0/c1/peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    let text = text.replace(
        "    podCIDRs: [10.1.0.0/16]\n",
        "    podCIDRs: # a\n      - 10.1.0.0/16 # b\n      # c\n      - 10.111.0.0/16\n",
    );
    put(&path, &text);
    let before = files(&place);
    for command in ["check", "write"] {
        let outcome = place.run(&["fleet", command, FILE]);
        outcome.fails(2, "flag").says("peerings/c0/c1/peering.yaml: the layout of `spec.provider.podCIDRs`");
    }
    assert_eq!(files(&place), before);
    let turned = fleet(&three(), "    - { consumers: [c1], providers: [c0] }\n");
    describe(&place, &turned);
    check(&place).fails(2, "flag").says("has `c0` as the consumer, and fleet.yaml has `c1`");
}

/// Names become folders, and a link of a checkout leads anywhere: whoever pushes fleet.yaml chooses no place outside.
#[test]
fn nothing_is_written_outside_the_folder() {
    for name in ["../../outside", "/tmp/outside", "..", ".git", "a/b", "", "-a"] {
        let place = place(&fleet(
            &three().replace("name: c0", &format!("name: \"{name}\"")),
            "    - { consumers: [c1], providers: [c2] }\n",
        ));
        let outcome = write(&place);
        assert_eq!(outcome.code, Some(1), "{name}: {outcome}");
        assert!(files(&place).is_empty(), "{name}");
    }
    let outside = tempfile::tempdir().expect("a folder");
    for link in ["peerings/c0", "peerings/c0/c1"] {
        let place = place(&fleet(&three(), MESH));
        let link = place.path().join(link);
        fs::create_dir_all(link.parent().expect("a folder")).expect("a folder");
        std::os::unix::fs::symlink(outside.path(), &link).expect("a link");
        write(&place).fails(3, "file").says("links in a repository are not followed");
        assert_eq!(fs::read_dir(outside.path()).expect("a folder").count(), 0);
    }
    let place = place(&fleet(&three(), MESH));
    put(place.path().join("peerings/c0/c1/note"), "ours");
    write(&place).fails(2, "flag").says("peerings/c0/c1 has files and no peering.yaml");
    assert_eq!(files(&place).len(), 1);
}

/// A few kilobytes name a million pairs.
#[test]
fn too_many_peerings_are_refused_before_they_are_made() {
    let many: Vec<String> = (0..1500).map(|number| format!("c{number}")).collect();
    let many = many.join(", ");
    for peerings in [
        format!("    - mesh: [{many}]\n"),
        format!("    - {{ consumers: [{many}], providers: [{many}] }}\n"),
        format!("    - {{ consumers: [c0], providers: [{many}], directConnections: true }}\n"),
    ] {
        check(&place(&fleet(&three(), &peerings))).fails(2, "flag").says("more than 20000 documents");
    }
}

#[test]
fn a_fleet_is_read_back_from_its_folders() {
    let three = three().replace(
        "{ addresses: [172.20.0.2] }",
        "{ serviceType: LoadBalancer, addresses: [172.20.0.2], port: 51841 }",
    );
    let place = place(&fleet(
        &three,
        "    - { consumers: [c0], providers: [c1, c2], mtu: 1300, resources: { cpu: \"4\", memory: 8Gi } }\n",
    ));
    write(&place).done();
    let imported = place.run(&["fleet", "import", "peerings"]);
    describe(&place, imported.done());
    assert_eq!(check(&place).done(), "2 documents as fleet.yaml says\n", "{imported}");
    // the examples are peerings of clusters that do not agree with each other
    Run::new(["fleet", "import", "examples/hub-and-spoke"]).run().prints("kind: Fleet").done();
    let path = place.path().join("peerings/c0/c1/peering.yaml");
    let text = fs::read_to_string(&path).expect("the document");
    put(&path, text.replace("externalCIDR: 192.168.0.0/16", "externalCIDR: 192.169.0.0/16"));
    place.run(&["fleet", "import", "peerings"]).fails(2, "flag").says("externalCIDR of `c0`");
}

/// The commands of docs/howto/describe-a-fleet.md, with its file.
#[test]
fn the_page_is_followed() {
    let page = committed("docs/howto/describe-a-fleet.md");
    let block = |language: &str, at: usize| {
        let fence = format!("```{language}\n");
        page.split(fence.as_str()).nth(at + 1).and_then(|rest| rest.split("```").next()).expect("a block")
    };
    let place = place(block("yaml", 0));
    let outcome = write(&place);
    assert_eq!(outcome.done().matches(": new").count(), 3, "{outcome}");
    assert!(place.read("turin/milan/peering.yaml").contains("mtu: 1300"));
    assert!(place.read("turin/rome/peering.yaml").contains("location: provider"));
    for command in [block("sh", 0), block("sh", 1), block("sh", 2)]
        .concat()
        .lines()
        .filter(|line| line.starts_with("argocd-peering"))
    {
        let words: Vec<&str> = command
            .split_whitespace()
            .skip(1)
            .take_while(|word| *word != ">" && !word.starts_with("--"))
            .collect();
        let outcome = place.run(&words);
        assert_eq!(outcome.code, Some(0), "{command}: {outcome}");
        if words[1] == "import" {
            describe(&place, &outcome.stdout);
        }
    }
}

#[test]
fn the_examples_fleet_agrees_with_its_folders() {
    let outcome = Run::new(["fleet", "check", "examples/hub-and-spoke/fleet.yaml"]).run();
    assert_eq!(outcome.done(), "3 documents as fleet.yaml says\n");
}

pub(crate) fn made() -> Vec<Made> {
    let text = Run::new(["fleet", "schema"]).run().done().to_owned();
    vec![Made { path: SCHEMA.to_owned(), text }]
}

/// An editor refuses nothing that the program takes.
#[test]
fn the_schema_is_the_committed_one_and_takes_what_is_right() {
    generated::FLEET.is_current();
    let schema = Schema::at(SCHEMA);
    let right = fleet(&three(), MESH);
    for (text, is_right) in [
        (right.clone(), true),
        (right.replace("mesh:", "mash:"), false),
        (right.replace("[c0, c1, c2]", "[c0]"), false),
    ] {
        let value: serde_json::Value = serde_saphyr::from_str(&text).expect("YAML");
        assert_eq!(schema.is_valid(&value), is_right, "{text}");
    }
}
