//! The JSON Schemas of the output for programs.

use crate::command::keys;
use crate::report;

/// The name of the file in `docs`, and its text.
pub fn schemas() -> Vec<(&'static str, String)> {
    vec![
        (
            "report.schema.json",
            report::schema::<report::Report>("validate and doctor"),
        ),
        (
            "keys.schema.json",
            report::schema::<keys::PublicPart>("keys"),
        ),
        (
            "list.schema.json",
            report::schema::<super::list::Table>("list"),
        ),
        (
            "diff.schema.json",
            report::schema::<crate::judge::change::Changes>("diff"),
        ),
        (
            "inspect.schema.json",
            report::schema::<super::inspect::Inspected>("inspect"),
        ),
    ]
}
