//! Documents that exist, and what fleet.yaml says of them.

use super::{FILE, MESH, check, files, fleet, place, three, write};
use crate::command::init::Place;
use std::fs;

fn rewrite(place: &Place, folder: &str, edits: &[(&str, &str)]) {
    let path = place.path().join("peerings").join(folder).join("peering.yaml");
    let mut text = fs::read_to_string(&path).expect("the document");
    for (from, to) in edits {
        assert!(text.contains(from), "{from}: {text}");
        text = text.replace(from, to);
    }
    fs::write(&path, text).expect("written");
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
