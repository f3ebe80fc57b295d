//! Pictures of the documentation.

use super::tree::Tree;

/// What each has, for people who cannot see it and for dark screens, and what none has: a picture runs and loads nothing.
const HAS: [&str; 5] = ["viewBox=", "<title id=", "<desc id=", "role=\"img\"", "prefers-color-scheme: dark"];
const HAS_NOT: [&str; 5] = ["<script", "href", "url(http", "@import", "<foreignObject"];

pub(crate) fn form(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| path.starts_with("docs/pictures/")) {
        let missing = HAS.iter().filter(|part| !text.contains(**part));
        problems.extend(missing.map(|part| format!("{path} has no {part}")));
        let found = HAS_NOT.iter().filter(|part| text.contains(**part));
        problems.extend(found.map(|part| format!("{path} has {part}")));
    }
    problems
}
