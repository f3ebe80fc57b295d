//! tests/scene: each script of an event has a line on the page beside it, and each that is named there exists; and each command that a
//! step reads from a page is there.

use super::tree::Tree;
use std::collections::BTreeSet;

const PAGE: &str = "tests/scene/README.md";

/// The scripts of tests/scene/events, and their names on the page.
pub(crate) fn scripts(tree: &Tree) -> Vec<String> {
    let page = tree.text(PAGE).unwrap_or_default();
    let named: BTreeSet<&str> = page
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| is_event(name))
        .collect();
    let script = |path: &str| {
        path.strip_prefix("tests/scene/events/")?
            .strip_suffix(".sh")
            .map(str::to_owned)
    };
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

/// The commands that the steps read from pages, `s.Block(PAGE, "…")` of a fenced block and `s.Inline(PAGE, "…")` between backticks: a page
/// that changes must not be noticed by the next whole run only.
pub(crate) fn commands(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (file, source) in tree
        .texts()
        .filter(|(path, _)| path.starts_with("tests/scene/steps/"))
    {
        for (start, call) in source
            .match_indices("s.Block(")
            .chain(source.match_indices("s.Inline("))
        {
            let (before, arguments) = source.split_at(start + call.len());
            let (page, text) = match arguments.strip_prefix("page, ") {
                Some(rest) => (
                    literal(before.rsplit("const page").next().unwrap_or_default()).0,
                    rest,
                ),
                None => literal(arguments),
            };
            let (text, _) = literal(text);
            let content = tree.text(&page).unwrap_or_default();
            let is_there = match call {
                "s.Inline(" => content.contains(&format!("`{text}")),
                _ => content
                    .split("```")
                    .skip(1)
                    .step_by(2)
                    .any(|it| it.starts_with("sh\n") && it.contains(&text)),
            };
            if !is_there {
                problems.push(format!(
                    "{file} reads `{text}` from {page}, which does not have it"
                ));
            }
        }
    }
    problems
}

/// The next text between double quotes of a Go file, and what is behind it.
fn literal(source: &str) -> (String, &str) {
    let rest = source.split_once('"').map_or("", |(_, rest)| rest);
    let is_end = |(at, _): &(usize, &str)| !rest[..*at].ends_with('\\');
    let end = rest
        .match_indices('"')
        .find(is_end)
        .map_or(rest.len(), |(at, _)| at);
    (
        rest[..end].replace("\\\"", "\""),
        rest.get(end + 1..).unwrap_or_default(),
    )
}
