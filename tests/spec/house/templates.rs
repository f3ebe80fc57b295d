//! The manifests' templates.

use super::tree::Tree;
use std::collections::BTreeSet;

const FOLDER: &str = "src/stream/render/templates/";
const ENDING: &str = ".yaml.j2";

/// Not an object of a cluster: what stands in a Secret.
const KUBECONFIG: &str = "kubeconfig";

fn templates(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.texts().filter_map(|(path, text)| Some((path.strip_prefix(FOLDER)?.strip_suffix(ENDING)?, text)))
}

pub(crate) fn references(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    let there: BTreeSet<_> = templates(tree).map(|(name, _)| name).collect();
    let code = tree.text("src/stream/render.rs").unwrap_or_default();
    let named = code.split("template!(\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0));
    let named: BTreeSet<_> = named.collect();
    problems.extend(there.difference(&named).map(|name| format!("{FOLDER}{name}{ENDING} is not used")));
    problems.extend(
        named.difference(&there).map(|name| format!("src/stream/render.rs: there is no template {name}")),
    );
    let strays = tree.paths().filter(|path| path.starts_with(FOLDER) && !path.ends_with(ENDING));
    problems.extend(strays.map(|path| format!("{path} is no template")));
    problems
}

pub(crate) fn form(tree: &Tree) -> Vec<String> {
    templates(tree)
        .flat_map(|(name, text)| {
            let mut problems = whole(name, text);
            for (index, line) in text.lines().enumerate() {
                problems.extend(
                    tag(line).or_else(|| scalars(line)).map(|it| format!("line {}: {it}", index + 1)),
                );
            }
            problems.into_iter().map(move |problem| format!("{FOLDER}{name}{ENDING}: {problem}"))
        })
        .collect()
}

/// What each object's template has.
fn whole(name: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut needs = vec![];
    if name != KUBECONFIG {
        needs.extend([
            "  name: {{ name }}\n",
            "{% for label in labels %}\n    {{ label.key }}: {{ label.value }}\n",
            "{% for annotation in annotations %}\n    {{ annotation.key }}: {{ annotation.value }}\n",
            "\n    \"argocd.argoproj.io/sync-wave\": {{ wave }}\n",
        ]);
        // Liqo finds everything of a peering by it; these two belong to no single one
        if !["workload-namespace", "namespace-offloading"].contains(&name) {
            needs.push("\n    \"liqo.io/remote-cluster-id\": {{ peer }}\n");
        }
    }
    if text.contains("\nkind: \"Secret\"\n") {
        needs.push("ServerSideApply=true");
    }
    problems.extend(needs.iter().filter(|it| !text.contains(**it)).map(|it| format!("it has no {it:?}")));
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
        // in Jinja, `or` gives the default of a field that is left out
        let (value, default) =
            value.split_once(" or ").map_or((value, None), |(value, or)| (value, Some(or)));
        let named = value.strip_prefix(' ').is_some_and(|it| it.trim_end().chars().all(plain));
        if !named || !(value.ends_with(' ') || default.is_some()) {
            return Some(format!("`{value}`: a filter, an expression or no spaces"));
        }
        let starts = before.trim_start().is_empty() || before.ends_with(": ") || before.ends_with("- ");
        if !starts || !(behind.is_empty() || behind.starts_with(": {{")) {
            return Some(format!("`{{{{{value}}}}}` is not a whole scalar"));
        }
        rest = behind;
    }
    None
}
