//! What a plain scalar means to YAML 1.1 and to YAML 1.2, and whether they agree.
//!
//! Argo CD's `ApplicationSet` reads `peering.yaml` as YAML 1.1 (sigs.k8s.io/yaml), people and editors as 1.2. If the
//! two understood a plain scalar differently, the two Applications of a peering would disagree with its streams. So a
//! plain scalar is accepted only if it means the same to both.

/// The meaning of a plain scalar to every reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    Text,
    /// An integer, written as JSON writes it.
    Integer(i64),
    /// `true` or `false`.
    Boolean(bool),
    /// A decimal fraction, written as JSON writes it.
    Fraction,
    /// Readers understand it differently.
    Ambiguous,
}

/// The booleans of YAML 1.1 (yaml.org/type/bool.html), its nulls, and those of YAML 1.2, in lower case. They count in
/// any case.
const WORDS: [&str; 11] = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "",
];

/// The boolean that YAML 1.1 reads in a plain scalar. Upper and lower case are the same.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "y" | "yes" | "on" | "true" => Some(true),
        "n" | "no" | "off" | "false" => Some(false),
        _ => None,
    }
}

/// Reads a plain scalar.
pub fn read_plain(text: &str) -> Plain {
    match text {
        "true" => return Plain::Boolean(true),
        "false" => return Plain::Boolean(false),
        "=" | "<<" => return Plain::Ambiguous,
        _ => {}
    }
    if WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Plain::Ambiguous;
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !matches!(unsigned.bytes().next(), Some(b'0'..=b'9' | b'.')) {
        return Plain::Text;
    }
    if let Some(integer) = json_integer(text) {
        return Plain::Integer(integer);
    }
    if is_json_fraction(text) {
        return Plain::Fraction;
    }
    if looks_like_a_number(unsigned) {
        Plain::Ambiguous
    } else {
        Plain::Text
    }
}

/// Whether a text is an IPv6 address or network. Its colons are not a slip.
pub(super) fn is_ipv6(text: &str) -> bool {
    let text = text.split('/').next().unwrap_or_default();
    text.trim_matches(['[', ']'])
        .parse::<std::net::Ipv6Addr>()
        .is_ok()
}

/// `-?(0|[1-9][0-9]*)`, as far as 64 bits go.
fn json_integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let canonical = digits == "0" || !digits.starts_with('0');
    if canonical && are_digits(digits, b"") {
        text.parse().ok()
    } else {
        None
    }
}

/// `-?(0|[1-9][0-9]*)\.[0-9]+`
fn is_json_fraction(text: &str) -> bool {
    let Some((whole, fraction)) = text.split_once('.') else {
        return false;
    };
    json_integer(whole).is_some() && are_digits(fraction, b"")
}

/// Whether a text has only digits and the characters in `between`. It is not empty.
fn are_digits(text: &str, between: &[u8]) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || between.contains(&byte))
}

/// Whether any reader of YAML 1.1 or 1.2 could take the text for a number or a date: octal and hexadecimal numbers,
/// underscores, exponents, sexagesimal numbers (`12:30`), `.inf`, `.nan`, timestamps.
fn looks_like_a_number(unsigned: &str) -> bool {
    let lower = unsigned.to_ascii_lowercase();
    if matches!(lower.as_str(), ".inf" | ".nan") {
        return true;
    }
    for prefix in ["0x", "0o", "0b"] {
        if let Some(rest) = lower.strip_prefix(prefix)
            && are_digits(rest, b"_abcdef")
        {
            return true;
        }
    }
    let kinds = [is_decimal, has_exponent, is_sexagesimal, is_date];
    kinds.iter().any(|is_kind| is_kind(&lower))
}

fn is_decimal(lower: &str) -> bool {
    are_digits(lower, b"_.")
        && !lower.trim_matches(['_', '.']).is_empty()
        && lower.matches('.').count() <= 1
}

fn has_exponent(lower: &str) -> bool {
    let Some((mantissa, power)) = lower.split_once('e') else {
        return false;
    };
    are_digits(mantissa, b"_.") && are_digits(power.strip_prefix(['-', '+']).unwrap_or(power), b"_")
}

/// `12:30` and `190:20:30.15`; not `172.16.183.16:6443`.
fn is_sexagesimal(lower: &str) -> bool {
    let Some((first, rest)) = lower.split_once(':') else {
        return false;
    };
    let (sixtieths, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    are_digits(first, b"_")
        && (fraction.is_empty() || are_digits(fraction, b"_"))
        && sixtieths
            .split(':')
            .all(|part| part.len() <= 2 && are_digits(part, b"_"))
}

/// `2001-01-01`, and such a date with a time after it.
fn is_date(lower: &str) -> bool {
    let mut parts = lower.splitn(3, '-');
    let (Some(year), Some(month), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let time = rest.trim_start_matches(char::is_numeric);
    let day = rest.strip_suffix(time).unwrap_or_default();
    (year.len() == 4 && month.len() <= 2 && day.len() <= 2)
        && (are_digits(year, b"") && are_digits(month, b"") && are_digits(day, b""))
        && (time.is_empty() || time.starts_with(['t', ' ']))
}

#[cfg(test)]
mod tests {
    use super::{Plain, read_plain};

    #[test]
    fn what_every_reader_agrees_on() {
        for text in [
            "rome",
            "10.42.0.0/16",
            "v1.2",
            "1.2.3",
            "128Gi",
            "172.16.183.16",
            "liqo-tenant-1",
            "a: b",
            "-x",
            "e3",
            "0x",
            "1e",
            "2001-01",
            "10-1",
            "12:ab",
            "172.16.183.16:6443",
            "1:234",
            "1.5:30",
            ".",
        ] {
            assert_eq!(read_plain(text), Plain::Text, "{text}");
        }
        assert_eq!(read_plain("51840"), Plain::Integer(51840));
        assert_eq!(read_plain("-1"), Plain::Integer(-1));
        assert_eq!(read_plain("0"), Plain::Integer(0));
        assert_eq!(read_plain("1.2"), Plain::Fraction);
        assert_eq!(read_plain("true"), Plain::Boolean(true));
    }

    #[test]
    fn what_readers_differ_on() {
        for text in [
            "on",
            "On",
            "OFF",
            "yes",
            "No",
            "y",
            "N",
            "True",
            "FALSE",
            "null",
            "Null",
            "~",
            "",
            "=",
            "<<",
            "017",
            "0o17",
            "0x10",
            "0X1F",
            "0b1",
            "1_000",
            "1e3",
            "1E3",
            "5e10",
            "1.5e3",
            ".5",
            "5.",
            "+1",
            ".inf",
            "-.INF",
            ".NaN",
            "12:30",
            "12:30:45",
            "12:3",
            "1_0:30.",
            "190:20:30.15",
            "2001-01-01",
            "2001-1-1t2:3:4",
            "2001-12-14 21:59:43.10 -5",
            "08",
            "-017",
            "1__0",
            "99999999999999999999",
        ] {
            assert_eq!(read_plain(text), Plain::Ambiguous, "{text}");
        }
    }
}
