//! Links between pages.

use super::tree::Tree;
use std::collections::{BTreeMap, BTreeSet};

/// What a page's links lead to in the repository, and the place in it. Code is no link.
fn links(text: &str) -> Vec<(String, String)> {
    let mut links = Vec::new();
    for line in prose(text).map(without_code) {
        let inline = line
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', ' ']).next());
        let defined = line
            .strip_prefix('[')
            .and_then(|rest| rest.split_once("]: "))
            .map(|(_, target)| target.trim());
        for target in inline.chain(defined) {
            if !target.contains("://") && !target.starts_with("mailto:") {
                let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
                links.push((path.to_owned(), anchor.to_owned()));
            }
        }
    }
    links
}

/// The lines that are not in a block of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// A line without its code: `[a](b)` there is no link.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The path of a link's target, seen from a page; none if it leaves the repository.
fn target(page: &str, link: &str) -> Option<String> {
    if link.is_empty() {
        return Some(page.to_owned());
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// The anchors that GitHub gives to a page's headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for heading in prose(text).filter(|line| line.starts_with('#')) {
        let title = heading
            .trim_start_matches('#')
            .trim()
            .to_lowercase()
            .replace(' ', "-");
        let anchor: String = title
            .chars()
            .filter(|it| it.is_alphanumeric() || "-_".contains(*it))
            .collect();
        let count: &mut usize = seen.entry(anchor.clone()).or_default();
        anchors.insert(if *count == 0 {
            anchor
        } else {
            format!("{anchor}-{count}")
        });
        *count += 1;
    }
    anchors
}

fn pages(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.texts().filter(|(path, _)| path.ends_with(".md"))
}

pub(crate) fn resolve(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (page, text) in pages(tree) {
        for (link, anchor) in links(text) {
            let Some(target) = target(page, &link).filter(|target| tree.has(target)) else {
                problems.push(format!("{page}: {link} is not there"));
                continue;
            };
            let known = tree
                .text(&target)
                .filter(|_| target.ends_with(".md"))
                .map(anchors);
            if !anchor.is_empty() && known.is_some_and(|known| !known.contains(&anchor)) {
                problems.push(format!("{page}: {link}#{anchor}: there is no such heading"));
            }
        }
    }
    problems
}

pub(crate) fn reachable(tree: &Tree) -> Vec<String> {
    let mut found = BTreeSet::from(["README.md".to_owned()]);
    let mut next = vec!["README.md".to_owned()];
    while let Some(page) = next.pop() {
        let text = tree
            .text(&page)
            .filter(|_| page.ends_with(".md"))
            .unwrap_or_default();
        for (link, _) in links(text) {
            let Some(target) = target(&page, &link) else {
                continue;
            };
            if found.insert(target.clone()) {
                next.push(target);
            }
        }
    }
    // what a page of its own loads
    let is_loaded = |path: &str| {
        path.rsplit_once('/')
            .is_some_and(|(folder, _)| found.contains(&format!("{folder}/index.html")))
    };
    let lost = tree
        .paths()
        .filter(|path| path.starts_with("docs/") && !found.contains(*path) && !is_loaded(path));
    lost.map(|path| format!("{path}: no link leads there from README.md"))
        .collect()
}

/// Each page is in the site's table of contents; the codes are added when it is built.
pub(crate) fn contents(tree: &Tree) -> Vec<String> {
    let summary = tree.text("docs/SUMMARY.md").unwrap_or_default();
    let pages = tree
        .paths()
        .filter_map(|path| path.strip_prefix("docs/"))
        .filter(|it| it.ends_with(".md"));
    let lost =
        pages.filter(|page| *page != "SUMMARY.md" && !summary.contains(&format!("]({page})")));
    lost.map(|page| format!("docs/{page} is not in docs/SUMMARY.md"))
        .collect()
}

/// Pages that are generated from the program.
const GENERATED: [&str; 4] = [
    "docs/commands.md",
    "docs/document.md",
    "docs/diagnostics.md",
    "docs/project/coverage.md",
];

/// Whether a page counts.
type Meant = fn(&str) -> bool;

/// The most words of pages that are written by hand: where a page needs more, another one loses some.
const WORDS: [(&str, usize, Meant); 5] = [
    ("pages for users have", 16_000, |path| {
        path.starts_with("docs/") && !path.starts_with("docs/project/")
    }),
    ("docs/project has", 5_800, |path| {
        path.starts_with("docs/project/")
    }),
    ("CONTRIBUTING.md has", 2_200, |path| {
        path == "CONTRIBUTING.md"
    }),
    ("CHANGELOG.md has", 800, |path| path == "CHANGELOG.md"),
    // what `explain` prints: what a code or a check means, an example, what to do
    ("pages of codes and of checks have", 17_000, |path| {
        path.starts_with("src/diagnostic/codes/") || path.starts_with("src/object/live/checks/")
    }),
];

pub(crate) fn words(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    for (subject, limit, is_meant) in WORDS {
        let counted = pages(tree).filter(|(path, _)| is_meant(path) && !GENERATED.contains(path));
        let words: usize = counted
            .map(|(_, text)| text.split_whitespace().count())
            .sum();
        if words > limit {
            problems.push(format!("{subject} {words} words, at most {limit}"));
        }
    }
    problems
}
