//! Liqo's versions.

use super::characters::is_word;
use super::words::decimal;
use crate::diagnostic::{Code, Rule};
use crate::document::scalar;

/// The lowest Liqo of a peering's clusters, as far as CRDs differ: a minor version that this program knows. A newer
/// version counts as the newest known one, a pre-release as the release before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LiqoVersion {
    minor: u16,
}

impl LiqoVersion {
    /// Liqo 1.0, the first with these CRDs.
    pub const V1_0: Self = Self { minor: 0 };
    /// Liqo 1.1.
    pub const V1_1: Self = Self { minor: 1 };
    /// Liqo 1.2: several pod CIDRs, annotations and labels of the gateway's Service.
    pub const V1_2: Self = Self { minor: 2 };
    /// The newest Liqo whose CRDs this program knows.
    pub const NEWEST: Self = Self::V1_2;

    /// Whether the clusters of a new peering exchange keys. Since 1.2, Liqo renews the certificate that an exchange gives.
    pub(crate) fn exchanges_keys(self) -> bool {
        self >= Self::V1_2
    }

    /// Whether a version is newer than the newest known one.
    pub(crate) fn is_unknown(text: &str) -> bool {
        let parts = text.trim_start_matches('v').split('.');
        let mut numbers = parts.map(|part| part.parse::<u16>().unwrap_or_default());
        (numbers.next(), numbers.next()) > (Some(1), Some(Self::NEWEST.minor))
    }

    fn parse(text: &str) -> Result<Self, Rule> {
        match read_numbers(text) {
            None => Err(wrong(text, "can be read")),
            Some((0, _)) => Err(wrong(text, "has these CRDs: 1.0 is the first")),
            Some((1, minor)) => Ok(Self {
                minor: minor.min(Self::NEWEST.minor),
            }),
            Some(_) => Ok(Self::NEWEST),
        }
    }
}

/// The major and the minor version. 1.2.0-rc.1 may lack fields of 1.2, so it counts as 1.1; 1.2.1-rc.1 comes after 1.2.
fn read_numbers(text: &str) -> Option<(u16, u16)> {
    let (release, before) = match text.split_once('-') {
        Some((release, before)) => (release, Some(before)),
        None => (text, None),
    };
    let parts = release.strip_prefix('v').unwrap_or(release).split('.');
    let numbers: Vec<u16> = parts.map(number).collect::<Option<_>>()?;
    match (numbers.as_slice(), before.map(is_pre_release)) {
        ([major, minor] | [major, minor, _], None) => Some((*major, *minor)),
        ([major, 0, 0], Some(true)) => Some((major.saturating_sub(1), u16::MAX)),
        ([major, minor, 0], Some(true)) => Some((*major, minor - 1)),
        ([major, minor, _], Some(true)) => Some((*major, *minor)),
        _ => None,
    }
}

fn number(part: &str) -> Option<u16> {
    decimal(part).filter(|number| *number < 10_000)
}

fn wrong(text: &str, why: &str) -> Rule {
    let what = format!("a version of Liqo that {why}");
    let rule = Rule::wrong_value(Code::LiqoVersion, text, what);
    rule.help("write the lower of both clusters' versions, as `liqoctl version` prints it, such as `\"v1.0.3\"`")
}

/// Whether a text has identifiers joined by dots (Semantic Versioning 2.0.0, section 9).
fn is_pre_release(text: &str) -> bool {
    text.len() <= 64 && text.split('.').all(|part| !part.is_empty()) && is_word(text, b"-.")
}

scalar!(LiqoVersion, takes "a version in quotes", read Self::parse, shown |it| format!("1.{}", it.minor), schema {
    "type": "string",
    "pattern": r"^v?[1-9][0-9]{0,3}\.(0|[1-9][0-9]{0,3})(\.(0|[1-9][0-9]{0,3})(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?)?$",
    "examples": ["1.2"],
});

#[cfg(test)]
mod tests {
    use super::LiqoVersion;

    #[test]
    fn versions() {
        for (text, expected) in [
            ("1.0", LiqoVersion::V1_0),
            ("v1.0.3", LiqoVersion::V1_0),
            ("1.1.2", LiqoVersion::V1_1),
            ("1.2", LiqoVersion::V1_2),
            ("v1.2", LiqoVersion::V1_2),
            ("1.10", LiqoVersion::NEWEST),
            ("1.2.0-rc.1", LiqoVersion::V1_1),
            ("v1.1.0-alpha", LiqoVersion::V1_0),
            ("1.2.1-rc.1", LiqoVersion::V1_2),
            ("1.3.0-rc.1", LiqoVersion::V1_2),
            ("2.0.0-rc.1", LiqoVersion::NEWEST),
            ("2.0", LiqoVersion::NEWEST),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in [
            "",
            "1",
            "0.10",
            "1.x",
            "1.2.3.4",
            "01.2",
            "v",
            "1.2-rc1",
            "1..2",
            "1.2.0-",
            "1.2.0-rc..1",
            "1.2.0-rc 1",
            "1.0.0-rc.3",
        ] {
            assert!(text.parse::<LiqoVersion>().is_err(), "{text}");
        }
    }
}
