//! Spellings of secrets that stand in other words, or are cut in two.

use super::canary::{Canary, HEX, IDENTITY, KEY, SEED, screen, shown, shown_with};
use crate::harness::{Checkout, RECIPIENT, edited};

/// These words are shown as a plain value, in quotes, in a comment and as a key, without the secret.
#[track_caller]
fn hidden(words: &str, secret: &str) {
    for line in [
        format!("      - wrong: {words}"),
        format!("      - wrong: \"{words}\""),
        format!("      - wrong: a # {words}"),
        format!("      - \"{words}\": a"),
        format!("      - wrong: {{ a: [\"{words}\"] }}"),
        // with a blank, since most of these are good names of a class
        format!("      - class: \"{words} \""),
        format!("      - name: \"{words}\""),
    ] {
        let screen = shown_with(&line);
        assert_eq!(shown(&screen, secret), None, "{words}:\n{screen}");
    }
}

/// In the words of `wg`, of Kubernetes, and of programming languages.
#[test]
fn a_secret_in_other_words() {
    let of_key = "PrivateKey = @|privateKey: @|private-key=@|token: @|(@)|<@>|@.|@,@|--key=@|k:@";
    let of_hex = "@|(@)|a @ b|@.|a: @|a-@|private-key=@|private_key=@|0x@|key=@|psk_@|k/@|@/32|hex:x@|@Z|\\\\x@|=@|_@_";
    let bare = |canary: Canary| canary.text.strip_prefix(canary.prefix).expect("its prefix");
    let (identity, seed) = (bare(IDENTITY), bare(SEED));
    let upper = HEX.text.to_uppercase();
    for (secret, words) in [
        (KEY.text, of_key),
        (identity, &of_key.replace('@', "AGE-SECRET-KEY-1@")),
        (HEX.text, of_hex),
        (&upper, "@"),
        // RFC 4648 section 5: tokens and many keys are written with `-` and `_`
        ("d3dvLpcp3-hwV15TFa9tY2ETKLSA-S7yuj4MXj8R16E", "@|key: @"),
        (TOKEN, "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlcm5ldGVzIn0.@"),
        // `age-keygen -pq` of age 1.3
        (
            "P2L57FA6EG5D8PG9TPD9JU3F2QC5GZYFE3RXJ45XAXWUTFS7Z4EQYZFW4J",
            "AGE-SECRET-KEY-PQ-1@|AGE-PLUGIN-YUBIKEY-1@",
        ),
        // without the words before it, such as the second half of one that an editor wrapped
        (identity, "@"),
        (&identity[20..], "@"),
        (seed, "@"),
        (&seed[20..], "@"),
        (
            "2mnntceqndxzjguvgl9jx6pvuf39y5v83fxruqyasttgnt92amksemp2fa",
            "@",
        ),
        // a password has no form that could be recognised, but the field before it says what it is
        (
            "hunter2-hunter2",
            "token: @|token: '@'|password=@|{token: @}|id-token: @|TOKEN : @",
        ),
    ] {
        words
            .split('|')
            .for_each(|words| hidden(&words.replace('@', secret), secret));
    }
}

const TOKEN: &str = "R9Jfq4W-p03ZI5D5hLsz2b-LFqRV1C9ENHP0PqC1uaXTi8C9YjK-3hnFM1kW2L6t9Uf37zI0I0l-CdtbeKEXU5_t2PeeMsVoRWkSXTHSSATYh";

/// The same where the environment or the command line is quoted.
#[test]
fn hexadecimal_digits_in_a_path() {
    let checkout = Checkout::new();
    let url = format!("https://git.example.org/{}/peerings", HEX.text);
    let denied = checkout
        .plugin("provider")
        .env("ARGOCD_APP_SOURCE_REPO_URL", url)
        .run();
    denied.fails(3, "denied");
    HEX.is_hidden_in(&denied.stderr, "a URL");
    let folder = checkout.program(["seal", "kubeconfig", "--clusters", "a,b", "--recipient"]);
    let missing = folder
        .arg(RECIPIENT)
        .arg(format!("tokens/{}", HEX.text))
        .run();
    missing.fails(3, "file");
    HEX.is_hidden_in(&missing.stderr, "a path");
}

/// An editor's or a mail's line break in the middle of a key.
#[test]
fn a_key_over_two_lines() {
    for cut in [16, 20, 24, 28] {
        let (one, two) = KEY.text.split_at(cut);
        for break_ in ["\n          ", " ", "\\\n          ", "\\n"] {
            for quote in ["", "\""] {
                let line = format!("      - wrong: {quote}{one}{break_}{two}{quote}");
                KEY.is_hidden_in(&shown_with(&line), format_args!("{line:?}"));
            }
        }
    }
}

/// A name of 52 to 63 hexadecimal digits is a valid label, so it gets to the rules behind the first, which name it.
#[test]
fn a_key_that_is_a_valid_name() {
    let key = &HEX.text[..62];
    let part = &key[..40];
    for document in [
        edited("clusterID: consumer", &format!("clusterID: {key}")),
        edited(
            "clusterID: consumer",
            &format!("clusterID: consumer\n    names: {{ gateway: {key} }}"),
        ),
        edited(
            "- { name: provider, class",
            &format!("- {{ name: {key}, class"),
        ),
        edited("- name: demo", &format!("- name: {key}")),
        edited("clusterID: consumer", &format!("clusterID: {key}"))
            .replace("clusterID: provider", &format!("clusterID: {key}")),
        edited(
            "- name: demo",
            &format!("- name: {part}\n        clusters: all\n      - name: {part}"),
        ),
        edited(
            "- { name: provider,",
            &format!("- {{ name: {part} }}\n      - {{ name: {part},"),
        ),
        edited(
            "clusterID: consumer",
            &format!("clusterID: consumer\n    tenantNamespace: {part}"),
        )
        .replace("- name: demo", &format!("- name: {part}")),
    ] {
        let screen = screen(&document);
        assert!(screen.contains("error["), "{document}");
        HEX.is_hidden_in(&screen, "a name");
    }
}

/// A password behind its field's name over two lines, or in JSON in a string.
#[test]
fn an_opaque_token_a_little_farther_from_its_fields_name() {
    let token = "hunter2-hunter2";
    for text in [
        "{ token:\n          @, wrong: 1 }",
        "{ token:\n\n          # of Rome\n          '@', wrong: 1 }",
        "\"{\\\"token\\\": \\\"@\\\"}\"",
        "{ class: 'token:\n          @' }",
    ] {
        let screen = shown_with(&format!("      - {}", text.replace('@', token)));
        assert_eq!(shown(&screen, token), None, "{text}:\n{screen}");
    }
}
