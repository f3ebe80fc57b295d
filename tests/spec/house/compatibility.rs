//! docs/compatibility.md names the versions that tests/conformance is pinned to, so that neither changes alone. That the
//! table is also what ran, tests/conformance/run checks itself.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::{fs, iter};

const CONFORMANCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance");
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/compatibility.md");

/// The versions in a column of the table.
fn column(index: usize) -> io::Result<BTreeSet<String>> {
    let document = fs::read_to_string(DOCUMENT)?;
    let rows = document.lines().filter(|line| line.starts_with('|'));
    let cells = rows.skip(2).filter_map(|row| row.split('|').nth(index + 1));
    let versions = cells.flat_map(|cell| cell.trim().split(", "));
    Ok(versions.filter(|version| !version.is_empty()).map(str::to_owned).collect())
}

/// The version of a module in a file of Go's requirements.
fn pinned(file: &Path, module: &str) -> io::Result<String> {
    let text = fs::read_to_string(file)?;
    let version = text.lines().find_map(|line| {
        let mut words = line.split_whitespace().skip_while(|word| *word == "require");
        (words.next() == Some(module)).then(|| words.next()).flatten()
    });
    let version = version.ok_or_else(|| io::Error::other(format!("{} has no {module}", file.display())))?;
    Ok(version.trim_start_matches('v').to_owned())
}

/// The files `<start>*.mod` of a folder.
fn requirements(folder: &Path, start: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        let named = file.file_stem().is_some_and(|name| name.to_string_lossy().starts_with(start));
        if named && file.extension().is_some_and(|extension| extension == "mod") {
            files.push(file);
        }
    }
    Ok(files)
}

#[test]
fn argo_cd() -> io::Result<()> {
    let others = requirements(Path::new(CONFORMANCE), "argocd-")?;
    assert!(!others.is_empty(), "there is only one Argo CD");
    let main = Path::new(CONFORMANCE).join("go.mod");
    let files = others.into_iter().chain(iter::once(main));
    let versions: io::Result<_> = files.map(|file| pinned(&file, "github.com/argoproj/argo-cd/v3")).collect();
    assert_eq!(column(1)?, versions?);
    Ok(())
}

#[test]
fn kubernetes() -> io::Result<()> {
    let version = pinned(&Path::new(CONFORMANCE).join("go.mod"), "k8s.io/kubernetes")?;
    assert_eq!(column(2)?, BTreeSet::from([version]));
    Ok(())
}

#[test]
fn liqo() -> io::Result<()> {
    let mut tags = BTreeSet::new();
    for file in requirements(&Path::new(CONFORMANCE).join("liqo"), "v")? {
        let version = pinned(&file, "github.com/liqotech/liqo")?;
        assert!(file.ends_with(format!("v{version}.mod")), "{} has {version}", file.display());
        tags.insert(version);
    }
    assert_eq!(column(3)?, tags);
    Ok(())
}
