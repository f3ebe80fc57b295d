//! The manifests' templates.

use super::tree::Tree;
use std::collections::BTreeSet;

const ENDING: &str = ".yaml.j2";

/// Not an object of a cluster: what a Secret holds.
const KUBECONFIG: &str = "kubeconfig";

/// Every template: its path, its name and its text.
fn templates(tree: &Tree) -> impl Iterator<Item = (&str, &str, &str)> {
    tree.texts().filter_map(|(path, text)| {
        let name = path.strip_prefix("src/")?.strip_suffix(ENDING)?;
        Some((path, name.rsplit('/').next()?, text))
    })
}

/// A template is named by a macro in code of its own folder, or of the file that the folder belongs to. One that is missing does not compile.
pub(crate) fn references(tree: &Tree) -> Vec<String> {
    let mut named = BTreeSet::new();
    for (path, text) in tree.texts().filter(|(path, _)| path.ends_with(".rs")) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for call in ["kind!(", "include_str!("] {
            for arguments in text.split(call).skip(1) {
                let arguments = arguments.split(';').next().unwrap_or_default();
                for name in arguments.split('"').skip(1).step_by(2) {
                    let name = name.trim_end_matches(ENDING);
                    named.insert(format!("{folder}/{name}{ENDING}"));
                }
            }
        }
    }
    let unused = templates(tree).filter(|(path, ..)| !named.contains(*path));
    unused
        .map(|(path, ..)| format!("{path} is not used"))
        .collect()
}

pub(crate) fn form(tree: &Tree) -> Vec<String> {
    templates(tree)
        .flat_map(|(path, name, text)| {
            let mut problems = whole(name, text);
            for (index, line) in text.lines().enumerate() {
                problems.extend(
                    tag(line)
                        .or_else(|| scalars(line))
                        .map(|it| format!("line {}: {it}", index + 1)),
                );
            }
            problems
                .into_iter()
                .map(move |problem| format!("{path}: {problem}"))
        })
        .collect()
}

/// What each object's template has.
fn whole(name: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if name != KUBECONFIG && !text.contains("\nmetadata:\n{{ metadata }}\n") {
        problems.push("it does not have the metadata".to_owned());
    }
    let mut lines = text.lines();
    let begins = |line: Option<&str>, key: &str| {
        line.and_then(|line| line.strip_prefix(key))
            .is_some_and(|it| it.starts_with('"') && it.ends_with('"'))
    };
    if !(begins(lines.next(), "apiVersion: ") && begins(lines.next(), "kind: ")) {
        problems.push("it begins with something else than apiVersion and kind, quoted".to_owned());
    }
    if !text.ends_with('\n') || text.ends_with("\n\n") {
        problems.push("it does not end with one end of line".to_owned());
    }
    if text.contains('\t') {
        problems.push("it has a tab".to_owned());
    }
    problems
}

/// A tag or a comment stands alone, so that it leaves no trace.
fn tag(line: &str) -> Option<String> {
    let line = line.trim();
    let alone = |open: &str, close: &str| {
        line.starts_with(open) && line.ends_with(close) && line.matches(open).count() == 1
    };
    let has = line.contains("{%") || line.contains("{#");
    (has && !alone("{% ", " %}") && !alone("{# ", " #}"))
        .then(|| "a tag or a comment needs a line of its own".to_owned())
}

/// The engine quotes; a template that adds to a value, or calls a filter, would print something that was not checked.
fn scalars(line: &str) -> Option<String> {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((value, behind)) = after.split_once("}}") else {
            return Some("`{{` without `}}`".to_owned());
        };
        let plain = |it: char| it.is_ascii_lowercase() || it == '_' || it == '.';
        // a list that the engine writes in block style, on its own lines
        let block = value
            .trim_end()
            .strip_suffix(')')
            .and_then(|value| value.split_once("|block("));
        if let Some((list, indent)) = block {
            let list_is_plain = list.trim_start().chars().all(plain);
            if list_is_plain
                && indent.parse::<u8>().is_ok()
                && before.is_empty()
                && behind.is_empty()
            {
                return None;
            }
        }
        // in Jinja, `or` gives the default of a field that is left out
        let (value, default) = value
            .split_once(" or ")
            .map_or((value, None), |(value, or)| (value, Some(or)));
        let named = value
            .strip_prefix(' ')
            .is_some_and(|it| it.trim_end().chars().all(plain));
        if !named || !(value.ends_with(' ') || default.is_some()) {
            return Some(format!("`{value}`: a filter, an expression or no spaces"));
        }
        let starts =
            before.trim_start().is_empty() || before.ends_with(": ") || before.ends_with("- ");
        if !starts || !(behind.is_empty() || behind.starts_with(": {{")) {
            return Some(format!("`{{{{{value}}}}}` is not a whole scalar"));
        }
        rest = behind;
    }
    None
}
