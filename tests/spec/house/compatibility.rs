//! docs/compatibility.md names the versions that tests/conformance and tests/scene are pinned to, so that neither changes alone.
//! That the first table is also what ran, tests/conformance/run checks itself; a line of the second one is written by a scene that
//! was played to its end.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::{fs, iter};

const CONFORMANCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance");
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/compatibility.md");

const SCENE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scene");

/// The cells of each row of a table that a program writes, without the table's head.
fn table(writer: &str) -> io::Result<Vec<Vec<String>>> {
    let document = fs::read_to_string(DOCUMENT)?;
    let begin = format!("<!-- made by {writer}: ");
    let lines = document
        .lines()
        .skip_while(|line| !line.starts_with(&begin))
        .skip(1);
    let rows = lines.take_while(|line| !line.starts_with("<!--")).skip(2);
    Ok(rows
        .map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect())
}

/// The versions in a column of conformance's table.
fn column(index: usize) -> io::Result<BTreeSet<String>> {
    let rows = table("tests/conformance/run")?;
    let cells = rows.iter().filter_map(|row| row.get(index + 1));
    let versions = cells.flat_map(|cell| cell.split(", "));
    Ok(versions
        .filter(|version| !version.is_empty())
        .map(str::to_owned)
        .collect())
}

/// Each set of versions was played to the end, the first one with the steps that there are now, and has its requirements; no other
/// requirements are left.
#[test]
fn scene() -> io::Result<()> {
    let source = fs::read_to_string(Path::new(SCENE).join("steps/steps.go"))?;
    let all = source
        .split("var All = []Step{\n")
        .nth(1)
        .and_then(|rest| rest.split("\n}").next());
    let steps = all.map_or(0, |all| all.lines().count());
    assert!(steps > 20, "only {steps} steps were found");
    let played = table("tests/scene/run")?;
    let versions = fs::read_to_string(Path::new(SCENE).join("versions"))?;
    let sets: Vec<Vec<&str>> = versions
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let cells: Vec<Vec<&str>> = played
        .iter()
        .map(|row| row.iter().skip(1).take(3).map(String::as_str).collect())
        .collect();
    assert_eq!(
        cells, sets,
        "`tests/scene/run --argocd VERSION` plays a set"
    );
    let newest = played.first().and_then(|row| row.get(4));
    assert_eq!(newest, Some(&format!("all {steps}")), "tests/scene/run");
    let (mut argocd, mut kubernetes) = (BTreeSet::new(), BTreeSet::new());
    for set in sets {
        let [argo_cd_version, kubernetes_version, _] = set[..] else {
            panic!("{set:?} is not a set")
        };
        argocd.insert(PathBuf::from(format!(
            "{SCENE}/argocd/{argo_cd_version}.mod"
        )));
        kubernetes.insert(PathBuf::from(format!(
            "{SCENE}/kubernetes/{kubernetes_version}.mod"
        )));
    }
    for (part, expected) in [("argocd", argocd), ("kubernetes", kubernetes)] {
        let mut files = requirements(&Path::new(SCENE).join(part), "")?;
        files.retain(|file| !file.ends_with("go.mod"));
        assert_eq!(BTreeSet::from_iter(files), expected, "tests/scene/pin");
    }
    Ok(())
}

/// The version of a module in a file of Go's requirements.
fn pinned(file: &Path, module: &str) -> io::Result<String> {
    let text = fs::read_to_string(file)?;
    let version = text.lines().find_map(|line| {
        let mut words = line
            .split_whitespace()
            .skip_while(|word| *word == "require");
        (words.next() == Some(module))
            .then(|| words.next())
            .flatten()
    });
    let version =
        version.ok_or_else(|| io::Error::other(format!("{} has no {module}", file.display())))?;
    Ok(version.trim_start_matches('v').to_owned())
}

/// The files `<start>*.mod` of a folder.
fn requirements(folder: &Path, start: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        let named = file
            .file_stem()
            .is_some_and(|name| name.to_string_lossy().starts_with(start));
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
    let versions: io::Result<_> = files
        .map(|file| pinned(&file, "github.com/argoproj/argo-cd/v3"))
        .collect();
    assert_eq!(column(1)?, versions?);
    Ok(())
}

#[test]
fn kubernetes() -> io::Result<()> {
    let mut versions = BTreeSet::from([pinned(
        &Path::new(CONFORMANCE).join("go.mod"),
        "k8s.io/kubernetes",
    )?]);
    for file in requirements(&Path::new(CONFORMANCE).join("kubernetes"), "1.")? {
        let version = pinned(&file, "k8s.io/kubernetes")?;
        assert!(
            file.ends_with(format!("{version}.mod")),
            "{} has {version}",
            file.display()
        );
        versions.insert(version);
    }
    assert_eq!(column(2)?, versions);
    Ok(())
}

#[test]
fn liqo() -> io::Result<()> {
    let mut tags = BTreeSet::new();
    for file in requirements(&Path::new(CONFORMANCE).join("liqo"), "v")? {
        let version = pinned(&file, "github.com/liqotech/liqo")?;
        assert!(
            file.ends_with(format!("v{version}.mod")),
            "{} has {version}",
            file.display()
        );
        tags.insert(version);
    }
    assert_eq!(column(3)?, tags);
    let pairs = table("tests/scene/run --pair")?;
    let released: BTreeSet<&String> = pairs
        .iter()
        .flat_map(|row| row.iter().skip(1).take(2))
        .collect();
    assert!(
        released.iter().all(|release| tags.contains(*release)),
        "{released:?}"
    );
    assert_eq!(
        pairs.len(),
        released.len().pow(2),
        "`tests/scene/run --pair CONSUMER PROVIDER` plays a pair"
    );
    Ok(())
}
