//! Spellings of secrets that stand in other words, or are cut in two.

use super::canary::{Canary, HEX, IDENTITY, KEY, screen, shown};
use crate::harness::{Checkout, RECIPIENT, edited};

/// Documents that show these words, as a plain value, in quotes, in a comment and as a key.
fn documents(words: &str) -> Vec<String> {
    let place = "      - { name: provider, class: default, resources: { cpu: \"1\", memory: 1Gi } }";
    [
        format!("      - wrong: {words}"),
        format!("      - wrong: \"{words}\""),
        format!("      - wrong: a # {words}"),
        format!("      - \"{words}\": a"),
        format!("      - wrong: {{ a: [\"{words}\"] }}"),
        // with a blank, since most of these are good names of a class
        format!("      - class: \"{words} \""),
        format!("      - name: \"{words}\""),
    ]
    .iter()
    .map(|line| edited(place, line))
    .collect()
}

#[track_caller]
fn hidden(words: &str, secret: &'static str) {
    for document in documents(words) {
        let screen = screen(&document);
        assert!(screen.contains("error["), "{document}");
        assert_eq!(shown(&screen, secret), None, "{words}:\n{screen}");
    }
}

#[test]
fn keys_in_the_words_of_wg_and_of_kubernetes() {
    for words in [
        "PrivateKey = @",
        "privateKey: @",
        "private-key=@",
        "token: @",
        "(@)",
        "<@>",
        "@.",
        "@,@",
        "--key=@",
        "k:@",
    ] {
        for canary in [KEY, IDENTITY] {
            hidden(
                &words.replace('@', canary.text),
                canary.text.strip_prefix(canary.prefix).expect("its prefix"),
            );
        }
    }
    for words in ["@", "(@)", "a @ b", "@.", "a: @", "a-@", "private-key=@"] {
        hidden(&words.replace('@', HEX.text), HEX.text);
    }
    let upper: &str = "78259B8D5F1DA594908E144BEA688147D8A87A6FADC07A7843B780B3FF3E1C55";
    hidden(upper, upper);
}

/// As `wg`'s own interface (`wg show dump` is base64, the cross-platform interface is hex: `private_key=…`) and every
/// programming language write it.
#[test]
fn hexadecimal_digits_in_other_words() {
    for words in
        ["private_key=@", "0x@", "key=@", "psk_@", "k/@", "@/32", "hex:x@", "@Z", "\\\\x@", "=@", "_@_"]
    {
        hidden(&words.replace('@', HEX.text), HEX.text);
    }
}

/// The same where the environment or the command line is quoted.
#[test]
fn hexadecimal_digits_in_a_path() {
    let checkout = Checkout::new();
    let url = format!("https://git.example.org/{}/peerings", HEX.text);
    let denied = checkout.plugin("provider").env("ARGOCD_APP_SOURCE_REPO_URL", url).run();
    denied.fails(3, "denied");
    HEX.is_hidden_in(&denied.stderr, "a URL");
    let folder = checkout.program(["seal", "kubeconfig", "--clusters", "a,b", "--recipient"]);
    let missing = folder.arg(RECIPIENT).arg(format!("tokens/{}", HEX.text)).run();
    missing.fails(3, "file");
    HEX.is_hidden_in(&missing.stderr, "a path");
}

/// RFC 4648 section 5: tokens and many keys are written with `-` and `_`.
#[test]
fn the_url_safe_alphabet() {
    let key = "d3dvLpcp3-hwV15TFa9tY2ETKLSA-S7yuj4MXj8R16E";
    hidden(key, key);
    hidden(&format!("key: {key}"), key);
    let token = "R9Jfq4W-p03ZI5D5hLsz2b-LFqRV1C9ENHP0PqC1uaXTi8C9YjK-3hnFM1kW2L6t9Uf37zI0I0l-CdtbeKEXU5_t2PeeMsVoRWkSXTHSSATYh";
    hidden(&format!("eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlcm5ldGVzIn0.{token}"), token);
}

/// `age-keygen -pq` of age 1.3.
#[test]
fn a_post_quantum_identity() {
    let secret = "P2L57FA6EG5D8PG9TPD9JU3F2QC5GZYFE3RXJ45XAXWUTFS7Z4EQYZFW4J";
    hidden(&format!("AGE-SECRET-KEY-PQ-1{secret}"), secret);
    hidden(&format!("AGE-PLUGIN-YUBIKEY-1{secret}"), secret);
}

/// An identity or a seed without the words before it, such as the second half of one that an editor wrapped.
#[test]
fn bech32_without_its_prefix() {
    for canary in [IDENTITY, super::canary::SEED] {
        let secret = canary.text.strip_prefix(canary.prefix).expect("its prefix");
        hidden(secret, secret);
        hidden(secret.get(20..).expect("a part"), secret);
    }
    let small = "2mnntceqndxzjguvgl9jx6pvuf39y5v83fxruqyasttgnt92amksemp2fa";
    hidden(small, small);
}

/// An editor's or a mail's line break in the middle of a key.
#[test]
fn a_key_over_two_lines() {
    for cut in [16, 20, 24, 28] {
        let (one, two) = KEY.text.split_at(cut);
        for break_ in ["\n          ", " ", "\\\n          ", "\\n"] {
            for quote in ["", "\""] {
                let line = format!("- wrong: {quote}{one}{break_}{two}{quote}");
                let document = edited(
                    "- { name: provider, class: default, resources: { cpu: \"1\", memory: 1Gi } }",
                    &line,
                );
                KEY.is_hidden_in(&screen(&document), format_args!("{line:?}"));
            }
        }
    }
}

/// A name of 52 to 63 hexadecimal digits is a valid label, so it gets to the rules behind the first, which name it.
#[test]
fn a_key_that_is_a_valid_name() {
    const HALF: Canary = Canary {
        what: "most of a key in hex",
        prefix: "",
        text: "78259b8d5f1da594908e144bea688147d8a87a6fadc07a7843b780b3ff3e1c",
    };
    let key = HALF.text;
    for document in [
        edited("clusterID: consumer", &format!("clusterID: {key}")),
        edited("clusterID: consumer", &format!("clusterID: consumer\n    names: {{ gateway: {key} }}")),
        edited("- { name: provider, class", &format!("- {{ name: {key}, class")),
        edited("- name: demo", &format!("- name: {key}")),
        edited("clusterID: consumer", &format!("clusterID: {key}"))
            .replace("clusterID: provider", &format!("clusterID: {key}")),
        edited(
            "- name: demo",
            &format!("- name: {}\n        clusters: all\n      - name: {}", &key[..40], &key[..40]),
        ),
        edited(
            "- { name: provider,",
            &format!("- {{ name: {} }}\n      - {{ name: {},", &key[..40], &key[..40]),
        ),
        edited("clusterID: consumer", &format!("clusterID: consumer\n    tenantNamespace: {}", &key[..40]))
            .replace("- name: demo", &format!("- name: {}", &key[..40])),
    ] {
        let screen = screen(&document);
        assert!(screen.contains("error["), "{document}");
        HALF.is_hidden_in(&screen, "a name");
    }
}

/// A password has no form that could be recognised, but the field before it says what it is.
#[test]
fn an_opaque_token_behind_its_fields_name() {
    let token = "hunter2-hunter2";
    for words in ["token: @", "token: '@'", "password=@", "{token: @}", "id-token: @", "TOKEN : @"] {
        hidden(&words.replace('@', token), token);
    }
}

/// The same over two lines, or in JSON in a string.
#[test]
fn an_opaque_token_a_little_farther_from_its_fields_name() {
    let token = "hunter2-hunter2";
    let place = "      - { name: provider, class: default, resources: { cpu: \"1\", memory: 1Gi } }";
    for text in [
        "{ token:\n          @, wrong: 1 }",
        "{ token:\n\n          # of Rome\n          '@', wrong: 1 }",
        "\"{\\\"token\\\": \\\"@\\\"}\"",
        "{ class: 'token:\n          @' }",
    ] {
        let screen = screen(&edited(place, &format!("      - {}", text.replace('@', token))));
        assert!(screen.contains("error["), "{text}");
        assert_eq!(shown(&screen, token), None, "{text}:\n{screen}");
    }
}
