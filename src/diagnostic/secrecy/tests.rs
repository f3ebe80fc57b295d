//! What is hidden, and what stays readable.

use super::{TextKind, is_unseen, mask, mask_document, masked, printed};
use std::cell::Cell;

fn as_name(text: &str) -> String {
    masked(text, &[], TextKind::Name)
}

#[test]
fn key_material_is_hidden() {
    for secret in [
        "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=",
        "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30",
        "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33",
        "AGE-SECRET-KEY-PQ-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33",
        "AGE-PLUGIN-YUBIKEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33",
        "AGE-PLUGIN-YUBIKEY-1GQ97-78VQX-MMJVE-8SK7J-6VT8U-J4HDQ-AJUVS-FCWCM",
        "argocd-peering-seed-1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0szrrxvh",
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    ] {
        let text = format!("key: {secret} # end");
        let masked = mask(&text);
        assert_eq!(masked.len(), text.len());
        assert!(
            masked.contains("****") && masked.ends_with("# end"),
            "{masked}"
        );
        let tail = &secret[secret.len() - 20..];
        assert!(!masked.contains(tail), "{masked}");
    }
}

#[test]
fn a_key_in_pieces_is_hidden() {
    let key = "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=";
    for size in [8, 11, 15, 22, 30] {
        for (split, length) in [("\\n  ", 43), ("\\n", 44), (" ", 44), ("\\\n    ", 44)] {
            let pieces = key.as_bytes()[..length].chunks(size);
            let pieces: Vec<&str> = pieces.filter_map(|it| str::from_utf8(it).ok()).collect();
            let text = format!("wrong: \"{}\"", pieces.join(split));
            let masked = mask_document(&text);
            assert!(
                !masked.contains("eO1C") && !masked.contains("c30"),
                "{masked}"
            );
        }
    }
    let sentence = "The Application of this role has no Tenant and its name is A1=";
    assert_eq!(mask_document(sentence), sentence);
}

#[test]
fn hexadecimal_digits_are_hidden_whatever_stands_beside_them() {
    let key = "000102030405060708090a0b0c0d0e0f";
    for text in [
        format!("./{key}"),
        format!("{key}x"),
        format!("key_{key}.age"),
    ] {
        assert!(!mask(&text).contains("0405"), "{text}");
    }
    // the shortest key, of letters alone
    assert_eq!(mask(&"deadbeef".repeat(4)), "*".repeat(32));
}

#[test]
fn pem_is_hidden_over_its_lines() {
    let masked = mask("a: 1\n-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\nb: 2\n");
    assert!(
        masked.starts_with("a: 1\n") && masked.ends_with("\nb: 2\n") && !masked.contains("MC4C")
    );
    assert_eq!(masked.lines().count(), 5);
}

#[test]
fn short_tokens_of_a_kubeconfig_are_hidden() {
    let masked = mask("user: {token: abc}\n  \"password\": \"hunter2\"\nname: x\n");
    assert!(
        !masked.contains("abc") && !masked.contains("hunter2") && masked.ends_with("name: x\n")
    );
}

#[test]
fn the_documentation_may_name_them() {
    for text in [
        "lines of `AGE-SECRET-KEY-1…`",
        "`ARGOCD-PEERING-SEED-1…` in capitals",
        "an AGE-PLUGIN- identity",
    ] {
        assert_eq!(mask(text), text);
    }
}

#[test]
fn ordinary_words_stay() {
    let text = "podOffloadingStrategy: LocalAndRemote, 10.42.0.0/16, liqo.io/remote-cluster-id, wireguard-server";
    assert_eq!(mask(text), text);
    for text in [
        "tokens of Äpfel and 🍎",
        "20 30 40 50 60 70 80 90 22 33 44 55 66 77 88 99",
        "eu-prod01.kubernetesdomain",
    ] {
        assert_eq!(mask(text), text);
    }
}

/// Folders of `mktemp`, commits, revisions and digests.
#[test]
fn what_is_no_secret_is_shown() {
    let hex = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    for text in [
        "/tmp/tmp.XlfQxvTA0Y: `bAseRev1s1On`".to_owned(),
        format!("image@sha256:{hex}"),
    ] {
        assert_eq!(mask(&text), text);
    }
    let file = format!("{}:peerings/rome-milan/peering.yaml", &hex[..40]);
    assert_eq!(as_name(&file), file);
}

#[test]
fn what_cannot_be_seen_is_shown_and_nothing_moves() {
    let text = "a\u{85}b\u{2028}c\u{202e}d\u{feff}e\u{200b}é\u{9b}1m\n";
    let shown = mask(text);
    assert_eq!(shown, "a??b???c???d???e???é??1m\n");
    assert_eq!(shown.len(), text.len());
}

/// All of them, as they are listed: a terminal takes a form feed for a line feed, and a `\r` goes back to the line's beginning.
#[test]
fn nothing_unseen_reaches_a_screen() {
    for c in ('\0'..=char::MAX).filter(|c| is_unseen(*c) && !matches!(c, '\n' | '\t')) {
        let text = format!("a{c}b");
        for shown in [
            mask(&text),
            as_name(&text),
            mask_document(&text),
            printed(&text),
        ] {
            assert_eq!(
                shown,
                format!("a{}b", "?".repeat(c.len_utf8())),
                "U+{:04X}",
                u32::from(c)
            );
        }
    }
    for breaks in ["a\nb", "a\r\nb", "a\tb"] {
        assert_eq!(
            [mask(breaks), mask_document(breaks), printed(breaks)],
            [breaks; 3]
        );
    }
    for shown in [
        "Köln",
        "東京",
        "e\u{301}",
        "\u{1f600}",
        "a\u{a0}b",
        "\u{ac00}",
    ] {
        assert_eq!(mask(shown), shown);
    }
}

#[test]
fn users_of_urls_are_hidden() {
    for (text, shown) in [
        (
            "`http://user:hunter2@proxy.example.org:3128`",
            "`http://************@proxy.example.org:3128`",
        ),
        (
            "https://ghp_x@github.com/o/r",
            "https://*****@github.com/o/r",
        ),
        ("HTTPS://a@b@host/x@y", "HTTPS://***@host/x@y"),
        (
            "help: https://http://user:pw@host",
            "help: https://http://*******@host",
        ),
        (
            "ssh://git@host/a ssh://git:pw@host/a",
            "ssh://git@host/a ssh://git:**@host/a",
        ),
        ("socks5://me:pw@host", "socks5://me:**@host"),
        ("https://host/a@b, a@b", "https://host/a@b, a@b"),
        ("a.https://u@h", "a.https://*@h"),
    ] {
        assert_eq!(mask(text), shown);
    }
}

#[test]
fn names_are_readable_and_keys_in_them_are_not() {
    for path in [
        "customer-42/peerings/Rome-Milan-prod/peering.yaml",
        "/srv/Anna/work2/Infra2/liqo/rome-milan/prod",
        "https://git.example.org/Team2/Peerings2026/net.git",
    ] {
        assert_eq!(as_name(path), path);
        assert!(
            mask(path).contains("****"),
            "as any text it is hidden: {path}"
        );
    }
    let key = "eO1CP6S5bCtFj0iExDDFyDuGzAk+/+BitFDkZ43gc30=";
    let halves = "eO1CP6S5bCtFj0iExDDFy/uGzAkA+BitFDkZ43gc30D=";
    for path in [
        key.to_owned(),
        format!("a/{key}/b"),
        halves.to_owned(),
        format!("a/{halves}/b.age"),
        format!("./{}", halves.trim_end_matches('=')),
        "a/AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33/b".to_owned(),
        "a/000102030405060708090a0b0c0d0e0f/b".to_owned(),
    ] {
        let shown = as_name(&path);
        assert!(
            shown.contains("****") && !shown.contains("FDkZ4"),
            "{shown}"
        );
        assert_eq!(shown.len(), path.len());
    }
}

thread_local! {
    /// How many characters were looked at in this thread.
    static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn look_at(bytes: usize) {
    LOOKED_AT.set(LOOKED_AT.get() + bytes + 1);
}

fn cost(pattern: &str, length: usize) -> usize {
    let text = pattern.repeat(length / pattern.len());
    LOOKED_AT.set(0);
    assert_eq!(mask_document(&text).len(), text.len());
    assert_eq!(as_name(&text).len(), text.len());
    LOOKED_AT.get()
}

/// Anyone with push access chooses what is hidden: a text of twice the length must cost twice the work, and not four times.
#[test]
fn hiding_costs_as_much_as_the_text_is_long() {
    for pattern in [
        "token=",
        "token:\n",
        "# token:#\n",
        "# token:#",
        "token:#\n\n",
        "token:\"",
        "\"token\" :",
        "-----BEGIN",
        "-----END",
        "-----BEGIN\n-----END",
        "AGE-SECRET-KEY-",
        "a://b@",
        "://",
        "http",
        "/aA1",
        "aA1 ",
        "a1:",
        "00 ",
        "00:",
        "a-",
        "\\x00",
        "\\",
        "abcdef.0123456789abcdef ",
        "\u{202e}",
        " ",
        "\n",
        "\"",
    ] {
        let (half, whole) = (cost(pattern, 16 * 1024), cost(pattern, 32 * 1024));
        assert!(whole > 16 * 1024, "{pattern:?}: the work is counted");
        assert!(
            whole * 10 <= half * 21,
            "{pattern:?}: {half} for a half, {whole} for the whole"
        );
    }
}
