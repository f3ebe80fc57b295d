//! The examples.

use super::tree::Tree;
use std::collections::BTreeSet;

/// Each folder of `examples/` is linked from its README, and each peering in it has golden streams.
pub(crate) fn all(tree: &Tree) -> Vec<String> {
    let mut problems = Vec::new();
    let inside: Vec<&str> = tree
        .paths()
        .filter_map(|path| path.strip_prefix("examples/"))
        .collect();
    let folders: BTreeSet<_> = inside
        .iter()
        .filter_map(|path| Some(path.split_once('/')?.0))
        .collect();
    let readme = tree.text("examples/README.md").unwrap_or_default();
    // what opens them, outside of every peering's folder
    for folder in folders.iter().filter(|folder| **folder != "identities") {
        if !readme.contains(&format!("]({folder}/")) {
            problems.push(format!(
                "examples/{folder} is not linked from examples/README.md"
            ));
        }
        // a folder of peerings, such as a hub's, stands for them; halves of a peering have its streams
        let own = format!("{folder}/peering.yaml");
        let is_one = inside.contains(&own.as_str()) || *folder == "two-organisations";
        let peerings = inside
            .iter()
            .filter_map(|path| path.strip_suffix("/peering.yaml"));
        let names: Vec<_> = if is_one {
            vec![*folder]
        } else {
            peerings
                .filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/'))
                .collect()
        };
        if names.is_empty() {
            problems.push(format!("examples/{folder} has no peering.yaml"));
        }
        for name in names {
            let streams =
                ["consumer", "provider"].map(|role| format!("tests/golden/{name}/{role}.yaml"));
            let missing = streams.iter().filter(|stream| tree.text(stream).is_none());
            problems
                .extend(missing.map(|stream| format!("examples/{folder}: there is no {stream}")));
        }
    }
    problems
}
