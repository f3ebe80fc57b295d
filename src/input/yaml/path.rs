//! Where in the document a place is: `spec.consumer.podCIDRs[0]`, for messages that show no snippet.

use super::{Node, Value};
use crate::diagnostic::{Paths, Span, quoted};

impl Node {
    /// The fields of everything in this node; the node itself has none.
    pub fn paths(&self) -> Paths {
        let mut paths = Vec::new();
        collect(self, &mut String::new(), &mut paths);
        paths.into_iter().filter(|(span, _)| *span != self.span).collect()
    }
}

fn collect(node: &Node, steps: &mut String, paths: &mut Vec<(Span, String)>) {
    let before = steps.len();
    let mut within = |step: String, key: Option<&Node>, value: &Node| {
        steps.push_str(&step);
        paths.extend(key.into_iter().chain([value]).map(|node| (node.span, steps.clone())));
        collect(value, steps, paths);
        steps.truncate(before);
    };
    match &node.value {
        Value::List(items) => {
            items.iter().enumerate().for_each(|(at, item)| within(format!("[{at}]"), None, item));
        }
        Value::Map(entries) => entries.iter().for_each(|(key, value)| {
            let dot = if before == 0 { "" } else { "." };
            within(format!("{dot}{}", name(key)), Some(key), value);
        }),
        Value::Empty | Value::Plain(_) | Value::Quoted(_) => {}
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
    use crate::input::yaml::parse;

    #[test]
    fn paths_lead_to_keys_and_values() {
        let text = "spec:\n  consumer:\n    podCIDRs: [a, bb]\n  list:\n    - x.y/z: ccc\n";
        let paths = parse(text).expect("a tree").paths();
        let path = |of: &str| {
            let start = text.find(of).expect("it is there");
            paths.to(Span { start, end: start + of.len() })
        };
        assert_eq!(path("bb"), Some("spec.consumer.podCIDRs[1]"));
        assert_eq!(path("podCIDRs"), Some("spec.consumer.podCIDRs"));
        assert_eq!(path("ccc"), Some("spec.list[0].`x.y/z`"));
        assert_eq!(path("elephant".get(..0).expect("nothing")), None);
    }
}
