//! What is hidden, and what stays readable.

use super::{mask, mask_names};

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
    for text in
        ["lines of `AGE-SECRET-KEY-1…`", "`ARGOCD-PEERING-SEED-1…` in capitals", "an AGE-PLUGIN- identity"]
    {
        assert_eq!(mask(text, &[]), text);
    }
}

#[test]
fn ordinary_words_stay() {
    let text =
        "podOffloadingStrategy: LocalAndRemote, 10.42.0.0/16, liqo.io/remote-cluster-id, wireguard-server";
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

#[test]
fn users_of_urls_are_hidden() {
    for (text, shown) in [
        ("`http://user:hunter2@proxy.example.org:3128`", "`http://************@proxy.example.org:3128`"),
        ("https://ghp_x@github.com/o/r", "https://*****@github.com/o/r"),
        ("HTTPS://a@b@host/x@y", "HTTPS://***@host/x@y"),
        ("help: https://http://user:pw@host", "help: https://http://*******@host"),
        ("ssh://git@host/a ssh://git:pw@host/a", "ssh://git@host/a ssh://git:**@host/a"),
        ("socks5://me:pw@host", "socks5://me:**@host"),
        ("https://host/a@b, a@b", "https://host/a@b, a@b"),
        ("a.https://u@h", "a.https://*@h"),
    ] {
        assert_eq!(mask(text, &[]), shown);
    }
}

#[test]
fn names_are_readable_and_keys_in_them_are_not() {
    for path in [
        "customer-42/peerings/Rome-Milan-prod/peering.yaml",
        "/srv/Anna/work2/Infra2/liqo/rome-milan/prod",
        "https://git.example.org/Team2/Peerings2026/net.git",
    ] {
        assert_eq!(mask_names(path), path);
        assert!(mask(path, &[]).contains("****"), "as any text it is hidden: {path}");
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
        let shown = mask_names(&path);
        assert!(shown.contains("****") && !shown.contains("FDkZ4"), "{shown}");
        assert_eq!(shown.len(), path.len());
    }
}

/// Whoever can push chooses what is hidden: the time must grow with the text, and not with its square.
#[test]
fn hiding_costs_little() {
    const LENGTH: usize = 64 * 1024;
    let of = |pattern: &str| pattern.repeat(LENGTH / pattern.len());
    let started = std::time::Instant::now();
    for pattern in
        ["token=", "token:\n", "-----BEGIN", "AGE-SECRET-KEY-", "a://b@", "/aA1", "aA1 ", "\u{202e}"]
    {
        let text = of(pattern);
        assert_eq!(mask(&text, &[]).len(), text.len());
        assert_eq!(mask_names(&text).len(), text.len());
    }
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}
