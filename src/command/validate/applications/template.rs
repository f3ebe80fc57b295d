//! What a set's template gives for a folder and a role.

use crate::peering::Role;

/// A text with the expressions of argocd-app/applicationset.yaml, or with one segment for both roles. None with any other
/// expression: what it gives is not known here.
pub(super) fn evaluate(template: &str, folder: &str, role: Role) -> Option<String> {
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, after)) = rest.split_once("{{") {
        let (expression, after) = after.split_once("}}")?;
        text.push_str(before);
        text.push_str(value(expression, folder, role)?);
        rest = after;
    }
    text.push_str(rest);
    Some(text)
}

fn value<'f>(expression: &str, folder: &'f str, role: Role) -> Option<&'f str> {
    let words: Vec<&str> = expression.split_whitespace().collect();
    let number = match words.as_slice() {
        [".role"] => return Some(role.word()),
        [".path.path"] => return Some(folder),
        ["index", ".path.segments", number] => number,
        ["index", ".path.segments", "(ternary", consumer, provider, "(eq", ".role", "\"consumer\"))"] => {
            match role {
                Role::Consumer => consumer,
                Role::Provider => provider,
            }
        }
        _ => return None,
    };
    folder.split('/').nth(number.parse().ok()?)
}
