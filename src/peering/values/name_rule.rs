//! Rules that several kinds of names have in common, and the name that was probably meant.

use super::name::{LABEL_MAX, is_label};
use crate::diagnostic::{Code, Rule, is_shown, quoted};

pub(super) fn label(what: &str, text: &str) -> Result<(), Rule> {
    let wrong = |code: Code, why: String| {
        Err(meant(text, Rule::new(code, format!("{} is not a {what}: {why}", quoted(text)))))
    };
    if text.len() > LABEL_MAX {
        wrong(Code::NameTooLong, format!("{LABEL_MAX} characters at most, found {}", text.len()))
    } else if is_label(text) {
        Ok(())
    } else {
        wrong(
            Code::InvalidName,
            "lower-case letters, digits and `-` only, first and last a letter or digit".into(),
        )
    }
}

/// A name that Liqo or Kubernetes makes a longer one of: `made` says which, and that one has `length` characters of
/// at most `most`.
pub(crate) fn fits(what: &str, text: &str, made: &str, length: usize, most: usize) -> Result<(), Rule> {
    if length <= most {
        return Ok(());
    }
    let message = format!(
        "{} is too long for {what}: {made}, {length} characters, and {most} are the most",
        quoted(text)
    );
    let room = most.saturating_sub(length.saturating_sub(text.len()));
    Err(Rule::new(Code::NameTooLong, message).help(format!("{room} characters are the most for {what}")))
}

/// The rule with the name that was probably meant: the same in lower case, with `-` for what cannot be in a name.
pub(super) fn meant(text: &str, rule: Rule) -> Rule {
    let letters = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' });
    let name = letters.collect::<String>();
    let name = name.trim_matches(['-', '.']);
    if name != text && is_label(name) && name.len() <= LABEL_MAX && is_shown(text) {
        rule.help(format!("did you mean {}?", quoted(name)))
    } else {
        rule
    }
}

/// Liqo: `pkg/liqo-controller-manager/networking/external-network/utils/template.go`, rendered strings that
/// parse as integers become integers.
pub(crate) fn not_a_number(what: &str, text: &str) -> Result<(), Rule> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Rule::new(
            Code::NumericName,
            format!("{} is not a {what}: Liqo's templates would make it a number", quoted(text)),
        )
        .help("put a letter into it"));
    }
    Ok(())
}
