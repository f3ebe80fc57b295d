//! The events of tests/scene: each script has a line on the page beside it, and each that is named there exists.

use super::tree::Tree;
use std::collections::BTreeSet;

const PAGE: &str = "tests/scene/README.md";

/// The scripts of tests/scene/events, and their names on the page.
pub(crate) fn scripts(tree: &Tree) -> Vec<String> {
    let page = tree.text(PAGE).unwrap_or_default();
    let named: BTreeSet<&str> = page.split('`').skip(1).step_by(2).filter(|name| is_event(name)).collect();
    let script =
        |path: &str| path.strip_prefix("tests/scene/events/")?.strip_suffix(".sh").map(str::to_owned);
    let there: BTreeSet<String> = tree.paths().filter_map(script).collect();
    let unnamed = there.iter().filter(|name| !named.contains(name.as_str()));
    let missing = named.iter().filter(|name| !there.contains(**name));
    unnamed
        .map(|name| format!("{PAGE} does not have {name}"))
        .chain(missing.map(|name| format!("{PAGE} has {name}, which is not in tests/scene/events")))
        .collect()
}

/// Two digits, a hyphen, and words.
fn is_event(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.len() > 3 && bytes[..2].iter().all(u8::is_ascii_digit) && bytes[2] == b'-'
}
