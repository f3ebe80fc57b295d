//! Files of a room that need each other: none can be read, or changed, without the other.

use super::rooms::{code, room_of};
use super::sources::{is_test, sources};
use super::tree::Tree;
use std::collections::{BTreeMap, BTreeSet};

/// Those that are known. A value and how it is printed or read are two files; an error of a room is everyone's.
const KNOWN: [[&str; 2]; 4] = [
    ["custody/age", "custody/error"],
    ["custody/error", "custody/identities"],
    ["custody/terms/spelling", "custody/terms/term"],
    ["document/decode", "document/fields"],
];

/// A name that a file imports, and the path that it is for, from `src` on.
type Names = BTreeMap<String, Vec<String>>;

/// Files that need each other and are not known; and those that are known and no longer do.
pub(crate) fn circles(tree: &Tree) -> Vec<String> {
    let files: BTreeMap<&str, &str> = sources(tree)
        .filter(|(path, _)| !is_test(path))
        .map(|(path, text)| {
            (
                path.trim_start_matches("src/").trim_end_matches(".rs"),
                text,
            )
        })
        .collect();
    let names: BTreeMap<&str, Names> = files
        .iter()
        .map(|(file, text)| (*file, names(file, &code(text), &files)))
        .collect();
    let needs = |file: &&str| -> BTreeSet<&str> {
        let found = names[file]
            .values()
            .filter_map(|path| file_of(path, &names, 0));
        found
            .filter(|it| {
                room_of(it) == room_of(file) && !is_inside(it, file) && !is_inside(file, it)
            })
            .collect()
    };
    let needs: BTreeMap<&str, BTreeSet<&str>> =
        files.keys().map(|file| (*file, needs(file))).collect();
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for (file, others) in &needs {
        for other in others
            .iter()
            .filter(|other| needs[**other].contains(file) && file < *other)
        {
            seen.insert([*file, *other]);
        }
        // a longer way back
        for other in others.iter().filter(|other| !needs[**other].contains(file)) {
            let is_of_error = file.ends_with("/error") || other.ends_with("/error");
            let known = |pair: &[&str; 2]| pair.contains(file) || pair.contains(other);
            if !is_of_error && !KNOWN.iter().any(known) && leads_back(other, file, &needs) {
                problems.push(format!(
                    "src/{file}.rs needs `{other}`, which needs it by way of others"
                ));
            }
        }
    }
    problems.extend(
        seen.iter()
            .filter(|pair| !KNOWN.contains(pair))
            .map(|[one, other]| {
                format!(
                    "src/{one}.rs and `{other}` need each other: what both need is a third one's"
                )
            }),
    );
    problems.extend(
        KNOWN
            .iter()
            .filter(|pair| !is_known(pair, &needs))
            .map(|[one, other]| {
                format!(
                    "`{one}` and `{other}` no longer need each other: tests/spec/house/circles.rs"
                )
            }),
    );
    problems
}

fn is_known([one, other]: &[&str; 2], needs: &BTreeMap<&str, BTreeSet<&str>>) -> bool {
    let is_there = |file: &str, by: &str| needs.get(by).is_some_and(|it| it.contains(file));
    (is_there(one, other) && leads_back(one, other, needs))
        || (is_there(other, one) && leads_back(other, one, needs))
}

/// Whether one file needs another one, by way of any others.
fn leads_back(from: &str, to: &str, needs: &BTreeMap<&str, BTreeSet<&str>>) -> bool {
    let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
    while let Some(file) = left.pop() {
        if file == to {
            return true;
        }
        left.extend(
            needs
                .get(file)
                .into_iter()
                .flatten()
                .filter(|it| seen.insert(**it)),
        );
    }
    false
}

/// A folder's own file imports what is in it, and hands it on.
fn is_inside(file: &str, folder: &str) -> bool {
    file == folder
        || file
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// The file that a path leads to, also through a file that hands the name on.
fn file_of<'n>(path: &[String], names: &BTreeMap<&'n str, Names>, depth: usize) -> Option<&'n str> {
    (1..=path.len()).rev().find_map(|length| {
        let (file, _) = names.get_key_value(path[..length].join("/").as_str())?;
        let on = path
            .get(length)
            .and_then(|name| names[file].get(name))
            .filter(|_| depth < 8);
        match on {
            Some(on) => file_of(&[on, &path[length + 1..]].concat(), names, depth + 1),
            None => Some(*file),
        }
    })
}

/// What the `use` items of a file name.
fn names(file: &str, code: &str, files: &BTreeMap<&str, &str>) -> Names {
    let here: Vec<String> = file.split('/').map(ToOwned::to_owned).collect();
    let mut names = Names::new();
    for item in code.split(';') {
        let Some(at) = item.find("use ").filter(|at| is_begin(&item[..*at])) else {
            continue;
        };
        for path in flat(&item[at + 4..]) {
            let (path, alias) = path
                .split_once(" as ")
                .map_or((path.as_str(), None), |(path, it)| (path, Some(it)));
            let mut parts: Vec<String> = path.split("::").map(|it| it.trim().to_owned()).collect();
            parts.retain(|it| it != "self");
            let whole = match parts.first().map(String::as_str) {
                Some("crate") => parts[1..].to_vec(),
                Some("super") => {
                    let up = parts.iter().take_while(|it| *it == "super").count();
                    [&here[..here.len().saturating_sub(up)], &parts[up..]].concat()
                }
                Some(first) if files.contains_key(format!("{file}/{first}").as_str()) => {
                    [here.clone(), parts].concat()
                }
                _ => continue,
            };
            let name = alias
                .map(ToOwned::to_owned)
                .or_else(|| whole.last().cloned());
            names.extend(name.map(|name| (name, whole)));
        }
    }
    names
}

/// Whether only attributes and a visibility are before it, on its line.
fn is_begin(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before);
    line.trim().is_empty() || line.trim_start().starts_with("pub")
}

/// The paths of a tree of `use`.
fn flat(tree: &str) -> Vec<String> {
    let Some((before, group)) = tree.split_once('{') else {
        return vec![tree.trim().to_owned()];
    };
    let group = group.rsplit_once('}').map_or(group, |(group, _)| group);
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, it) in group.char_indices() {
        match it {
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    parts.push(&group[start..]);
    let parts = parts.into_iter().filter(|it| !it.trim().is_empty());
    parts
        .flat_map(|part| flat(&format!("{}{}", before.trim(), part.trim())))
        .collect()
}
