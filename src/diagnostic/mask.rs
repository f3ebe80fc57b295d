//! Hides what could be key material in text that people will see.
//!
//! Argo CD stores a plugin's stderr in the Application's status, in Redis and in its logs, so this runs over
//! every line before it leaves the process. It errs on the side of hiding: a false positive costs a person a
//! look into the file, a false negative costs a key.

use std::ops::Range;

/// What a hidden character becomes. One byte for one byte, so that spans stay right.
const HIDDEN: u8 = b'*';

/// From this length on, a word that mixes upper case, lower case and digits is taken for encoded bytes.
/// 16 bytes in base64 are 22 characters; words of Kubernetes and Liqo in mixed case have no digits.
const ENCODED_WORD: usize = 22;

/// From this length on, hexadecimal digits are taken for a key (128 bits), in whatever word they stand.
const HEX_RUN: usize = 32;

/// From this length on, letters of one case with some digits are taken for Bech32.
const BECH32_WORD: usize = 32;

/// From this length on, two words that only white space parts are taken for a key that an editor has wrapped.
const WRAPPED: usize = 40;

/// Words after which the next value is hidden: fields of a kubeconfig, of a key Secret and of `wg`.
const SECRET_FIELDS: [&str; 6] =
    ["token", "password", "client-key-data", "client-certificate-data", "privatekey", "private-key"];

/// Words that begin key material of their own, whatever its length.
const SECRET_PREFIXES: [&str; 3] = ["AGE-SECRET-KEY-", "AGE-PLUGIN-", "ARGOCD-PEERING-SEED-"];

/// The text with everything that could be key material hidden, and with a `?` for every character that could
/// forge what a terminal shows; of the same length in bytes, with the same line breaks. The ranges in `public`
/// (bytes that are known to be public) are left readable.
#[must_use]
pub fn mask(text: &str, public: &[Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut replace = |range: Range<usize>, by: u8| {
        for at in range {
            if let Some(byte) = bytes.get_mut(at)
                && !byte.is_ascii_whitespace()
                && !public.iter().any(|range| range.contains(&at))
            {
                *byte = by;
            }
        }
    };
    for range in pem_blocks(text).into_iter().chain(secret_fields(text)).chain(secret_prefixes(text)) {
        replace(range, HIDDEN);
    }
    for range in encoded_words(text) {
        replace(range, HIDDEN);
    }
    for (at, c) in text.char_indices() {
        if forges(c) {
            replace(at..at + c.len_utf8(), b'?');
        }
    }
    // every range begins and ends at a character's boundary
    String::from_utf8(bytes).unwrap_or_else(|_| "*".repeat(text.len()))
}

/// Controls, line breaks of YAML 1.1, and marks that change the direction of text.
fn forges(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// `-----BEGIN … PRIVATE KEY-----` up to its end, or to the end of the text.
fn pem_blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut from = 0;
    while let Some(begin) = text.get(from..).and_then(|rest| rest.find("-----BEGIN")) {
        let begin = from + begin;
        let end = text
            .get(begin..)
            .and_then(|rest| {
                rest.find("-----END").and_then(|end| Some((rest.get(end + 8..)?, begin + end + 8)))
            })
            .map_or(text.len(), |(rest, at)| at + rest.find('\n').unwrap_or(rest.len()));
        blocks.push(begin..end);
        from = end;
    }
    blocks
}

/// `token: …` and its like, in YAML or JSON, also in a string of YAML: the rest of the line, or the first line behind it
/// that says something.
fn secret_fields(text: &str) -> Vec<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let mut values = Vec::new();
    for field in SECRET_FIELDS {
        for (at, _) in lower.match_indices(field) {
            let after = text.get(at + field.len()..).unwrap_or_default();
            let Some(value) = after.trim_start_matches(['"', '\'', '\\', ' ']).strip_prefix([':', '='])
            else {
                continue;
            };
            let from = text.len() - value.len();
            let mut length = 0;
            for line in value.split_inclusive('\n') {
                length += line.len();
                let says = line.trim_matches(|c: char| c.is_whitespace() || "\"'\\|>-+".contains(c));
                if !says.is_empty() && !says.starts_with('#') {
                    break;
                }
            }
            values.push(from..from + length);
        }
    }
    values
}

/// `AGE-SECRET-KEY-1…` and its like, in either case (Bech32 may be written in both). The prefix itself says what was
/// hidden.
fn secret_prefixes(text: &str) -> Vec<Range<usize>> {
    let upper = text.to_ascii_uppercase();
    let mut secrets = Vec::new();
    for prefix in SECRET_PREFIXES {
        for (at, _) in upper.match_indices(prefix) {
            let from = at + prefix.len();
            let rest = text.get(from..).unwrap_or_default();
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
            // the prefix alone, or with `1…`, is a word of the documentation
            if length > "1".len() {
                secrets.push(from..from + length);
            }
        }
    }
    secrets
}

/// Words of base64 (either alphabet), hexadecimal digits or Bech32, also where one is wrapped.
fn encoded_words(text: &str) -> Vec<Range<usize>> {
    let encoded = |c: char| c.is_ascii_alphanumeric() || "+/=_-".contains(c);
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(encoded)) {
        let start = from + start;
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find(|c| !encoded(c)).unwrap_or(rest.len());
        words.push(start..start + length);
        from = start + length;
    }
    let word = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
    let mut hidden: Vec<Range<usize>> =
        words.iter().filter(|range| is_encoded(word(range))).cloned().collect();
    for pair in words.windows(2) {
        let [one, two] = pair else { continue };
        let between = text.get(one.end..two.start).unwrap_or_default();
        // `\n` in a quoted string leaves its `n` at the head of the second word
        let (first, second) = (word(one), word(two));
        if between.chars().all(|c| c.is_whitespace() || c == '\\')
            && first.len() + second.len() >= WRAPPED
            && is_base64(first)
            && is_base64(second)
            && is_mixed(&[first, second].concat())
        {
            hidden.extend([one.clone(), two.clone()]);
        }
    }
    hidden
}

fn is_base64(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
}

/// Upper case, lower case, and digits or what only base64 has.
fn is_mixed(word: &str) -> bool {
    let has = |test: fn(&u8) -> bool| word.as_bytes().iter().any(test);
    has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(|b| b.is_ascii_digit() || b"+=".contains(b))
}

fn is_encoded(word: &str) -> bool {
    let longest = |test: fn(&u8) -> bool| {
        word.as_bytes().split(|byte| !test(byte)).map(<[u8]>::len).max().unwrap_or_default()
    };
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let one_case = longest(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        .max(longest(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
    (word.len() >= ENCODED_WORD && is_mixed(word))
        || longest(u8::is_ascii_hexdigit) >= HEX_RUN
        || (one_case >= BECH32_WORD && digits >= 4)
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn key_material_is_hidden() {
        for secret in [
            "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=",
            "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30",
            "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33",
            "AGE-SECRET-KEY-PQ-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33",
            "AGE-PLUGIN-YUBIKEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33",
            "argocd-peering-seed-1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0szrrxvh",
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        ] {
            let text = format!("key: {secret} # end");
            let masked = mask(&text, &[]);
            assert_eq!(masked.len(), text.len());
            assert!(masked.contains("****") && masked.ends_with("# end"), "{masked}");
            let tail = &secret[secret.len() - 20..];
            assert!(!masked.contains(tail), "{masked}");
        }
    }

    #[test]
    fn hexadecimal_digits_are_hidden_whatever_stands_beside_them() {
        let key = "000102030405060708090a0b0c0d0e0f";
        for text in [format!("./{key}"), format!("{key}x"), format!("key_{key}.age")] {
            assert!(!mask(&text, &[]).contains("0405"), "{text}");
        }
    }

    #[test]
    fn pem_is_hidden_over_its_lines() {
        let masked = mask("a: 1\n-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\nb: 2\n", &[]);
        assert!(masked.starts_with("a: 1\n") && masked.ends_with("\nb: 2\n") && !masked.contains("MC4C"));
        assert_eq!(masked.lines().count(), 5);
    }

    #[test]
    fn short_tokens_of_a_kubeconfig_are_hidden() {
        let masked = mask("user: {token: abc}\n  \"password\": \"hunter2\"\nname: x\n", &[]);
        assert!(!masked.contains("abc") && !masked.contains("hunter2") && masked.ends_with("name: x\n"));
    }

    #[test]
    fn the_documentation_may_name_them() {
        for text in [
            "lines of `AGE-SECRET-KEY-1…`",
            "`ARGOCD-PEERING-SEED-1…` in capitals",
            "an AGE-PLUGIN- identity",
        ] {
            assert_eq!(mask(text, &[]), text);
        }
    }

    #[test]
    fn ordinary_words_stay() {
        let text = "podOffloadingStrategy: LocalAndRemote, 10.42.0.0/16, liqo.io/remote-cluster-id, wireguard-server";
        assert_eq!(mask(text, &[]), text);
        assert_eq!(mask("tokens of Äpfel and 🍎", &[]), "tokens of Äpfel and 🍎");
    }

    #[test]
    fn what_cannot_be_seen_is_shown_and_nothing_moves() {
        let text = "a\u{85}b\u{2028}c\u{202e}d\u{feff}e\u{200b}é\u{9b}1m\n";
        let shown = mask(text, &[]);
        assert_eq!(shown, "a??b???c???d???e???é??1m\n");
        assert_eq!(shown.len(), text.len());
    }

    #[test]
    fn a_known_public_key_stays() {
        let key = "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=";
        let text = format!("publicKey: {key}");
        let range = 11..11 + key.len();
        assert_eq!(mask(&text, std::slice::from_ref(&range)), text);
    }
}
