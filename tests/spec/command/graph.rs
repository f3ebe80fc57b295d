//! `graph`: nothing of a document is more than text, and the drawing is the same every time.

use crate::harness::{Outcome, Run, Text, committed, put, read, replaced, root};
use tempfile::TempDir;

fn graph(folder: &std::path::Path) -> Outcome {
    Run::new(["graph"]).arg(folder).run()
}

/// A fleet of copies of the first spoke, each changed.
fn fleet(count: usize, edit: impl Fn(usize, String) -> String) -> TempDir {
    let temp = crate::harness::machine::folder();
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

/// The files come from anyone who may push. Each of these values is one that the document may have.
#[test]
fn nothing_of_a_document_is_more_than_text() {
    let all = graph(&root().join("examples/everything"));
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
    graph(fleet.path()).fails(1, "cluster-id");
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
    let first = graph(ring.path());
    for _ in 0..3 {
        assert_eq!(graph(ring.path()).done(), first.done());
    }
}
