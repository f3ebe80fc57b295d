//! The path of a place in the document: `spec.consumer.podCIDRs[0]`, for messages that show no snippet.

use super::{Node, Value};
use crate::diagnostic::{Paths, Span, quoted};
use std::collections::BTreeSet;

impl Node {
    /// The fields at these places in this node; the node itself has none.
    pub fn paths(&self, places: impl IntoIterator<Item = Span>) -> Paths {
        let wanted = places.into_iter().filter(|place| *place != self.span);
        let mut walk = Walk {
            wanted: wanted.map(|place| (place.start, place.end)).collect(),
            steps: Vec::new(),
            found: Vec::new(),
        };
        walk.visit(self);
        walk.found.into_iter().collect()
    }
}

/// From a node to its field.
#[derive(Clone, Copy)]
enum Step<'n> {
    Item(usize),
    Key(&'n Node),
}

struct Walk<'n> {
    wanted: BTreeSet<(usize, usize)>,
    steps: Vec<Step<'n>>,
    found: Vec<(Span, String)>,
}

impl<'n> Walk<'n> {
    fn visit(&mut self, node: &'n Node) {
        match &node.value {
            Value::List(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(at, item)| self.step(Step::Item(at), None, item));
            }
            Value::Map(entries) => {
                for (key, value) in entries {
                    self.step(Step::Key(key), Some(key), value);
                }
            }
            Value::Empty | Value::Plain(_) | Value::Quoted(_) => {}
        }
    }

    fn step(&mut self, step: Step<'n>, key: Option<&'n Node>, value: &'n Node) {
        self.steps.push(step);
        for Node { span, .. } in key.into_iter().chain([value]) {
            if self.wanted.contains(&(span.start, span.end)) {
                self.found.push((*span, path(&self.steps)));
            }
        }
        self.visit(value);
        self.steps.pop();
    }
}

fn path(steps: &[Step<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        path += &match step {
            Step::Item(at) => format!("[{at}]"),
            Step::Key(key) if path.is_empty() => name(key),
            Step::Key(key) => format!(".{}", name(key)),
        };
    }
    path
}

/// A key of more characters is cut. No field has a name as long as this.
const LONGEST: usize = 64;

/// A key as a step: as it is if it is a field's name, else in backticks on one line.
fn name(key: &Node) -> String {
    match &key.value {
        Value::Plain(text) | Value::Quoted(text)
            if (1..=LONGEST).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            text.clone()
        }
        Value::Plain(text) | Value::Quoted(text) => quoted(text),
        Value::Empty | Value::List(_) | Value::Map(_) => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Span;
    use crate::input::yaml::parse;

    #[test]
    fn paths_lead_to_keys_and_values() {
        let text = "spec:\n  consumer:\n    podCIDRs: [a, bb]\n  list:\n    - x.y/z: ccc\n";
        let tree = parse(text).expect("a tree");
        for (part, path) in [
            ("bb", Some("spec.consumer.podCIDRs[1]")),
            ("podCIDRs", Some("spec.consumer.podCIDRs")),
            ("ccc", Some("spec.list[0].`x.y/z`")),
            ("", None),
        ] {
            let start = text.find(part).expect("it is there");
            let span = Span {
                start,
                end: start + part.len(),
            };
            assert_eq!(tree.paths([span]).path(span), path, "{part}");
        }
    }

    /// A path has a step for each level, and a message several paths.
    #[test]
    fn a_long_key_is_cut() {
        for (length, expected) in [(64, "k".repeat(64)), (65, format!("`{}…`", "k".repeat(64)))] {
            let text = format!("{}: 1\n", "k".repeat(length));
            let span = Span {
                start: length + 2,
                end: length + 3,
            };
            assert_eq!(
                parse(&text).expect("a tree").paths([span]).path(span),
                Some(&*expected)
            );
        }
    }
}
