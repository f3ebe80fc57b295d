//! `graph`: every cluster and every peering is in the drawing, in both languages, and nothing of a document is more than text.

use std::collections::BTreeSet;
use std::fs;

use tempfile::TempDir;

use crate::harness::run::{Outcome, Run};
use crate::harness::{committed, read, replaced, root};

fn graph(folder: &std::path::Path, format: &str) -> Outcome {
    Run::new(["graph".into(), folder.as_os_str().to_owned(), "--format".into(), format.into()]).run()
}

/// A fleet of copies of the first spoke, each changed.
fn fleet(count: usize, edit: impl Fn(usize, String) -> String) -> TempDir {
    let temp = tempfile::tempdir().expect("a folder");
    let spoke = committed("examples/hub-and-spoke/spoke-1/peering.yaml");
    for number in 0..count {
        let folder = temp.path().join(format!("{number:04}"));
        fs::create_dir(&folder).expect("a folder");
        let text = replaced(&spoke, "name: hub-spoke-1\n", &format!("name: spoke-{number}\n"));
        let text = replaced(&text, "clusterID: spoke-1\n", &format!("clusterID: spoke-{number}\n"));
        fs::write(folder.join("peering.yaml"), edit(number, text)).expect("written");
    }
    temp
}

#[test]
fn mermaid_has_clusters_and_what_they_share() {
    let drawing = graph(&root().join("examples/hub-and-spoke"), "mermaid");
    assert_eq!(
        drawing.done(),
        "flowchart LR
  c0[\"hub<br/>10.52.0.0/16\"]
  c1[\"spoke-1<br/>10.42.0.0/16\"]
  c2[\"spoke-2<br/>10.42.0.0/16\"]
  c3[\"spoke-3<br/>10.42.0.0/16\"]
  c1 -->|\"tunnel to provider 172.16.183.16:30001<br/>cpu 4, memory 16Gi<br/>namespaces: demo\"| c0
  c2 -->|\"tunnel to provider 172.16.183.16:30002<br/>cpu 8, memory 32Gi<br/>namespaces: demo\"| c0
  c3 -->|\"tunnel to provider 172.16.183.16:30003<br/>cpu 12, memory 48Gi<br/>namespaces: demo\"| c0
"
    );
    let both = graph(&root().join("examples/bidirectional"), "mermaid");
    assert!(both.done().contains(" <-->|"), "{}", both.stdout);
    let none = graph(&root().join("examples/offloading-only"), "mermaid");
    assert!(none.done().contains("\"no tunnel<br/>"), "{}", none.stdout);
    let drained = fleet(1, |_, text| replaced(&text, "spec:\n", "spec:\n  state: Drained\n"));
    assert!(graph(drained.path(), "mermaid").done().contains(" -.->|"));
}

#[test]
fn one_cluster_of_a_fleet_is_drawn_alone() {
    let folder = root().join("examples/hub-and-spoke");
    let drawing = |ids: &[&str]| {
        let ids = ids.iter().flat_map(|id| ["--cluster", id]);
        Run::new(["graph".into(), folder.as_os_str().to_owned()]).args(ids).run()
    };
    let one = drawing(&["spoke-2"]);
    assert!(one.done().contains("\"spoke-2<br/>") && one.stdout.contains("\"hub<br/>"), "{one}");
    assert!(!one.stdout.contains("spoke-1") && one.stdout.matches("-->").count() == 1, "{one}");
    assert_eq!(drawing(&["spoke-2", "spoke-3"]).done().matches("-->").count(), 2);
    assert_eq!(drawing(&["hub"]).done(), graph(&folder, "mermaid").done());
    drawing(&["spoke-2", "spoke-9"]).fails(2, "flag").says("no peering here has a cluster `spoke-9`");
}

/// Thirty spokes: each has its box and its label, none over another, and the arrows end at places of their own.
#[test]
fn thirty_spokes_do_not_overlap() {
    let fleet = fleet(30, |_, text| text);
    let drawing = graph(fleet.path(), "svg");
    let svg = drawing.done();
    let number = |line: &str, name: &str| -> f64 {
        let value = line.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
        value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name}: {line}"))
    };
    let boxes: Vec<[f64; 4]> = svg
        .lines()
        .filter(|line| line.starts_with("<rect") && line.contains(" x="))
        .map(|line| ["x", "y", "width", "height"].map(|name| number(line, name)))
        .collect();
    assert_eq!(boxes.len(), 31 + 30);
    for (index, [x, y, width, height]) in boxes.iter().enumerate() {
        for [left, top, wide, high] in &boxes[..index] {
            let apart = x + width <= *left || left + wide <= *x || y + height <= *top || top + high <= *y;
            assert!(apart, "{x},{y} and {left},{top}");
        }
    }
    let arrows = svg.lines().filter(|line| line.contains("marker-end"));
    let ends: BTreeSet<&str> =
        arrows.filter_map(|arrow| arrow.split(", ").last()?.split('"').next()).collect();
    assert_eq!(ends.len(), 30, "{ends:?}");
    assert!(svg.contains("prefers-color-scheme: dark"));
}

/// The files come from anyone who may push. Each of these values is one that the document may have.
#[test]
fn nothing_of_a_document_is_more_than_text() {
    let all = graph(&root().join("examples"), "svg");
    let everything = read(&root().join("examples/everything/peering.yaml"));
    for secret in ["age1", "AGE-SECRET", ".age", "LS0tLS1CRUdJTi"] {
        assert!(!all.done().contains(secret), "{secret}");
    }
    assert!(everything.contains("LS0tLS1CRUdJTi"));
    // a broken document is not drawn, whatever it has in it
    let fleet = fleet(2, |number, text| {
        let name = "\"]; click c0 javascript:alert(1) <script>alert(1)</script>\"";
        if number == 0 { text } else { replaced(&text, "clusterID: hub\n", &format!("clusterID: {name}\n")) }
    });
    for format in ["mermaid", "svg"] {
        graph(fleet.path(), format).fails(1, "cluster-id");
    }
    for element in ["<script", "<a ", "href", "onload", "<foreignObject", "<image"] {
        assert!(!all.stdout.contains(element), "{element}");
    }
}

/// In every order of the same files, and with peerings in a circle.
#[test]
fn the_drawing_is_the_same_every_time() {
    let ring = fleet(5, |number, text| {
        replaced(&text, "clusterID: hub\n", &format!("clusterID: spoke-{}\n", (number + 1) % 5))
    });
    for format in ["mermaid", "svg"] {
        let first = graph(ring.path(), format);
        for _ in 0..3 {
            assert_eq!(graph(ring.path(), format).done(), first.done());
        }
    }
}

/// Peerings from one cluster to another, by their numbers.
fn between(links: &[[usize; 2]]) -> TempDir {
    fleet(links.len(), |number, text| {
        let [consumer, provider] = links[number];
        let text =
            replaced(&text, &format!("clusterID: spoke-{number}\n"), &format!("clusterID: c{consumer}\n"));
        replaced(&text, "clusterID: hub\n", &format!("clusterID: c{provider}\n"))
    })
}

/// 400 arrows from the begin of a chain of 100 clusters to its end took 75 seconds and 532 MiB.
#[test]
fn too_long_for_a_picture_are_refused() {
    let chain = (0..99).map(|number| [number, number + 1]);
    let fleet = between(&chain.chain([[0, 99]; 400]).collect::<Vec<_>>());
    let svg = graph(fleet.path(), "svg");
    svg.fails(2, "flag")
        .says("at most 5500 steps")
        .says("of these 499 peerings have 39699: name fewer folders, or use mermaid");
    assert_eq!(graph(fleet.path(), "mermaid").done().lines().count(), 1 + 100 + 499);
}

/// Large fleets of every shape that people build, in 64 MiB.
#[test]
fn what_people_build_is_drawn() {
    let mesh: Vec<[usize; 2]> = (0..20).flat_map(|one| (0..one).map(move |other| [other, one])).collect();
    let hub: Vec<[usize; 2]> = (1..=200).map(|spoke| [spoke, 0]).collect();
    let both_ways: Vec<[usize; 2]> = (1..=250).flat_map(|spoke| [[spoke, 0], [0, spoke]]).collect();
    let chain: Vec<[usize; 2]> = (0..500).map(|number| [number, number + 1]).collect();
    let ring: Vec<[usize; 2]> = (0..500).map(|number| [number, (number + 1) % 500]).collect();
    for links in [mesh, hub, both_ways, chain, ring] {
        let fleet = between(&links);
        let run =
            Run::new(["graph".into(), fleet.path().as_os_str().to_owned(), "--format".into(), "svg".into()]);
        let run = run.through(&["/bin/sh", "-c", "ulimit -d 65536; exec \"$0\" \"$@\""]);
        let svg = run.run();
        assert_eq!(svg.done().matches("marker-end").count(), links.len());
    }
}

#[test]
fn too_many_for_a_picture_are_refused() {
    let fleet = fleet(501, |_, text| text);
    graph(fleet.path(), "svg").fails(2, "flag").says("svg draws at most 500 peerings, and these are 501");
    assert_eq!(graph(fleet.path(), "mermaid").done().lines().count(), 1 + 502 + 501);
}
