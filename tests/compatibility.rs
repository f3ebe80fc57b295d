//! docs/compatibility.md names the versions that tests/conformance is pinned to, so that neither changes alone. That the
//! table is also what ran, tests/conformance/run checks itself.

use std::collections::BTreeSet;
use std::{fs, path::Path};

const CONFORMANCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance");

/// The columns of the table's rows, without its two lines of heading.
fn rows() -> Vec<Vec<String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/compatibility.md");
    let document = fs::read_to_string(path).unwrap();
    let rows = document.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

fn column(index: usize) -> BTreeSet<String> {
    let versions = rows().into_iter().flat_map(|row| {
        let cell = row.get(index).unwrap().clone();
        cell.split(", ").map(str::to_owned).collect::<Vec<_>>()
    });
    versions.filter(|version| !version.is_empty()).collect()
}

/// The version that a file of Go's requirements pins.
fn pinned(file: &Path, module: &str) -> String {
    let text = fs::read_to_string(file).unwrap();
    let mut words = text.lines().map(|line| line.split_whitespace());
    let line = words.find(|words| words.clone().next() == Some(module));
    let version = line.unwrap().nth(1).unwrap();
    version.trim_start_matches('v').to_owned()
}

fn requirements(folder: &str, starts: &str) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    files
        .filter(|file| {
            let name = file.file_name().unwrap().to_str().unwrap();
            name.starts_with(starts) && name.ends_with(".mod")
        })
        .collect()
}

#[test]
fn argo_cd() {
    let mut files = requirements(CONFORMANCE, "argocd-");
    assert!(!files.is_empty(), "no older Argo CD");
    files.push(Path::new(CONFORMANCE).join("go.mod"));
    let pinned = files.iter().map(|file| pinned(file, "github.com/argoproj/argo-cd/v3"));
    assert_eq!(column(1), pinned.collect());
}

#[test]
fn kubernetes() {
    let file = Path::new(CONFORMANCE).join("go.mod");
    assert_eq!(column(2), BTreeSet::from([pinned(&file, "k8s.io/kubernetes")]));
}

#[test]
fn liqo() {
    let files = requirements(&format!("{CONFORMANCE}/liqo"), "v");
    let mut tags = BTreeSet::new();
    for file in files {
        let tag = file.file_stem().unwrap().to_str().unwrap().trim_start_matches('v').to_owned();
        assert_eq!(pinned(&file, "github.com/liqotech/liqo"), tag, "{}", file.display());
        tags.insert(tag);
    }
    assert_eq!(column(3), tags);
}
