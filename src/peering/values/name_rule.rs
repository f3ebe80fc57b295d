//! Rules that several kinds of names have in common, and the name that was probably meant.

use crate::diagnostic::{Code, Rule, is_shown, quoted};
use std::fmt::Arguments;

/// The most characters of an RFC 1123 label, a label's value and a namespace's name.
pub const LABEL_MAX: usize = 63;

/// `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
pub(super) fn is_label(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(inner) && !text.starts_with('-') && !text.ends_with('-')
}

/// An RFC 1123 label.
pub(super) fn label(what: &str, text: &str) -> Result<(), Rule> {
    let form = "lower-case letters, digits and `-` only, first and last a letter or digit";
    check_name(text, what, LABEL_MAX, is_label, form)
}

/// A text of a form, with the longest that it may be, and with the name that was probably meant.
pub(super) fn check_name(
    text: &str,
    what: &str,
    max: usize,
    is_form: fn(&str) -> bool,
    form: &str,
) -> Result<(), Rule> {
    let rule = if text.len() > max {
        let why = format!("{what}: {max} characters at most, found {}", text.len());
        Rule::is_not(Code::NameTooLong, text, why)
    } else if is_form(text) {
        return Ok(());
    } else {
        Rule::is_not(Code::InvalidName, text, format!("{what}: {form}"))
    };
    Err(suggest_name(text, rule))
}

/// A name that Liqo or Kubernetes makes a longer one of: `made` says which, and that one has `length` characters of
/// at most `most`.
pub(crate) fn fits(
    what: &str,
    text: &str,
    made: Arguments<'_>,
    length: usize,
    most: usize,
) -> Result<(), Rule> {
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
fn suggest_name(text: &str, rule: Rule) -> Rule {
    let letters = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' });
    let name = letters.collect::<String>();
    let name = name.trim_matches(['-', '.']);
    if name != text && is_label(name) && name.len() <= LABEL_MAX && is_shown(text) {
        rule.help(format!("did you mean {}?", quoted(name))).instead(name)
    } else {
        rule
    }
}

/// Liqo: `pkg/liqo-controller-manager/networking/external-network/utils/template.go`, rendered strings that
/// parse as integers become integers.
pub(crate) fn not_a_number(what: &str, text: &str) -> Result<(), Rule> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let why = format!("{what}: Liqo's templates would make it a number");
        return Err(Rule::is_not(Code::NumericName, text, why).help("put a letter into it"));
    }
    Ok(())
}
