//! Hides what could be key material in text that people will see.
//!
//! Argo CD stores a plugin's stderr in the Application's status, in Redis and in its logs, so this runs over
//! every line before it leaves the process. It errs on the side of hiding: a false positive costs a person a
//! look into the file, a false negative costs a key.

/// What a hidden character becomes. One byte for one byte, so that spans stay right.
const HIDDEN: u8 = b'*';

/// From this length on, a run that mixes upper case, lower case and digits is taken for encoded bytes.
/// 16 bytes in base64 are 22 characters; words of Kubernetes and Liqo in mixed case have no digits.
const ENCODED_RUN: usize = 22;

/// From this length on, hexadecimal digits are taken for a key (128 bits).
const HEX_RUN: usize = 32;

/// Words after which the rest of the line is hidden: fields of a kubeconfig, of a key Secret and of `wg`.
const SECRET_FIELDS: [&str; 6] =
    ["token", "password", "client-key-data", "client-certificate-data", "privatekey", "private-key"];

/// Words that begin key material of their own, whatever its length.
const SECRET_PREFIXES: [&str; 3] = ["AGE-SECRET-KEY-", "AGE-PLUGIN-", "ARGOCD-PEERING-SEED-"];

/// The text with everything that could be key material hidden; of the same length in bytes, with the same
/// line breaks. The ranges in `public` (byte ranges of values known to be public keys) are left readable.
#[must_use]
pub fn mask(text: &str, public: &[std::ops::Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut hide = |from: usize, to: usize| {
        for at in from..to {
            if let Some(byte) = bytes.get_mut(at)
                && !byte.is_ascii_whitespace()
                && !public.iter().any(|range| range.contains(&at))
            {
                *byte = HIDDEN;
            }
        }
    };
    pem_blocks(text, &mut hide);
    secret_fields(text, &mut hide);
    secret_prefixes(text, &mut hide);
    encoded_runs(text, &mut hide);
    // every hidden range begins and ends at a character boundary, or hides whole multi-byte characters
    String::from_utf8(bytes).unwrap_or_else(|_| "*".repeat(text.len()))
}

/// The text with characters that a terminal would not show, or would take for a line break or an order, replaced by ones
/// that can be seen; of the same length in bytes.
pub(super) fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        // a next line has two bytes, as has a control of Latin-1
        '\u{80}'..='\u{9f}' => '\u{a4}',
        // separators, the byte-order mark inside a text, marks that turn the direction or have no width
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
            '\u{fffd}'
        }
        _ => c,
    };
    text.chars().map(shown).collect()
}

/// `-----BEGIN … PRIVATE KEY-----` up to its end, or to the end of the text.
fn pem_blocks(text: &str, hide: &mut impl FnMut(usize, usize)) {
    let mut from = 0;
    while let Some(begin) = text.get(from..).and_then(|rest| rest.find("-----BEGIN")) {
        let begin = from + begin;
        let end = text
            .get(begin..)
            .and_then(|rest| {
                rest.find("-----END").and_then(|end| Some((rest.get(end + 8..)?, begin + end + 8)))
            })
            .map_or(text.len(), |(rest, at)| at + rest.find('\n').unwrap_or(rest.len()));
        hide(begin, end);
        from = end;
    }
}

/// `token: …` and its like, in YAML or JSON.
fn secret_fields(text: &str, hide: &mut impl FnMut(usize, usize)) {
    let lower = text.to_ascii_lowercase();
    for field in SECRET_FIELDS {
        for (at, _) in lower.match_indices(field) {
            let after = at + field.len();
            let Some(rest) = text.get(after..) else { continue };
            let value = rest.trim_start_matches(['"', '\'']).trim_start_matches(' ');
            let Some(value) = value.strip_prefix([':', '=']) else { continue };
            let from = text.len() - value.len();
            hide(from, from + value.find('\n').unwrap_or(value.len()));
        }
    }
}

/// `AGE-SECRET-KEY-1…` and its like, in either case (Bech32 may be written in both).
fn secret_prefixes(text: &str, hide: &mut impl FnMut(usize, usize)) {
    let upper = text.to_ascii_uppercase();
    for prefix in SECRET_PREFIXES {
        for (at, _) in upper.match_indices(prefix) {
            let rest = text.get(at + prefix.len()..).unwrap_or_default();
            // `AGE-SECRET-KEY-PQ-1…` and the plugins' identities have more words before their data
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
            // the prefix alone, or with `1…`, is a word of the documentation, and says what was hidden
            if length <= "1".len() {
                continue;
            }
            hide(at + prefix.len(), at + prefix.len() + length);
        }
    }
}

/// Long runs of base64 or hexadecimal digits.
fn encoded_runs(text: &str, hide: &mut impl FnMut(usize, usize)) {
    let encoded = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '_');
    runs(text, encoded, &mut |start, run| {
        if is_encoded(run) {
            hide(start, start + run.len());
        }
    });
    // on their own, since a path or a word may stand right before or behind them
    runs(text, |c| c.is_ascii_hexdigit(), &mut |start, run| {
        if run.len() >= HEX_RUN {
            hide(start, start + run.len());
        }
    });
}

/// The longest runs of such characters, and where each begins.
fn runs<'t>(text: &'t str, of: impl Fn(char) -> bool, each: &mut impl FnMut(usize, &'t str)) {
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(&of)) {
        let start = from + start;
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find(|c| !of(c)).unwrap_or(rest.len());
        each(start, rest.get(..length).unwrap_or_default());
        from = start + length;
    }
}

fn is_encoded(run: &str) -> bool {
    let has = |test: fn(&u8) -> bool| run.as_bytes().iter().any(&test);
    let mixed = has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(|b| b.is_ascii_digit() || b"+=".contains(b));
    run.len() >= ENCODED_RUN && mixed
}

#[cfg(test)]
mod tests {
    use super::{mask, visible};

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
        let shown = visible(text);
        assert_eq!(shown, "a¤b\u{fffd}c\u{fffd}d\u{fffd}e\u{fffd}é¤1m\n");
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
