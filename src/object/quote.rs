//! Strings as YAML scalars that all readers read alike.

/// The string in double quotes, as in JSON, in raw UTF-8.
///
/// Only quotes, backslashes, controls, and the line breaks and byte-order mark of YAML 1.1 are escaped. Argo CD's
/// reader refuses escaped surrogate pairs, so no character above U+FFFF is escaped.
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

/// Whether a string needs no escape between its quotes. Every byte is checked, without an early end, so that the processor compares many at
/// once.
fn is_plain(text: &str) -> bool {
    text.bytes().fold(true, |all, byte| {
        all & (matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
    })
}

fn push_escaped(text: &str, quoted: &mut String) {
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if is_numbered(c) => {
                quoted.push_str("\\u");
                // a formatter would cost ten times as much, and a stream can have half a million
                for shift in [12, 8, 4, 0] {
                    let digit = char::from_digit(u32::from(c) >> shift & 0xf, 16);
                    quoted.push(digit.unwrap_or_default());
                }
            }
            c => quoted.push(c),
        }
    }
}

/// Whether a character is escaped by its number. It has no shorter escape. These are not only controls below U+0020: YAML 1.1 does not
/// allow raw C1 controls either.
fn is_numbered(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
}

/// The text between the quotes, if [`quote`] can have written it. Each string is written in only one way, so two strings are equal if these
/// texts are.
pub(crate) fn inside(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    (is_plain(inside) || is_escaped(inside).is_some()).then_some(inside)
}

/// `Some` if [`push_escaped`] can have written the text.
fn is_escaped(inside: &str) -> Option<()> {
    let mut rest = inside.chars();
    while let Some(c) = rest.next() {
        let is_written = match c {
            '\\' => match rest.next()? {
                '"' | '\\' | 'n' | 'r' | 't' => true,
                'u' => {
                    let mut number = 0;
                    for _ in 0..4 {
                        let digit = rest.next().filter(|c| !c.is_ascii_uppercase())?;
                        number = number * 16 + digit.to_digit(16)?;
                    }
                    char::from_u32(number).is_some_and(is_numbered)
                }
                _ => false,
            },
            c => c != '"' && !c.is_ascii_control() && !is_numbered(c),
        };
        is_written.then_some(())?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{inside, quote};

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
        for c in '\u{0}'..='\u{ffff}' {
            let text = format!("a{c}b");
            let quoted = quote(&text);
            assert_eq!(serde_json::from_str::<String>(&quoted).expect("JSON"), text);
            assert!(inside(&quoted).is_some(), "{quoted}");
        }
        for c in ('\u{0}'..='\u{2fff}')
            .chain('\u{e000}'..='\u{e0ff}')
            .chain('\u{fe00}'..='\u{10ff}')
        {
            let text = format!("a{c}b");
            let read: String = serde_saphyr::from_str(&quote(&text)).expect("YAML");
            assert_eq!(read, text);
        }
    }

    fn is_taken(text: &str) -> bool {
        let read = serde_json::from_str::<String>(text);
        let is_quoted = read.is_ok_and(|read| quote(&read) == text);
        assert_eq!(inside(text).is_some(), is_quoted, "{text:?}");
        is_quoted
    }

    #[test]
    fn a_text_that_is_written_in_another_way_is_not_taken() {
        let mut taken = 0;
        for c in '\u{0}'..='\u{ffff}' {
            let number = u32::from(c);
            for text in [
                format!("\"{c}\""),
                format!("\"\\{c}\""),
                format!("\"\\u{number:04x}\""),
                format!("\"\\u{number:04X}\""),
                format!("\"\\u{number:03x}\""),
            ] {
                taken += usize::from(is_taken(&text));
            }
        }
        assert!(taken > 60_000, "{taken}");
        for text in [
            "",
            "\"",
            "\"\\\"",
            "\"a\"b\"",
            "a",
            "\"\\ud83d\\ude00\"",
            "\"\\u+07f\"",
            "\"\\u00\"",
            "\"\\u007g\"",
            "\"\\u007f",
        ] {
            assert!(!is_taken(text), "{text:?}");
        }
    }
}
