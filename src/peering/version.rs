//! Liqo's versions.

use crate::diagnostic::{Code, Rule, quoted};
use std::fmt;
use std::str::FromStr;

/// The lowest Liqo of a peering's clusters, as far as its CRDs differ: a minor version that this program
/// knows. A newer one is taken as the newest known.
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
    /// The newest whose CRDs this program knows.
    pub const NEWEST: Self = Self::V1_2;
}

impl FromStr for LiqoVersion {
    type Err = Rule;

    fn from_str(text: &str) -> Result<Self, Rule> {
        let number = |part: &str| {
            let digits =
                !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse::<u16>().ok().filter(|_| digits && (part == "0" || !part.starts_with('0')))
        };
        let wrong = |why: &str| {
            Err(Rule::new(Code::LiqoVersion, format!("{} is not a version of Liqo that {why}", quoted(text)))
                .help("for example `\"1.2\"` or `\"v1.0.3\"`: the lowest on either cluster, as `liqoctl version` prints it"))
        };
        let mut parts = text.strip_prefix('v').unwrap_or(text).split('.');
        let (major, minor, patch) = (parts.next(), parts.next(), parts.next());
        let (Some(major), Some(minor)) = (major.and_then(number), minor.and_then(number)) else {
            return wrong("can be read");
        };
        if patch.is_some_and(|patch| number(patch).is_none()) || parts.next().is_some() {
            return wrong("can be read");
        }
        match major {
            0 => wrong("has these CRDs: 1.0 is the first"),
            1 => Ok(Self { minor: minor.min(Self::NEWEST.minor) }),
            _ => Ok(Self::NEWEST),
        }
    }
}

impl fmt::Display for LiqoVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "1.{}", self.minor)
    }
}

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
            ("1.10", LiqoVersion::NEWEST),
            ("2.0", LiqoVersion::NEWEST),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in ["", "1", "0.10", "1.x", "1.2.3.4", "01.2", "v", "1.2-rc1", "1..2"] {
            assert!(text.parse::<LiqoVersion>().is_err(), "{text}");
        }
    }
}
