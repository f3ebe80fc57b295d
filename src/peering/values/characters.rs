//! The characters of a text.

/// Whether a text has no other characters than digits.
pub(super) fn has_only_digits(text: &str) -> bool {
    text.as_bytes().iter().all(u8::is_ascii_digit)
}

/// Whether a text has only letters, digits and these marks, and at least one of them.
pub(super) fn is_word(text: &str, marks: &[u8]) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || marks.contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}
