//! `fleet`: folders follow one description of their clusters, and nothing else of them changes.

mod bounds;

use crate::generated::{self, Made};
use crate::harness::{
    Outcome, RECIPIENT, Repository, Run, Schema, committed, files_below, put, read,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

const FILE: &str = "peerings/fleet.yaml";

const SCHEMA: &str = "docs/fleet.schema.json";

fn place(fleet: &str) -> Repository {
    let place = Repository::with_remote();
    fs::create_dir_all(place.root().join("peerings")).expect("a folder");
    describe(&place, fleet);
    place
}

fn describe(place: &Repository, fleet: &str) {
    put(place.root().join(FILE), fleet);
}

fn write(place: &Repository) -> Outcome {
    place.confirming(&["fleet", "write", FILE, "--recipient", RECIPIENT])
}

fn check(place: &Repository) -> Outcome {
    place.command(&["fleet", "check", FILE]).run()
}

/// All files below the folder, by their paths.
fn files(place: &Repository) -> BTreeMap<String, Vec<u8>> {
    let root = place.root();
    let mut files = files_below(&root.join("peerings"), "");
    files.retain(|file| !file.ends_with("fleet.yaml"));
    let name = |file: &PathBuf| {
        file.strip_prefix(&root)
            .expect("below")
            .display()
            .to_string()
    };
    files
        .iter()
        .map(|file| (name(file), fs::read(file).expect("a file")))
        .collect()
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

/// Adding and removing clusters moves nobody's port and writes nobody's document.
#[test]
fn random_fleets_keep_what_they_have() {
    let mut random = Random(7);
    for round in 0..12 {
        let count = 3 + random.below(5);
        let clusters: String = (0..count)
            .map(|number| cluster(number, number == 0 || random.below(3) > 0))
            .collect();
        let peerings = random.peerings(count, &clusters);
        let place = place(&fleet(&clusters, &peerings));
        write(&place).done();
        let first = files(&place);
        assert_eq!(check(&place).code, Some(0), "round {round}: {peerings}");
        assert_unique(&first);
        assert_eq!(
            place.command(&["validate", "peerings"]).run().code,
            Some(0),
            "round {round}"
        );
        // one more cluster, in front of the others
        let more = format!("{}{clusters}", cluster(200, true));
        let more_peerings = format!("    - {{ consumers: [c200], providers: [c0] }}\n{peerings}");
        describe(&place, &fleet(&more, &more_peerings));
        write(&place).done();
        let second = files(&place);
        assert!(
            first
                .iter()
                .all(|(name, bytes)| second.get(name) == Some(bytes)),
            "round {round}"
        );
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
    for (file, bytes) in files
        .iter()
        .filter(|(file, _)| file.ends_with("peering.yaml"))
    {
        let text = String::from_utf8_lossy(bytes);
        let value = |key: &str| {
            text.lines()
                .find_map(|line| line.trim().strip_prefix(key).map(str::to_owned))
        };
        let mut folders = file.split('/').skip(1);
        let (consumer, provider) = (folders.next(), folders.next());
        let server = if value("location: ").as_deref() == Some("consumer") {
            consumer
        } else {
            provider
        };
        assert!(
            ports.insert((server.map(str::to_owned), value("nodePort: "))),
            "{file}: {ports:?}"
        );
        assert!(names.insert(value("name: ")), "{file}");
    }
}

/// A linear congruential generator: the same fleets on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
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
        check(&place(&fleet(&three(), &peerings)))
            .fails(2, "flag")
            .says("more than 20000 documents");
    }
}

/// The commands of docs/howto/describe-a-fleet.md, with its file.
#[test]
fn the_page_is_followed() {
    let page = committed("docs/howto/describe-a-fleet.md");
    let block = |language: &str, at: usize| {
        let fence = format!("```{language}\n");
        page.split(fence.as_str())
            .nth(at + 1)
            .and_then(|rest| rest.split("```").next())
            .expect("a block")
    };
    let place = place(block("yaml", 0));
    let outcome = write(&place);
    assert_eq!(outcome.done().matches(": new").count(), 3, "{outcome}");
    assert!(read(&place.root().join("peerings/turin/milan/peering.yaml")).contains("mtu: 1300"));
    assert!(
        read(&place.root().join("peerings/turin/rome/peering.yaml")).contains("location: provider")
    );
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
        let outcome = place.command(&words).run();
        assert_eq!(outcome.code, Some(0), "{command}: {outcome}");
        if words[1] == "import" {
            describe(&place, &outcome.stdout);
        }
    }
}

pub(crate) fn made() -> Vec<Made> {
    let text = Run::new(["fleet", "schema"]).run().done().to_owned();
    vec![Made {
        path: SCHEMA.to_owned(),
        text,
    }]
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
