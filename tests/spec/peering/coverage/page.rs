//! `docs/project/coverage.md`, from the table.

use std::fmt::Write as _;

use serde_json::Value;

use super::places::Places;
use super::table::{How, Kind, Kinds, Reason, Row};

const INTRODUCTION: &str = "\
<!-- Made from tests/coverage by `UPDATE=1 cargo test --locked` -->

# Every field of Liqo's CRDs

This page has every field of Liqo's objects, and where in `peering.yaml` its value comes from, or why it is not there.
[Every field of peering.yaml](../document.md) is the other direction. A field is

- **expressed**: `peering.yaml` has it, perhaps with a default;
- **derived**: it follows from other fields of `peering.yaml`;
- **fixed**: it has one value;
- **omitted**: it is not in the stream, because it is *status*, *written by Liqo*, or *part of the KeysExchange handshake*
  of the two clusters. One value of one field is omitted as well, `ExternalName`.

`[]` is each item of a list, `*` each key of a map; `…` is the end of a long path, the same as that of Liqo's field. A field that consists of
fields has no line, only they have. The column *since* has the first of the releases v1.0.0, v1.0.3, v1.1.2 and v1.2.0 with the field; no field
was removed.

`<own>` is the cluster that the object is for, `<other>` the other one: one of them is `consumer`, one `provider`. For the other direction,
`spec.reverse.authentication` and `spec.reverse.offloading` have what `spec.authentication` and `spec.offloading` have here.

The text below each section's title has `apiVersion`. Of an object's metadata the tables have what `peering.yaml` can set; Liqo's and Argo CD's
labels and annotations are added, and the API server writes the rest.

This page is made from `tests/coverage/*.yaml`. `tests/spec/peering/coverage.rs` compares it with the streams in `tests/golden`, with
`docs/peering.schema.json`, and in `.ci/run` with the CRDs themselves.
";

/// The whole page.
pub(crate) fn text(kinds: &Kinds, tables: &[Kind], places: &Places) -> String {
    let mut page = INTRODUCTION.to_owned();
    page += "\n| kind | expressed | derived | fixed | omitted |\n| --- | --- | --- | --- | --- |\n";
    for kind in tables {
        let count = |how: &str| {
            kind.rows
                .iter()
                .filter(|row| name_of(&row.how) == how)
                .count()
        };
        let [one, two, three, four] = ["expressed", "derived", "fixed", "omitted"].map(count);
        let (name, link) = (&kind.name, kind.name.to_lowercase());
        page += &format!("| [`{name}`](#{link}) | {one} | {two} | {three} | {four} |\n");
    }
    for kind in tables {
        page += &section(kind, places);
    }
    page += "\n## Kinds that are in no stream\n\n| kind | why |\n| --- | --- |\n";
    for (name, why) in &kinds.not_concerned {
        page += &format!("| `{name}` | {} |\n", cell(why));
    }
    page
}

fn section(kind: &Kind, places: &Places) -> String {
    let Kind {
        name,
        api_version,
        about,
        rows,
    } = kind;
    let mut section = format!("\n## {name}\n\n`{api_version}`. {about}\n");
    section += "\n| field | since | how | where in peering.yaml, or why not |\n| --- | --- | --- | --- |\n";
    for row in rows {
        let field = match row.field.strip_suffix(".**") {
            Some(root) => format!("`{root}` and all below it"),
            None => format!("`{}`", row.field),
        };
        let since = row.since.trim_start_matches('v');
        let how = name_of(&row.how);
        let _ = writeln!(
            section,
            "| {field} | {since} | {how} | {} |",
            cell(&why(row, places))
        );
    }
    section
}

const fn name_of(how: &How) -> &'static str {
    match how {
        How::Expressed(..) => "expressed",
        How::Derived(_) => "derived",
        How::Fixed(_) => "fixed",
        How::Omitted(_) => "omitted",
    }
}

/// What stands behind a field.
fn why(row: &Row, places: &Places) -> String {
    let mut parts = match &row.how {
        How::Expressed(said, _) | How::Derived(said) => vec![listed(said, &row.field)],
        How::Fixed(value) => vec![code(value)],
        How::Omitted(reason) => vec![reason.text().to_owned()],
    };
    if let How::Expressed(said, without) = &row.how {
        let default = said.first().and_then(|place| places.default(place));
        parts.extend(default.map(|value| format!("default: {}", code(value))));
        parts.extend(
            without
                .iter()
                .map(|(word, why)| format!("without `{word}`: {why}")),
        );
    }
    parts.extend(row.note.clone());
    parts.join("; ")
}

/// Places; of one that ends in a long field's own words, what stands before them.
fn listed(places: &[String], field: &str) -> String {
    const LONG: usize = 60;
    let same = field
        .strip_prefix("spec.")
        .filter(|field| field.len() > LONG);
    let shown = |place: &String| match same.and_then(|same| place.strip_suffix(same)) {
        Some(before) => format!("`{before}…`"),
        None => format!("`{place}`"),
    };
    places.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn code(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| format!("`{value}`"), |text| format!("`{text}`"))
}

impl Reason {
    const fn text(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Liqo => "written by Liqo",
            Self::Unread => "Liqo never acts on it",
            Self::KeysExchange => "part of the KeysExchange handshake",
        }
    }
}

/// A text in a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
