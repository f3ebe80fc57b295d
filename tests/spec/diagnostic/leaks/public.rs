//! `publicKey` shows what it holds, since a public key is no secret, if it is one.

use super::canary::{CANARIES, KEY, screen};
use crate::harness::{Checkout, edited};

/// A key that is a public one: it has none of the bits that `wg genkey` sets and clears.
const PUBLIC: &str = "ahPstVhybRiIyxSPhZgfWkc5vMUaJTFHaCcTr2KEW2A=";

/// The quickstart with this behind a cluster's `publicKey`, and something wrong on the same line or the next.
fn documents(value: &str) -> [String; 5] {
    [
        edited("clusterID: consumer", &format!("clusterID: Consumer\n    publicKey: {value}")),
        edited("clusterID: consumer", &format!("clusterID: consumer\n    publicKey: {value}\n    wrong: 1")),
        edited(
            "clusterID: consumer",
            &format!("clusterID: consumer\n    {{ publicKey: {value}, wrong: 1 }}"),
        ),
        edited(
            "  provider:\n    clusterID: provider\n",
            &format!("  provider: {{ publicKey: {value}, clusterID: Provider }}\n  x:\n"),
        ),
        edited("clusterID: consumer", &format!("clusterID: consumer\n    publicKey: {value}"))
            .replace("clusterID: provider", &format!("clusterID: provider\n    publicKey: {value}")),
    ]
}

/// It cannot be told from a private one in its place.
#[test]
fn a_public_key_is_hidden_as_well() {
    assert!(documents(PUBLIC).iter().all(|document| !screen(document).contains(PUBLIC)));
}

#[test]
fn what_is_no_public_key_is_hidden_there_as_well() {
    for canary in CANARIES.iter().filter(|canary| canary.text.len() != KEY.text.len()) {
        for way in ["@", "\"@\"", "\"@", "[@]", "\"@\\n\"", "@ @"] {
            for document in documents(&way.replace('@', canary.text)) {
                canary.is_hidden_in(&screen(&document), way);
            }
        }
    }
    // a key with a blank, cut, or with too much
    for value in [format!("\" {}\"", KEY.text), KEY.text.replace("HFU=", ""), format!("{}AAAA", KEY.text)] {
        for document in documents(&value) {
            KEY.is_hidden_in(&screen(&document), &value);
        }
    }
}

/// The private key in the place of the public one, the slip that is most likely of all. `wg genkey` clamps: the three low
/// bits are clear and bit 254 is set, as in one public key of sixteen.
#[test]
fn a_private_key_in_the_place_of_the_public_one() {
    for value in [KEY.text.to_owned(), format!("\"{}\"", KEY.text)] {
        for document in documents(&value) {
            KEY.is_hidden_in(&screen(&document), &value);
        }
    }
}

/// The same where the document is right and the seed gives another key.
#[test]
fn a_private_key_that_is_expected_is_not_repeated() {
    let checkout = Checkout::of(edited(
        "clusterID: consumer",
        &format!("clusterID: consumer\n    publicKey: {}", KEY.text),
    ));
    for role in ["consumer", "provider"] {
        let outcome = checkout.plugin(role).run();
        outcome.fails(1, "unexpected-key");
        KEY.is_hidden_in(&outcome.stderr, role);
    }
}
