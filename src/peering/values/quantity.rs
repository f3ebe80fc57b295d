//! Kubernetes quantities in their canonical form.
//!
//! Liqo's controllers write a `ResourceSlice` back through Go's types, which rewrites every quantity
//! (`1000m` becomes `1`, `1024Mi` becomes `1Gi`). A stream with another spelling would never be in sync, so quantities
//! are written as `k8s.io/apimachinery/pkg/api/resource/quantity.go` would.

use crate::diagnostic::{Code, Rule};
use crate::document::{Decode, Decoder, schema, text};
use crate::input::yaml::{Node, Plain, Value, read_plain};
use std::str::FromStr;

/// A quantity of zero or more, in Kubernetes' canonical form: no fraction, the largest suffix that keeps it exact.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct Quantity {
    canonical: String,
    #[serde(skip)]
    whole: bool,
}

/// The notation of the number, which Go's type remembers and prints again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    DecimalSi,
    BinarySi,
    DecimalExponent,
}

/// Numbers are in billionths, Kubernetes' finest unit.
const NANO: i128 = 1_000_000_000;

/// Go cuts a quantity at this many whole units, so a larger one is a mistake.
const LARGEST: i128 = i64::MAX as i128 * NANO;

const DECIMAL: [(&str, i32); 10] = [
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];

const BINARY: [(&str, i128); 6] = [
    ("Ki", 1 << 10),
    ("Mi", 1 << 20),
    ("Gi", 1 << 30),
    ("Ti", 1 << 40),
    ("Pi", 1 << 50),
    ("Ei", 1 << 60),
];

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

/// A quantity may also be written as a number, if every reader of YAML reads the same one.
impl Decode for Quantity {
    fn decode(node: &Node, decoder: &mut Decoder) -> Option<Self> {
        let written = match &node.value {
            Value::Plain(text)
                if matches!(read_plain(text), Plain::Integer(_) | Plain::Fraction) =>
            {
                text
            }
            _ => text(node, "a quantity", decoder)?,
        };
        decoder.valid(node, written.parse())
    }
}

/// The form of a quantity.
const PATTERN: &str =
    r"^\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]{1,3})?$";

schema!(Quantity, {
    "anyOf": [{ "type": "string", "pattern": PATTERN }, { "type": "number", "minimum": 0 }],
    "examples": ["20", "500m", "128Gi"],
});

impl FromStr for Quantity {
    type Err = Rule;

    fn from_str(text: &str) -> Result<Self, Rule> {
        let example = "for example `\"20\"`, `\"500m\"` or `\"128Gi\"`";
        if text.starts_with('-') {
            return Err(wrong(text, "it is below zero").help("the smallest quantity is `0`"));
        }
        let unsigned = text.strip_prefix('+').unwrap_or(text);
        let digits_end = unsigned
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(unsigned.len());
        let (number, suffix) = unsigned.split_at(digits_end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') || number.len() > 40
        {
            return Err(wrong(text, "it must begin with a number").help(example));
        }
        let (format, factor, power) = scale_of(suffix).ok_or_else(|| {
            let rule = wrong(text, "its suffix is not known");
            match known_suffix(suffix) {
                Some(known) => {
                    rule.help(format!("did you mean `{number}{known}`?"))
                }
                None => rule
                    .help("the suffixes are n u m k M G T P E, Ki Mi Gi Ti Pi Ei, or an exponent such as e3"),
            }
        })?;
        let nanos = nanos(whole, fraction, factor, power)
            .filter(|nanos| *nanos <= LARGEST)
            .ok_or_else(|| {
                wrong(text, "it is larger than Kubernetes counts")
                    .help("the most is `9223372036854775807`, just below `8Ei`")
            })?;
        Ok(Self {
            canonical: canonical(nanos, format),
            whole: nanos % NANO == 0,
        })
    }
}

fn wrong(text: &str, why: &str) -> Rule {
    Rule::is_not(Code::Quantity, text, format!("a quantity: {why}"))
}

/// The suffix that was probably meant by `GB`, ` Gi`, `K` or `gi`.
fn known_suffix(suffix: &str) -> Option<String> {
    let suffix = suffix.trim().trim_end_matches(['B', 'b']);
    if scale_of(suffix).is_some() {
        return Some(suffix.to_owned());
    }
    let mut names = BINARY
        .iter()
        .map(|it| it.0)
        .chain(DECIMAL.iter().map(|it| it.0));
    names
        .find(|name| name.eq_ignore_ascii_case(suffix))
        .map(ToOwned::to_owned)
}

/// The factor and the power of ten of a suffix.
fn scale_of(suffix: &str) -> Option<(Format, i128, i32)> {
    if let Some((_, power)) = DECIMAL.iter().find(|(name, _)| *name == suffix) {
        return Some((Format::DecimalSi, 1, *power));
    }
    if let Some((_, factor)) = BINARY.iter().find(|(name, _)| *name == suffix) {
        return Some((Format::BinarySi, *factor, 0));
    }
    let exponent = suffix.strip_prefix(['e', 'E'])?;
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if digits.is_empty() || digits.len() > 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    exponent
        .parse()
        .ok()
        .map(|power| (Format::DecimalExponent, 1, power))
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
    if tens >= 0 {
        return mantissa.checked_mul(10_i128.checked_pow(tens.unsigned_abs())?);
    }
    let divisor = 10_i128.checked_pow(tens.unsigned_abs())?;
    Some(mantissa.checked_add(divisor - 1)? / divisor)
}

fn canonical(nanos: i128, format: Format) -> String {
    if nanos == 0 {
        return "0".to_owned();
    }
    // a binary quantity that is small or not whole is printed in decimal, so that it is exact
    if format == Format::BinarySi && nanos % NANO == 0 && nanos >= 1024 * NANO {
        let (mut units, mut suffix) = (nanos / NANO, "");
        for (name, _) in BINARY {
            if units % 1024 == 0 {
                units /= 1024;
                suffix = name;
            } else {
                break;
            }
        }
        return format!("{units}{suffix}");
    }
    let (mut units, mut power) = (nanos, -9);
    // the loop ends: zero is printed above, and the largest is 9E
    while units % 1000 == 0 {
        units /= 1000;
        power += 3;
    }
    if format == Format::DecimalExponent {
        return if power == 0 {
            units.to_string()
        } else {
            format!("{units}e{power}")
        };
    }
    let suffix = DECIMAL
        .iter()
        .find(|(_, p)| *p == power)
        .map_or("", |(name, _)| name);
    format!("{units}{suffix}")
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
