//! Secrets that must not be shown, and the search for them.

use crate::harness::library::{Look, printed, problems};
use crate::harness::{Text, edited};

/// A secret in one of its spellings.
#[derive(Clone, Copy)]
pub(crate) struct Canary {
    /// What it is, for people.
    pub(crate) what: &'static str,
    /// As it is pasted.
    pub(crate) text: &'static str,
    /// What of it may be shown: the words that say what it is.
    pub(crate) prefix: &'static str,
}

const fn canary(what: &'static str, prefix: &'static str, text: &'static str) -> Canary {
    Canary { what, text, prefix }
}

/// A `WireGuard` private key as `wg genkey` prints it; its public key is nobody's.
pub(crate) const KEY: Canary = canary(
    "a private key",
    "",
    "eCWbjV8dpZSQjhRL6miBR9ioem+twHp4Q7eAs/8+HFU=",
);

/// The same in hexadecimal digits.
pub(crate) const HEX: Canary = canary(
    "a private key in hex",
    "",
    "78259b8d5f1da594908e144bea688147d8a87a6fadc07a7843b780b3ff3e1c55",
);

/// An age identity.
pub(crate) const IDENTITY: Canary = canary(
    "an identity",
    "AGE-SECRET-KEY-1",
    "AGE-SECRET-KEY-12MNNTCEQNDXZJGUVGL9JX6PVUF39Y5V83FXRUQYASTTGNT92AMKSEMP2FA",
);

/// A seed.
pub(crate) const SEED: Canary = canary(
    "a seed",
    "ARGOCD-PEERING-SEED-1",
    crate::harness::seal::SEED,
);

/// What people have in their clipboard.
pub(crate) const CANARIES: [Canary; 7] = [
    KEY,
    canary(
        "a private key without its padding",
        "",
        "eCWbjV8dpZSQjhRL6miBR9ioem+twHp4Q7eAs/8+HFU",
    ),
    IDENTITY,
    canary(
        "an identity in small letters",
        "age-secret-key-1",
        "age-secret-key-12mnntceqndxzjguvgl9jx6pvuf39y5v83fxruqyasttgnt92amksemp2fa",
    ),
    SEED,
    canary(
        "a seed in small letters",
        "argocd-peering-seed-1",
        "argocd-peering-seed-1terhynwv6q22adt9p723sk9u0fqgf2kkwj40eykw8ejtmwhl28nqzycphr",
    ),
    canary(
        "a token's head",
        "",
        "eyJhbGciOiJSUzI1NiIsImtpZCI6ImNhbmFyeS1raWQtb2Ytbm9ib2R5In0",
    ),
];

impl Canary {
    /// Twelve characters of it that a text shows.
    pub(crate) fn shown_in(self, text: &str) -> Option<&'static str> {
        shown(
            text,
            self.text.strip_prefix(self.prefix).unwrap_or(self.text),
        )
    }

    /// Fails if a text shows it.
    #[track_caller]
    pub(crate) fn is_hidden_in(self, text: &str, case: impl std::fmt::Display) {
        if let Some(part) = self.shown_in(text) {
            let what = self.what;
            assert_eq!(part, "", "{case}: {what} is shown:\n{text}");
        }
    }
}

/// Twelve characters in a row of a secret that a text shows, or all of a shorter one, in whatever case: who knows the
/// letters has the rest soon. The secret is ASCII.
pub(crate) fn shown<'s>(text: &str, secret: &'s str) -> Option<&'s str> {
    let length = secret.len().min(12);
    let (text, small) = (text.to_lowercase(), secret.to_lowercase());
    // any twelve have four in them that begin at a multiple of nine: few searches find that there is nothing to find
    let mut fours = (0..small.len())
        .step_by(9)
        .filter_map(|at| small.get(at..at + length.min(4)));
    if !fours.any(|four| text.contains(four)) {
        return None;
    }
    let found = (0..=secret.len() - length).find(|at| {
        small
            .get(*at..at + length)
            .is_some_and(|window| text.contains(window))
    });
    found.and_then(|at| secret.get(at..at + length))
}

/// What every command would say of a document: the snippets, Argo CD's short form, and JSON. Nothing if it is right.
pub(crate) fn screen(document: &str) -> String {
    problems(document).err().map_or_else(String::new, |error| {
        let json = serde_json::to_string(&error.findings()).expect("JSON");
        printed(&(error.screen(Look::PLAIN) + &error.brief())) + &json
    })
}

/// The screen of the quickstart with these lines in the place of its slice, so that a diagnostic shows them.
#[track_caller]
pub(crate) fn shown_with(lines: &str) -> String {
    let place =
        "      - { name: provider, class: default, resources: { cpu: \"1\", memory: 1Gi } }";
    let screen = screen(&edited(place, lines));
    assert!(screen.contains("error["), "{lines}");
    screen
}

// ---- the search itself ----------------------------------------------------------------------

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

/// The documents of these tests are shown to their authors, with the line that the canary stands on.
#[test]
fn the_screen_shows_the_line() {
    let text = format!(
        "apiVersion: argocd-peering/v1alpha1\nkind: Peering\nwrong: {} here\n",
        KEY.text
    );
    let screen = screen(&text);
    screen.has("wrong: ****").has("**** here");
    KEY.is_hidden_in(&screen, "the line");
}
