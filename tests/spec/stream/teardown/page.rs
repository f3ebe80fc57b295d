//! What each object of a stream becomes with `state: Drained`: `drained.txt`.

use crate::harness::lines;

/// What the first commit does to an object, by one of the words of drained.txt.
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

/// What is kept and what is gone.
pub(crate) fn rows() -> Vec<Row> {
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect();
    lines(include_str!("drained.txt"))
        .map(|row| Row::new(cells(row)))
        .collect()
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

/// The kinds that Argo CD asks about.
pub(crate) const PROTECTED: [&str; 3] = ["Namespace", "RoleBinding", "Tenant"];
