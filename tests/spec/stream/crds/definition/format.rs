//! The `format` keyword, as far as the API server enforces it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::LazyLock;

use regex_lite::Regex;

use super::schema::Type;

/// A format that Liqo's CRDs use and that the API server checks
/// (k8s.io/apiextensions-apiserver `pkg/apiserver/validation/formats.go`).
#[derive(Clone, Copy)]
pub(super) enum Format {
    Cidr,
    Ipv4,
    Byte,
    DateTime,
    Int32,
    Int64,
}

impl Format {
    /// The API server ignores a format that does not fit the type; we refuse to guess.
    pub(super) fn named(kind: Type, name: &str) -> Option<Self> {
        match (kind, name) {
            (Type::String, "cidr") => Some(Self::Cidr),
            (Type::String, "ipv4") => Some(Self::Ipv4),
            (Type::String, "byte") => Some(Self::Byte),
            (Type::String, "date-time") => Some(Self::DateTime),
            (Type::Integer, "int32") => Some(Self::Int32),
            (Type::Integer, "int64") => Some(Self::Int64),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cidr => "cidr",
            Self::Ipv4 => "ipv4",
            Self::Byte => "byte (base64)",
            Self::DateTime => "date-time",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
        }
    }

    pub(super) fn accepts_text(self, text: &str) -> bool {
        match self {
            Self::Cidr => is_cidr(text),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Byte => BASE64.is_match(text),
            Self::DateTime => DATE_TIME.is_match(text),
            Self::Int32 | Self::Int64 => true,
        }
    }

    /// The API server does not hold a number to `int32` unless it has a minimum or a maximum; Liqo's
    /// controllers, which read it into that type, would fail.
    pub(super) fn accepts_integer(self, number: f64) -> bool {
        match self {
            Self::Int32 => (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number),
            Self::Cidr | Self::Ipv4 | Self::Byte | Self::DateTime | Self::Int64 => true,
        }
    }
}

/// The standard alphabet with padding, never empty (kube-openapi `govalidator.Base64`).
static BASE64: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$")
        .expect("the pattern is a constant")
});

/// RFC 3339. Upstream (`strfmt.IsDateTime`) also knows how long each month is: the one place where it
/// is stricter, and no field we emit is a time.
static DATE_TIME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]",
        r"([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$",
    ))
    .expect("the pattern is a constant")
});

/// An address, a slash, a prefix length; host bits may be set (`net.ParseCIDR`). The API server
/// also takes leading zeros in an IPv4 address (`netutils.ParseCIDRSloppy`); we do not.
fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else {
        return false;
    };
    let longest = match address.parse() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    let digits = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
    digits && length.parse::<u8>().is_ok_and(|length| length <= longest)
}

#[cfg(test)]
mod tests {
    use super::Format;

    fn verdicts(format: Format, texts: &[&str]) -> Vec<bool> {
        texts.iter().map(|text| format.accepts_text(text)).collect()
    }

    #[test]
    fn a_cidr_may_have_host_bits_but_must_be_whole() {
        let good = ["10.0.0.0/16", "10.1.2.3/16", "0.0.0.0/0", "fd00::/8"];
        let bad = ["", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/+8", "::/129"];
        assert_eq!(verdicts(Format::Cidr, &good), [true; 4]);
        assert_eq!(verdicts(Format::Cidr, &bad), [false; 7]);
    }

    #[test]
    fn bytes_are_padded_standard_base64_and_never_empty() {
        assert_eq!(verdicts(Format::Byte, &["AA==", "AAA=", "AAAA", "+/+/"]), [true; 4]);
        assert_eq!(verdicts(Format::Byte, &["", "AA", "A===", "-_-_", "AAAA\n"]), [false; 5]);
    }

    #[test]
    fn a_time_needs_a_date_and_a_zone() {
        let good = ["2026-11-21T03:35:00Z", "2026-11-21t03:35:00.5+01:00"];
        let bad = ["", "2026-11-21", "2026-11-21T03:35:00", "2026-13-21T03:35:00Z"];
        assert_eq!(verdicts(Format::DateTime, &good), [true; 2]);
        assert_eq!(verdicts(Format::DateTime, &bad), [false; 4]);
    }

    #[test]
    fn an_int32_has_an_end() {
        assert!(Format::Int32.accepts_integer(f64::from(i32::MAX)));
        assert!(!Format::Int32.accepts_integer(f64::from(i32::MAX) + 1.0));
    }
}
