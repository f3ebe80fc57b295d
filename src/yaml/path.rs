//! Where in the document a place is: `spec.consumer.podCIDRs[0]`, for messages that show no snippet.

use super::{Node, Value};
use crate::diagnostic::{Span, quoted};

impl Node {
    /// The fields that lead to the node or the key at exactly this place; nothing for the document itself.
    #[must_use]
    pub fn path_to(&self, span: Span) -> Option<String> {
        if self.span == span {
            return None;
        }
        let mut steps = String::new();
        find(self, span, &mut steps).then_some(steps)
    }
}

/// Extends the steps down to the place, or leaves them as they were.
fn find(node: &Node, span: Span, steps: &mut String) -> bool {
    let before = steps.len();
    let mut within = |step: String, key: Option<&Node>, value: &Node| {
        steps.push_str(&step);
        if key.is_some_and(|key| key.span == span) || value.span == span || find(value, span, steps) {
            return true;
        }
        steps.truncate(before);
        false
    };
    match &node.value {
        Value::List(items) => {
            items.iter().enumerate().any(|(at, item)| within(format!("[{at}]"), None, item))
        }
        Value::Map(entries) => entries.iter().any(|(key, value)| {
            let dot = if before == 0 { "" } else { "." };
            within(format!("{dot}{}", name(key)), Some(key), value)
        }),
        Value::Empty | Value::Plain(_) | Value::Quoted(_) => false,
    }
}

/// A key as a step: as it is if it is a field's name, else in backticks on one line.
fn name(key: &Node) -> String {
    match &key.value {
        Value::Plain(text) | Value::Quoted(text)
            if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
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
    use crate::yaml::parse;

    #[test]
    fn paths_lead_to_keys_and_values() {
        let text = "spec:\n  consumer:\n    podCIDRs: [a, bb]\n  list:\n    - x.y/z: ccc\n";
        let tree = parse(text).expect("a tree");
        let path = |of: &str| {
            let start = text.find(of).expect("it is there");
            tree.path_to(Span { start, end: start + of.len() })
        };
        assert_eq!(path("bb").as_deref(), Some("spec.consumer.podCIDRs[1]"));
        assert_eq!(path("podCIDRs").as_deref(), Some("spec.consumer.podCIDRs"));
        assert_eq!(path("ccc").as_deref(), Some("spec.list[0].`x.y/z`"));
        assert_eq!(path("elephant".get(..0).expect("nothing")), None);
    }
}
