//! Every example's two streams, byte for byte: `tests/golden/<example>/<role>.yaml`, as the program prints them.
//!
//! The streams hold (demonstration) private keys, so a failure names lines and their keys, never a value.

use crate::generated::{self, Made};
use crate::harness::{Peering, ROLES};

pub(crate) fn made() -> Vec<Made> {
    let streams = Peering::examples().into_iter().flat_map(|example| {
        ROLES.map(|role| Made {
            path: format!("tests/golden/{}/{role}.yaml", example.name),
            text: example.run(role).run().stream().to_owned(),
        })
    });
    streams.collect()
}

#[test]
fn every_example_gives_its_golden_streams() {
    let made = generated::GOLDEN.is_current();
    assert_eq!(
        generated::left_over(&made, "tests/golden", "tests/golden/README.md"),
        [""; 0]
    );
}

/// What a failure says of a line: what stands before the colon, if that looks like a key. No values: they could be private keys.
pub(crate) fn key(line: &str) -> &str {
    let text = line.trim();
    let key = text
        .trim_start_matches("- ")
        .split_once(':')
        .map(|(key, _)| key.trim_matches('"'));
    let plain = |key: &&str| {
        key.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-./".contains(&byte))
    };
    key.filter(plain)
        .unwrap_or(if text == "---" { "---" } else { "an item" })
}

#[test]
fn a_line_is_told_by_its_key() {
    for (line, told) in [
        ("  \"privateKey\": \"AAAA\"\n", "privateKey"),
        ("kind: \"Secret\"\r\n", "kind"),
        ("  - name: a", "name"),
        ("---\n", "---"),
        // as a block scalar, the value would have a line of its own
        ("    AAAA+A==\n", "an item"),
        ("    AAAA/A==: b\n", "an item"),
    ] {
        assert_eq!(key(line), told, "{line}");
    }
}
