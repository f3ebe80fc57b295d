//! The search itself must find what is there.

use super::canary::{CANARIES, HEX, KEY, screen, shown};
use crate::harness::Text;

#[test]
fn twelve_characters_in_a_row_are_found_and_eleven_are_not() {
    let secret = "abcdefghijklmnopqrstuvwxyz";
    assert_eq!(shown("…abcdefghijkl…", secret), Some("abcdefghijkl"));
    assert_eq!(shown("…opqrstuvwxyz…", secret), Some("opqrstuvwxyz"));
    assert_eq!(shown("…abcdefghijk…lmnopqrstuv…", secret), None);
    assert_eq!(shown("…ABCDEFGHIJKL…", secret), Some("abcdefghijkl"));
    assert_eq!(shown("hunter2", "hunter2"), Some("hunter2"));
    assert_eq!(shown("hunter", "hunter2"), None);
}

#[test]
fn a_canary_in_the_clear_is_found_behind_its_prefix() {
    for canary in CANARIES.iter().chain([&HEX]) {
        let text = format!("x {} y", canary.text);
        assert!(canary.shown_in(&text).is_some(), "{}", canary.what);
        assert!(canary.shown_in(canary.prefix).is_none(), "{}", canary.what);
        let tail = canary.text.get(canary.text.len() - 12..).expect("text");
        assert_eq!(canary.shown_in(tail), Some(tail), "{}", canary.what);
    }
}

/// The documents of these tests are shown to their authors, with the line that the canary stands on.
#[test]
fn the_screen_shows_the_line() {
    let text = format!("apiVersion: argocd-peering/v1alpha1\nkind: Peering\nwrong: {} # here\n", KEY.text);
    let screen = screen(&text);
    screen.has("wrong: ****").has("**** # here");
    KEY.is_hidden_in(&screen, "the line");
}
