//! `graph`: every cluster and every peering is in the drawing, in both languages, and nothing of a document is more than text.

use std::collections::BTreeSet;

use tempfile::TempDir;

use crate::generated::{self, Made};
use crate::harness::{Outcome, Run, Text, committed, put, read, replaced, root};

fn graph(folder: &std::path::Path, format: &str) -> Outcome {
    Run::new([
        "graph".into(),
        folder.as_os_str().to_owned(),
        "--format".into(),
        format.into(),
    ])
    .run()
}

/// A fleet of copies of the first spoke, each changed.
fn fleet(count: usize, edit: impl Fn(usize, String) -> String) -> TempDir {
    let temp = tempfile::tempdir().expect("a folder");
    let spoke = committed("examples/hub-and-spoke/spoke-1/peering.yaml");
    for number in 0..count {
        let folder = temp.path().join(format!("{number:04}"));
        let text = replaced(
            &spoke,
            "name: hub-spoke-1\n",
            &format!("name: spoke-{number}\n"),
        );
        let text = replaced(
            &text,
            "clusterID: spoke-1\n",
            &format!("clusterID: spoke-{number}\n"),
        );
        put(folder.join("peering.yaml"), edit(number, text));
    }
    temp
}

pub(crate) fn made() -> Vec<Made> {
    let drawing = graph(&root().join("examples/hub-and-spoke"), "svg");
    vec![Made {
        path: "docs/pictures/hub-and-spoke.svg".to_owned(),
        text: drawing.done().to_owned(),
    }]
}

#[test]
fn the_committed_drawing_is_current() {
    generated::DRAWING.is_current();
}

/// A mesh: each cluster has a peering with each other one.
fn mesh(clusters: usize) -> TempDir {
    between(
        &(0..clusters)
            .flat_map(|one| (0..one).map(move |other| [other, one]))
            .collect::<Vec<_>>(),
    )
}

/// A number of an element.
fn number(line: &str, name: &str) -> f64 {
    let value = line
        .split(&format!(" {name}=\""))
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    value
        .and_then(|value| value.parse().ok())
        .unwrap_or_else(|| panic!("no {name}: {line}"))
}

/// No box and no label is over another one, nearly each arrow has its port, and the page has everything.
#[test]
fn what_is_drawn_can_be_read() {
    let hub = between(&(1..12).map(|spoke| [spoke, 0]).collect::<Vec<_>>());
    let both_ways = between(&[[0, 1], [1, 0]]);
    let chain = between(
        &(0..11)
            .map(|number| [number, number + 1])
            .collect::<Vec<_>>(),
    );
    let one = between(&[[0, 1]]);
    for (fleet, clusters, links) in [
        (one, 2, 1),
        (both_ways, 2, 2),
        (mesh(3), 3, 3),
        (mesh(5), 5, 10),
        (mesh(12), 12, 66),
        (hub, 12, 11),
        (chain, 12, 11),
    ] {
        let drawing = graph(fleet.path(), "svg");
        let svg = drawing.done();
        let page = svg.lines().next().expect("a first line");
        let (width, height) = (number(page, "width"), number(page, "height"));
        assert!(
            width <= 900.0 && height <= 900.0,
            "{clusters}: {width}x{height}"
        );
        let all: Vec<[f64; 4]> = svg
            .lines()
            .filter(|line| line.starts_with("<rect"))
            .map(|line| ["x", "y", "width", "height"].map(|name| number(line, name)))
            .collect();
        let ([[left, top, wide, high]], boxes) = all.split_at(1) else {
            panic!("no page: {svg}")
        };
        let labels = boxes.len() - clusters;
        assert!(
            labels * 10 >= links * 9,
            "{clusters}: {labels} of {links} labels"
        );
        for (index, [x, y, width, height]) in boxes.iter().enumerate() {
            let inside =
                x >= left && y >= top && x + width <= left + wide && y + height <= top + high;
            assert!(inside, "{clusters}: {x},{y}");
            for [left, top, wide, high] in &boxes[..index] {
                let apart = x + width <= *left
                    || left + wide <= *x
                    || y + height <= *top
                    || top + high <= *y;
                assert!(apart, "{clusters}: {x},{y} and {left},{top}");
            }
        }
        let ends: BTreeSet<&str> = svg
            .lines()
            .filter_map(|line| line.split(" d=\"").nth(1)?.split('"').next())
            .collect();
        // and the legend's lines, and the marker
        assert_eq!(ends.len(), links + 3 + 1, "{ends:?}");
        svg.has("prefers-color-scheme: dark");
    }
}

/// Of three in a row, the one that the others share is between them.
#[test]
fn a_hub_is_in_the_middle() {
    let drawing = graph(between(&[[1, 0], [2, 0]]).path(), "svg");
    let boxes: Vec<&str> = drawing
        .done()
        .lines()
        .filter(|it| it.starts_with("<rect rx"))
        .collect();
    let beside = |it: &&&str| (number(it, "y") - number(boxes[0], "y")).abs() < 1.0;
    assert_eq!(boxes.iter().filter(beside).count(), 3, "{boxes:?}");
}

/// The files come from anyone who may push. Each of these values is one that the document may have.
#[test]
fn nothing_of_a_document_is_more_than_text() {
    let all = graph(&root().join("examples/everything"), "svg");
    let everything = read(&root().join("examples/everything/peering.yaml"));
    for secret in ["age1", "AGE-SECRET", ".age", "LS0tLS1CRUdJTi"] {
        all.done().lacks(secret);
    }
    everything.has("LS0tLS1CRUdJTi");
    // a broken document is not drawn, whatever it has in it
    let fleet = fleet(2, |number, text| {
        let name = "\"]; click c0 javascript:alert(1) <script>alert(1)</script>\"";
        if number == 0 {
            text
        } else {
            replaced(&text, "clusterID: hub\n", &format!("clusterID: {name}\n"))
        }
    });
    for format in ["mermaid", "svg"] {
        graph(fleet.path(), format).fails(1, "cluster-id");
    }
    for element in [
        "<script",
        "<a ",
        "href",
        "onload",
        "<foreignObject",
        "<image",
    ] {
        all.omits(element);
    }
}

/// In every order of the same files, and with peerings in a circle.
#[test]
fn the_drawing_is_the_same_every_time() {
    let ring = fleet(5, |number, text| {
        replaced(
            &text,
            "clusterID: hub\n",
            &format!("clusterID: spoke-{}\n", (number + 1) % 5),
        )
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
        let text = replaced(
            &text,
            &format!("clusterID: spoke-{number}\n"),
            &format!("clusterID: c{consumer}\n"),
        );
        replaced(
            &text,
            "clusterID: hub\n",
            &format!("clusterID: c{provider}\n"),
        )
    })
}

/// Large fleets are a table or text.
#[test]
fn too_many_for_a_picture_are_refused() {
    let wide = mesh(13);
    let says = graph(wide.path(), "svg");
    says.fails(2, "flag")
        .says("svg draws at most 12 clusters, and these are 13: draw those of one cluster with `--cluster`");
    says.fails(2, "flag").says("use mermaid, or `list`");
    assert_eq!(
        graph(wide.path(), "mermaid").done().lines().count(),
        1 + 13 + 78
    );
    let many = between(&[[0, 1]; 133]);
    graph(many.path(), "svg")
        .fails(2, "flag")
        .says("at most 132 peerings, and these are 133");
}
