//! Strings as YAML scalars that every reader reads alike.

use std::fmt::Write as _;

/// The string in double quotes, as JSON quotes it, in raw UTF-8.
///
/// Escaped are only quotes, backslashes, controls, and what YAML 1.1 takes for a line break or a byte-order mark.
/// Argo CD's reader refuses escaped surrogate pairs, so nothing above U+FFFF is escaped.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    push_quoted(text, &mut quoted);
    quoted
}

/// Adds the string in double quotes.
pub(super) fn push_quoted(text: &str, quoted: &mut String) {
    quoted.push('"');
    if is_plain(text) {
        quoted.push_str(text);
    } else {
        push_escaped(text, quoted);
    }
    quoted.push('"');
}

/// Whether a string is between its quotes as it is.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
}

fn push_escaped(text: &str, quoted: &mut String) {
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // not only below U+0020: YAML 1.1 has no raw C1 controls either
            c if c.is_control()
                || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') =>
            {
                // writing to a String cannot fail
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn strings_are_json_in_raw_utf_8() {
        for (text, quoted) in [
            ("on", "\"on\""),
            ("", "\"\""),
            ("a\"b\\c", "\"a\\\"b\\\\c\""),
            ("a\nb\tc\r", "\"a\\nb\\tc\\r\""),
            ("\u{0}\u{7f}\u{85}", "\"\\u0000\\u007f\\u0085\""),
            ("\u{2028}\u{2029}\u{feff}", "\"\\u2028\\u2029\\ufeff\""),
            ("🍎é", "\"🍎é\""),
        ] {
            assert_eq!(quote(text), quoted);
        }
    }

    #[test]
    fn every_character_below_65536_reads_back_as_json_and_as_yaml() {
        for c in ('\u{0}'..='\u{ffff}').step_by(1) {
            let text = format!("a{c}b");
            let quoted = quote(&text);
            assert_eq!(serde_json::from_str::<String>(&quoted).expect("JSON"), text);
        }
        for c in ('\u{0}'..='\u{2fff}').chain('\u{e000}'..='\u{e0ff}').chain('\u{fe00}'..='\u{10ff}') {
            let text = format!("a{c}b");
            let read: String = serde_saphyr::from_str(&quote(&text)).expect("YAML");
            assert_eq!(read, text);
        }
    }
}
