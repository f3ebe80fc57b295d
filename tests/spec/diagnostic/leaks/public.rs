//! `publicKey` shows what it holds, since a public key is no secret, if it is one.

use super::canary::{CANARIES, KEY, screen, shown};
use crate::harness::{Checkout, edited};

/// A key that is a public one: it has none of the bits that `wg genkey` sets and clears.
const PUBLIC: &str = "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=";

/// The quickstart with this behind a cluster's `publicKey`, and something wrong on the same line or the next.
fn documents(value: &str) -> [String; 5] {
    let (one, other) = ("clusterID: consumer", "clusterID: provider");
    let both = format!("  provider:\n    {other}\n");
    [
        edited(one, &format!("clusterID: Consumer\n    publicKey: {value}")),
        edited(one, &format!("{one}\n    publicKey: {value}\n    wrong: 1")),
        edited(
            one,
            &format!("{one}\n    {{ publicKey: {value}, wrong: 1 }}"),
        ),
        edited(
            &both,
            &format!("  provider: {{ publicKey: {value}, clusterID: Provider }}\n  x:\n"),
        ),
        edited(one, &format!("{one}\n    publicKey: {value}"))
            .replace(other, &format!("{other}\n    publicKey: {value}")),
    ]
}

/// A public key cannot be told from a private one in its place, the slip that is most likely of all. `wg genkey` clamps: the three low
/// bits are clear and bit 254 is set, as in one public key of sixteen.
#[test]
fn whatever_is_there_is_hidden() {
    for key in [PUBLIC, KEY.text] {
        for value in [key.to_owned(), format!("\"{key}\"")] {
            for document in documents(&value) {
                assert_eq!(shown(&screen(&document), key), None, "{document}");
            }
        }
    }
    for canary in CANARIES
        .iter()
        .filter(|canary| canary.text.len() != KEY.text.len())
    {
        for way in ["@", "\"@\"", "\"@", "[@]", "\"@\\n\"", "@ @"] {
            for document in documents(&way.replace('@', canary.text)) {
                canary.is_hidden_in(&screen(&document), way);
            }
        }
    }
    // a key with a blank, cut, or with too much
    for value in [
        format!("\" {}\"", KEY.text),
        KEY.text.replace("HFU=", ""),
        format!("{}AAAA", KEY.text),
    ] {
        for document in documents(&value) {
            KEY.is_hidden_in(&screen(&document), &value);
        }
    }
}

/// The same where the document is right and the seed gives another key.
#[test]
fn a_private_key_that_is_expected_is_not_repeated() {
    let key = format!("clusterID: consumer\n    publicKey: {}", KEY.text);
    let checkout = Checkout::of(edited("clusterID: consumer", &key));
    for role in ["consumer", "provider"] {
        let outcome = checkout.plugin(role).run();
        outcome.fails(1, "unexpected-key");
        KEY.is_hidden_in(&outcome.stderr, role);
    }
}
