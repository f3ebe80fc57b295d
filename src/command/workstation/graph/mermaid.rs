//! The drawing in Mermaid's flowchart language.

use super::Fleet;
use std::collections::BTreeMap;

pub(super) fn text(fleet: &Fleet) -> String {
    let mut text = "flowchart LR\n".to_owned();
    let mut boxes = BTreeMap::new();
    for (number, (id, networks)) in fleet.in_order().into_iter().enumerate() {
        boxes.insert(id, number);
        let lines: Vec<&String> = std::iter::once(id).chain(networks).collect();
        text.push_str(&format!("  c{number}[{}]\n", label(&lines)));
    }
    for link in &fleet.links {
        let (Some(from), Some(to)) = (boxes.get(&link.consumer), boxes.get(&link.provider)) else { continue };
        let arrow = match (link.both, link.drained) {
            (false, false) => "-->",
            (true, false) => "<-->",
            (false, true) => "-.->",
            (true, true) => "<-.->",
        };
        let lines: Vec<&String> = link.lines.iter().collect();
        text.push_str(&format!("  c{from} {arrow}|{}| c{to}\n", label(&lines)));
    }
    text
}

/// Lines in quotes. Every character that could mean something to Mermaid, to its Markdown or to HTML is written by its number
/// (mermaid.js.org, "Entity codes to escape characters").
fn label(lines: &[&String]) -> String {
    let escaped = |line: &&String| -> String {
        line.chars()
            .map(|c| match c {
                c if c.is_alphanumeric() || " ,.:/-".contains(c) => c.to_string(),
                other => format!("#{};", u32::from(other)),
            })
            .collect()
    };
    format!("\"{}\"", lines.iter().map(escaped).collect::<Vec<_>>().join("<br/>"))
}
