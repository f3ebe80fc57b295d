//! Kubernetes quantities in their canonical form.
//!
//! Liqo's controllers write a `ResourceSlice` back through Go's types, which rewrites every quantity
//! (`1000m` becomes `1`, `1024Mi` becomes `1Gi`). A stream with another spelling would never be in sync, so quantities
//! are written as `k8s.io/apimachinery/pkg/api/resource/quantity.go` would.

use crate::diagnostic::{Code, Rule};
use crate::document::scalar;
use crate::input::yaml::{Plain, read_plain};

/// A quantity of zero or more, in Kubernetes' canonical form: no fraction, the largest suffix that keeps it exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    canonical: String,
    whole: bool,
}

/// The notation of the number, which Go's type remembers and prints again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    DecimalSi,
    BinarySi,
    DecimalExponent,
}

/// Numbers are in billionths, Kubernetes' finest unit.
const NANO: i128 = 1_000_000_000;

/// Go cuts a quantity at this many whole units, so a larger one is a mistake.
const LARGEST: i128 = i64::MAX as i128 * NANO;

/// The decimal suffixes, from billionths on; each stands for a thousand times the one before it.
const DECIMAL: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

/// The binary suffixes; each stands for 1024 times the one before it.
const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

impl Quantity {
    /// The text as Kubernetes prints it.
    pub fn as_str(&self) -> &str {
        &self.canonical
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.canonical == "0"
    }

    /// Whether it is a number of whole units, as for pods.
    pub const fn is_integer(&self) -> bool {
        self.whole
    }
}

/// The form of a quantity.
const PATTERN: &str =
    r"^\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]{1,3})?$";

impl Quantity {
    fn parse(text: &str) -> Result<Self, Rule> {
        if text.starts_with('-') {
            return Err(wrong(text, "it is below zero").help("the smallest quantity is `0`"));
        }
        let unsigned = text.strip_prefix('+').unwrap_or(text);
        let is_digit = |c: char| c.is_ascii_digit() || c == '.';
        let suffix = unsigned.trim_start_matches(is_digit);
        let number = unsigned.strip_suffix(suffix).unwrap_or_default();
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if matches!(number, "" | ".") || fraction.contains('.') || number.len() > 40 {
            let example = "for example `\"20\"`, `\"500m\"` or `\"128Gi\"`";
            return Err(wrong(text, "it must begin with a number").help(example));
        }
        let Some((format, factor, power)) = scale_of(suffix) else {
            let rule = wrong(text, "its suffix is not known");
            return Err(match known_suffix(suffix) {
                Some(known) => rule.help(format!("did you mean `{number}{known}`?")),
                None => rule.help(
                    "suffixes: `n u m k M G T P E Ki Mi Gi Ti Pi Ei`, or an exponent such as e3",
                ),
            });
        };
        let nanos = match nanos(whole, fraction, factor, power) {
            Some(nanos) if nanos <= LARGEST => nanos,
            _ => {
                let rule = wrong(text, "it is larger than Kubernetes counts");
                return Err(rule.help("the most is `9223372036854775807`"));
            }
        };
        Ok(Self {
            canonical: canonical(nanos, format),
            whole: nanos % NANO == 0,
        })
    }
}

// a quantity may also be written as a number, if every reader of YAML reads the same one
scalar!(Quantity, takes "a quantity", plain is_number, read Self::parse, shown |it| it.canonical, schema {
    "anyOf": [{ "type": "string", "pattern": PATTERN }, { "type": "number", "minimum": 0 }],
    "examples": ["20", "500m", "128Gi"],
});

fn is_number(plain: &str) -> bool {
    matches!(read_plain(plain), Plain::Integer(_) | Plain::Fraction)
}

fn wrong(text: &str, why: &str) -> Rule {
    Rule::wrong_value(Code::Quantity, text, format!("a quantity: {why}"))
}

/// The suffix that was probably meant by `GB`, ` Gi`, `K` or `gi`.
fn known_suffix(suffix: &str) -> Option<&str> {
    let suffix = suffix.trim().trim_end_matches(['B', 'b']);
    if scale_of(suffix).is_some() {
        return Some(suffix);
    }
    let mut names = BINARY.into_iter().chain(DECIMAL);
    names.find(|name| name.eq_ignore_ascii_case(suffix))
}

/// The factor and the power of ten of a suffix.
fn scale_of(suffix: &str) -> Option<(Notation, i128, i32)> {
    let powers = (-9..).step_by(3);
    if let Some((_, power)) = DECIMAL.iter().zip(powers).find(|it| *it.0 == suffix) {
        return Some((Notation::DecimalSi, 1, power));
    }
    let bits = (10..).step_by(10);
    if let Some((_, bits)) = BINARY.iter().zip(bits).find(|it| *it.0 == suffix) {
        return Some((Notation::BinarySi, 1 << bits, 0));
    }
    let exponent = suffix.strip_prefix(['e', 'E'])?;
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_short = (1..=3).contains(&digits.len());
    is_short.then_some((Notation::DecimalExponent, 1, exponent.parse().ok()?))
}

/// The number in billionths, rounded up, as Go does.
fn nanos(whole: &str, fraction: &str, factor: i128, power: i32) -> Option<i128> {
    let fraction = fraction.trim_end_matches('0');
    let digits: i128 = format!("0{whole}{fraction}").parse().ok()?;
    let mantissa = digits.checked_mul(factor)?;
    let tens = power + 9 - i32::try_from(fraction.len()).ok()?;
    if mantissa == 0 {
        return Some(0);
    }
    let scale = 10_i128.checked_pow(tens.unsigned_abs());
    if tens.is_positive() {
        return mantissa.checked_mul(scale?);
    }
    Some(scale.map_or(1, |scale| (mantissa - 1) / scale + 1))
}

fn canonical(nanos: i128, format: Notation) -> String {
    if nanos == 0 {
        return "0".to_owned();
    }
    // a binary quantity that is small or not whole is printed in decimal, so that it is exact
    if format == Notation::BinarySi && nanos % NANO == 0 && nanos >= 1024 * NANO {
        let (mut units, mut suffix) = (nanos / NANO, "");
        for name in BINARY {
            if units % 1024 != 0 {
                break;
            }
            units /= 1024;
            suffix = name;
        }
        return format!("{units}{suffix}");
    }
    let (mut units, mut thousands) = (nanos, 0);
    // the loop ends: zero is printed above, and the largest is 9E
    while units % 1000 == 0 {
        units /= 1000;
        thousands += 1;
    }
    match (format, DECIMAL.get(thousands)) {
        (_, Some(&"")) => units.to_string(),
        (Notation::DecimalExponent, _) => format!("{units}e{}", 3 * thousands.cast_signed() - 9),
        (_, suffix) => format!("{units}{}", suffix.unwrap_or(&"")),
    }
}

#[cfg(test)]
mod tests {
    use super::Quantity;

    /// The pairs are those of `TestQuantityParse` and `TestQuantityString` in apimachinery's `quantity_test.go`,
    /// and the ones that Liqo's guide had to mend.
    #[test]
    fn canonical_forms() {
        for (text, expected) in [
            ("20", "20"),
            ("1000m", "1"),
            ("0.5", "500m"),
            (".5", "500m"),
            ("5.", "5"),
            ("1024Mi", "1Gi"),
            ("128Gi", "128Gi"),
            ("1.5Gi", "1536Mi"),
            ("1Ki", "1Ki"),
            ("0.5Ki", "512"),
            ("1000", "1k"),
            ("1500", "1500"),
            ("1000000", "1M"),
            ("1023Ki", "1023Ki"),
            ("0.001", "1m"),
            ("0.0001", "100u"),
            ("1e3", "1e3"),
            ("12e2", "1200"),
            ("1E3", "1e3"),
            ("1E", "1E"),
            ("0.1Ki", "102400m"),
            ("100000000000m", "100M"),
            ("+7", "7"),
            ("001", "1"),
            ("0.0000000001", "1n"),
            ("2Ei", "2Ei"),
            ("0", "0"),
            ("0.0", "0"),
            ("+0", "0"),
            ("0Gi", "0"),
            ("0m", "0"),
            ("0e3", "0"),
        ] {
            let quantity = text.parse::<Quantity>().map(|quantity| quantity.canonical);
            assert_eq!(quantity, Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_quantity() {
        for text in [
            "",
            "-1",
            "1K",
            "1 Gi",
            "Gi",
            "1.2.3",
            "1e",
            "1ee3",
            "1e9999",
            "1_000",
            "0x10",
            "9223372036854775808",
            "9Ei",
            "ten",
            ".",
            "1Gib",
        ] {
            assert!(text.parse::<Quantity>().is_err(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_known() {
        for (text, is_whole) in [
            ("110", true),
            ("1k", true),
            ("2000m", true),
            ("1.5", false),
            ("1m", false),
        ] {
            assert_eq!(
                text.parse::<Quantity>().expect("a quantity").is_integer(),
                is_whole,
                "{text}"
            );
        }
    }
}
