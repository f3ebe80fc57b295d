//! Pictures of the documentation.

use super::tree::Tree;

/// What each has, for people who cannot see it and for dark screens, and what none has: a picture runs and loads nothing.
const HAS: [&str; 5] = [
    "viewBox=",
    "<title id=",
    "<desc id=",
    "role=\"img\"",
    "prefers-color-scheme: dark",
];
const HAS_NOT: [&str; 5] = ["<script", "href", "url(http", "@import", "<foreignObject"];

pub(crate) fn form(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, text) in tree
        .texts()
        .filter(|(path, _)| path.starts_with("docs/pictures/"))
    {
        let missing = HAS.iter().filter(|part| !text.contains(**part));
        problems.extend(missing.map(|part| format!("{path} has no {part}")));
        let found = HAS_NOT.iter().filter(|part| text.contains(**part));
        problems.extend(found.map(|part| format!("{path} has {part}")));
        problems.extend(
            smallest(text)
                .filter(|size| *size < 12.0)
                .map(|size| format!("{path}: a telephone shows its text in {size:.1} pixels")),
        );
    }
    problems
}

/// The pixels of the smallest text, if a telephone, 360 pixels wide, shows the whole picture.
fn smallest(text: &str) -> Option<f64> {
    let view = text.split("viewBox=\"").nth(1)?.split('"').next()?;
    let width: f64 = view.split_whitespace().nth(2)?.parse().ok()?;
    let sizes = text
        .split("font: ")
        .skip(1)
        .chain(text.split("font-size: ").skip(1));
    let sizes = sizes.filter_map(|it| it.split("px").next()?.parse::<f64>().ok());
    sizes.reduce(f64::min).map(|size| size * 360.0 / width)
}
