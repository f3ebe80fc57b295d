//! The tables of docs/teardown.md and docs/project/removal.md.

use crate::harness::root;
use std::fs;

/// What the first commit does to an object, by one of the page's words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// `–`
    Never,
    /// `kept`
    Kept,
    /// `kept, without its label …`
    KeptWithout(String),
    /// `gone`
    Gone,
}

/// One object of the table.
pub(crate) struct Row {
    pub(crate) title: String,
    pub(crate) kind: String,
    /// Namespace and name, with TENANT, PEER and `…`.
    pub(crate) place: String,
    /// Of a consumer, of a provider, of either side of both directions.
    pub(crate) cells: [Cell; 3],
}

fn page() -> String {
    fs::read_to_string(root().join("docs/teardown.md")).expect("docs/teardown.md")
}

fn sources() -> String {
    fs::read_to_string(root().join("docs/project/removal.md")).expect("docs/project/removal.md")
}

/// The cells of the rows below a header.
fn table(page: &str, header: &str) -> Vec<Vec<String>> {
    assert_eq!(
        page.matches(header).count(),
        1,
        "there is one table `{header}`"
    );
    let (_, rest) = page.split_once(header).expect("it was just found");
    let rows = rest
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let cells = |row: &str| {
        row.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    rows.map(cells).collect()
}

/// What is kept and what is gone.
pub(crate) fn rows() -> Vec<Row> {
    let table = table(
        &sources(),
        "| object | kind | namespace/name | consumer | provider | both directions |",
    );
    table.into_iter().map(Row::new).collect()
}

impl Row {
    fn new(cells: Vec<String>) -> Self {
        let [title, kind, place, one, other, both] =
            <[String; 6]>::try_from(cells).unwrap_or_else(|cells| panic!("six cells: {cells:?}"));
        Self {
            title,
            kind,
            place,
            cells: [one, other, both].map(|cell| Cell::new(&cell)),
        }
    }
}

impl Cell {
    fn new(text: &str) -> Self {
        match text {
            "–" => Self::Never,
            "kept" => Self::Kept,
            "gone" => Self::Gone,
            _ => {
                let label = text
                    .strip_prefix("kept, without its label `")
                    .and_then(|it| it.strip_suffix('`'));
                Self::KeptWithout(
                    label
                        .unwrap_or_else(|| panic!("`{text}` is no word of the table"))
                        .to_owned(),
                )
            }
        }
    }
}

/// Which kinds the first commit prunes, step by step.
pub(crate) fn drops() -> Vec<Vec<String>> {
    let kinds = [
        "NamespaceOffloading",
        "VirtualNode",
        "ResourceSlice",
        "Identity",
        "Secret",
    ];
    let table = table(&page(), "| | pruned | Liqo meanwhile |");
    let pruned = |row: &Vec<String>| {
        let words: Vec<_> = row[1]
            .split(|it: char| !it.is_ascii_alphanumeric())
            .collect();
        kinds
            .iter()
            .filter(|kind| words.contains(kind))
            .map(|kind| (*kind).to_owned())
            .collect()
    };
    table.iter().map(pruned).collect()
}

/// The kinds that Argo CD asks about.
pub(crate) fn protected() -> Vec<String> {
    let page = page();
    let (before, _) = page
        .split_once(" are protected, by `Prune=confirm,Delete=confirm`")
        .expect("the sentence");
    let (_, kinds) = before.rsplit_once("Only ").expect("its beginning");
    kinds
        .replace(" and ", ", ")
        .split(", ")
        .map(str::to_owned)
        .collect()
}
