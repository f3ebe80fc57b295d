//! The path of a place in the document: `spec.consumer.podCIDRs[0]`, for messages that show no snippet.

use super::Node;
use crate::diagnostic::{Label, Span, quoted};
use std::collections::{BTreeMap, BTreeSet};

impl Node {
    /// Sets the fields of these labels, whose places are in this node; the node itself has none. A map begins where its first key does: if
    /// two fields have the same place, the first one counts, the map.
    pub fn name_fields<'l>(&self, labels: impl IntoIterator<Item = &'l mut Label>) {
        let mut labels: Vec<_> = labels.into_iter().collect();
        labels.retain(|label| label.span != self.span);
        let mut search = PathSearch {
            wanted: labels.iter().map(|label| label.span).collect(),
            path: String::new(),
            found: BTreeMap::new(),
        };
        search.visit(self);
        for label in labels {
            label.path = search.found.get(&label.span).cloned();
        }
    }
}

/// A search for the fields at places, and the path of the node that it looks at.
struct PathSearch {
    wanted: BTreeSet<Span>,
    path: String,
    found: BTreeMap<Span, String>,
}

impl PathSearch {
    fn visit(&mut self, node: &Node) {
        for (at, item) in node.items().iter().enumerate() {
            self.visit_below(&format!("[{at}]"), &[item.span], item);
        }
        for (key, value) in node.entries() {
            let dot = if self.path.is_empty() { "" } else { "." };
            let step = format!("{dot}{}", name(key));
            self.visit_below(&step, &[key.span, value.span], value);
        }
    }

    fn visit_below(&mut self, step: &str, places: &[Span], value: &Node) {
        let length = self.path.len();
        self.path += step;
        for place in places {
            if self.wanted.contains(place) && !self.found.contains_key(place) {
                self.found.insert(*place, self.path.clone());
            }
        }
        self.visit(value);
        self.path.truncate(length);
    }
}

/// A key of more characters is cut. No field has a name as long as this.
const LONGEST: usize = 64;

/// A key as a step: as it is if it is a field's name, else in backticks on one line.
fn name(key: &Node) -> String {
    let Some(text) = key.text() else {
        return "?".to_owned();
    };
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_plain && (1..=LONGEST).contains(&text.len()) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::{Label, Span};
    use crate::input::yaml::parse;

    fn field(text: &str, start: usize, end: usize) -> Option<String> {
        let mut label = Label::new(Span { start, end }, "");
        parse(text).expect("a tree").name_fields([&mut label]);
        label.path
    }

    #[test]
    fn paths_lead_to_keys_and_values() {
        let text = "spec:\n  consumer:\n    podCIDRs: [a, bb]\n  list:\n    - x.y/z: ccc\n";
        for (part, path) in [
            ("bb", Some("spec.consumer.podCIDRs[1]")),
            ("podCIDRs", Some("spec.consumer.podCIDRs")),
            ("ccc", Some("spec.list[0].`x.y/z`")),
            ("", None),
        ] {
            let start = text.find(part).expect("it is there");
            let found = field(text, start, start + part.len());
            assert_eq!(found.as_deref(), path, "{part}");
        }
    }

    /// A path has a step for each level, and a message several paths.
    #[test]
    fn a_long_key_is_cut() {
        for (length, expected) in [(64, "k".repeat(64)), (65, format!("`{}…`", "k".repeat(64)))] {
            let text = format!("{}: 1\n", "k".repeat(length));
            assert_eq!(field(&text, length + 2, length + 3), Some(expected));
        }
    }
}
